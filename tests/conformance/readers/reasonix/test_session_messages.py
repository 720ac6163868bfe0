"""The messages of a Reasonix session: texts of the host, a damaged log, a shortened view."""

from __future__ import annotations

from pathlib import Path

import pytest
from chat_records import CHAT, answer, calls
from read_records import codes, read_text, results
from trace_samples import lines

from reasonix_runtime.trace.events import TurnEnd, User


def test_a_host_text_inside_a_turn_begins_no_turn(tmp_path: Path) -> None:
    """Reminders and context blocks come as user messages."""
    stream = read_text(
        tmp_path,
        lines(
            {"role": "user", "content": "<session-context version='1'>\nx\n</session-context>"},
            {"role": "user", "content": "<response-language>\nx\n</response-language>\n\nfix it"},
            {"role": "assistant", "tool_calls": [{"id": "a", "name": "ls", "arguments": "{}"}]},
            answer("a"),
            {"role": "user", "content": "Host progress check: go on"},
            {"role": "assistant", "content": "done"},
            {"role": "user", "content": "thanks"},
        ),
    )

    assert [("host", 0), ("user", 1), ("host", 1), ("user", 2)] == [
        (event.origin, event.turn) for event in stream if isinstance(event, User)
    ]
    assert ["completed", "unknown"] == [e.status for e in stream if isinstance(e, TurnEnd)]


def test_a_damaged_log_counts_up_to_the_damage(tmp_path: Path) -> None:
    """An append that does not fit would put messages where they never stood."""
    stream = read_text(
        tmp_path,
        lines(
            {"schema_version": 1, "type": "replace", "messages": [CHAT]},
            {
                "schema_version": 1,
                "type": "append",
                "message_index": 5,
                "messages": [calls(("a", "f"))],
            },
        ),
    )

    assert "bad_line" in codes(stream)
    assert [] == results(stream)


def test_what_was_compacted_away_still_happened(tmp_path: Path) -> None:
    """A shorter view is not a shorter history."""
    first = [CHAT, calls(("a", "f")), answer("a"), {"role": "assistant", "content": "x"}]
    summary = {"role": "user", "content": "<compaction-summary>\nx\n</compaction-summary>"}
    stream = read_text(
        tmp_path,
        lines(
            {"schema_version": 1, "type": "replace", "messages": first},
            {"schema_version": 1, "type": "replace", "messages": [summary, first[3], CHAT]},
        ),
    )

    assert 1 == len(results(stream))
    assert "branch_dropped" not in codes(stream)


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ({"role": "tool", "tool_call_id": "a", "name": "f", "content": "x"}, []),
        ({"role": "tool", "tool_call_id": "a", "name": "", "content": "x"}, []),
        ({"role": "tool", "tool_call_id": "a", "name": "g", "content": "x"}, ["bad_line"]),
        ({"role": "user", "raw_content": "go on", "content": "<x>1</x>go on"}, []),
        ({"role": "user", "raw_content": "go on"}, ["bad_line"]),
        ({"role": "user", "raw_content": "go on", "content": None}, ["bad_line"]),
    ],
)
def test_what_two_fields_tell_otherwise_is_damage(
    message: dict[str, object], told: list[str], tmp_path: Path
) -> None:
    """A result names its tool, as its call does; what was typed stands in what was sent."""
    call = {"role": "assistant", "tool_calls": [{"id": "a", "name": "f", "arguments": "{}"}]}
    stream = read_text(tmp_path, lines({"role": "user", "content": "x"}, call, message))

    assert told == [code for code in codes(stream) if code == "bad_line"]


@pytest.mark.parametrize(
    ("text", "outcome", "basis"),
    [
        ("error: exit status 1", "error", "host_rule"),
        ("blocked: no", "blocked", "host_rule"),
        ('error: unknown tool "x"', "not_run", "host_rule"),
        ("tool_retired: gone", "not_run", "host_rule"),
        ("error: tool was not executed because its arguments were cut", "not_run", "host_rule"),
        ("cancelled: context cancelled before execution", "cancelled", "host_rule"),
        ("error: command timed out (> 500ms)\nHa", "cancelled", "host_rule"),
        ("[no result: the previous turn was interrupted before …]", "cancelled", "host_rule"),
        ('Started background job "bash-1"', "running", "host_rule"),
        ("", "ok", "host_rule"),
        ("All about error: handling", "ok", "host_rule"),
        ("Traceback: 3 failed", "ok", "host_rule"),
        ("[snipped tool result: 9 KB]", "unknown", "none"),
        ("[tool result elided to fit the context window: 9 bytes]", "unknown", "none"),
    ],
)
def test_a_host_text_is_graded_by_its_first_words_alone(
    text: str, outcome: str, basis: str, tmp_path: Path
) -> None:
    """A document about errors is no error, and OK in a text is no success."""
    stream = read_text(
        tmp_path,
        lines(
            {"role": "user", "content": "x", "raw_content": "x"},
            {"role": "assistant", "tool_calls": [{"id": "a", "name": "f", "arguments": "{}"}]},
            {"role": "tool", "tool_call_id": "a", "content": text},
        ),
    )

    assert [("f", outcome, basis)] == results(stream)
