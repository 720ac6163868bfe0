"""Logs of requests and of single items of other interfaces: nothing told twice, nothing lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from read_records import notes, outcomes, read
from trace_samples import lines

from reasonix_conformance.readers.detect import detect
from reasonix_conformance.readers.formats import events
from reasonix_conformance.readers.recording import Recording
from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.trace.events import (
    Assistant,
    Compaction,
    Event,
    Session,
    ToolCall,
    TurnEnd,
)

Record = dict[str, Any]


def calls(stream: list[Event]) -> list[tuple[str, str]]:
    """Return (session, tool) of each call."""
    sid, found = "", []
    for event in stream:
        if isinstance(event, Session):
            sid = event.sid
        elif isinstance(event, ToolCall):
            found.append((sid, event.name))
    return found


# -- Chat Completions


def user(text: Any) -> Record:
    return {"role": "user", "content": text}


def asks(ident: str, name: str) -> Record:
    function = {"name": name, "arguments": "{}"}
    call = {"id": ident, "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def answers(ident: str, text: str = "x") -> Record:
    return {"role": "tool", "tool_call_id": ident, "content": text}


def said(message: Record) -> Record:
    return {"choices": [{"message": message}]}


ONE = [user("one"), asks("1", "f"), answers("1")]
TWO = [user("two"), asks("1", "g"), answers("1")]


def test_requests_of_two_conversations_are_two_sessions(tmp_path: Path) -> None:
    """They may alternate; equal messages of the other one are not taken for known."""
    stream = read(
        tmp_path,
        {"messages": ONE[:1], "response": said(ONE[1])},
        {"messages": TWO[:1], "response": said(TWO[1])},
        {"messages": ONE},
        {"messages": TWO},
    )

    assert [("trace", "f"), ("trace#2", "g")] == calls(stream)
    assert 2 == len(outcomes(stream))
    assert ["several_sessions"] == notes(stream)


def test_an_answer_and_its_echo_are_one_message(tmp_path: Path) -> None:
    """The answer has fields, and a form of its text, that the next request does not repeat."""
    answer = ONE[1] | {"refusal": None, "annotations": [], "content": ""}
    stream = read(
        tmp_path,
        {"messages": [{"role": "system", "content": "at 10:00"}, ONE[0]], "response": said(answer)},
        {"messages": [{"role": "system", "content": "at 10:01"},
                      user([{"type": "text", "text": "one"}]), *ONE[1:]]},
    )  # fmt: skip

    assert [("trace", "f")] == calls(stream)
    assert [] == notes(stream)


def test_a_request_that_is_sent_again_adds_nothing(tmp_path: Path) -> None:
    """A retry is no branch."""
    stream = read(tmp_path, {"messages": ONE}, {"messages": ONE[:2]}, {"messages": ONE})

    assert [("trace", "f")] == calls(stream)
    assert [] == notes(stream)


def test_a_shortened_history_goes_on_with_its_conversation(tmp_path: Path) -> None:
    """Another first message and a call in common: a compaction, not a session."""
    stream = read(
        tmp_path,
        {"messages": ONE},
        {"messages": [user("summary of what happened"), *ONE[1:], asks("2", "h"), answers("2")]},
    )

    assert [("trace", "f"), ("trace", "h")] == calls(stream)
    assert ["branch_dropped"] == notes(stream)


def test_a_beginning_that_was_shortened_away_is_that_of_another_conversation(
    tmp_path: Path,
) -> None:
    """The same prompt may be sent again in a new session."""
    stream = read(
        tmp_path,
        {"messages": ONE},
        {"messages": [user("summary of what happened"), *ONE[1:], asks("2", "h"), answers("2")]},
        {"messages": [ONE[0], asks("3", "k"), answers("3")]},
    )

    assert [("trace", "f"), ("trace", "h"), ("trace#2", "k")] == calls(stream)


@pytest.mark.parametrize("depth", [10, 400, 900])
def test_a_message_may_be_nested_deeply(depth: int, tmp_path: Path) -> None:
    """Its echo is found, or it is like no other; the rest of the log is read."""
    nested: Any = "x"
    for _ in range(depth):
        nested = {"a": nested}
    deep = user([{"type": "text", "text": "one", "more": nested}])
    stream = read(
        tmp_path,
        {"messages": [deep, *ONE[1:]]},
        {"messages": [deep, *ONE[1:], asks("2", "h"), answers("2")]},
    )

    assert ["f", "h"] == [name for _, name in calls(stream)]


CALLED_A, CALLED_B, CALLED_C = ([asks(n, n), answers(n)] for n in "abc")
SUMMARY, DONE, MORE = user("so far: …"), {"role": "assistant", "content": "done"}, user("more")


@pytest.mark.parametrize(
    ("later", "called"),
    [
        pytest.param([[*ONE[:1], SUMMARY, *CALLED_B, *CALLED_C]], "abc", id="compaction"),
        pytest.param([[SUMMARY, *CALLED_B, *CALLED_C]], "abc", id="first-message-dropped"),
        pytest.param(
            [[*ONE[:1], SUMMARY, *CALLED_B], [*ONE[:1], *CALLED_A, *CALLED_B, *CALLED_C]],
            "abc",
            id="back-to-the-whole-history",
        ),
        pytest.param(
            [[*ONE[:1], *CALLED_C], [*ONE[:1], *CALLED_A, *CALLED_B, DONE]],
            "abc",
            id="branches-in-turns",
        ),
        pytest.param(
            [[SUMMARY, *CALLED_B, *CALLED_A], [SUMMARY, *CALLED_B, *CALLED_A, *CALLED_B]],
            "abab",
            id="done-once-more",
        ),
        pytest.param(
            [[SUMMARY, *CALLED_B, *CALLED_B, *CALLED_B]], "abbb", id="the-tail-done-once-more"
        ),
    ],
)
def test_a_call_is_told_as_often_as_it_was_made(
    later: list[list[Record]], called: str, tmp_path: Path
) -> None:
    """A history may be shortened, and whole again; an equal call behind what was told is new."""
    whole = [*ONE[:1], *CALLED_A, *CALLED_B]
    stream = read(tmp_path, *({"messages": messages} for messages in (whole, *later)))

    assert list(called) == [name for _, name in calls(stream)]
    assert len(called) == len(outcomes(stream))


def test_a_summary_before_a_kept_tail_is_no_prompt(tmp_path: Path) -> None:
    """It would begin a turn, and leave the call before it without its result."""
    stream = read(tmp_path, {"messages": ONE[:2]}, {"messages": [SUMMARY, *ONE[1:], DONE]})

    assert [("unknown", "none")] == outcomes(stream)
    assert ["completed"] == [end.status for end in stream if isinstance(end, TurnEnd)]
    assert 1 == sum(isinstance(event, Compaction) for event in stream)


def does(ident: str, name: str, **args: str) -> list[Record]:
    """Return a call of a tool, and its result."""
    function = {"name": name, "arguments": json.dumps(args)}
    call = {"id": ident, "type": "function", "function": function}
    return [{"role": "assistant", "tool_calls": [call]}, answers(ident)]


def test_a_change_made_once_more_behind_a_summary_is_a_change(tmp_path: Path) -> None:
    """A change that was lost with what it is like left a turn with nothing to verify."""
    asked = user("<response-language>en</response-language>\n\ngo")  # by a host of the contract
    edit = does("1", "edit_file", path="a.py", old_string="1", new_string="2")
    looked = [*does("2", "read_file", path="a.py"), *does("3", "bash", command="pytest -q")]
    whole = [asked, *edit, *looked, DONE]
    again = [SUMMARY, *looked, DONE, MORE, *edit, DONE]
    file = tmp_path / "trace"
    file.write_text(lines({"messages": whole}, {"messages": again}))

    (result,) = file_results(file, Options(format_in="chat-requests", rules="contract"))

    ends = [one.verdict for one in result.verdicts if one.verdict.gate == "turn_end"]
    assert [("accept", None), ("reject", "finish.verification_missing")] == [
        (verdict.decision, verdict.reason) for verdict in ends
    ]


def test_a_record_without_messages_is_counted_and_changes_nothing(tmp_path: Path) -> None:
    """Other records of a proxy stand between the requests."""
    stream = read(tmp_path, {"messages": ONE[:2]}, {"event": "ping"}, {"messages": ONE})

    assert [("trace", "f")] == calls(stream)
    assert ["unknown_record"] == notes(stream)


PIECES = [
    {"role": "assistant", "content": ""},
    {"tool_calls": [{"index": 0, "id": "1", "function": {"name": "f", "arguments": ""}}]},
    {"tool_calls": [{"index": 1, "id": "2", "function": {"name": "g", "arguments": "{}"}}]},
    {"tool_calls": [{"index": 0, "function": {"arguments": '{"a":'}}]},
    {"tool_calls": [{"index": 0, "function": {"arguments": "1}"}}]},
]
CHUNKS = [{"object": "chat.completion.chunk", "choices": [{"delta": piece}]} for piece in PIECES]
CHUNKS.append({"object": "chat.completion.chunk", "choices": [], "usage": {"total_tokens": 1}})


def sent(events: list[Record]) -> str:
    """Write records as the text of a stream of events."""
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([{"messages": ONE[:1], "response": CHUNKS}], id="in the record"),
        pytest.param([{"messages": ONE[:1], "response": sent(CHUNKS)}], id="as text"),
        pytest.param([{"messages": ONE[:1]}, *CHUNKS], id="in lines of their own"),
    ],
)
def test_streamed_pieces_are_put_together_by_their_index(
    records: list[Record], tmp_path: Path
) -> None:
    """Id and name stand in the first piece only."""
    stream = read(tmp_path, *records)

    assert [("f", {"a": 1}), ("g", {})] == [
        (event.name, event.args) for event in stream if isinstance(event, ToolCall)
    ]


@pytest.mark.parametrize("indent", [None, 1])
def test_a_log_may_be_one_value(indent: int | None, tmp_path: Path) -> None:
    """An array of requests, on one line or many, repeats the history as lines do."""
    log = [
        {"request": {"messages": ONE[:1]}, "response": said(ONE[1])},
        {"request": {"messages": ONE}, "response": said({"role": "assistant", "content": "x"})},
    ]
    (tmp_path / "log").write_text(json.dumps(log, indent=indent))
    for name in (None, "chat-completions-document"):
        recording = Recording(path=tmp_path / "log", shown="log")
        stream = list(events(recording, format_in=name))

        assert [("log", "f")] == calls(stream)
        assert [] == notes(stream)


def test_the_first_line_of_a_log_may_be_long(tmp_path: Path) -> None:
    """Instructions and tools stand in each request, and the messages behind them."""
    setup = {"tools": [{"description": "x" * 400_000}]}
    stream = read(tmp_path, setup | {"messages": ONE[:1]}, setup | {"messages": ONE})

    assert [("trace", "f")] == calls(stream)


def test_an_answer_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """A request that failed has none."""
    for response, told in (("text", ["unknown_record"]), ({"error": {"message": "no"}}, [])):
        assert told == notes(read(tmp_path, {"messages": ONE, "response": response}))


def test_an_answer_whose_request_is_missing_begins_late(tmp_path: Path) -> None:
    """What was done before it is not in the file."""
    stream = read(tmp_path, {"response": said(ONE[1])}, {"messages": TWO})

    assert ["mid_chain_start", "several_sessions", "unanswered_call"] == sorted(notes(stream))


@pytest.mark.parametrize(
    "message",
    [
        {"role": "tool-response", "content": "edited"},
        {"role": "assistant", "content": [{"type": "tool-call", "toolName": "edit"}]},
        user([{"type": "tool_result", "content": "x"}]),
    ],
)
def test_a_message_that_may_hold_a_call_is_a_loss(message: Record, tmp_path: Path) -> None:
    """A turn with it would pass as one in which nothing was changed."""
    file = tmp_path / "trace"
    file.write_text(lines(user("go"), message, {"role": "assistant", "content": "Done."}))
    for name in ("chat-completions", "anthropic-messages"):
        if name == "chat-completions" or "tool-response" == message["role"]:
            (result,) = file_results(file, Options(format_in=name))
            decisions = [one.verdict.decision for one in result.verdicts]
            assert ["not_assessable"] == decisions


def test_a_file_that_looks_like_an_envelope_is_no_success(tmp_path: Path) -> None:
    """Envelopes are chosen by the tool's name; a failure is believed of any."""
    stream = read(
        tmp_path,
        user("go"),
        asks("1", "read_page"),
        answers("1", "it finished with exit code 0"),
        asks("2", "run_tests"),
        answers("2", "it finished with exit code 0"),
        asks("3", "read_page"),
        answers("3", "it finished with exit code 2"),
    )

    assert [("unknown", "none"), ("ok", "envelope"), ("error", "envelope")] == outcomes(stream)


def test_a_call_with_free_text_has_its_name_and_input(tmp_path: Path) -> None:
    """Custom tools stand under a key of their own."""
    call = {"id": "1", "type": "custom", "custom": {"name": "apply_patch", "input": "*** Begin"}}
    stream = read(tmp_path, user("go"), {"role": "assistant", "tool_calls": [call]}, answers("1"))

    assert [("apply_patch", {"input": "*** Begin"})] == [
        (event.name, event.args) for event in stream if isinstance(event, ToolCall)
    ]


# -- Anthropic Messages


def uses(ident: str, name: str) -> Record:
    block = {"type": "tool_use", "id": ident, "name": name, "input": {}}
    return {"role": "assistant", "content": [block]}


def gave(ident: str) -> Record:
    return user([{"type": "tool_result", "tool_use_id": ident, "content": "x"}])


def test_requests_of_the_anthropic_interface_are_told_apart_and_once(tmp_path: Path) -> None:
    """The mark of the cache moves from message to message; answers are part of the history."""
    cached = {"type": "text", "text": "one", "cache_control": {"type": "ephemeral"}}
    answer = uses("1", "f") | {"id": "msg", "type": "message", "stop_reason": "tool_use"}
    stream = read(
        tmp_path,
        {"messages": [user("one")], "response": answer},
        {"messages": [user("two")], "response": uses("1", "g")},
        {"messages": [user([cached]), uses("1", "f"), gave("1")]},
    )

    assert [("trace", "f"), ("trace#2", "g")] == calls(stream)
    assert ["several_sessions", "unanswered_call"] == notes(stream)


def event(kind: str, **more: Any) -> Record:
    return {"type": kind, **more}


def grown(kind: str, **piece: Any) -> Record:
    return event("content_block_delta", index=0, delta={"type": kind, **piece})


ASKED = {"messages": [user("one")]}
ANSWER = uses("1", "f") | {"id": "msg", "type": "message", "stop_reason": "tool_use"}
ANSWER["content"][0]["input"] = {"a": 1}
EVENTS = [
    event("message_start", message={"role": "assistant", "content": []}),
    event("content_block_start", index=0, content_block=uses("1", "f")["content"][0]),
    grown("input_json_delta", partial_json='{"a":'),
    grown("input_json_delta", partial_json=" 1}"),
    event("content_block_stop", index=0),
    event("message_delta", delta={"stop_reason": "tool_use"}),
    event("message_stop"),
]


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([{"request": ASKED, "response": ANSWER}], id="in the record"),
        pytest.param([{"custom_id": "a", "params": ASKED}, ANSWER], id="in a line of its own"),
        pytest.param([{"request": ASKED, "response": {"body": ANSWER}}], id="in its body"),
        pytest.param([{"request": ASKED, "response": EVENTS}], id="streamed"),
        pytest.param([{"request": ASKED, "response": sent(EVENTS)}], id="streamed, as text"),
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


def test_news_between_the_pieces_of_an_answer_do_not_cut_it(tmp_path: Path) -> None:
    """A client tells what has grown so far."""
    news = {"type": "input_json", "partial_json": "{", "snapshot": {}}
    stream = read(tmp_path, ASKED, *EVENTS[:3], news, *EVENTS[3:], {"messages": [user("one")]})

    assert [{"a": 1}] == [e.args for e in stream if isinstance(e, ToolCall)]
    assert {"unknown_record", "unanswered_call"} == set(notes(stream))


SAYS = {"role": "assistant", "content": [{"type": "text", "text": "I"}]}


@pytest.mark.parametrize(
    "record",
    [
        {"messages": [user("a")], "response": SAYS | {"stop_reason": "max_tokens"}},
        {"messages": [user("a")], "response": SAYS | {"stop_reason": "refusal"}},
        {"messages": [user("a")], "response": SAYS | {"stop_reason": "pause_turn"}},
        {"messages": [user("a")]} | said(SAYS) | {"choices": [
            {"finish_reason": "length", "message": SAYS}]},
        {"messages": [user("a")], "response": [
            {"choices": [{"delta": {"content": "I"}, "finish_reason": "content_filter"}]}]},
    ],
)  # fmt: skip
def test_an_answer_that_was_cut_off_ends_no_turn_well(record: Record, tmp_path: Path) -> None:
    """The model had more to say, or to do."""
    stream = read(tmp_path, record)

    assert ["I"] == [e.text for e in stream if isinstance(e, Assistant)]
    assert [("unknown", False)] == [(e.status, e.judge) for e in stream if isinstance(e, TurnEnd)]


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


# -- Responses


def item(kind: str, **more: Any) -> Record:
    return {"type": kind, **more}


def test_requests_of_the_responses_interface_are_told_once(tmp_path: Path) -> None:
    """Either the whole history is sent again, or the id of the answer that it goes on from."""
    call = item("function_call", call_id="1", name="f", arguments="{}")
    output = item("function_call_output", call_id="1", output="x")
    thought = item("reasoning", summary=[])
    whole = read(
        tmp_path,
        {"input": "go", "response": {"id": "r1", "output": [thought, call]}},
        {"input": [user("go"), call, output], "response": {"id": "r2", "output": []}},
    )
    linked = read(
        tmp_path,
        {"input": "go", "response": {"id": "r1", "output": [call]}},
        {"input": [output], "previous_response_id": "r1", "response": {"id": "r2", "output": []}},
    )

    for stream in (whole, linked):
        assert [("trace", "f")] == calls(stream)
        assert [("unknown", "none")] == outcomes(stream)
        assert [] == notes(stream)


def test_tools_of_the_interface_itself_are_calls(tmp_path: Path) -> None:
    """Without a call id an item holds its own end; the status of an item proves nothing."""
    stream = read(
        tmp_path,
        item("message", role="user", content="go"),
        item("mcp_call", id="1", name="ask", arguments="{}", output="x", error=None),
        item("mcp_call", id="2", name="ask", arguments="{}", output=None, error="no"),
        item("web_search_call", id="3", status="completed"),
        item("computer_call", call_id="4", action={}),
        item("computer_call_output", call_id="4", output={}),
        item("function_call_output", call_id="5", output="x"),
    )

    assert ["ask", "ask", "web_search", "computer"] == [name for _, name in calls(stream)]
    assert [("ok", "flag"), ("error", "flag"), ("unknown", "none"), ("unknown", "none")] == (
        outcomes(stream)
    )
    assert ["orphan_result"] == notes(stream)


# -- detection


@pytest.mark.parametrize(
    ("record", "name"),
    [
        ({"messages": [user("a"), uses("1", "f")]}, "anthropic-messages"),
        ({"messages": [user("a")], "response": uses("1", "f")}, "anthropic-messages"),
        ({"messages": [user("a")], "response": {"stop_reason": "end_turn"}}, "anthropic-messages"),
        ({"messages": [user("a"), asks("1", "f")]}, "chat-requests"),
        ({"messages": [user("a")]}, "chat-requests"),
        ({"request": {"body": {"messages": [user("a")]}}}, "chat-requests"),
        (CHUNKS[0], "chat-requests"),
        ({"record_type": "state"}, "codex"),
        ({"id": "x", "timestamp": "2025-06-01T00:00:00Z", "instructions": None}, "codex"),
    ],
)
def test_a_request_tells_its_interface(record: Record, name: str) -> None:
    """By what its messages hold, in one record as in many."""
    assert name == detect(json.dumps(record).encode() + b"\n")


def test_a_later_request_tells_what_the_first_did_not() -> None:
    """The first holds no more than the user's prompt."""
    records = [{"messages": [user("a")]}, {"messages": [user("a"), uses("1", "f")]}]
    assert "anthropic-messages" == detect(lines(*records).encode())


def test_an_answer_behind_a_message_is_a_message() -> None:
    """Programs keep what they were sent as it came."""
    for records in (
        [user("a"), ANSWER],
        [user("a"), SAYS | {"type": "message", "stop_reason": "x"}],
    ):
        assert "anthropic-messages" == detect(lines(*records).encode())
        assert "anthropic-messages" == detect(json.dumps(records, indent=1).encode())


# -- streams that lack something


def chunk(ident: str, **delta: Any) -> Record:
    return {"id": ident, "object": "chat.completion.chunk", "choices": [{"delta": delta}]}


def begun(ident: str, name: str) -> Record:
    function = {"name": name, "arguments": "{}"}
    return chunk(ident, tool_calls=[{"index": 0, "id": ident, "function": function}])


@pytest.mark.parametrize(
    "records",
    [
        [begun("1", "f"), {"news": 1}, begun("2", "g")],
        [chunk("1", function_call={"name": "f", "arguments": "{}"}), begun("2", "g")],
        [
            event("message_start", message={"role": "assistant", "content": []}),
            event("content_block_start", index=0, content_block=uses("1", "f")["content"][0]),
            event("message_start", message={"role": "assistant", "content": []}),
            event("content_block_start", index=0, content_block=uses("2", "g")["content"][0]),
        ],
    ],
    ids=["chunks", "older kind", "events"],
)
def test_pieces_of_two_answers_are_not_put_together(records: list[Record], tmp_path: Path) -> None:
    """The request between them may be lost; the calls of one must not hide those of the other."""
    stream = read(tmp_path, {"messages": [user("go")]}, *records)

    assert ["f", "g"] == [name for _, name in calls(stream)]


@pytest.mark.parametrize(
    "records",
    [
        [{"messages": [user("go")]}, chunk("1", content="I am do")],
        [
            {"messages": [user("go")]},
            event("message_start", message={"role": "assistant", "content": []}),
            event("content_block_start", index=0, content_block={"type": "text", "text": "I am"}),
        ],
    ],
    ids=["chunks", "events"],
)
def test_a_streamed_answer_without_an_end_ends_no_turn_well(
    records: list[Record], tmp_path: Path
) -> None:
    """What was cut off may have been a call."""
    assert ["unknown"] == [e.status for e in read(tmp_path, *records) if isinstance(e, TurnEnd)]


def test_answers_without_requests_go_on_from_the_one_before_in_linear_time(tmp_path: Path) -> None:
    """The history was marked again for each of them: two thousand took a minute."""
    alone = [{"response": said({"role": "assistant", "content": f"x{n}"})} for n in range(3000)]
    stream = read(tmp_path, {"messages": [user("go")]}, *alone)

    assert 3000 == sum(isinstance(event, Assistant) for event in stream)
    assert [] == notes(stream)


def test_pieces_of_a_block_that_never_began_are_dropped(tmp_path: Path) -> None:
    """The line that began it may be lost; the end of the answer still stands."""
    said_now = event("content_block_start", index=0, content_block={"type": "text", "text": "a"})
    lost = grown("text_delta", text="b") | {"index": 7}
    ended = event("message_delta", delta={"stop_reason": "end_turn"})
    stream = read(
        tmp_path, {"request": ASKED, "response": [EVENTS[0], said_now, lost, ended, EVENTS[-1]]}
    )

    assert ["a"] == [e.text for e in stream if isinstance(e, Assistant)]
    assert ["completed"] == [e.status for e in stream if isinstance(e, TurnEnd)]
