"""Logs that do not tell whose agent it is: tools that agents are widely given are what they are."""

from __future__ import annotations

from pathlib import Path

import pytest
from replayed import found
from written_turns import TURNS, Call

from reasonix_conformance.readers.hosts.roles import ANYONES
from reasonix_runtime.tools.registry import all_declarations

WRITTEN = {name: TURNS[name] for name in ("anthropic", "atif", "chat")}

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
