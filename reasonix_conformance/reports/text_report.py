"""A replay as text: one line a verdict, what did not hold below it, and a summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from textwrap import wrap
from typing import Final, TextIO

from reasonix_conformance.redact import redact
from reasonix_conformance.replay.results import Agreement, Judged, Summary, TraceResult, write
from reasonix_conformance.reports.levels import KNOWN, NOTHING, REPLAY, About
from reasonix_conformance.reports.notes import notes
from reasonix_conformance.reports.style import PLAIN, WIDTH, Style
from reasonix_conformance.words import count
from reasonix_runtime.gates.verdict import Decision
from reasonix_runtime.plain import plain

INDENT: Final = " " * 10
LONGEST: Final = 1000
"""How many characters of a message are shown; the other forms of the report have it whole."""
MOST_NOTES: Final = 20
"""How many notes of one kind are shown of a trace; the other forms of the report have them all."""

_MARK = {
    Decision.ACCEPT: "accept",
    Decision.REJECT: "REJECT",
    Decision.NOT_ASSESSABLE: "unknown",
}
_COLOURS = {
    Decision.ACCEPT: "green",
    Decision.REJECT: "red",
    Decision.NOT_ASSESSABLE: "yellow",
}
_AGREEMENT = {
    Agreement.AGREE: "host agrees",
    Agreement.HOST_LENIENT: "HOST LENIENT",
    Agreement.HOST_STRICT: "HOST STRICT",
}

_QUARREL = {
    Agreement.HOST_LENIENT: "host_lenient: the host let pass what the rules refuse",
    Agreement.HOST_STRICT: "host_strict: the host refused what the rules accept",
}

_LOUD = ("HOST LENIENT", "HOST STRICT", "NOT AS EXPECTED")


def render(results: Iterable[TraceResult], *, about: About = REPLAY) -> str:
    """Return the report with every verdict."""
    out = StringIO()
    write(TextWriter(out, about=about), results)
    return out.getvalue()


class TextWriter:
    """Writes the report while the traces are read."""

    def __init__(
        self,
        out: TextIO,
        *,
        only_failures: bool = False,
        style: Style = PLAIN,
        about: About = REPLAY,
    ) -> None:
        self._out = out
        self._about = about
        self._style = style
        self._only_failures = only_failures
        self._heading: str | None = None
        self._verdicts = 0

    def begin(self, result: TraceResult) -> None:
        """Keep the heading until there is something below it."""
        self._heading = f"{result.name} [{result.format}, rules {result.rules}]"
        self._verdicts = 0
        if not self._only_failures:
            self._line()

    def verdict(self, judged: Judged) -> None:
        """Write the lines of a verdict."""
        self._verdicts += 1
        if not self._only_failures or _matters(judged):
            first, *more = verdict_lines(judged, width=self._style.width)
            self._head(judged, first)
            self._line(*more)

    def end(self, result: TraceResult) -> None:
        """Write the remarks of the reader."""
        if not self._verdicts and not self._only_failures:
            self._line("  nothing in this trace asks a gate")
        shown: Counter[str] = Counter()
        for diag in notes(result) if self._only_failures else result.diagnostics:
            shown[diag.code] += 1
            if shown[diag.code] <= MOST_NOTES:
                where = f" {redact(diag.where)}" if diag.where else ""
                self._line(f"  note {diag.code}{where}: {diag.text}", colour="faint")
        for code, number in shown.items():
            if number > MOST_NOTES:
                self._line(f"  note {code}: {number - MOST_NOTES} more of them", colour="faint")

    def close(self, counts: Summary) -> None:
        """Write the summary."""
        self._heading = None
        self._line(*_summary_lines(counts, self._about))

    def _head(self, judged: Judged, line: str) -> None:
        """Write the first line of a verdict, its mark and a quarrel with the host in colours."""
        self._line()
        text, decision = plain(line), judged.verdict.decision
        mark = _MARK[decision]
        text = text.replace(mark, self._style.paint(mark, _COLOURS[decision]), 1)
        for word in _LOUD:
            text = text.replace(word, self._style.paint(word, "red"))
        self._out.write(f"{text}\n")

    def _line(self, *lines: str, colour: str | None = None) -> None:
        heading, self._heading = self._heading, None
        if heading:
            self._out.write(f"{self._style.paint(plain(heading), 'bold')}\n")
        for line in lines:
            text = plain(line)
            self._out.write(f"{self._style.paint(text, colour) if colour else text}\n")


def verdict_lines(judged: Judged, *, width: int = WIDTH) -> Iterator[str]:
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
    if judged.known:
        parts.append(KNOWN)
    if verdict.message and verdict.decision is Decision.ACCEPT:
        parts.append(f"({verdict.message})")
    yield "  ".join(parts)
    if verdict.message and verdict.decision is not Decision.ACCEPT:
        yield from _paragraph(verdict.message, width)
    for mismatch in judged.mismatches:
        yield f"          - {mismatch}"


def _summary_lines(counts: Summary, about: About) -> Iterator[str]:
    """Yield the closing lines: what was counted, and whether it says anything at all."""
    yield counts_said(counts, about)
    if counts.held or counts.failed:
        yield f"expectations: {expectations_said(counts)}"
    if counts.known is not None:
        yield known_said(counts)
    known = {kind: n for kind, n in counts.agreement.items() if kind is not Agreement.UNKNOWN}
    if any(known.values()):
        said = ", ".join(f"{count} {kind.value}" for kind, count in known.items())
        yield f"host's own decisions: {said}"
        yield from (f"  {_QUARREL[kind]}" for kind in _QUARREL if counts.agreement.get(kind))
    if counts.unjudged:
        yield unjudged_said(counts)
    if counts.arguments is not None:
        yield f"arguments: {arguments_said(counts.arguments)}"
    if counts.diagnostics:
        said = ", ".join(f"{count} {code}" for code, count in counts.diagnostics.items())
        yield f"notes of the readers: {said}"
    if counts.lost:
        yield f"{count(len(counts.lost), 'file')} could not be read, or not to the end"
    if counts.problems:
        yield f"{count(len(counts.problems), 'problem')} of the run as a whole"
    if not counts.assessed:
        yield NOTHING
    elif counts.untold:
        yield untold_said(counts, about)


def known_said(counts: Summary) -> str:
    """Return in words how many failures are known, and how many are not."""
    others = f"{count(counts.new, 'other')}" if counts.new else "no other"
    return f"{count(counts.known or 0, 'known failure')}, and {others}"


def unjudged_said(counts: Summary) -> str:
    """Return in words how many turns have no verdict on their end."""
    turns = count(counts.unjudged, "turn")
    return f"{turns} without an end that is judged: interrupted, failed or broken off"


def untold_said(counts: Summary, about: About = REPLAY) -> str:
    """Return in words of how many traces nothing could be assessed, beside others that were."""
    return (
        f"of {counts.untold} of the {count(counts.traces, about.unit)} nothing could be assessed: "
        "they are not passes"
    )


def expectations_said(counts: Summary) -> str:
    """Return in words how many expectations held."""
    return f"{counts.held} held, {counts.failed} failed"


def counts_said(counts: Summary, about: About = REPLAY) -> str:
    """Return in words how many traces and verdicts there are, and what they decide."""
    return (
        f"{count(counts.traces, about.unit)}, {count(counts.verdicts, 'verdict')}: "
        f"{counts.decisions[Decision.ACCEPT]} accept, {counts.decisions[Decision.REJECT]} reject, "
        f"{counts.decisions[Decision.NOT_ASSESSABLE]} not assessable"
    )


def arguments_said(counts: Mapping[Decision, int]) -> str:
    """Return in words what the arguments of the calls are."""
    return (
        f"{count(counts[Decision.ACCEPT], 'call')} valid, {counts[Decision.REJECT]} invalid, "
        f"{counts[Decision.NOT_ASSESSABLE]} not assessable"
    )


def _matters(judged: Judged) -> bool:
    return judged.held is False or (
        judged.held is None
        and (
            judged.verdict.decision is Decision.REJECT
            or judged.agreement in (Agreement.HOST_LENIENT, Agreement.HOST_STRICT)
        )
    )


def _paragraph(text: str, width: int) -> Iterator[str]:
    """Yield a text, its lines wrapped: what to do about a refusal stands at its end."""
    said = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    for line in filter(None, (" ".join(line.split()) for line in said.splitlines())):
        # A word with hyphens may be an option, which is copied.
        yield from wrap(
            line,
            width,
            initial_indent=INDENT,
            subsequent_indent=INDENT,
            break_on_hyphens=False,
        )
