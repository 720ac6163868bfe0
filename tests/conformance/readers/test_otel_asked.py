"""OpenTelemetry spans: a call that was asked for and has no span, and spans that are broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from trace_samples import lines

from reasonix_conformance.traces.sessions import Options, file_results

Record = dict[str, Any]


def values(told: dict[str, Any]) -> list[Record]:
    kinds = {str: "stringValue", dict: "arrayValue"}
    return [{"key": key, "value": {kinds[type(item)]: item}} for key, item in told.items()]


def span(start: int, operation: str, **told: Any) -> Record:
    parent = {} if operation == "invoke_agent" else {"parentSpanId": "run"}
    return {
        "traceId": "t",
        "spanId": str(start) if parent else "run",
        **parent,
        "name": operation,
        "startTimeUnixNano": str(start),
        "endTimeUnixNano": str(start + 5 if parent else 1000),
        "attributes": values({"gen_ai.operation.name": operation, **told}),
    }


def chat(start: int, reason: str, *calls: str | None, said: bool = True) -> Record:
    reasons = {"gen_ai.response.finish_reasons": {"values": [{"stringValue": reason}]}}
    parts = [{"type": "tool_call", "id": ident, "name": "read_file"} for ident in calls]
    output = {"gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": parts}])}
    told = {"gen_ai.request.model": "m", **reasons, **(output if said else {})}
    return span(start, "chat", **told)


def runs(start: int, ident: str | None) -> Record:
    told = {"gen_ai.tool.name": "read_file", "gen_ai.tool.call.arguments": '{"path": "a"}'}
    return span(start, "execute_tool", **told, **({"gen_ai.tool.call.id": ident} if ident else {}))


RUN = span(1, "invoke_agent")
ENDS = chat(90, "stop")
GOOD = (RUN, chat(10, "tool_calls", "a"), runs(20, "a"), ENDS)


def decisions(tmp_path: Path, *spans: Any) -> list[str]:
    file = tmp_path / "trace"
    file.write_text(lines({"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}))
    told = file_results(file, Options(basis="absence"))
    return [one.verdict.decision.value for result in told for one in result.verdicts]


@pytest.mark.parametrize(
    ("spans", "decision"),
    [
        ((chat(10, "tool_calls", "a"), runs(20, "a"), ENDS), "accept"),
        ((chat(10, "tool_calls", "a", "b"), runs(20, "a"), ENDS), "not_assessable"),
        ((chat(10, "tool_calls", "a"), runs(20, "b"), ENDS), "not_assessable"),
        ((chat(10, "tool_calls", None), runs(20, None), ENDS), "accept"),
        ((chat(10, "tool_calls", None, None), runs(20, None), ENDS), "not_assessable"),
        ((chat(10, "tool_calls", said=False), runs(20, "a"), ENDS), "accept"),
        ((chat(10, "tool_calls", said=False), ENDS), "not_assessable"),
        ((chat(10, "tool_use", said=False), ENDS), "not_assessable"),
        # An answer with a schema is a call that nothing runs.
        ((chat(10, "tool_calls", "a"), runs(20, "a"), chat(30, "tool_calls", "z")), "accept"),
        # What an agent did of which nothing else is told.
        ((), "not_assessable"),
        ((span(10, "chat", **{"gen_ai.request.model": "m"}),), "accept"),
    ],
    ids=[
        "told",
        "one-of-two",
        "another-one",
        "told-without-ids",
        "one-of-two-without-ids",
        "told-without-content",
        "lost-without-content",
        "lost-at-another-provider",
        "answer-as-a-call",
        "agent-alone",
        "nothing-asked-for",
    ],
)
def test_a_call_that_was_asked_for_and_has_no_span_is_lost(
    spans: tuple[Record, ...], decision: str, tmp_path: Path
) -> None:
    """Instrumentations of the client know no tools: a run with changes looked like one without."""
    assert [decision] == decisions(tmp_path, RUN, *spans)


@pytest.mark.parametrize(
    "broken",
    [
        5,
        {**runs(30, "a"), "attributes": {}},
        {**runs(30, "a"), "attributes": [5]},
        {**runs(30, "a"), "attributes": [{"key": 5, "value": {"stringValue": "x"}}]},
        {**runs(30, "a"), "attributes": values({"x": {"values": 5}})},
        {**runs(30, "a"), "attributes": values({"x": {"values": [{"stringValue": 5}]}})},
        {**runs(30, "a"), "attributes": [{"key": "x", "value": {"text": "x"}}]},
        {**chat(30, "stop"), "traceId": None},
        {**chat(30, "stop"), "traceId": "u"},
    ],
)
def test_a_span_that_cannot_be_read_is_a_loss(broken: Any, tmp_path: Path) -> None:
    """It may have been the change."""
    assert "accept" not in decisions(tmp_path, *GOOD, broken)


@pytest.mark.parametrize(
    "more", [{"key": "x"}, {"key": "x", "value": {}}, {"key": "x", "value": {"arrayValue": {}}}]
)
def test_an_attribute_without_a_value_is_one(more: Record, tmp_path: Path) -> None:
    """JSON of protocol buffers leaves out what is empty."""
    told = {**ENDS, "attributes": [*ENDS["attributes"], more]}

    assert ["accept"] == decisions(tmp_path, *GOOD[:-1], told)


@pytest.mark.parametrize(
    ("export", "decision"),
    [
        ({"resourceSpans": [{}]}, "accept"),
        ({"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}}]}]}, "accept"),
        ({"resourceSpans": 5}, "not_assessable"),
        ({"resourceSpans": [{"instrumentationLibrarySpans": []}]}, "not_assessable"),
        ({"resourceSpans": [{"scopeSpans": [{"span": []}]}]}, "not_assessable"),
    ],
)
def test_spans_that_stand_nowhere_are_a_loss(export: Record, decision: str, tmp_path: Path) -> None:
    """Older exports, and renamed members."""
    file = tmp_path / "trace"
    whole = {"resourceSpans": [{"scopeSpans": [{"spans": list(GOOD)}]}]}
    file.write_text(lines(whole, export))
    (result,) = file_results(file, Options(basis="absence"))

    assert [decision] == [one.verdict.decision for one in result.verdicts]
