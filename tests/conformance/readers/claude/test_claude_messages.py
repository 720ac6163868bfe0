"""Messages of Claude Code that cannot be read: what they held may have been a change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import claude_records
import output_records
import pytest
from output_records import Record, judged, read, result, says
from read_records import codes

from reasonix_runtime.trace.events import ToolCall, ToolResult

CALLED = (output_records.asks("1", "Edit", file_path="/w/a.py"), output_records.answers("1", "ok"))
STREAM = (output_records.init(), *CALLED, says("2", "done"), result())
SESSION = (
    claude_records.record("user", "0", "go"),
    claude_records.asks("1", "Edit", file_path="/w/a.py"),
    claude_records.answers("r", "1", "ok"),
    claude_records.says("2", "done", stop_reason="end_turn"),
)
MESSAGES: list[Any] = [None, 5, {}, [], "x", *({"content": x} for x in (None, 5, {}, [5], [{}]))]


@pytest.mark.parametrize("broken", [*({"message": one} for one in MESSAGES), {"type": None}])
@pytest.mark.parametrize("records", [STREAM, SESSION], ids=["stream", "session"])
def test_a_call_and_its_result_that_cannot_be_read_are_a_loss(
    records: tuple[Record, ...], broken: Record, tmp_path: Path
) -> None:
    """Nothing is told of the change, and nothing else tells that there was one."""
    told = [*records[:1], *(one | broken for one in records[1:3]), *records[3:]]

    assert ["reject"] == [decision for decision, _ in judged(tmp_path, *records)]
    assert ["not_assessable"] == [decision for decision, _ in judged(tmp_path, *told)]
    assert "bad_line" in codes(read(tmp_path, *told))


def at_provider(kind: str, tool: str, **result: Any) -> tuple[Record, ...]:
    """Return a turn whose response holds a call and what it gave, in records of their own."""
    use = {"type": kind, "id": "t", "name": tool, "input": {"query": "x"}}
    gave = {"type": f"{tool}_tool_result", "tool_use_id": "t", "content": [], **result}
    return (
        claude_records.record("user", "0", "go"),
        claude_records.record("assistant", "1", [use]),
        claude_records.record("assistant", "2", [gave]),
        claude_records.says("3", "done", stop_reason="end_turn"),
    )


@pytest.mark.parametrize(
    ("records", "found", "decision"),
    [
        (at_provider("server_tool_use", "web_search"), ("web_search", "ok"), "accept"),
        (
            at_provider("server_tool_use", "web_search", content={"error_code": "unavailable"}),
            ("web_search", "error"),
            "accept",
        ),
        (
            at_provider("server_tool_use", "code_execution", content={"return_code": 1}),
            ("code_execution", "error"),
            "accept",
        ),
        (
            at_provider("mcp_tool_use", "deploy"),
            ("deploy", "ok"),
            "reject",
        ),
    ],
    ids=["search", "search that failed", "program that failed", "server"],
)
def test_tools_that_the_provider_calls_are_calls(
    records: tuple[Record, ...], found: tuple[str, str], decision: str, tmp_path: Path
) -> None:
    """They were left out without a word. Only what is handed on to a server may change anything."""
    stream = claude_records.read(tmp_path, *records)
    calls = [one.name for one in stream if isinstance(one, ToolCall)]
    outcomes = [one.outcome for one in stream if isinstance(one, ToolResult)]

    assert ([found[0]], [found[1]], []) == (calls, outcomes, claude_records.notes(stream))
    assert [decision] == [decision for decision, _ in judged(tmp_path, *records)]
