"""`reasonix-runtime run`: as a process where that is what is promised."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer

from reasonix_conformance.cli import main as conformance
from reasonix_runtime.cli import main

COMMAND = [sys.executable, "-m", "reasonix_runtime.cli", "run"]
KEY = "sk-live-0123456789abcdefgh"

WRITES = """
answers:
  - text: I write it.
    calls: [{tool: write_file, args: {path: a.py, content: "x = 1\\n"}}]
  - text: Written.
  - calls:
      - {tool: read_file, args: {path: a.py}}
      - {tool: bash, args: {command: python3 -m unittest -q}}
  - text: "Done:\\na.py is checked."
"""
TEST = "import unittest\nclass T(unittest.TestCase):\n    def test(self): import a\n"


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return what runs the command in a folder, and gives its exit code and what it printed."""

    def run(folder: Path, *words: str, **environment: str) -> tuple[int, str, str]:
        with monkeypatch.context() as here:
            here.chdir(folder)
            for name, value in environment.items():
                here.setenv(name, value)
            code = main(["run", *words])
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a folder with a workspace `ws` and a script that does good work in it."""
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws" / "test_a.py").write_text(TEST)
    (tmp_path / "good.yaml").write_text(WRITES)
    return tmp_path


def test_a_run_tells_what_it_does_and_prints_the_answer(place: Path, run: Run) -> None:
    """The answer is on standard output, so that a script can take it."""
    words = ("write a.py", "--workspace", "ws", "--script", "good.yaml", "--record", "run.jsonl")
    code, out, err = run(place, *words)

    assert (0, "Done:\na.py is checked.\n") == (code, out)
    assert err.splitlines() == [
        "I write it.",
        "> write_file a.py",
        "  ok",
        "held back: Written.",
        "  the turn cannot end yet; in this order:",
        "  1. nobody looked at `a.py` since the last change: read what changed, or run `git diff` "
        "(after `git add -N PATH` for a file that git does not track)",
        "  2. no check passed since the latest change: run one as a command of its own, such as "
        "`pytest -q`",
        "  3. a medium-risk change needs a `review` report after it that covers `a.py`, or each "
        "file read (`read_file`, `cat`, `git diff`) after it",
        "> read_file a.py",
        "  ok",
        "> bash python3 -m unittest -q",
        "  ok",
        "accepted",
        "recorded in run.jsonl",
    ]


def test_the_record_of_a_run_is_judged_like_the_run(
    place: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    """With no option: the record names its rule set."""
    run(place, "x", "--workspace", "ws", "--script", "good.yaml", "--record", "run.jsonl")

    assert 0 == conformance(["replay", str(place / "run.jsonl"), "--format", "json"])
    (trace,) = json.loads(capsys.readouterr().out)["traces"]
    assert "contract" == trace["rules"]
    assert [("reject", "reject", "agree"), ("accept", "accept", "agree")] == [
        (verdict["decision"], verdict["host"], verdict["agreement"])
        for verdict in trace["verdicts"]
    ]


def test_a_turn_that_stops_incomplete_is_no_success(place: Path, run: Run) -> None:
    """A refusal of the gate has a code of its own, unlike a model that fails (GATE-2)."""
    (place / "lazy.yaml").write_text(WRITES.split("  - calls")[0] + "  - text: Done.\n" * 9)
    code, out, err = run(place, "x", "--workspace", "ws", "--script", "lazy.yaml")

    assert (1, "Done.\n") == (code, out)
    assert "incomplete: the turn was held back 4 times" in err.splitlines()
    assert err.splitlines()[-1].startswith("  3. a medium-risk change needs")


def test_a_model_that_fails_is_told_in_one_line(place: Path, run: Run) -> None:
    """What it did until then was shown already."""
    (place / "short.yaml").write_text("answers: []")

    assert (2, "", "failed: the script ends after 0 answers\n") == run(
        place, "x", "--script", "short.yaml"
    )


def test_a_rule_set_without_a_gate_is_told_apart(place: Path, run: Run) -> None:
    """Nobody judged that end, so the run is not green."""
    (place / "short.yaml").write_text("answers: [{text: Hi.}]")

    code, out, err = run(place, "x", "--script", "short.yaml", "--rules", "ungated")
    assert (3, "Hi.\n") == (code, out)
    assert "unjudged: this rule set has no gate at the end of a turn\n" == err


def test_the_number_of_responses_is_bounded(place: Path, run: Run) -> None:
    """As the option says."""
    look = "  - calls: [{tool: ls, args: {}}]\n"
    (place / "long.yaml").write_text(f"answers:\n{look * 9}")
    code, _, err = run(place, "x", "--script", "long.yaml", "--max-steps", "2")

    assert 1 == code
    assert err.splitlines()[-1] == "incomplete: the limit of 2 responses is reached"


def test_secrets_and_control_codes_are_not_shown(place: Path, run: Run) -> None:
    """Neither those of a file nor those of the model's own words."""
    (place / "odd.yaml").write_text(
        f'answers: [{{text: "\\e[31mkey {KEY}", calls: [{{tool: bash, args: '
        f'{{command: "echo {KEY} >&2; false"}}}}]}}, {{text: "\\e]0;x\\a {KEY}"}}]'
    )
    code, out, err = run(place, "x", "--script", "odd.yaml")

    assert 0 == code
    assert KEY not in out + err
    assert r"\x1b]0;x\x07 [secret]" == out.strip()
    assert r"\x1b[31mkey [secret]" == err.splitlines()[0]


def test_a_provider_is_asked_with_the_key_of_the_variable(
    place: Path, run: Run, chat_server: ChatServer
) -> None:
    """The key is shown nowhere, recorded nowhere, and no command sees it."""
    chat_server.says("", bash={"command": "echo key=$MY_OWN"})
    chat_server.says("Hi.")
    words = ["x", "--url", chat_server.url, "--model", "m", "--key-variable", "MY_OWN"]
    code, out, err = run(place, *words, "--record", "run.jsonl", MY_OWN=KEY)

    assert (0, "Hi.\n") == (code, out)
    assert [f"Bearer {KEY}"] * 2 == [
        headers["Authorization"] for headers, _ in chat_server.requests
    ]
    record = (place / "run.jsonl").read_text()
    assert KEY not in out + err + record
    assert '"text":"key=\\n"' in record
    assert json.loads(record.splitlines()[0])["model"] == "m"


def test_the_key_of_one_provider_is_not_sent_to_another(
    place: Path, run: Run, chat_server: ChatServer
) -> None:
    """Only to the endpoint that it is of, unless it is named."""
    chat_server.says("Hi.")

    assert 0 == run(place, "x", "--url", chat_server.url, "--model", "m", OPENAI_API_KEY=KEY)[0]
    assert "Authorization" not in chat_server.requests[0][0]


def test_a_provider_that_refuses_is_told(place: Path, run: Run, chat_server: ChatServer) -> None:
    """With its own words."""
    chat_server.fails(401, b'{"error": {"message": "who are you?"}}')

    assert (2, "", f"failed: {chat_server.url} answered 401: who are you?\n") == run(
        place, "x", "--url", chat_server.url, "--model", "m"
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["x"], "nobody answers: name a model with --model, or a file with --script"),
        ([" ", "--script", "good.yaml"], "the text is empty; say what is to be done"),
        (["x", "--script", "none.yaml"], "--script none.yaml: No such file or directory"),
        (["x", "--script", "good.yaml", "--url", "http://x"], "--script asks no provider; leave"),
        (
            ["x", "--script", "good.yaml", "--rules", "clasic"],
            "unknown rule set 'clasic': expected",
        ),
        (["x", "--script", "good.yaml", "--workspace", "no"], "--workspace no is no folder"),
        (
            ["x", "--script", "good.yaml", "--record", "good.yaml"],
            "--record good.yaml exists already; a rec",
        ),
        (["x", "--script", "good.yaml", "--servers", "none"], "--servers none: No such file"),
        (["x", "--model", "m", "--key-variable", "NOT_SET"], "the variable NOT_SET with the key"),
    ],
)
def test_wrong_use_is_told_before_anything_runs(
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    told: str,
) -> None:
    """In one sentence, and no file is made."""
    monkeypatch.chdir(place)
    before = sorted(place.rglob("*"))

    assert 2 == main(["run", *words])
    out, err = capsys.readouterr()
    assert "" == out
    assert err.startswith(f"reasonix-runtime: {told}")
    assert before == sorted(place.rglob("*"))


@pytest.mark.parametrize("steps", ["0", "-1", "many", "1.5"])
def test_a_limit_that_is_none_is_wrong_use(steps: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told as any wrong option is."""
    with pytest.raises(SystemExit):
        main(["run", "x", "--max-steps", steps])

    assert f"argument --max-steps: {steps!r} is no number from 1 on" in capsys.readouterr().err


def test_the_text_may_come_from_standard_input(place: Path) -> None:
    """A long one does not fit on a command line."""
    (place / "short.yaml").write_text("answers: [{text: Hi.}]")
    done = subprocess.run(
        [*COMMAND, "-", "--script", "short.yaml", "--record", "run.jsonl"],
        cwd=place,
        input="do it\n",
        capture_output=True,
        text=True,
    )

    assert 0 == done.returncode
    assert '"text":"do it\\n"' in (place / "run.jsonl").read_text()


def test_the_agent_cannot_write_its_own_record(place: Path, run: Run) -> None:
    """What it is judged by is out of its reach, as far as the host can see to it."""
    (place / "cheat.yaml").write_text(
        "answers: [{calls: [{tool: write_file, args: {path: run.jsonl, content: x}}]}, {text: Hi.}]"
    )
    _, _, err = run(place, "x", "--script", "cheat.yaml", "--record", "run.jsonl")

    assert "  error: " in err
    assert (place / "run.jsonl").read_text().startswith('{"ev":"session"')


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_leaves_a_whole_record(
    place: Path, capsys: pytest.CaptureFixture[str], sent: signal.Signals
) -> None:
    """The running command ends, and the record can be replayed; so it is if a supervisor asks."""
    os.mkfifo(place / "started")
    began = os.open(place / "started", os.O_RDONLY | os.O_NONBLOCK)
    (place / "slow.yaml").write_text(
        "answers: [{calls: [{tool: bash, args: {command: 'echo $$ > started; exec sleep 99'}}, "
        "{tool: bash, args: {command: touch late}}]}]"
    )
    host = subprocess.Popen(
        [*COMMAND, "x", "--script", "slow.yaml", "--record", "run.jsonl"],
        cwd=place,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert select.select([began], [], [], 20)[0], "the command did not start"
    host.send_signal(sent)
    _, err = host.communicate(timeout=60)
    os.close(began)

    assert 130 == host.returncode
    assert err.endswith("reasonix-runtime: interrupted\n")
    assert not (place / "late").exists()
    events: list[dict[str, Any]] = [
        json.loads(line) for line in (place / "run.jsonl").read_text().splitlines()
    ]
    assert ["cancelled"] == [e["outcome"] for e in events if e["ev"] == "tool.result"]
    assert ("turn.end", "interrupted") == (events[-1]["ev"], events[-1]["status"])
    assert 3 == conformance(["replay", str(place / "run.jsonl")])
    assert "nothing could be assessed" in capsys.readouterr().out


def test_a_hangup_that_is_ignored_stays_ignored(place: Path) -> None:
    """As behind `nohup`."""
    (place / "hup.yaml").write_text(
        "answers: [{calls: [{tool: bash, args: {command: 'kill -HUP $PPID'}}]}, {text: Bye.}]"
    )
    done = subprocess.run(
        [*COMMAND, "x", "--script", "hup.yaml"],
        cwd=place,
        capture_output=True,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )

    assert "Bye.\n" == done.stdout


def test_a_run_with_a_sub_agent_is_judged_again_like_it_was(
    place: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the child did is shown below its call, on record, and part of every verdict."""
    (place / "crew.yaml").write_text(
        """
answers:
  - calls:
      - tool: use_capability
        args: {action: call, capability_id: "tool:task", arguments: {prompt: write a.py}}
        children:
          - - calls: [{tool: write_file, args: {path: a.py, content: "x = 1"}}]
            - text: Written.
  - calls: [{tool: read_file, args: {path: a.py}}]
  - calls: [{tool: bash, args: {command: python3 -m unittest -q}}]
  - text: Done.
"""
    )
    words = ("x", "--workspace", "ws", "--script", "crew.yaml", "--record", "run.jsonl")
    code, out, err = run(place, *words)

    assert (0, "Done.\n") == (code, out)
    assert err.splitlines()[:3] == [
        "> use_capability task tool:task",
        "  [sub1] > write_file a.py",
        "  [sub1]   ok",
    ]
    assert 0 == conformance(["replay", str(place / "run.jsonl")])
    assert "1 agree, 0 host_lenient, 0 host_strict" in capsys.readouterr().out


def test_what_still_runs_at_the_end_is_told(place: Path, run: Run) -> None:
    """A job needs a host that goes on."""
    (place / "job.yaml").write_text(
        "answers: [{calls: [{tool: bash, args: {command: sleep 99, run_in_background: true}}]}, "
        "{text: Bye.}]"
    )

    assert "ended with the run: bash-1" in run(place, "x", "--script", "job.yaml")[2].splitlines()


def test_listing_tools_loads_neither_the_loop_nor_a_client() -> None:
    """A command pays for what it does."""
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from reasonix_runtime.cli import main; main(['tools']); "
            "print([m for m in sys.modules if m.startswith(('httpx', 'reasonix_runtime.agents'))])",
        ],
        capture_output=True,
        text=True,
    )

    assert "[]" == done.stdout.splitlines()[-1]
