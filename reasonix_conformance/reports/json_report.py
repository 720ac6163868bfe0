"""The JSON form of a replay: `reasonix-conformance/replay/1`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

import msgspec

from reasonix_conformance.redact import redact_json
from reasonix_conformance.replay.results import (
    Ground,
    Judged,
    Lost,
    Moment,
    Summary,
    TraceResult,
    summarise,
)
from reasonix_runtime.gates.verdict import Decision
from reasonix_runtime.trace.events import Diag
from reasonix_runtime.trace.transcript import Expectation

SCHEMA = "reasonix-conformance/replay/1"


def document(
    results: Iterable[TraceResult],
    *,
    receipts: bool = False,
    timeline: bool = False,
    lost: Sequence[Lost] = (),
    problems: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the report as one JSON value; with `timeline`, the events of each trace in short."""
    results = list(results)
    return {
        "schema": SCHEMA,
        "traces": [trace(result, receipts=receipts, timeline=timeline) for result in results],
        **_as_a_whole(lost, problems),
        "summary": summary(summarise(results)),
    }


class JsonWriter:
    """Writes the report while the traces are read; the same value as `document` gives.

    The text is ASCII: half of a surrogate pair in a recording cannot break the writing.
    """

    def __init__(self, out: TextIO, *, receipts: bool = False) -> None:
        self._out = out
        self._receipts = receipts
        self._traces = 0
        self._verdicts = 0
        out.write(f'{{\n "schema": {json.dumps(SCHEMA)},\n "traces": [')

    def begin(self, result: TraceResult) -> None:
        """Write what names a trace."""
        comma = "," if self._traces else ""
        names = {"path": result.path, "id": result.id}
        names |= {"format": result.format, "rules": result.rules}
        self._out.write(f'{comma}\n  {json.dumps(names)[:-1]},\n   "verdicts": [')
        self._traces += 1
        self._verdicts = 0

    def verdict(self, judged: Judged) -> None:
        """Write a verdict."""
        comma = "," if self._verdicts else ""
        self._verdicts += 1
        self._out.write(f"{comma}\n    {json.dumps(verdict(judged, receipts=self._receipts))}")

    def end(self, result: TraceResult) -> None:
        """Write what is known of a trace at its end."""
        remarks = json.dumps([diagnostic(diag) for diag in result.diagnostics])
        counts = f'"events": {result.events}, "calls": {result.calls}'
        counts += f', "unjudged": {result.unjudged}' if result.unjudged else ""
        self._out.write(f'],\n   "diagnostics": {remarks},\n   {counts}}}')

    def close(self, counts: Summary) -> None:
        """Write the summary."""
        whole = json.dumps(_as_a_whole(counts.lost, counts.problems))[1:-1]
        self._out.write(f'\n ],\n {whole},\n "summary": {json.dumps(summary(counts))}\n}}\n')


def trace(result: TraceResult, *, receipts: bool = False, timeline: bool = False) -> dict[str, Any]:
    """Return the JSON form of one trace."""
    return {
        "path": result.path,
        "id": result.id,
        "format": result.format,
        "rules": result.rules,
        "events": result.events,
        "calls": result.calls,
        **({"unjudged": result.unjudged} if result.unjudged else {}),
        "verdicts": [verdict(judged, receipts=receipts) for judged in result.verdicts],
        "diagnostics": [diagnostic(diag) for diag in result.diagnostics],
        **({"timeline": [moment(entry) for entry in result.timeline]} if timeline else {}),
    }


def moment(entry: Moment) -> dict[str, Any]:
    """Return the JSON form of one event of the timeline."""
    form: dict[str, Any] = {"turn": entry.turn, "name": entry.name, "where": entry.where}
    if entry.placed:
        form["event"] = entry.event
    if entry.text:
        form["text"] = entry.text
    if entry.outcome is not None:
        form["outcome"] = entry.outcome
    return form


def verdict(judged: Judged, *, receipts: bool = False) -> dict[str, Any]:
    """Return the JSON form of one verdict; its receipts only where they are asked for."""
    said = judged.verdict
    form: dict[str, Any] = {
        "turn": judged.turn,
        "event": judged.event,
        "gate": said.gate,
        "decision": said.decision.value,
        "reason": said.reason,
        "rule": said.rule,
        "message": said.message,
        "expected": None if judged.expected is None else expectation(judged.expected),
        "held": judged.held,
        "host": None if judged.host is None else judged.host.value,
        "agreement": judged.agreement.value,
        "name": judged.name,
        "subject": judged.subject,
        "scope": judged.scope,
        "call": judged.call,
        "native_id": judged.native_id,
        "line": judged.src.line if judged.src else None,
        "facts": redact_json(msgspec.to_builtins(dict(said.facts))),
    }
    if judged.known:
        form["known"] = True
    if judged.mismatches:
        form["mismatches"] = list(judged.mismatches)
    if receipts:
        form["receipts"] = [receipt(ground) for ground in judged.grounds.named]
        if judged.grounds.more:
            form["more_receipts"] = judged.grounds.more
    return form


def receipt(ground: Ground) -> dict[str, Any]:
    """Return the JSON form of a receipt that a verdict rests on."""
    form: dict[str, Any] = {
        "turn": ground.turn,
        "event": ground.event,
        "tool": ground.tool,
        "text": ground.text,
        "outcome": ground.outcome,
    }
    if ground.role is not None:
        form["role"] = ground.role
    return form


def expectation(expected: Expectation) -> dict[str, Any]:
    """Return an expectation as it is written in a transcript."""
    form: dict[str, Any] = {"verdict": expected.verdict}
    if expected.reason is not None:
        form["reason"] = expected.reason
    if expected.reason_in:
        form["reason_in"] = list(expected.reason_in)
    return {**form, **redact_json(expected.facts)}


def _as_a_whole(lost: Iterable[Lost], problems: Sequence[str]) -> dict[str, Any]:
    """Return the files that could not be read, or not to their end, and what else is wrong."""
    files = {"unreadable": [{"path": file.path, "text": file.text} for file in lost]}
    return {**files, "problems": [*problems]} if problems else files


def diagnostic(diag: Diag) -> dict[str, str]:
    """Return the JSON form of a reader's remark."""
    return {"code": diag.code, "where": diag.where, "text": diag.text}


def summary(counts: Summary) -> dict[str, Any]:
    """Return the JSON form of the counts."""
    return {
        "traces": counts.traces,
        "verdicts": counts.verdicts,
        "accept": counts.decisions[Decision.ACCEPT],
        "reject": counts.decisions[Decision.REJECT],
        "not_assessable": counts.decisions[Decision.NOT_ASSESSABLE],
        "expectations": {"held": counts.held, "failed": counts.failed},
        "agreement": {kind.value: count for kind, count in counts.agreement.items()},
        "diagnostics": dict(counts.diagnostics),
        **({"unjudged": counts.unjudged} if counts.unjudged else {}),
        **({"untold": counts.untold} if counts.untold else {}),
        **({} if counts.arguments is None else {"arguments": _arguments(counts.arguments)}),
    }


def _arguments(counts: Mapping[Decision, int]) -> dict[str, int]:
    return {
        "valid": counts[Decision.ACCEPT],
        "invalid": counts[Decision.REJECT],
        "not_assessable": counts[Decision.NOT_ASSESSABLE],
    }
