"""What an item of the suite tells about its traces, as JSON, so that it travels between processes.

Items run in workers; coverage and reports are made where all of them come together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from reasonix_conformance.coverage import Coverage
from reasonix_conformance.redact import redact_json
from reasonix_conformance.replay.results import Judged, TraceResult, tell
from reasonix_conformance.reports import notes
from reasonix_conformance.settings import Settings
from reasonix_conformance.suite.cases import COVERAGE, NOTES, TRACES


def facts_of(traces: Sequence[TraceResult], settings: Settings) -> dict[str, Any]:
    """Return the facts that a run with these settings needs."""
    facts: dict[str, Any] = {}
    counts = notes.count(traces)
    if counts:
        facts[NOTES] = counts
    if settings.covers:
        coverage = Coverage()
        for trace in traces:
            tell(coverage, trace)
        facts[COVERAGE] = coverage.counts()
    if settings.report is not None:
        facts[TRACES] = [msgspec.to_builtins(_shown(trace)) for trace in traces]
    return facts


def traces_in(facts: dict[str, Any]) -> list[TraceResult]:
    """Return the traces that facts hold."""
    return msgspec.convert(facts.get(TRACES, []), list[TraceResult])


def _shown(trace: TraceResult) -> TraceResult:
    """Return a trace with its messages written and the facts of its verdicts as JSON, masked."""
    return replace(trace, verdicts=tuple(_plain(trace.verdicts)))


def _plain(verdicts: Iterable[Judged]) -> Iterable[Judged]:
    for judged in verdicts:
        facts = redact_json(msgspec.to_builtins(dict(judged.verdict.facts)))
        shown = msgspec.structs.replace(judged.verdict, told=judged.verdict.message, facts=facts)
        yield msgspec.structs.replace(judged, verdict=shown)
