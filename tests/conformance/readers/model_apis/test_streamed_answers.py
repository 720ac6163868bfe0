"""Answers that came in pieces, and answers that were cut off."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from read_records import notes, read
from request_records import (
    ASKED,
    CHUNKS,
    EVENTS,
    ONE,
    SAYS,
    Record,
    asks,
    calls,
    event,
    grown,
    said,
    sent,
    user,
    uses,
)

from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_runtime.trace.events import Assistant, ToolCall, TurnEnd


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([{"messages": ONE[:1], "response": CHUNKS}], id="in the record"),
        pytest.param([{"messages": ONE[:1], "response": sent(CHUNKS)}], id="as text"),
        pytest.param([{"messages": ONE[:1], "response": sent(CHUNKS, 1)}], id="over lines"),
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


def piece(given: Any, ident: str = "", name: str = "", **more: Any) -> Record:
    return {"id": ident, "function": {"name": name, "arguments": given}, **more}


F_AND_G = [("f", {"a": 1}), ("g", {"b": 2})]


@pytest.mark.parametrize(
    ("pieces", "made"),
    [
        pytest.param([piece({"a": 1}, "1", "f", index=0)], F_AND_G[:1], id="as an object"),
        pytest.param(
            [piece({}, "1", "f", index=0), piece('{"a": 1}', index=0)], F_AND_G[:1], id="behind {}"
        ),
        pytest.param(
            [piece('{"a": 1}', "1", "f", index=0), piece('{"b": 2}', "2", "g", index=0)],
            F_AND_G,
            id="all of one index",
        ),
        pytest.param(
            [
                piece({"a": 1}, "1", "f", index=0),
                piece({"b": 2}, "2", "g", index=1),
                piece({}, "3", "h", index=0),
            ],
            [*F_AND_G, ("h", {})],
            id="an index that comes again",
        ),
        pytest.param(
            [piece('{"a"', "1", "f"), piece(": 1}"), piece('{"b"', "2", "g"), piece(": 2}")],
            F_AND_G,
            id="without an index",
        ),
        pytest.param(
            [piece('{"a"', "1", "f", index=0), piece(": 1}", "1", "f", index=0)],
            F_AND_G[:1],
            id="id and name in each piece",
        ),
        pytest.param(
            [piece('{"a"', "1", "f", index=0), piece(": 1}", "other", index=0)],
            F_AND_G[:1],
            id="another id in each piece, without a name",
        ),
    ],
)
def test_pieces_of_calls_are_put_together_as_servers_cut_them(
    pieces: list[Record], made: list[Any], tmp_path: Path
) -> None:
    """An object was dropped without a word, and calls of one index were read as one."""
    chunks = [{"choices": [{"delta": {"tool_calls": [each]}}]} for each in pieces]

    stream = read(tmp_path, {"messages": ONE[:1], "response": chunks})

    assert [(call.name, call.args) for call in stream if isinstance(call, ToolCall)] == made


_SECOND = {"index": 1, "delta": {"tool_calls": [piece("{}", "9", "other", index=0)]}}
_OTHER = {"index": 1, "message": asks("9", "other")}


@pytest.mark.parametrize(
    ("records", "told"),
    [
        ([{"messages": ONE[:1], "response": {"choices": [*said(ONE[1])["choices"], _OTHER]}}], 1),
        ([{"messages": ONE[:1], "response": said(ONE[1])}], 0),
        ([{"messages": ONE[:1]}, *CHUNKS[:2], {"choices": [_SECOND]}, *CHUNKS[2:]], 1),
        ([{"messages": ONE[:1], "response": [*CHUNKS, {"choices": [_SECOND]}]}], 1),
        ([{"messages": ONE[:1], "response": sent([{"choices": [_SECOND]}, *CHUNKS])}], 1),
    ],
    ids=["whole", "one choice", "streamed", "streamed in the record", "as text"],
)
def test_of_several_choices_the_first_is_read_and_the_others_are_told(
    records: list[Record], told: int, tmp_path: Path
) -> None:
    """A call of another choice was dropped without a word, or its pieces went into the first."""
    stream = read(tmp_path, *records)

    assert "other" not in [event.name for event in stream if isinstance(event, ToolCall)]
    assert "f" in [event.name for event in stream if isinstance(event, ToolCall)]
    assert ["unknown_record"] * told == [one for one in notes(stream) if one == "unknown_record"]


def test_a_request_that_is_a_file_tells_other_choices(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(
        json.dumps({"messages": ONE[:1], "choices": [*said(ONE[1])["choices"], _OTHER]}, indent=1)
    )
    recording = Recording(path=tmp_path / "t.json", shown="t")
    stream = [*events(recording, format_in="chat-completions-document")]

    assert ["f"] == [event.name for event in stream if isinstance(event, ToolCall)]
    assert "unknown_record" in notes(stream)


def test_an_older_call_whose_arguments_are_an_object_keeps_them(tmp_path: Path) -> None:
    """Servers that send them whole send the older kind of call so, too."""
    delta = {"function_call": {"name": "f", "arguments": {"a": 1}}}

    stream = read(tmp_path, {"messages": ONE[:1], "response": [{"choices": [{"delta": delta}]}]})

    assert [call.args for call in stream if isinstance(call, ToolCall)] == [{"a": 1}]


@pytest.mark.parametrize("whole", [True, False], ids=["as text", "in lines of their own"])
def test_a_sign_whose_halves_are_in_two_pieces_is_whole_again(whole: bool, tmp_path: Path) -> None:
    """Who cuts a text by its UTF-16 units cuts signs; the piece with a half was left out."""
    given = ['{"a": "', "\ud83d", '\ude00"}']
    begun = {"index": 0, "id": "c", "function": {"name": "f", "arguments": ""}}
    calls = [begun, *({"index": 0, "function": {"arguments": piece}} for piece in given)]
    chunks = [{"choices": [{"delta": {"tool_calls": [call]}}]} for call in calls]
    asked = {"messages": ONE[:1]}
    records = [{**asked, "response": sent(chunks)}] if whole else [asked, *chunks]

    stream = read(tmp_path, *records)

    assert [{"a": "😀"}] == [event.args for event in stream if isinstance(event, ToolCall)]


def test_news_between_the_pieces_of_an_answer_do_not_cut_it(tmp_path: Path) -> None:
    """A client tells what has grown so far."""
    news = {"type": "input_json", "partial_json": "{", "snapshot": {}}
    stream = read(tmp_path, ASKED, *EVENTS[:3], news, *EVENTS[3:], {"messages": [user("one")]})

    assert [{"a": 1}] == [e.args for e in stream if isinstance(e, ToolCall)]
    assert {"unknown_record", "unanswered_call"} == set(notes(stream))


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
