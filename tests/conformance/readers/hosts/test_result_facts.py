"""What a log of messages keeps of a result beside its text: a failure there is no pass."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from chat_records import answer, calls, chat
from read_records import read_text, results

from reasonix_runtime.trace.events import ToolCall


@pytest.mark.parametrize(
    ("beside", "outcome", "basis"),
    [
        ({}, "ok", "absence"),
        ({"error": None, "status": "completed", "exit_code": None}, "ok", "absence"),
        ({"is_error": True}, "error", "flag"),
        ({"isError": True}, "error", "flag"),
        ({"success": False}, "error", "flag"),
        ({"error": "no such tool"}, "error", "flag"),
        ({"error": {"type": "timeout", "message": "60 s"}}, "cancelled", "flag"),
        ({"error": {"type": "approval", "message": "no"}}, "blocked", "flag"),
        ({"error": {"type": "file_not_found"}, "success": True}, "error", "flag"),
        ({"status": "error"}, "error", "state"),
        ({"status": "cancelled", "is_error": False}, "cancelled", "state"),
        ({"exit_code": 2, "is_error": False}, "error", "exit_code"),
        ({"exit_code": 0}, "ok", "exit_code"),
        ({"exit_code": 0, "is_error": True}, "error", "flag"),
        ({"exit_code": "none"}, "unknown", "none"),
        ({"is_error": False}, "ok", "flag"),
        ({"success": True}, "ok", "flag"),
    ],
)
def test_what_stands_beside_a_result_says_how_the_call_ended(
    beside: dict[str, Any], outcome: str, basis: str, tmp_path: Path
) -> None:
    """Whoever trusts the absence of a sign has none absent here."""
    text = chat(calls(("a", "bash")), {**answer("a"), **beside})

    assert [("bash", outcome, basis)] == results(read_text(tmp_path, text, trusting=True))


def test_a_frame_of_a_failure_outweighs_a_flag_of_success(tmp_path: Path) -> None:
    """That a tool ran says nothing of the command that it ran."""
    text = chat(calls(("a", "bash")), {**answer("a", "Exit code: 1\nOutput:\nx"), "success": True})

    assert [("bash", "error", "envelope")] == results(read_text(tmp_path, text))


def test_a_call_may_have_its_name_for_its_function(tmp_path: Path) -> None:
    """Inspect writes messages so, and the arguments beside it."""
    call = {"id": "a", "type": "function", "function": "bash", "arguments": {"command": "ls"}}
    stream = read_text(tmp_path, chat({"role": "assistant", "tool_calls": [call]}, answer("a")))

    assert [("bash", {"command": "ls"})] == [
        (event.name, event.args) for event in stream if isinstance(event, ToolCall)
    ]
