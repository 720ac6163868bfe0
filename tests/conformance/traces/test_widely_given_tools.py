"""Logs that do not tell whose agent it is: tools that agents are widely given are what they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from replayed import found

from reasonix_conformance.readers.roles import ANYONES
from reasonix_runtime.tools.registry import all_declarations

Call = tuple[str, dict[str, Any]]


def chat(calls: list[Call]) -> str:
    said: list[Any] = [{"role": "user", "content": "go"}]
    for number, (name, args) in enumerate(calls):
        function = {"name": name, "arguments": json.dumps(args)}
        said += [
            {"role": "assistant", "tool_calls": [{"id": f"c{number}", "function": function}]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": "x"},
        ]
    return json.dumps([*said, {"role": "assistant", "content": "Done."}])


def anthropic(calls: list[Call]) -> str:
    said: list[Any] = [{"role": "user", "content": "go"}]
    for number, (name, args) in enumerate(calls):
        use = {"type": "tool_use", "id": f"c{number}", "name": name, "input": args}
        told = {"type": "tool_result", "tool_use_id": f"c{number}", "content": "x"}
        said += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [told]}]
    return json.dumps([*said, {"role": "assistant", "content": [{"type": "text", "text": "Ok."}]}])


def atif(calls: list[Call]) -> str:
    steps: list[Any] = [{"step_id": 1, "source": "user", "message": "go"}]
    for name, args in calls:
        call = {"tool_call_id": f"c{len(steps)}", "function_name": name, "arguments": args}
        # What came of a command is known by what a converter keeps alone.
        told = {"source_call_id": f"c{len(steps)}", "content": "x", "extra": {"exit_code": 0}}
        step = {"step_id": len(steps) + 1, "source": "agent", "message": ""}
        steps.append({**step, "tool_calls": [call], "observation": {"results": [told]}})
    steps.append({"step_id": len(steps) + 1, "source": "agent", "message": "Done."})
    head = {"schema_version": "ATIF-v1.6", "session_id": "s", "agent": {"name": "x"}}
    return json.dumps({**head, "steps": steps})


WRITTEN: dict[str, Callable[[list[Call]], str]] = {
    "chat": chat,
    "anthropic": anthropic,
    "atif": atif,
}

PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch"
SESSIONS: dict[str, list[Call]] = {
    "openhands": [
        ("str_replace_editor", {"command": "str_replace", "path": "a.py", "old_str": "x"}),
        ("str_replace_editor", {"command": "view", "path": "a.py"}),
        ("execute_bash", {"command": "pytest -q"}),
        ("think", {"thought": "done"}),
        ("finish", {"message": "done"}),
    ],
    "claude-code": [
        ("Edit", {"file_path": "a.py", "old_string": "x", "new_string": "y"}),
        ("Read", {"file_path": "a.py"}),
        ("Bash", {"command": "pytest -q"}),
        ("TodoWrite", {"todos": []}),
    ],
    "codex": [
        ("apply_patch", {"input": PATCH}),
        ("exec_command", {"cmd": "cat a.py"}),
        ("shell", {"command": ["bash", "-lc", "pytest -q"]}),
    ],
    "gemini": [
        ("replace", {"file_path": "a.py", "old_string": "x", "new_string": "y"}),
        ("run_shell_command", {"command": "git diff"}),
        ("run_shell_command", {"command": "pytest -q"}),
    ],
    "cline": [
        ("write_to_file", {"path": "a.py", "content": "x"}),
        ("read_file", {"path": "a.py"}),
        ("execute_command", {"command": "pytest -q"}),
    ],
}


@pytest.mark.parametrize("written", list(WRITTEN))
@pytest.mark.parametrize("agent", list(SESSIONS))
def test_an_honest_turn_of_a_widely_used_agent_may_end(
    agent: str, written: str, tmp_path: Path
) -> None:
    """A change, a look at it, a check: each call of another name may have changed anything."""
    path = tmp_path / "trace.json"
    path.write_text(WRITTEN[written](SESSIONS[agent]))
    (trace,) = found(path, basis="absence")

    assert ["accept"] == [one.verdict.decision for one in trace.verdicts]


@pytest.mark.parametrize("written", list(WRITTEN))
@pytest.mark.parametrize(
    ("agent", "left_out", "reason"),
    [
        ("openhands", 1, "finish.inspection_missing"),
        ("openhands", 2, "finish.verification_missing"),
        ("claude-code", 1, "finish.inspection_missing"),
        ("codex", 2, "finish.verification_missing"),
    ],
)
def test_what_such_an_agent_leaves_out_is_refused_by_name(
    agent: str, left_out: int, reason: str, written: str, tmp_path: Path
) -> None:
    """It is held to the same as anyone."""
    path = tmp_path / "trace.json"
    calls = SESSIONS[agent][:left_out] + SESSIONS[agent][left_out + 1 :]
    path.write_text(WRITTEN[written](calls))
    (trace,) = found(path, basis="absence")

    (end,) = trace.verdicts
    assert reason in end.verdict.facts["reasons"]
    assert "may have changed anything" not in end.verdict.message


def test_no_tool_of_the_contract_is_taken_for_another() -> None:
    """A log may be that of a host of the contract: its tools are what they are there."""
    assert not ANYONES.keys() & {tool.name for tool in all_declarations()}
