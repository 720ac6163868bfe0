"""OpenTelemetry GenAI spans as OTLP JSON (5.6): tool spans below agent spans, sorted by time.

Spans are unordered, so order by start time is the exception to the rule that file order counts.
Without content capture there are no arguments; gates that need them are not assessable.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from reasonix_conformance.readers.building import Builder
from reasonix_conformance.readers.lines import Broken
from reasonix_conformance.readers.outcomes import UNKNOWN, Grade
from reasonix_conformance.readers.recording import (
    Recording,
    as_text,
    at,
    list_at,
    name_at,
    text_at,
)
from reasonix_runtime.trace.events import Event

FORMAT = "otel"


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
    build = Builder(recording.shown)
    spans: list[tuple[str, _Span]] = []
    records = 0
    for number, record in _exports(recording):
        records += 1
        build.line = number
        if isinstance(record, Broken):
            build.note("truncated_tail" if record.torn else "bad_line", record.text)
        else:
            spans += list(_spans(record, number))
    if records == 0:
        build.note("truncated_tail", "no record in the file can be read")
    remarks = build.drain()
    groups: dict[str, list[_Span]] = {}
    for trace, span in spans:
        groups.setdefault(trace, []).append(span)
    if not groups:
        build.session(recording.sid, FORMAT)
        yield from build.drain()
    for trace, members in groups.items():
        build = Builder(recording.shown)
        yield from _session(build, trace, sorted(members, key=lambda s: (s.start, s.end)))
    yield from remarks


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


def _session(build: Builder, trace: str, spans: list[_Span]) -> Iterator[Event]:
    conversation = next(
        (
            name
            for span in spans
            if isinstance(name := span.attributes.get("gen_ai.conversation.id"), str)
        ),
        trace,
    )
    build.session(conversation, FORMAT)
    agents = {span.ident: span for span in spans if span.operation == "invoke_agent"}
    roots = [span for span in agents.values() if span.parent not in agents]
    turn: str | None = None
    for span in spans:
        build.line = span.line
        if span in roots:
            _end(build, agents.get(turn or ""))
            build.start_turn(native=span.ident)
            turn = span.ident
        elif span.operation == "execute_tool":
            _tool(build, span)
        yield from build.drain()
    _end(build, agents.get(turn or ""))
    build.finish()
    yield from build.drain()


def _end(build: Builder, agent: _Span | None) -> None:
    if build.in_turn:
        failed = agent is not None and at(agent.status, "code") == 2
        build.end_turn("failed" if failed else "completed", judge=not failed)


def _tool(build: Builder, span: _Span) -> None:
    attributes = span.attributes
    name = attributes.get("gen_ai.tool.name")
    tool = name if isinstance(name, str) else span.name.removeprefix("execute_tool ")
    args = attributes.get("gen_ai.tool.call.arguments")
    native = attributes.get("gen_ai.tool.call.id")
    build.assistant("", step=span.ident)
    uid = build.call(native if isinstance(native, str) else span.ident, tool, args, step=span.ident)
    if args is None:
        build.count("unknown_record", "spans without content capture carry no arguments")
    text = as_text(attributes.get("gen_ai.tool.call.result"))
    build.result("", _grade(span), text, uid=uid)


def _grade(span: _Span) -> Grade:
    error = span.attributes.get("error.type")
    code = at(span.status, "code")
    if isinstance(error, str) and error:
        outcome = "cancelled" if error in ("timeout", "cancelled") else "error"
        return Grade(outcome, "flag", None, name_at(span.status, "message") or error)  # type: ignore[arg-type]
    if code == 2:
        return Grade("error", "state", None, name_at(span.status, "message"))
    if code == 1:
        return Grade("ok", "state")
    return Grade("ok", "absence") if span.end else UNKNOWN
