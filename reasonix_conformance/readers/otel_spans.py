"""Spans as OTLP writes them in JSON: exports, attributes as pairs, messages in log records.

A log record that holds the messages of a call of a model is told as a span of that call.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from reasonix_conformance.readers.files.json_values import (
    NOT_JSON,
    as_text,
    at,
    decoded,
    list_at,
    text_at,
)
from reasonix_conformance.readers.files.lines import NO_PARTS, Broken, Decoder, Parts, Scalar
from reasonix_conformance.readers.files.message_content import flat_text
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.model_apis.requests import records_of
from reasonix_conformance.readers.otel_events import (
    MESSAGES,
    Told,
    as_attributes,
    named,
    numbered_in,
    told_by,
)

AGENT = "invoke_agent"
TOOL = "execute_tool"
_MERGE = "merge"
CALLS = (TOOL, _MERGE)
"""The operations of spans that hold a call, or sum up calls."""
CALL_ID = "gen_ai.tool.call.id"
# What a host calls the span that sums up calls which have spans of their own.
_MERGED = "(merged tools)"
_WITH_PLUGINS = "semantic_kernel."
"""Who puts the name of a plugin, which is its user's choice, before that of a tool."""
_READ_PARTS: Final = frozenset({"text", "tool_call", "tool_call_response"})
_AT_PROVIDER: Final = frozenset({"server_tool_call", "server_tool_call_response"})
REASONS = "gen_ai.response.finish_reasons"
ARGUMENTS = ("gen_ai.tool.call.arguments", "tool_arguments")
"""The attributes that hold the arguments of a call: by the conventions, and before they had any."""
RESULTS = ("gen_ai.tool.call.result", "tool_response")
"""The same of what it gave back."""


class Span(NamedTuple):
    """A span: times in nanoseconds, 0 where none is told; `line` is that of its export."""

    start: int
    end: int
    trace: str
    ident: str
    parent: str
    operation: str
    name: str
    attributes: dict[str, Any]
    status: Any
    line: int
    cut: bool = False
    """Whether the span tells that a limit took something off it that may have counted."""

    def first_of(self, keys: Iterable[str]) -> Any:
        """Return the first of some attributes that the span has, or None."""
        return next((self.attributes[key] for key in keys if key in self.attributes), None)

    @property
    def time(self) -> tuple[int, int]:
        """What spans are put in order by: they have none in the file."""
        return self.start, self.end

    @property
    def is_genai(self) -> bool:
        """Whether the span follows the GenAI conventions."""
        return any(key.startswith("gen_ai.") for key in self.attributes) or (
            self.operation in (AGENT, TOOL)
        )

    @property
    def is_call(self) -> bool:
        """Whether the span has what only a call has."""
        return CALL_ID in self.attributes or self.first_of(ARGUMENTS) is not None

    @property
    def calls_a_model(self) -> bool:
        """Whether the span is that of a call of a model."""
        return "gen_ai.request.model" in self.attributes and self.operation not in (AGENT, *CALLS)

    @property
    def is_response(self) -> bool:
        """Whether the span tells what a model answered, or at least why it stopped."""
        answers = MESSAGES[1] in self.attributes or REASONS in self.attributes
        return answers and self.operation not in (AGENT, *CALLS)

    @property
    def has_messages(self) -> bool:
        """Whether the span holds what a model was told or answered."""
        return any(key in self.attributes for key in MESSAGES)


_KINDS: Final[dict[str, tuple[type, ...]]] = {
    "boolValue": (bool,),
    "bytesValue": (str,),
    "doubleValue": (int, float, str),
    "intValue": (int, str),
    "stringValue": (str,),
}
"""What stands under the kinds of values that are no lists."""
_BESIDE_LISTS: Final = frozenset({"resource", "schemaUrl", "scope"})


class _Export(msgspec.Struct, rename="camel"):
    """An export, of which the resources are decoded one by one: together they may be the file."""

    resource_spans: msgspec.Raw = NO_PARTS
    resource_logs: msgspec.Raw = NO_PARTS


_Other: TypeAlias = list[Any] | Scalar
_export = Decoder[Any](_Export | list[_Export | _Other] | Scalar)


def spans_of(recording: Recording) -> Iterator[tuple[int, Span | Broken | None]]:
    """Yield (line, span); a line may hold no record, or an export without spans."""
    logged = _Logged()
    for number, record in records_of(recording, _export):
        yield number, record if isinstance(record, Broken) else None
        if not isinstance(record, _Export):
            continue
        if not _are_resources(record):
            yield number, Broken("an export that cannot be read")
        for span, of in _inside(record.resource_spans, "scopeSpans", "spans"):
            yield number, span if isinstance(span, Broken) else _span(span, number, of)
        for log, of in _inside(record.resource_logs, "scopeLogs", "logRecords"):
            told = log if isinstance(log, Broken) else _span(log, number, of)
            if isinstance(told, Broken):
                yield number, told
            elif told.has_messages:
                yield number, _of_log(told, log)
            else:
                logged.take(told, log)
    yield from ((span.line, span) for span in logged.spans())


def _are_resources(record: _Export) -> bool:
    """Whether what an export holds are lists, or left out."""
    both = (bytes(memoryview(raw)[:1]) for raw in (record.resource_spans, record.resource_logs))
    return all(first in (b"[", b"n") for first in both)


def _inside(resources: msgspec.Raw, scopes: str, members: str) -> Iterator[tuple[Any, str]]:
    """Yield what resources hold, with who recorded it; of one that cannot be read, its loss."""
    for resource in Parts(resources):
        for scope in [resource] if isinstance(resource, Broken) else _listed(resource, scopes):
            recorder = text_at(scope, "scope", "name")
            inside = [scope] if isinstance(scope, Broken) else _listed(scope, members)
            yield from ((member, recorder) for member in inside)


def _listed(value: Any, key: str) -> list[Any]:
    """Return the members of a list that may be left out where it is empty; else its loss."""
    told = at(value, key)
    if isinstance(told, list):
        return told
    left_out = isinstance(value, dict) and value.keys() <= _BESIDE_LISTS
    return [] if left_out else [Broken(f"{key} cannot be read")]


def _span(record: Any, line: int, recorder: str) -> Span | Broken:
    told = at(record, "attributes")
    if not isinstance(record, dict) or not (told is None or isinstance(told, list)):
        return Broken("a span that cannot be read")
    if not all(map(_is_read, told or ())):
        return Broken("an attribute of a span cannot be read")
    attributes = _pairs(record)
    for event in list_at(record, "events"):
        for pair in list_at(event, "attributes"):
            if text_at(pair, "key") in MESSAGES:
                attributes.setdefault(text_at(pair, "key"), _value(at(pair, "value")))
    tool = attributes.get("gen_ai.tool.name")
    if recorder.startswith(_WITH_PLUGINS) and isinstance(tool, str):
        attributes["gen_ai.tool.name"] = tool.rpartition("-")[2]
    name = text_at(record, "name")
    inside = [told_by(text_at(event, "name"), _told(event)) for event in list_at(record, "events")]
    unnamed = TOOL if CALL_ID in attributes else ""
    operation = as_text(attributes.get("gen_ai.operation.name")) or unnamed
    if tool == _MERGED:
        operation = _MERGE
    operation = operation or name.partition(" ")[0]
    if operation not in CALLS:
        events = (*filter(None, inside), *numbered_in(attributes))
        attributes = as_attributes(events) | attributes
    return Span(
        _nanos(at(record, "startTimeUnixNano")),
        _nanos(at(record, "endTimeUnixNano")),
        text_at(record, "traceId"),
        text_at(record, "spanId"),
        text_at(record, "parentSpanId"),
        operation,
        name,
        attributes,
        at(record, "status"),
        line,
        cut=_is_cut(record, of_events=any(inside)),
    )


def _is_cut(record: Any, *, of_events: bool) -> bool:
    """Whether a limit took attributes off a span, or events, of which some are its messages."""
    events = _nanos(at(record, "droppedEventsCount")) if of_events else 0
    return _nanos(at(record, "droppedAttributesCount")) > 0 or events > 0


def _pairs(record: Any) -> dict[str, Any]:
    """Return the attributes of a span, an event or a log record."""
    return {
        text_at(pair, "key"): _value(at(pair, "value")) for pair in list_at(record, "attributes")
    }


def _told(event: Any) -> dict[str, Any] | str:
    """Return the attributes of an event; a text without a word where they cannot be read."""
    pairs = at(event, "attributes")
    are_read = pairs is None or (isinstance(pairs, list) and all(map(_is_read, pairs)))
    return _pairs(event) if are_read else ""


def _body(log: Any) -> Any:
    """Return the body of a log record, or its attributes where it has none."""
    body = at(log, "body")
    if not body:
        return _pairs(log)
    value = _value(body) if _is_value(body) else None
    return "" if value is None else value


def _of_log(told: Span, log: Any) -> Span:
    """Return the span that a log record tells of: it stands inside the one that it names."""
    time = _nanos(at(log, "timeUnixNano")) or _nanos(at(log, "observedTimeUnixNano"))
    return told._replace(start=time, end=time, ident="", parent=told.ident)


class _Logged:
    """Log records that are each a message of a model, by the span that they name."""

    def __init__(self) -> None:
        self._spans: dict[tuple[str, str], tuple[Span, list[Told]]] = {}

    def take(self, told: Span, log: Any) -> None:
        """Take in a log record, if it is a message."""
        message = told_by(named(log), _body(log))
        if message is not None:
            of = self._spans.setdefault((told.trace, told.ident), (_of_log(told, log), []))
            of[1].append(message)

    def spans(self) -> Iterator[Span]:
        """Yield a span for each call of a model."""
        for span, messages in self._spans.values():
            yield span._replace(attributes=as_attributes(messages))


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


def _is_read(pair: Any) -> bool:
    """Whether an attribute can be read: it has a name, and a value of a kind that OTLP has."""
    return bool(text_at(pair, "key")) and _is_value(pair.get("value", {}))


def _is_value(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    for kind, item in value.items():
        if kind in ("arrayValue", "kvlistValue"):
            members = item.get("values", []) if isinstance(item, dict) else None
            one = _is_read if kind == "kvlistValue" else _is_value
            return isinstance(members, list) and all(map(one, members))
        return isinstance(item, _KINDS.get(kind, ()))
    return True  # of no kind: the value is null


def _nanos(value: Any) -> int:
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        return 0


class Spoken(NamedTuple):
    """What a span was given and answered, as chat messages, and whether that is all of it.

    `unread` tells of other choices of an answer, and of calls that ran at the provider; `lost` of
    parts that may be calls of another kind.
    """

    messages: list[dict[str, Any]]
    unread: bool = False
    lost: bool = False


def messages_of(span: Span) -> Spoken | None:
    """Return the messages of a span; None where a part is cut off."""
    given, made = (parsed(span.attributes.get(key, [])) for key in MESSAGES)
    if not isinstance(given, list) or not isinstance(made, list):
        return None
    # Each choice ends with a reason; of one that was told in pieces the last piece alone does.
    ends = (place for place, one in enumerate(made, 1) if at(one, "finish_reason"))
    told = [*given, *made[: next(ends, len(made))]]
    parts = (part for message in told for part in list_at(message, "parts"))
    kinds = {text_at(part, "type") for part in parts if not isinstance(part, str)}
    return Spoken(
        [chat for message in told for chat in _as_chat(message)],
        unread=len(told) < len(given) + len(made) or not kinds.isdisjoint(_AT_PROVIDER),
        lost=any(map(_may_act, kinds - _READ_PARTS - _AT_PROVIDER)),
    )


def _may_act(kind: str) -> bool:
    return not kind or "tool" in kind or "call" in kind


def result_of(span: Span) -> str:
    """Return what a call gave back: a text, or the texts of its parts."""
    told = span.first_of(RESULTS)
    return flat_text(parsed(told)) if _has_parts(parsed(told)) else as_text(told)


def _has_parts(told: Any) -> bool:
    """Whether a result is a list of parts that all are text."""
    return isinstance(told, list) and all(isinstance(at(part, "text"), str) for part in told)


def parsed(value: Any) -> Any:
    """Return what an attribute holds as JSON text; anything else as it is."""
    try:
        return decoded(value) if isinstance(value, str) else value
    except NOT_JSON:
        return value


def _as_chat(message: Any) -> Iterator[dict[str, Any]]:
    """Yield a message of parts as chat messages: its calls in one, each response in its own.

    Arguments are an object in an answer and text in its echo, or the other way round.
    """
    parts = list_at(message, "parts")
    text = "".join(
        text_at(part, "content") if text_at(part, "type") == "text" else flat_text([part])
        for part in parts
    )
    calls = [
        {
            "id": text_at(part, "id"),
            "function": {
                "name": text_at(part, "name"),
                "arguments": parsed(at(part, "arguments")),
            },
        }
        for part in parts
        if text_at(part, "type") == "tool_call"
    ]
    answers = [part for part in parts if text_at(part, "type") == "tool_call_response"]
    for part in answers:
        said = at(part, "response") if at(part, "response") is not None else at(part, "result")
        yield {"role": "tool", "tool_call_id": text_at(part, "id"), "content": as_text(said)}
    if text or not answers:
        yield {
            "role": text_at(message, "role"),
            "content": text,
            "tool_calls": calls or None,
            "finish_reason": at(message, "finish_reason"),
        }
