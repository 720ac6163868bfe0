"""Where a recording does not tell how commands ended, nobody is accused of having run none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reasonix_conformance.replay.results import Judged
from reasonix_conformance.traces.sessions import Options, results
from reasonix_runtime.gates.verdict import Decision

READ = ("read_file", {"path": "src/parser.py"})
EDIT = ("edit_file", {"path": "src/parser.py", "old_string": "a", "new_string": "b"})
RISKY = ("edit_file", {"path": "src/auth/login.py", "old_string": "a", "new_string": "b"})


def ran(command: str) -> tuple[str, dict[str, Any]]:
    """Return the call of a shell."""
    return "bash", {"command": command}


def end_of(path: Path, calls: list[tuple[str, dict[str, Any]]], **options: Any) -> Judged:
    """Return the end of a turn of these calls, as ATIF tells it: edits by absence, commands not."""
    steps: list[dict[str, Any]] = [{"step_id": 1, "source": "user", "message": "go"}]
    for number, (name, args) in enumerate(calls, 2):
        call = {"tool_call_id": f"c{number}", "function_name": name, "arguments": args}
        told = {"source_call_id": f"c{number}", "content": "3 passed"}
        steps.append(
            {"step_id": number, "source": "agent", "message": "", "tool_calls": [call],
             "observation": {"results": [told]}}
        )  # fmt: skip
    last = {"step_id": len(steps) + 1, "source": "agent", "message": "Done; all tests pass."}
    steps.append(last)
    document = {"schema_version": "ATIF-v1.6", "session_id": "s", "agent": {"name": "x"}}
    path.write_text(json.dumps({**document, "steps": steps}))
    (found,) = results([path], Options(**options), [])
    return found.verdicts[-1]


@pytest.mark.parametrize(
    "calls",
    [
        [READ, EDIT, ran("git diff"), ran("pytest -q")],
        [READ, EDIT, READ, ran("pytest -q")],
        [READ, EDIT, ran("cd src && cat parser.py"), ran("python -m pytest -q")],
    ],
)
def test_a_check_of_untold_end_leaves_the_turn_open(
    calls: list[tuple[str, dict[str, Any]]], tmp_path: Path
) -> None:
    """It may have passed; the message names it, and the option that believes it."""
    end = end_of(tmp_path / "t.json", calls)

    assert end.verdict.decision is Decision.NOT_ASSESSABLE
    assert f"`{calls[-1][1]['command']}` ended" in end.verdict.message
    assert "--min-basis absence" in end.verdict.message
    assert "reject (finish.verification_missing)" in end.verdict.message


@pytest.mark.parametrize(
    "calls",
    [
        [READ, EDIT],
        [READ, ran("pytest -q"), EDIT, READ],
        [READ, EDIT, READ, ran("pytest -q || true")],
        [READ, EDIT, READ, ran("echo pytest -q")],
        [READ, EDIT, ran("ls"), ran("pytest -q")],
        [RISKY, ran("git diff"), ran("pytest -q")],
    ],
)
def test_what_stays_open_however_they_ended_is_refused(
    calls: list[tuple[str, dict[str, Any]]], tmp_path: Path
) -> None:
    """No check, one before the change, one that hides its failure, no look, no review."""
    assert end_of(tmp_path / "t.json", calls).verdict.decision is Decision.REJECT


def test_who_trusts_silence_gets_a_verdict(tmp_path: Path) -> None:
    """The option that the message names does what it says."""
    calls = [READ, EDIT, ran("git diff"), ran("pytest -q")]

    assert end_of(tmp_path / "t.json", calls, basis="absence").verdict.decision is Decision.ACCEPT


def test_a_change_of_untold_end_says_how_to_have_it_believed(tmp_path: Path) -> None:
    """Of a chat log every result is untold, and each user asks what to do about it."""
    log = tmp_path / "chat.jsonl"
    call = {"id": "c", "function": {"name": EDIT[0], "arguments": json.dumps(EDIT[1])}}
    messages = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "edited"},
        {"role": "assistant", "content": "Done."},
    ]
    log.write_text("".join(json.dumps(message) + "\n" for message in messages))

    (found,) = results([log], Options(), [])

    assert found.verdicts[-1].verdict.decision is Decision.NOT_ASSESSABLE
    assert "--min-basis absence" in found.verdicts[-1].verdict.message
