"""The command `reasonix-runtime`, run as a process where that is what is promised."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from reasonix_runtime.cli import CALL_FORMAT, CONTRACT_FORMAT, main


def run(folder: Path, *words: str, stdin: str = "") -> tuple[int, str, str]:
    """Run the command in a folder; return its exit code and what it printed."""
    done = subprocess.run(
        [sys.executable, "-m", "reasonix_runtime.cli", *words],
        cwd=folder,
        input=stdin,
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout, done.stderr


def test_call_works_in_the_current_folder(tmp_path: Path) -> None:
    """One line is enough to try a tool on a repository."""
    (tmp_path / "x").write_text("hi\n")

    assert run(tmp_path, "call", "read_file", '{"path": "x"}') == (0, "1→hi\n", "")
    assert run(tmp_path, "call", "read_file", "-", stdin='{"path": "x"}') == (0, "1→hi\n", "")


def test_a_command_does_not_read_the_input_of_its_host(tmp_path: Path) -> None:
    """A command that waits for input would take what was typed for somebody else."""
    assert run(tmp_path, "call", "bash", '{"command": "cat"}', stdin="typed") == (0, "", "")


def test_a_background_job_ends_with_the_command(tmp_path: Path) -> None:
    """A job dies with its host, and here the host is the command."""
    code, out, err = run(
        tmp_path, "call", "bash", '{"command": "sleep 99; touch late", "run_in_background": true}'
    )

    assert code == 0
    assert out.startswith('Started background job "bash-1".')
    assert err.startswith("reasonix-runtime: the job was ended with this command")
    assert not (tmp_path / "late").exists()


@pytest.mark.parametrize(
    ("words", "code", "err"),
    [
        (["call", "read_file", '{"path": "nix"}'], 1, ""),
        (["call", "bash", '{"command": "exit 3"}'], 1, ""),
        (
            ["call", "reed_file"],
            2,
            "reasonix-runtime: unknown tool 'reed_file' (did you mean 'read_file'?)\n",
        ),
        (
            ["call", "read_file", '{"pth": "x"}'],
            2,
            "reasonix-runtime: invalid args for read_file:\n"
            "- arguments: expected the key 'path', found none (nearest: 'pth')\n",
        ),
        (
            ["call", "--allow-network", "home", "web_fetch", '{"url": "http://127.0.0.1"}'],
            2,
            "reasonix-runtime: --allow-network 'home' is no network; expected an address with a "
            "prefix, such as 127.0.0.0/8\n",
        ),
        (["call", "web_fetch", '{"url": "http://127.0.0.1"}'], 1, ""),
        (
            ["call", "ls", '{"pth": "docs", "n": 1}'],
            0,
            "reasonix-runtime: ls does not read the key 'pth' (did you mean 'path'?)\n"
            "reasonix-runtime: ls does not read the key 'n' (known: path, recursive)\n",
        ),
        (["call", "use_capability", '{"action": "list"}'], 0, ""),
        (["call", "use_capability", '{"action": "start"}'], 1, ""),
        (
            ["call", "use_capability", '{"action": "list"}', "--servers", "none.json"],
            2,
            "reasonix-runtime: --servers none.json: No such file or directory; "
            "expected a JSON file with mcpServers\n",
        ),
        (
            ["call", "use_capability", '{"action": "list"}', "--servers", "bad.json"],
            2,
            "reasonix-runtime: --servers bad.json: no file of servers: "
            "Object missing required field `mcpServers`\n",
        ),
        (
            ["tools", "--surface", "cor"],
            2,
            "reasonix-runtime: unknown surface 'cor' (did you mean 'core'?)\n",
        ),
        (
            ["tools", "--surface", "nope"],
            2,
            "reasonix-runtime: unknown surface 'nope' (known: core, path-bound-subagent, planner, "
            "read-only-subagent, registry, review-subagent, subagent, visible)\n",
        ),
    ],
)
def test_exit_codes_tell_a_failed_tool_from_wrong_use(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    code: int,
    err: str,
) -> None:
    """A script must know whether to mend its call or to look at the result."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.json").write_text("{}")

    assert (code, err) == (main(words), capsys.readouterr().err)


def test_call_can_answer_in_json(tmp_path: Path) -> None:
    """With the facts that the text leaves out."""
    code, out, _ = run(tmp_path, "call", "--json", "bash", '{"command": "echo hi; exit 4"}')

    assert code == 1
    assert json.loads(out) == {
        "schema": "reasonix-runtime/call/1",
        "tool": "bash",
        "outcome": "error",
        "exit_code": 4,
        "text": "error: command exited: exit status 4\nhi\n",
    }


SCHEMAS = files("reasonix_runtime.schemas")


def problems(document: Any) -> list[str]:
    """Return where a document does not fit the published schema of its form."""
    _, name, version = document["schema"].split("/")
    schema = json.loads((SCHEMAS / f"{name}-{version}.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return [
        error.message for error in jsonschema.Draft202012Validator(schema).iter_errors(document)
    ]


def test_every_form_that_is_written_has_a_schema() -> None:
    """A form without one can only be guessed."""
    named = {CONTRACT_FORMAT, CALL_FORMAT}
    published = (file.name for file in SCHEMAS.iterdir() if file.name.endswith(".schema.json"))
    forms = (name.removesuffix(".schema.json").rpartition("-") for name in published)

    assert named == {f"reasonix-runtime/{name}/{version}" for name, _, version in forms}


@pytest.mark.parametrize(
    "words",
    [
        ["tools", "--json"],
        ["tools", "--json", "--surface", "core"],
        ["call", "--json", "bash", '{"command": "exit 4"}'],
        ["call", "--json", "ls", "{}"],
        ["call", "--json", "read_file", '{"path": "nix"}'],
    ],
    ids=" ".join,
)
def test_what_is_written_as_json_fits_its_schema(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """And without any of its fields it does not."""
    monkeypatch.chdir(tmp_path)
    main(words)
    document = json.loads(capsys.readouterr().out)

    assert [] == problems(document)
    for name in document.keys() - {"schema"}:
        assert problems({key: value for key, value in document.items() if key != name})
        assert problems({**document, name: 1.5})


@pytest.mark.parametrize(
    ("words", "command", "message"),
    [
        ([], "", "the following arguments are required: COMMAND"),
        (["call"], " call", "the following arguments are required: TOOL"),
        (["call", "ls", "{}", "more"], " call", "unrecognized arguments: more"),
        (
            ["tools", "--surfaces"],
            " tools",
            "unrecognized arguments: --surfaces; did you mean '--surface'?",
        ),
        (["--tools"], "", "unrecognized arguments: --tools"),
    ],
    ids=" ".join,
)
def test_wrong_use_is_told_in_two_lines(
    words: list[str], command: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The mistake is not pushed off the screen by the list of what could be asked."""
    with pytest.raises(SystemExit) as ended:
        main(words)

    prog = f"reasonix-runtime{command}"
    assert ended.value.code == 2
    assert capsys.readouterr().err == f"{prog}: {message}\nTry '{prog} --help'.\n"


def test_tools_are_listed_by_surface(capsys: pytest.CaptureFixture[str]) -> None:
    """What a provider sees is not all that there is."""
    assert main(["tools", "--surface", "core"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]

    assert names == [
        "bash",
        "bash_output",
        "compress",
        "edit_file",
        "kill_shell",
        "read_file",
        "use_capability",
        "wait",
        "write_file",
    ]


def test_contract_json_is_what_the_kit_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is printed can be the subject of a contract run of another host."""
    from reasonix_conformance.subjects.dump import load
    from reasonix_runtime.tools.registry import default_registry

    assert main(["tools", "--json"]) == 0
    (tmp_path / "tools.json").write_text(capsys.readouterr().out)

    subject = load(tmp_path / "tools.json", label="tools.json")

    entries = {entry.name: entry for entry in default_registry().entries()}
    assert sorted(entries) == [tool.name for tool in subject.tools]
    assert "core" in subject.surfaces
    assert {tool.name: tool.read_only for tool in subject.tools} == {
        name: entry.read_only for name, entry in entries.items()
    }


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    """`| head` is an ordinary way to look at a list."""
    done = subprocess.run(
        [
            "bash",
            "-c",
            f"set -o pipefail; {sys.executable} -m reasonix_runtime.cli tools --json | head -1",
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "{\n", "")


def spoken(words: str, folder: Path, **environment: str) -> tuple[int, str, str]:
    """Run the command from a shell line, where `$R` stands for it."""
    done = subprocess.run(
        ["bash", "-c", words],
        cwd=folder,
        capture_output=True,
        env={**os.environ, "R": f"{sys.executable} -m reasonix_runtime.cli", **environment},
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize(
    ("says", "words", "err"),
    [
        ("a full disk", "$R call ls > /dev/full", "cannot write the result: No space left on dev"),
        ("also for a list", "$R tools > /dev/full", "cannot write the result: No space left on"),
        ("help", "$R --help > /dev/full", "cannot write the result: No space left on dev"),
        ("no output", "$R call ls >&-", "standard output is closed"),
        ("no input", "$R call ls - <&-", "standard input is closed; give the arguments on"),
        ("no folder", "mkdir d; cd d; rmdir ../d; $R call ls", "the current folder does not exist"),
    ],
)
def test_a_broken_surrounding_is_told_in_one_line(
    tmp_path: Path, says: str, words: str, err: str
) -> None:
    """Never a traceback: the person can mend it only when it is said."""
    code, out, told = spoken(words, tmp_path)

    assert (code, out) == (2, ""), says
    assert told.startswith(f"reasonix-runtime: {err}")
    assert told.count("\n") == 1


@pytest.mark.parametrize("form", ["", "--json"])
def test_any_locale_prints_any_name(tmp_path: Path, form: str) -> None:
    """File names hold anything, and programs that read a pipe expect UTF-8."""
    (tmp_path / "\u00fc").write_text("")

    code, text, _ = spoken(f"$R call ls '{{}}' {form}", tmp_path, PYTHONIOENCODING="ascii")

    assert code == 0
    assert (json.loads(text)["text"] if form else text) == "\u00fc\t0\n"


def test_an_interrupt_ends_the_command_and_says_so(tmp_path: Path) -> None:
    """The key that everybody presses must not print a traceback, nor leave the command running."""
    os.mkfifo(tmp_path / "started")
    host = subprocess.Popen(
        [sys.executable, "-m", "reasonix_runtime.cli", "call", "bash", "-"],
        stdin=subprocess.PIPE,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert host.stdin is not None
    host.stdin.write('{"command": "echo $$ > started; exec sleep 99"}')
    host.stdin.close()
    host.stdin = None
    pid = int((tmp_path / "started").read_text())
    host.send_signal(signal.SIGINT)
    out, err = host.communicate(timeout=60)

    assert (host.returncode, out, err) == (130, "", "reasonix-runtime: interrupted\n")
    # At the latest the watchdog ends it, a moment after its host.
    deadline = time.monotonic() + 60
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        threading.Event().wait(0.01)
    assert not Path(f"/proc/{pid}").exists()
