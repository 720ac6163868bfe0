"""Calls that models asked for, as their spans tell: each should have a span of its own.

A span that was dropped takes its call and what came of it along; the response before it still says
that a call was made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from reasonix_conformance.readers.files.json_values import list_at, text_at
from reasonix_conformance.readers.otel_events import MESSAGES
from reasonix_conformance.readers.otel_spans import (
    AGENT,
    CALL_ID,
    REASONS,
    TOOL,
    Span,
    parsed,
)

_ASKS = frozenset({"function_call", "tool_call", "tool_calls", "tool_use"})
"""Why a response stopped that asks for calls."""
_OUTPUT = MESSAGES[1]
_NOTHING_TOLD = "no span tells of a call, nor of a response: what the agent did is not here"
_LOST = "a response asks for a call that no span tells of"


def lost_calls(spans: Iterable[Span]) -> Iterator[tuple[int, str]]:
    """Yield (line, what is lost) of a conversation whose calls have spans, in order of time.

    Calls are known by their ids, where spans tell these, else by their number. The last response
    may give its answer as a call, which nothing runs.
    """
    spans = list(spans)
    of_calls = [span for span in spans if span.operation == TOOL]
    told = (span.attributes.get(CALL_ID) for span in of_calls)
    ids = {ident for ident in told if isinstance(ident, str)}
    left = len(of_calls)
    ran = next((span.line for span in spans if span.operation == AGENT), None)
    if ran is not None and not of_calls and not any(span.calls_a_model for span in spans):
        yield ran, _NOTHING_TOLD
    responses = [span for span in spans if span.is_response]
    in_logs = {span.parent for span in responses if not span.ident}
    responses = [span for span in responses if not span.ident or span.ident not in in_logs]
    for place, span in enumerate(responses, 1):
        calls = _calls_in(span)
        if calls and place == len(responses):
            return
        asked = [text_at(call, "id") for call in calls] or ([""] if _asks(span) else [])
        left -= len(asked)
        known = ids and all(asked)
        if (not ids.issuperset(asked)) if known else left < 0:
            yield span.line, _LOST


def _asks(span: Span) -> bool:
    reasons = span.attributes.get(REASONS)
    told = reasons if isinstance(reasons, list) else [reasons]
    return any(isinstance(reason, str) and reason in _ASKS for reason in told)


def _calls_in(span: Span) -> Sequence[Any]:
    """Return the calls in what a model answered, as far as that was captured."""
    told = parsed(span.attributes.get(_OUTPUT))
    messages = told if isinstance(told, list) else ()
    parts = (part for message in messages for part in list_at(message, "parts"))
    return [part for part in parts if text_at(part, "type") == "tool_call"]
