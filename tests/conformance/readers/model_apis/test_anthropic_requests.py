"""Logs of requests of the Anthropic interface: nothing told twice, nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from read_records import notes, outcomes, read
from request_records import ANSWER, ASKED, EVENTS, Record, calls, gave, sent, user, uses

from reasonix_runtime.trace.events import ToolCall


def test_requests_of_the_anthropic_interface_are_told_apart_and_once(tmp_path: Path) -> None:
    """The mark of the cache moves from message to message; answers are part of the history."""
    cached = {"type": "text", "text": "one", "cache_control": {"type": "ephemeral"}}
    answer = uses("1", "f") | {"id": "msg", "type": "message", "stop_reason": "tool_use"}
    answer |= {"stop_sequence": "END"}
    stream = read(
        tmp_path,
        {"messages": [user("one")], "response": answer},
        {"messages": [user("two")], "response": uses("1", "g")},
        {"messages": [user([cached]), uses("1", "f"), gave("1")]},
    )

    assert [("trace", "f"), ("trace#2", "g")] == calls(stream)
    assert ["several_sessions", "unanswered_call"] == notes(stream)


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([{"request": ASKED, "response": ANSWER}], id="in the record"),
        pytest.param([{"custom_id": "a", "params": ASKED}, ANSWER], id="in a line of its own"),
        pytest.param([{"request": ASKED, "response": {"body": ANSWER}}], id="in its body"),
        pytest.param([{"request": ASKED, "response": EVENTS}], id="streamed"),
        pytest.param([{"request": ASKED, "response": sent(EVENTS)}], id="streamed, as text"),
        pytest.param(
            [{"request": {"body": ASKED}, "response": {"body_raw": sent(EVENTS)}}],
            id="streamed, as the text of a body",
        ),
        pytest.param([ASKED, *EVENTS], id="streamed, in lines of their own"),
    ],
)
def test_an_answer_of_the_anthropic_interface_is_found_wherever_a_log_keeps_it(
    records: list[Record], tmp_path: Path
) -> None:
    """The next request repeats it, and its input is an object there."""
    echo = {"role": "assistant", "content": ANSWER["content"]}
    stream = read(tmp_path, *records, {"messages": [user("one"), echo, gave("1")]})

    assert [("trace", "f")] == calls(stream)
    assert [{"a": 1}] == [e.args for e in stream if isinstance(e, ToolCall)]
    assert [("unknown", "none")] == outcomes(stream)
    assert [] == notes(stream)


def test_a_text_behind_a_thought_is_the_text_alone_later(tmp_path: Path) -> None:
    """One part that is a text and a text say the same."""
    parts = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "I look"}]
    stream = read(
        tmp_path,
        {"messages": [user("one"), {"role": "assistant", "content": parts}]},
        {
            "messages": [
                user("one"),
                {"role": "assistant", "content": "I look"},
                user("go on"),
                uses("1", "f"),
                gave("1"),
            ]
        },
    )

    assert [("trace", "f")] == calls(stream)
    assert [] == notes(stream)


def test_a_thought_that_is_left_out_later_makes_no_other_message(tmp_path: Path) -> None:
    """Thoughts of earlier turns are often taken out of the requests that follow."""
    thought = {"type": "thinking", "thinking": "hm", "signature": "s"}
    call = uses("1", "f")
    thoughtful = call | {"content": [thought, *call["content"]]}
    stream = read(
        tmp_path,
        {"messages": [user("one"), thoughtful, gave("1")]},
        {"messages": [user("one"), call, gave("1"), uses("2", "g")]},
    )

    assert [("trace", "f"), ("trace", "g")] == calls(stream)
    assert [] == [code for code in notes(stream) if code != "unanswered_call"]


@pytest.mark.parametrize("flag", [{}, {"is_error": False}])
def test_a_tool_of_the_servers_side_has_its_result_in_the_same_message(
    flag: Record, tmp_path: Path
) -> None:
    """Its exit status is a field, and stronger than a flag; the turn ends with such a message."""
    blocks = [
        {"type": "server_tool_use", "id": "1", "name": "code_execution", "input": {}},
        {"type": "code_execution_tool_result", "tool_use_id": "1", "content": {"return_code": 1}}
        | flag,
        {"type": "text", "text": "It failed."},
    ]
    stream = read(tmp_path, user("go"), {"role": "assistant", "content": blocks})

    assert [("error", "exit_code")] == outcomes(stream)


@pytest.mark.parametrize(
    ("kind", "name", "flag"),
    [
        ("server_tool_use", "advisor", True),
        ("mcp_tool_use", "mcp__desk__advisor", None),
        ("tool_use", "advisor", None),
    ],
)
def test_only_what_runs_at_the_provider_is_known_to_change_nothing(
    kind: str, name: str, flag: bool | None, tmp_path: Path
) -> None:
    """A tool of a server has a name that tells so, as everywhere."""
    block = {"type": kind, "id": "1", "name": "advisor", "input": {}}
    if kind == "mcp_tool_use":
        block["server_name"] = "desk"
    stream = read(tmp_path, user("go"), {"role": "assistant", "content": [block]})

    (call,) = [event for event in stream if isinstance(event, ToolCall)]
    assert (name, flag) == (call.name, call.read_only)
