"""The commands print what they have to say in any locale, to terminals, files and pipes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from places import FIXTURES, GOOD, ROOT

TRANSCRIPTS = FIXTURES / "transcripts"
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
LATIN = {"PYTHONIOENCODING": "latin-1:strict"}


def told(package: str, *argv: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own and return what a pipe got of it."""
    return subprocess.run(
        [sys.executable, "-c", f"from {package}.cli import main; raise SystemExit(main())", *argv],
        capture_output=True,
        check=False,
        encoding="utf-8",
        env={**{k: v for k, v in os.environ.items() if k != "HOME"}, **environment},
        cwd=ROOT,
    )


@pytest.mark.parametrize("environment", [ASCII, LATIN], ids=["ascii", "latin-1"])
@pytest.mark.parametrize(
    ("package", "argv", "sentence"),
    [
        ("reasonix_conformance", ("rules", "CS-05", "--language", "zh-CN"), "清单"),
        ("reasonix_conformance", ("contract", "show"), "…"),
        ("reasonix_runtime", ("call", "read_file", '{"path": "README.md"}'), "→"),
    ],
)
def test_output_does_not_depend_on_the_locale(
    package: str, argv: tuple[str, ...], sentence: str, environment: dict[str, str]
) -> None:
    """Build machines and containers set none, and a traceback is no answer."""
    run = told(package, *argv, environment=environment)

    assert (0, "") == (run.returncode, run.stderr)
    assert sentence in run.stdout


@pytest.mark.parametrize("form", ["text", "json"])
def test_half_a_surrogate_pair_of_a_dump_is_shown_as_an_escape(tmp_path: Path, form: str) -> None:
    """JSON can hold what no encoding can; the tool that has it is still to be looked at."""
    dump = tmp_path / "tools.json"
    function = {"name": "a", "description": "half \ud800", "parameters": {"type": "object"}}
    dump.write_text(json.dumps([{"type": "function", "function": function}]), encoding="utf-8")

    run = told(
        "reasonix_conformance",
        *("contract", "show", "--subject", str(dump), "--format", form),
        environment={},
    )

    assert (0, "") == (run.returncode, run.stderr)
    assert "half \\ud800" in run.stdout


FULL = "cannot write the result: No space left on device"


def redirected(package: str, argv: str, redirection: str) -> subprocess.CompletedProcess[str]:
    """Run a command from a shell that redirects its output."""
    return subprocess.run(
        ["sh", "-c", f"exec {sys.executable} -m {package} {argv} {redirection}"],
        capture_output=True,
        check=False,
        text=True,
        cwd=ROOT,
    )


@pytest.mark.parametrize(
    ("argv", "redirection", "said"),
    [
        ("rules", "> /dev/full", FULL),
        ("contract show --format json", "> /dev/full", FULL),
        ("replay fixtures/transcripts/todo.yaml --format json", "> /dev/full", FULL),
        ("replay fixtures/transcripts/todo.yaml --format github", "> /dev/full", FULL),
        ("verdicts fixtures/verdicts/todo_match.jsonl", "> /dev/full", FULL),
        ("--help", "> /dev/full", FULL),
        ("replay --help", "> /dev/full", FULL),
        ("--version", "> /dev/full", FULL),
        ("rules", ">&-", "standard output is closed"),
        ("--help", ">&-", "standard output is closed"),
    ],
)
def test_output_that_cannot_be_written_is_told_in_one_line(
    argv: str, redirection: str, said: str
) -> None:
    """A full disk is no fault of ours, and half a report must not end as a good one."""
    run = redirected("reasonix_conformance", argv, redirection)

    assert (2, f"reasonix-conformance: {said}\n") == (run.returncode, run.stderr)


@pytest.mark.parametrize(
    ("package", "name"),
    [("reasonix_conformance", "reasonix-conformance"), ("reasonix_runtime", "reasonix-runtime")],
)
def test_a_package_that_is_run_is_its_command(package: str, name: str) -> None:
    """Where the scripts are not on the path, this is the way in."""
    run = subprocess.run(
        [sys.executable, "-m", package, "--version"], capture_output=True, check=True, text=True
    )

    assert run.stdout.startswith(f"{name} ")


@pytest.mark.parametrize(
    ("package", "argv", "redirection"),
    [
        ("reasonix_conformance", "replay nowhere.jsonl", "2>&-"),
        ("reasonix_conformance", "replay nowhere.jsonl", "2>/dev/full"),
        ("reasonix_conformance", "replay pyproject.toml", "2>&-"),
        ("reasonix_conformance", "verdicts nowhere.jsonl", "2>/dev/full"),
        ("reasonix_conformance", "rules nowhere", "2>&-"),
        ("reasonix_runtime", "call nowhere", "2>&-"),
        ("reasonix_runtime", "call nowhere", "2>/dev/full"),
        ("reasonix_runtime", "bogus", "2>/dev/full"),
    ],
)
def test_a_mistake_is_wrong_use_where_nobody_can_be_told(
    package: str, argv: str, redirection: str
) -> None:
    """What is meant for standard error is no result, and an exit code says all that is left."""
    run = redirected(package, argv, redirection)

    assert 2 == run.returncode
    assert "nowhere" not in run.stdout


def interrupted_at(
    module: str, package: str, *argv: str, ignored: bool = False, by: str = "SIGINT"
) -> subprocess.CompletedProcess[str]:
    """Run a command in a process that gets a signal when it imports a module."""
    program = f"""
import os, signal, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.{by})
# A run of these tests in the background of a script hands on that interrupts are ignored.
signal.signal(signal.SIGINT, signal.SIG_IGN if {ignored} else signal.default_int_handler)
sys.meta_path.insert(0, Interrupting())
sys.argv[1:] = {list(argv)!r}
from {package}.__main__ import start
sys.exit(start())
"""
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=False, text=True, cwd=ROOT
    )


LOADED = [
    ("reasonix_conformance", ("contract", "show"), "reasonix_conformance.cli"),
    ("reasonix_conformance", ("contract", "show"), "argparse"),
    ("reasonix_conformance", ("contract", "show"), "reasonix_conformance.commands.contract"),
    ("reasonix_conformance", ("replay", "README.md"), "reasonix_conformance.readers.files.lines"),
    ("reasonix_runtime", ("tools",), "reasonix_runtime.cli"),
    ("reasonix_runtime", ("tools",), "reasonix_runtime.commands.run"),
]


@pytest.mark.parametrize(("package", "argv", "module"), LOADED)
def test_an_interrupt_ends_a_command_that_is_still_loaded_without_a_word(
    package: str, argv: tuple[str, ...], module: str
) -> None:
    """Nothing was begun, and where in our imports it was is nothing that a user asked for."""
    run = interrupted_at(module, package, *argv)

    assert (-signal.SIGINT, "", "") == (run.returncode, run.stdout, run.stderr)


@pytest.mark.parametrize(
    ("package", "argv", "module", "said"),
    [
        ("reasonix_conformance", ("contract", "show"), "reasonix_conformance.contract_text", ""),
        ("reasonix_runtime", ("tools",), "reasonix_runtime.tools.registry", "interrupted"),
    ],
)
def test_an_interrupt_of_a_command_that_runs_has_a_code_of_its_own(
    package: str, argv: tuple[str, ...], module: str, said: str
) -> None:
    """It leaves its work in order."""
    run = interrupted_at(module, package, *argv)

    assert (130, "") == (run.returncode, run.stdout)
    assert said in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no other ends a process here")
@pytest.mark.parametrize("by", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_whoever_ends_a_replay_finds_no_half_of_its_report(by: str, tmp_path: Path) -> None:
    """A build server that gives up left what was begun, and the processes that shared the work."""
    argv = ("replay", str(GOOD), "--format", "html", "--output", str(tmp_path / "page.html"))

    run = interrupted_at("reasonix_conformance.reports.html", "reasonix_conformance", *argv, by=by)

    assert (130, "", "") == (run.returncode, run.stdout, run.stderr)
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize(("package", "argv", "module"), LOADED[::4])
def test_an_interrupt_that_is_ignored_stays_so(
    package: str, argv: tuple[str, ...], module: str
) -> None:
    """A command in the background of a script is not meant."""
    run = interrupted_at(module, package, *argv, ignored=True)

    assert run.returncode in (0, 2)
    assert run.stdout


@pytest.mark.parametrize("option", ["-O", "-OO", "-I"])
def test_the_documents_do_not_depend_on_how_python_is_started(option: str) -> None:
    """They tell what records say of themselves, which an optimised run forgets."""
    run = subprocess.run(
        [sys.executable, option, "-m", "reasonix_conformance", "docs", "check"],
        capture_output=True,
        check=False,
        text=True,
        cwd=ROOT,
    )

    assert (0, "") == (run.returncode, run.stderr)


ELSEWHERE = {
    "PYTHONHASHSEED": "4711",
    "PYTHONWARNINGS": "error",
    "PYTHONDONTWRITEBYTECODE": "1",
    "TZ": "XYZ+23:59",
    "TERM": "dumb",
    "COLUMNS": "20",
    "HOME": "/nonexistent",
    **ASCII,
}
"""A machine that has nothing in common with the one that a project is made on."""


def _all_but_a_few(_folder: str, names: list[str]) -> list[str]:
    return sorted(names)[6:]


@pytest.mark.parametrize(
    "argv",
    [
        ("reasonix_conformance", "contract", "check", "--format", "json"),
        ("reasonix_conformance", "replay", "fixtures", "--format", "json"),
        ("reasonix_conformance", "replay", "fixtures", "--show", "failures"),
        ("reasonix_conformance", "docs", "build", "--output", "docs"),
        ("reasonix_runtime", "tools", "--json"),
        ("pytest", "--reasonix-contract", "--reasonix-report=report.json", "-pno:cacheprovider"),
    ],
    ids=" ".join,
)
def test_results_are_the_same_on_another_machine(argv: tuple[str, ...], tmp_path: Path) -> None:
    """In a folder that a shell has to quote, with other clocks, other letters and another seed."""
    found = []
    for name, environment in (("here", {"LC_ALL": "C.UTF-8"}), ("dört $ne  kadar", ELSEWHERE)):
        folder = tmp_path / name
        shutil.copytree(ROOT / "docs", folder / "docs")
        (folder / "fixtures").mkdir()
        shutil.copytree(TRANSCRIPTS, folder / "fixtures" / "transcripts", ignore=_all_but_a_few)
        shutil.copytree(ROOT / "fixtures" / "contract", folder / "reasonix-contract")
        run = subprocess.run(
            [sys.executable, "-m", *argv],
            capture_output=True,
            check=False,
            cwd=folder,
            env={**os.environ, **environment},
        )
        report = folder / "report.json"
        said = report.read_bytes() if report.is_file() else run.stdout + run.stderr
        docs = {path.name: path.read_bytes() for path in (folder / "docs").iterdir()}
        found.append((run.returncode, said, docs))

    assert found[0] == found[1]
    assert 0 == found[0][0]
