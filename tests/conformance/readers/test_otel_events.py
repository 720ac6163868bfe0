"""OpenTelemetry by older conventions: each message of a model is an event."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from read_records import ended, ends, notes, read
from test_otel import Record, export, span, tool

from reasonix_runtime.trace.events import ToolCall, User

CALL = {"id": "1", "type": "function", "function": {"name": "ls", "arguments": '{"path":"."}'}}
GO = ("user.message", {"content": "go"})
ASKS = ("choice", {"index": 0, "finish_reason": "tool_calls", "message": {"tool_calls": [CALL]}})
ASKED = ("assistant.message", {"tool_calls": [CALL]})
GAVE = ("tool.message", {"id": "1", "content": "x"})
DONE = ("choice", {"index": 0, "finish_reason": "stop", "message": {"content": "done"}})
CUT = ("choice", {"index": 0, "finish_reason": "length", "message": {"content": "do"}})

Message = tuple[str, Any]
Form = Callable[[dict[str, list[Message]]], list[Record]]


def pair(key: str, value: Any) -> Record:
    return {"key": key, "value": valued(value)}


def valued(value: Any) -> Record:
    if isinstance(value, dict):
        return {"kvlistValue": {"values": [pair(key, one) for key, one in value.items()]}}
    if isinstance(value, list):
        return {"arrayValue": {"values": [valued(one) for one in value]}}
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}


def as_events(told: Callable[[Any], Record]) -> Form:
    """Return how spans hold their messages as events, whose attributes are told in a way."""

    def written(requests: dict[str, list[Message]]) -> list[Record]:
        spans = []
        for ident, messages in requests.items():
            one = span(ident, "chat", trace=ident)
            one["events"] = [
                {"name": f"gen_ai.{name}",
                 "attributes": [pair(key, value) for key, value in told(body).items()]}
                for name, body in messages
            ]  # fmt: skip
            spans.append(one)
        return [export(*spans)]

    return written


def as_logs(named: Callable[[str], Record], written_as: Callable[[Any], Record] = valued) -> Form:
    """Return how log records are messages beside the spans, which tell their names in a way."""

    def written(requests: dict[str, list[Message]]) -> list[Record]:
        records = [
            {"traceId": ident, "spanId": ident, "body": written_as(body), **named(f"gen_ai.{name}")}
            for ident, messages in requests.items()
            for name, body in messages
        ]
        spans = [span(ident, "chat", trace=ident) for ident in requests]
        return [{"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}, export(*spans)]

    return written


def as_numbered(requests: dict[str, list[Message]]) -> list[Record]:
    """Write each member of a message as an attribute of its span."""
    spans = []
    for ident, messages in requests.items():
        told: dict[str, Any] = {}
        for place, (name, body) in enumerate(messages):
            role = name.removesuffix(".message")
            of = "completion.0" if role == "choice" else f"prompt.{place}"
            kept = {"role": "assistant" if role == "choice" else role, **body}
            kept |= kept.pop("message", {})
            for at, call in enumerate(kept.pop("tool_calls", [])):
                made = {"id": call["id"], **call["function"]}
                told |= {f"gen_ai.{of}.tool_calls.{at}.{key}": one for key, one in made.items()}
            told |= {f"gen_ai.{of}.{key}": one for key, one in kept.items()}
        one = span(ident, "chat", trace=ident)
        one["attributes"] += [pair(key, value) for key, value in told.items()]
        spans.append(one)
    return [export(*spans)]


def in_members(body: Any) -> Record:
    return {k: json.dumps(v) if isinstance(v, dict | list) else v for k, v in body.items()}


FORMS = [
    pytest.param(as_events(lambda body: {"gen_ai.event.content": json.dumps(body)}), id="json"),
    pytest.param(as_events(in_members), id="members"),
    pytest.param(as_numbered, id="numbered"),
    pytest.param(as_logs(lambda name: {"eventName": name}), id="log records"),
    pytest.param(
        as_logs(lambda name: {"eventName": name}, lambda body: valued(json.dumps(body))),
        id="bodies as text",
    ),
    pytest.param(
        as_logs(lambda name: {"attributes": [pair("event.name", name)]}), id="named in attributes"
    ),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("last", "end"), [(DONE, "completed"), (CUT, "unknown")])
def test_events_are_the_messages_of_a_conversation(
    form: Form, last: Message, end: str, tmp_path: Path
) -> None:
    """Each request repeats the history."""
    stream = read(tmp_path, *form({"a": [GO, ASKS], "b": [GO, ASKED, GAVE, last]}))

    assert [("ls", {"path": "."})] == [(e.name, e.args) for e in stream if isinstance(e, ToolCall)]
    assert [("main#1", "unknown")] == ended(stream)
    assert ["go"] == [e.text for e in stream if isinstance(e, User)]
    assert [end] == [status for status, _ in ends(stream)]
    assert [] == notes(stream)


@pytest.mark.parametrize(
    "body",
    [
        {"gen_ai.event.content": '{"message": {"tool_calls": [{"id'},
        {"message": '[{"toolUse": {"name": "ls", "input": {}}}]'},
        {"message": '[{"type": "tool_use", "name": "ls", "input": {}}]'},
    ],
    ids=["cut", "another form", "of the Messages interface"],
)
def test_an_event_that_cannot_be_read_is_a_loss(body: Record, tmp_path: Path) -> None:
    """It may have been a call."""
    stream = read(tmp_path, *as_events(lambda _: body)({"a": [ASKS]}))

    assert "bad_line" in notes(stream)


@pytest.mark.parametrize(
    "body", [{"bytesValue": "AA"}, {"stringValue": "{"}, {"stringValue": 7}, {"novelValue": "x"}]
)
def test_a_log_record_that_cannot_be_read_is_a_loss(body: Record, tmp_path: Path) -> None:
    logs, spans = as_logs(lambda name: {"eventName": name})({"a": [GO, ASKS]})
    logs["resourceLogs"][0]["scopeLogs"][0]["logRecords"][1]["body"] = body

    assert "bad_line" in notes(read(tmp_path, logs, spans))


@pytest.mark.parametrize(("ran", "lost"), [("1", []), ("2", ["bad_line"])])
def test_a_response_that_a_log_record_tells_again_asked_once(
    ran: str, lost: list[str], tmp_path: Path
) -> None:
    """The span of the model tells why it stopped, the record what it asked for."""
    inside = [
        tool("b", "x") | {"traceId": "t"},
        span("a", "chat", "x", **{"gen_ai.response.finish_reasons": "tool_calls"}),
        span("c", "chat", "x", **{"gen_ai.response.finish_reasons": "stop"}),
        span("x", "invoke_agent"),
    ]
    inside[0]["attributes"].append(pair("gen_ai.tool.call.id", ran))
    asks = {"traceId": "t", "spanId": "a", "body": valued(ASKS[1]), "eventName": "gen_ai.choice"}
    logs = {"resourceLogs": [{"scopeLogs": [{"logRecords": [asks]}]}]}

    assert lost == notes(read(tmp_path, export(*inside), logs))


@pytest.mark.parametrize(
    ("dropped", "lost"),
    [
        ({}, []),
        ({"droppedAttributesCount": 0}, []),
        ({"droppedAttributesCount": 2}, ["bad_line"]),
        ({"droppedEventsCount": 1}, []),
    ],
)
def test_a_span_that_lost_something_at_a_limit_says_so(
    dropped: Record, lost: list[str], tmp_path: Path
) -> None:
    """It may have been the word that the call failed."""
    inside = [tool("b", "x") | dropped, span("x", "invoke_agent")]
    other = span("c", "GET /") | {"droppedAttributesCount": 1}
    other["attributes"] = []

    assert lost == notes(read(tmp_path, export(*inside, other)))


def test_a_message_that_was_dropped_with_events_is_a_loss(tmp_path: Path) -> None:
    """Other events of a span say nothing that counts."""
    (spans,) = as_events(in_members)({"a": [GO, DONE]})
    spans["resourceSpans"][0]["scopeSpans"][0]["spans"][0]["droppedEventsCount"] = 1

    assert "bad_line" in notes(read(tmp_path, spans))


def test_a_message_of_a_role_that_nobody_knows_is_a_loss(tmp_path: Path) -> None:
    """It may have been a result."""
    (spans,) = as_numbered({"a": [GO, ("function.message", {"content": "x"}), DONE]})

    assert "bad_line" in notes(read(tmp_path, spans))
