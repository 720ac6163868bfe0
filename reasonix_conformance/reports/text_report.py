"""A replay as text: one line a verdict, what did not hold below it, and a summary."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reasonix_conformance.results import Agreement, Judged, Summary, TraceResult, summarise
from reasonix_runtime.gates.verdict import Decision

_MARK = {
    Decision.ACCEPT: "accept",
    Decision.REJECT: "REJECT",
    Decision.NOT_ASSESSABLE: "unknown",
}
_AGREEMENT = {
    Agreement.AGREE: "host agrees",
    Agreement.HOST_LENIENT: "HOST LENIENT",
    Agreement.HOST_STRICT: "HOST STRICT",
}


def render(results: Iterable[TraceResult], *, only_failures: bool = False) -> str:
    """Return the report; `only_failures` leaves out what is as expected."""
    results = list(results)
    lines: list[str] = []
    for result in results:
        lines += trace_lines(result, only_failures=only_failures)
    lines += summary_lines(summarise(results))
    return "\n".join(lines) + "\n"


def trace_lines(result: TraceResult, *, only_failures: bool = False) -> Iterator[str]:
    """Yield the lines of one trace: its heading, its verdicts, its diagnostics."""
    shown = [judged for judged in result.verdicts if not only_failures or _matters(judged)]
    if only_failures and not shown and not result.diagnostics:
        return
    heading = result.path if result.id == result.path else f"{result.path} :: {result.id}"
    yield f"{heading} [{result.format}, rules {result.rules}]"
    for judged in shown:
        yield from verdict_lines(judged)
    if not result.verdicts:
        yield "  nothing in this trace asks a gate"
    for diag in result.diagnostics:
        where = f" {diag.where}" if diag.where else ""
        yield f"  note {diag.code}{where}: {diag.text}"


def verdict_lines(judged: Judged) -> Iterator[str]:
    """Yield the line of a verdict and, indented, in what it is not as expected."""
    verdict = judged.verdict
    line = judged.src.line if judged.src and judged.src.line else "-"
    parts = [f"  {line:>6}  {_MARK[verdict.decision]:<7} {judged.name}"]
    if verdict.reason:
        rule = f" ({verdict.rule})" if verdict.rule else ""
        parts.append(f"{verdict.reason}{rule}")
    if judged.agreement in _AGREEMENT:
        parts.append(_AGREEMENT[judged.agreement])
    if judged.held is not None:
        parts.append("as expected" if judged.held else "NOT AS EXPECTED")
    yield "  ".join(parts)
    if verdict.message and verdict.decision is not Decision.ACCEPT:
        yield f"          {_one_line(verdict.message)}"
    for mismatch in judged.mismatches:
        yield f"          - {mismatch}"


def summary_lines(counts: Summary) -> Iterator[str]:
    """Yield the closing lines: what was counted, and whether it says anything at all."""
    yield (
        f"{_count(counts.traces, 'trace')}, {_count(counts.verdicts, 'verdict')}: "
        f"{counts.decisions[Decision.ACCEPT]} accept, {counts.decisions[Decision.REJECT]} reject, "
        f"{counts.decisions[Decision.NOT_ASSESSABLE]} not assessable"
    )
    if counts.held or counts.failed:
        yield f"expectations: {counts.held} held, {counts.failed} failed"
    known = {kind: n for kind, n in counts.agreement.items() if kind is not Agreement.UNKNOWN}
    if any(known.values()):
        said = ", ".join(f"{count} {kind.value}" for kind, count in known.items())
        yield f"host's own decisions: {said}"
    if counts.diagnostics:
        said = ", ".join(f"{count} {code}" for code, count in counts.diagnostics.items())
        yield f"notes of the readers: {said}"
    if not counts.assessed:
        yield "nothing could be assessed; this is not a pass"


def _matters(judged: Judged) -> bool:
    return judged.held is False or (
        judged.held is None
        and (
            judged.verdict.decision is Decision.REJECT
            or judged.agreement in (Agreement.HOST_LENIENT, Agreement.HOST_STRICT)
        )
    )


def _one_line(text: str, width: int = 160) -> str:
    line = " ".join(text.split())
    return line if len(line) <= width else f"{line[: width - 1]}…"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
