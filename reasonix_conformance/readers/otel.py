"""OpenTelemetry GenAI spans as OTLP JSON: tool spans below agent spans, sorted by time.

Spans are unordered, so order by start time is the exception to the rule that file order counts.
Without content capture there are no arguments; gates that need them are not assessable.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from reasonix_conformance.readers.building import Builder
from reasonix_conformance.readers.chat import typed
from reasonix_conformance.readers.lines import NOTHING_READ, Broken
from reasonix_conformance.readers.messages import PLAIN, MessageReader
from reasonix_conformance.readers.outcomes import UNKNOWN, Grade
from reasonix_conformance.readers.recording import (
    Recording,
    as_text,
    at,
    list_at,
    name_at,
    text_at,
)
from reasonix_conformance.readers.requests import Conversations, Request
from reasonix_runtime.trace.events import MAIN, Event, Outcome

FORMAT = "otel"
# The status of a failed span: its number, or its name as some exporters write it.
_FAILED = (2, "STATUS_CODE_ERROR")
_MOST_LEVELS = 256
"""How far up the spans around a span are looked for."""


class _Span(NamedTuple):
    start: int
    end: int
    ident: str
    parent: str
    operation: str
    name: str
    attributes: dict[str, Any]
    status: Any
    line: int


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of the spans of a file, one session a conversation or trace."""
    spans: list[tuple[str, _Span]] = []
    remarks: list[tuple[int, str, str]] = []
    records = 0
    for number, record in _exports(recording):
        records += 1
        if isinstance(record, Broken):
            remarks.append((number, record.code, record.text))
        else:
            spans += list(_spans(record, number))
    if records == 0:
        remarks.append((0, "truncated_tail", NOTHING_READ))
    groups = _conversations(spans) or {recording.sid: []}
    for sid, members in groups.items():
        build = Builder(recording.shown)
        build.session(sid, FORMAT)
        for line, code, text in remarks:
            build.line = line or None
            build.note(code, text)
        if len(groups) > 1:
            build.count("several_sessions", "each conversation is a session of its own")
        yield from _session(build, sorted(members, key=lambda span: (span.start, span.end)))


def _conversations(spans: list[tuple[str, _Span]]) -> dict[str, list[_Span]]:
    """Return the spans by conversation; a trace that names none is one by itself."""
    named: dict[str, str] = {}
    for trace, span in spans:
        name = span.attributes.get("gen_ai.conversation.id")
        if isinstance(name, str):
            named.setdefault(trace, name)
    groups: dict[str, list[_Span]] = {}
    for trace, span in spans:
        groups.setdefault(named.get(trace, trace), []).append(span)
    return groups


def _exports(recording: Recording) -> Iterator[tuple[int, Any]]:
    """Yield (line, export): one a line, or the file as one value."""
    found = False
    for number, record in recording.records():
        if isinstance(record, Broken) and not found:
            break
        found = True
        yield number, record
    if not found:
        yield 1, recording.document()


def _spans(record: Any, line: int) -> Iterator[tuple[str, _Span]]:
    for resource in list_at(record, "resourceSpans"):
        for scope in list_at(resource, "scopeSpans"):
            for span in list_at(scope, "spans"):
                attributes = {
                    text_at(pair, "key"): _value(at(pair, "value"))
                    for pair in list_at(span, "attributes")
                }
                operation = as_text(attributes.get("gen_ai.operation.name"))
                name = text_at(span, "name")
                yield (
                    text_at(span, "traceId"),
                    _Span(
                        _nanos(at(span, "startTimeUnixNano")),
                        _nanos(at(span, "endTimeUnixNano")),
                        text_at(span, "spanId"),
                        text_at(span, "parentSpanId"),
                        operation or name.partition(" ")[0],
                        name,
                        attributes,
                        at(span, "status"),
                        line,
                    ),
                )


def _value(value: Any) -> Any:
    """Return the plain value of an OTLP attribute."""
    if not isinstance(value, dict):
        return None
    for key, item in value.items():
        if key == "intValue":
            return _nanos(item)
        if key in ("stringValue", "boolValue", "doubleValue"):
            return item
        if key == "arrayValue":
            return [_value(entry) for entry in list_at(item, "values")]
        if key == "kvlistValue":
            return {text_at(e, "key"): _value(at(e, "value")) for e in list_at(item, "values")}
    return None


def _nanos(value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        return 0


def _session(build: Builder, spans: list[_Span]) -> Iterator[Event]:
    by_id = {span.ident: span for span in spans}
    tree = _Tree(by_id)
    turn: _Span | None = None
    for span in spans:
        build.line = span.line
        outer = tree.outer(span)
        if span.operation == "execute_tool":
            if span.parent and span.parent not in by_id:
                build.note("mid_chain_start", "the span that a call belongs to is not here")
            if outer is None:
                yield from tree.told(build, span)
        elif span.operation == "invoke_agent" and outer is None and not tree.agent_above(span):
            _end(build, turn)
            build.start_turn(native=span.ident)
            turn = span
        yield from build.drain()
    if not build.calls:
        yield from _messages(build, spans)
    _end(build, turn)
    build.finish()
    yield from build.drain()


class _Tree:
    """How the spans of a conversation lie inside each other."""

    def __init__(self, spans: dict[str, _Span]) -> None:
        self._spans = spans
        self._inside: dict[str, list[_Span]] = {}
        for span in spans.values():
            outer = self.outer(span) if span.operation == "execute_tool" else None
            if outer is not None:
                self._inside.setdefault(outer.ident, []).append(span)

    def _above(self, span: _Span) -> Iterator[_Span]:
        here = self._spans.get(span.parent)
        for _ in range(_MOST_LEVELS):
            if here is None or here is span:
                return
            yield here
            here = self._spans.get(here.parent)

    def outer(self, span: _Span) -> _Span | None:
        """Return the call that a span belongs to: what a sub-agent did in it."""
        return next((s for s in self._above(span) if s.operation == "execute_tool"), None)

    def agent_above(self, span: _Span) -> bool:
        """Whether a run of an agent is part of another one's."""
        return any(s.operation == "invoke_agent" for s in self._above(span))

    def told(
        self, build: Builder, span: _Span, scope: str = MAIN, levels: int = 32
    ) -> Iterator[Event]:
        """Tell a call, what was done inside it, and its end."""
        uid = _call(build, span, scope)
        inside = sorted(self._inside.pop(span.ident, ()), key=lambda s: (s.start, s.end))
        if inside and not levels:
            build.note("missing_child", "the calls of sub-agents are nested too deeply")
        elif inside:
            inner = build.child(span.ident, uid, kind=build.opened(uid).name)
            for own in inside:
                yield from self.told(build, own, inner, levels - 1)
            build.end_child(inner)
        text = as_text(span.attributes.get("gen_ai.tool.call.result"))
        build.result("", _grade(span), text, scope=scope, uid=uid)
        yield from build.drain()


def _messages(build: Builder, spans: list[_Span]) -> Iterator[Event]:
    """Tell the messages of a conversation whose calls have no spans of their own."""
    known = Conversations()
    reader = MessageReader(build, grading=PLAIN)
    for span in spans:
        build.line = span.line
        given = (
            _parsed(span.attributes.get(f"gen_ai.{way}.messages")) for way in ("input", "output")
        )
        messages = [message for part in given for one in part for message in _as_chat(one)]
        if messages:
            for message in typed(known.add(Request(messages)).fresh, build):
                reader.feed(message)
        yield from build.drain()
    reader.finish()


def _parsed(value: Any) -> list[Any]:
    """Return the messages of an attribute: structured, or as JSON text."""
    if isinstance(value, str):
        try:
            value = msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError):
            return []
    return value if isinstance(value, list) else []


def _as_chat(message: Any) -> Iterator[dict[str, Any]]:
    """Yield a message of parts as chat messages: its calls in one, each response in its own."""
    parts = list_at(message, "parts")
    text = "".join(text_at(part, "content") for part in parts if text_at(part, "type") == "text")
    calls = [
        {
            "id": text_at(part, "id"),
            "function": {"name": text_at(part, "name"), "arguments": at(part, "arguments")},
        }
        for part in parts
        if text_at(part, "type") == "tool_call"
    ]
    answers = [part for part in parts if text_at(part, "type") == "tool_call_response"]
    for part in answers:
        said = at(part, "response") if at(part, "response") is not None else at(part, "result")
        yield {"role": "tool", "tool_call_id": text_at(part, "id"), "content": as_text(said)}
    if not answers:
        yield {"role": text_at(message, "role"), "content": text, "tool_calls": calls or None}


def _end(build: Builder, agent: _Span | None) -> None:
    if build.in_turn:
        failed = agent is not None and at(agent.status, "code") in _FAILED
        build.end_turn("failed" if failed else "completed", judge=not failed)


def _call(build: Builder, span: _Span, scope: str) -> str:
    attributes = span.attributes
    name = attributes.get("gen_ai.tool.name")
    tool = name if isinstance(name, str) else span.name.removeprefix("execute_tool ")
    args = attributes.get("gen_ai.tool.call.arguments")
    native = attributes.get("gen_ai.tool.call.id")
    build.assistant("", step=span.ident, scope=scope)
    if args is None:
        build.count("unknown_record", "spans without content capture carry no arguments")
    native = native if isinstance(native, str) else span.ident
    return build.call(native, tool, args, step=span.ident, scope=scope)


def _grade(span: _Span) -> Grade:
    error = span.attributes.get("error.type")
    code = at(span.status, "code")
    if error not in (None, ""):
        outcome: Outcome = "cancelled" if error in ("timeout", "cancelled") else "error"
        return Grade(outcome, "flag", None, name_at(span.status, "message") or as_text(error))
    if code in _FAILED:
        return Grade("error", "state", None, name_at(span.status, "message"))
    if code in (1, "STATUS_CODE_OK"):
        return Grade("ok", "state")
    if code not in (None, 0, "STATUS_CODE_UNSET"):
        return UNKNOWN
    return Grade("ok", "absence") if span.end else UNKNOWN
