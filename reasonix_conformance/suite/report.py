"""The report of a suite run; the ending of its name picks the form.

`.json` is `reasonix-conformance/suite/1`: `items` in the order of their ids, each with `id`,
`kind`, `name`, `outcome`, the requirements that passed and the findings of the others; `summary`
counts the outcomes; `replay` holds the traces, if there are any, in the form
`reasonix-conformance/replay/1`. The other forms are those of a replay: an item that is no trace
stands in them as one whose verdicts are its requirements, a transcript with those that it expects.
The order does not depend on workers.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.files import failing_as, write_whole
from reasonix_conformance.findings import Outcome
from reasonix_conformance.replay.results import Judged, TraceResult
from reasonix_conformance.reports.levels import REPLAY, SUITE, About
from reasonix_conformance.suite.cases import COVERAGE, FAILING, NOTES, TRACES
from reasonix_conformance.suite.trace_cases import KIND
from reasonix_conformance.suite.trace_facts import traces_in
from reasonix_runtime.gates.verdict import Decision, Verdict
from reasonix_runtime.trace.events import Source
from reasonix_runtime.trace.transcript import Expectation

TRANSCRIPT = "transcript"
SCHEMA = "reasonix-conformance/suite/1"
_NOT_SHOWN = (COVERAGE, FAILING, NOTES, TRACES, "known", "path")
_MET = Expectation(verdict=Decision.ACCEPT.value)
_DECISIONS: Mapping[str, Decision] = {
    Outcome.FAILED: Decision.REJECT,
    Outcome.KNOWN: Decision.REJECT,
    Outcome.UNKNOWN: Decision.NOT_ASSESSABLE,
}


def write(path: Path, records: Sequence[dict[str, Any]]) -> None:
    """Write the report.

    Raises:
        ConformanceError: the file cannot be written.
    """
    items = sorted(records, key=lambda record: str(record["id"]))
    text = _FORMS[path.suffix](items)
    with failing_as(ConformanceError, f"report {path}: cannot be written"):
        write_whole(path, text.encode(errors="replace"))


def _about(items: Sequence[dict[str, Any]]) -> About:
    return REPLAY if all(item["kind"] == KIND for item in items) else SUITE


def _results_of(items: Sequence[dict[str, Any]]) -> list[TraceResult]:
    """Return the traces of items, and each other item as one."""
    found: list[TraceResult] = []
    for item in items:
        traces = traces_in(item.get("facts", {}))
        if item["kind"] == TRANSCRIPT:
            traces = [*map(_as_expected, traces)]
        found += traces or [_as_trace(item)]
    return found


def _as_expected(transcript: TraceResult) -> TraceResult:
    """Return a transcript with the verdicts that it expects, for by these alone it passes or fails.

    What else is judged on the way is no finding: nobody wrote down what a host did there.
    """
    expected = [judged for judged in transcript.verdicts if judged.expected is not None]
    return replace(transcript, verdicts=tuple(expected)) if expected else transcript


def _as_trace(item: dict[str, Any]) -> TraceResult:
    path = str(item["id"]).partition("::")[0]
    passed = [
        Judged(
            turn=0,
            event=None,
            verdict=Verdict(gate=check, decision=Decision.ACCEPT),
            subject=item["name"],
            label=check,
        )
        for check in item["passed"]
    ]
    return TraceResult(
        path=path,
        id=item["name"],
        format=item["kind"],
        rules="contract",
        verdicts=(*passed, *(_finding(item, finding) for finding in item["findings"])),
    )


def _finding(item: dict[str, Any], finding: dict[str, Any]) -> Judged:
    """Return a finding as a verdict: what is not met is a requirement that does not hold."""
    decision = _DECISIONS.get(finding["outcome"], Decision.ACCEPT)
    file, _, line = str(finding["at"]).rpartition(":")
    src = Source(file, int(line)) if line.isdecimal() else None
    told = (finding["expected"], finding["found"], *finding["details"], finding["hint"])
    failed = decision is Decision.REJECT
    return Judged(
        turn=0,
        event=None,
        verdict=Verdict(
            gate=finding["check"],
            decision=decision,
            told="\n".join((finding["what"], *filter(None, told))),
        ),
        subject=item["name"],
        label=finding["check"],
        src=src,
        expected=_MET if failed else None,
        mismatches=(finding["what"],) if failed else (),
        known=finding["outcome"] == Outcome.KNOWN,
    )


def _json(items: Sequence[dict[str, Any]]) -> str:
    from reasonix_conformance.reports import json_report

    outcomes = Counter(str(item["outcome"]) for item in items)
    traces = [trace for item in items for trace in traces_in(item.get("facts", {}))]
    report = {
        "schema": SCHEMA,
        "items": [_shown(item) for item in items],
        "summary": dict(sorted(outcomes.items())),
        **({"replay": json_report.document(traces)} if traces else {}),
    }
    return json.dumps(report, ensure_ascii=False, indent=2) + "\n"


def _shown(item: dict[str, Any]) -> dict[str, Any]:
    """Return a record without what only travels in it."""
    facts = {key: value for key, value in item.get("facts", {}).items() if key not in _NOT_SHOWN}
    bare = {key: value for key, value in item.items() if key != "facts"}
    return {**bare, "facts": facts} if facts else bare


def _junit(items: Sequence[dict[str, Any]]) -> str:
    from reasonix_conformance.reports import junit

    return junit.render(_results_of(items), about=_about(items))


def _sarif(items: Sequence[dict[str, Any]]) -> str:
    from reasonix_conformance.reports import sarif

    return sarif.render(_results_of(items))


def _html(items: Sequence[dict[str, Any]]) -> str:
    from reasonix_conformance.reports import html, json_report

    return html.render(
        json_report.document(_results_of(items), receipts=True, timeline=True),
        about=_about(items),
    )


def _markdown(items: Sequence[dict[str, Any]]) -> str:
    from reasonix_conformance.reports import github

    return github.job_summary(_results_of(items), about=_about(items))


def _text(items: Sequence[dict[str, Any]]) -> str:
    from reasonix_conformance.reports import text_report

    return text_report.render(_results_of(items), about=_about(items))


_FORMS: Mapping[str, Callable[[Sequence[dict[str, Any]]], str]] = {
    ".json": _json,
    ".xml": _junit,
    ".sarif": _sarif,
    ".html": _html,
    ".md": _markdown,
    ".txt": _text,
}
