"""The commands print what they have to say in any locale, to terminals, files and pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

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


@pytest.mark.parametrize(
    ("argv", "redirection", "said"),
    [
        ("rules", "> /dev/full", FULL),
        ("contract show --format json", "> /dev/full", FULL),
        ("replay fixtures/transcripts --format json", "> /dev/full", FULL),
        ("replay fixtures/transcripts --format github", "> /dev/full", FULL),
        ("verdicts fixtures/verdicts", "> /dev/full", FULL),
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
    run = subprocess.run(
        ["sh", "-c", f"exec {sys.executable} -m reasonix_conformance {argv} {redirection}"],
        capture_output=True,
        check=False,
        text=True,
        cwd=ROOT,
    )

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
