"""Rollout files of Codex: events that say more than an output, threads, the oldest form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from read_records import notes, read

from reasonix_runtime.trace.events import Session, ToolCall, ToolResult, TurnStart

Record = dict[str, Any]


def record(kind: str, **payload: Any) -> Record:
    return {"timestamp": "2026-03-01T10:00:00Z", "type": kind, "payload": payload}


def event(kind: str, **more: Any) -> Record:
    return record("event_msg", type=kind, **more)


META = record("session_meta", id="one")
ASKS = {"type": "function_call", "name": "shell", "arguments": '{"command":["ls"]}', "call_id": "1"}
ANSWERS = {"type": "function_call_output", "call_id": "1", "output": "x"}


@pytest.mark.parametrize(
    ("ends", "outcome", "basis"),
    [
        (event("exec_command_end", call_id="1", exit_code=0), "ok", "exit_code"),
        (event("exec_command_end", call_id="1", exit_code=2), "error", "exit_code"),
        (
            event("exec_command_end", call_id="1", exit_code=-1, status="declined"),
            "blocked",
            "state",
        ),
        (event("patch_apply_end", call_id="1", success=False), "error", "flag"),
        (event("mcp_tool_call_end", call_id="1", result={"Err": "no"}), "error", "flag"),
        (event("mcp_tool_call_end", call_id="1", result={"Ok": {}}), "ok", "flag"),
        (
            event("mcp_tool_call_end", call_id="1", result={"Ok": {"is_error": True}}),
            "error",
            "flag",
        ),
        (event("exec_command_end", call_id="2", exit_code=0), "unknown", "none"),
    ],
)
def test_an_event_says_how_a_call_ended(
    ends: Record, outcome: str, basis: str, tmp_path: Path
) -> None:
    """It comes before the output, and is of the call with its id."""
    asks, answers = record("response_item", **ASKS), record("response_item", **ANSWERS)
    stream = read(tmp_path, META, event("task_started"), asks, ends, answers)

    assert [(outcome, basis)] == [(e.outcome, e.basis) for e in stream if isinstance(e, ToolResult)]


@pytest.mark.parametrize(
    ("text", "outcome", "basis"),
    [
        ("Exit code: 1\nOutput:\nx", "error", "envelope"),
        ("Exit code: 0\nOutput:\nx", "ok", "flag"),
        ("the exit code: 1", "ok", "flag"),
    ],
)
def test_a_success_whose_text_tells_a_failing_exit_is_none(
    text: str, outcome: str, basis: str, tmp_path: Path
) -> None:
    """Whether an event or the output itself says that it went well."""
    asks = record("response_item", **ASKS)
    by_event = event("mcp_tool_call_end", call_id="1", result={"Ok": {}})
    answers = record("response_item", **ANSWERS | {"output": text})
    by_output = record("response_item", **ANSWERS | {"output": {"content": text, "success": True}})

    for said in ((by_event, answers), (by_output,)):
        stream = read(tmp_path, META, event("task_started"), asks, *said)
        results = [e for e in stream if isinstance(e, ToolResult)]
        assert [(outcome, basis)] == [(e.outcome, e.basis) for e in results]


def test_the_oldest_files_have_no_wrapper(tmp_path: Path) -> None:
    """Their first line is the session, the others are items."""
    stream = read(
        tmp_path,
        {"id": "old", "timestamp": "2025-06-01T00:00:00Z", "instructions": None},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]},
        ASKS,
        ANSWERS,
    )

    assert ["old"] == [e.sid for e in stream if isinstance(e, Session)]
    assert [("shell", "bash")] == [
        (e.name, e.resolved_name) for e in stream if isinstance(e, ToolCall)
    ]
    assert [] == notes(stream)


def test_a_thread_that_goes_on_from_another_begins_with_that_ones_history(tmp_path: Path) -> None:
    """Both sessions are named before any turn: one trace. After a turn another thread begins."""
    other = record("session_meta", id="two")
    turn = (event("task_started"), event("task_complete"))
    forked = read(tmp_path, META, other, *turn, *turn)
    joined = read(tmp_path, META, *turn, other, *turn)

    assert ["one"] == [e.sid for e in forked if isinstance(e, Session)]
    assert [1, 2] == [e.turn for e in forked if isinstance(e, TurnStart)]
    assert ["one", "two"] == [e.sid for e in joined if isinstance(e, Session)]
    assert [1, 1] == [e.turn for e in joined if isinstance(e, TurnStart)]
    assert ["several_sessions"] == notes(forked) == notes(joined)


def test_a_sub_agent_has_a_rollout_of_its_own(tmp_path: Path) -> None:
    """What it did is not here."""
    asks = record("response_item", **ASKS | {"name": "spawn_agent"})
    answers = record("response_item", **ANSWERS)
    stream = read(tmp_path, META, event("task_started"), asks, answers, event("task_complete"))

    assert ["missing_child"] == notes(stream)
