"""What a run of `replay` comes to: what fails it, what is known to fail, what was exercised."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any, Final

from reasonix_conformance import coverage, known_failures, known_register
from reasonix_conformance.exit_codes import FAILED, GOOD, NOTHING_ASSESSED, WRONG_USE
from reasonix_conformance.known_failures import KnownFailures
from reasonix_conformance.replay.results import (
    Agreement,
    Judged,
    Listener,
    Summary,
    Tally,
    TraceResult,
)
from reasonix_conformance.reports.levels import Level, finding, level
from reasonix_conformance.traces.sessions import Unreadable
from reasonix_runtime.gates.rulebook.arguments import AREA as ARGUMENTS
from reasonix_runtime.gates.verdict import Decision

_OF_TRANSCRIPTS: Final = "transcript/"


class Watch(Tally):
    """Counts, and sees what fails the run."""

    def __init__(
        self,
        fail_on: Sequence[str],
        *,
        known: Path | None = None,
        today: date | None = None,
        least: float | None = None,
    ) -> None:
        """Take what fails the run, the list of known failures, and the least coverage.

        Raises:
            KnownFailuresError: the list cannot be read.
        """
        super().__init__()
        self._fail_on = fail_on
        self._today = today
        self._least = least
        self._trace: TraceResult | None = None
        self._transcript_failed: str | None = None
        self._listed = known is not None
        self.known = KnownFailures() if known is None else known_failures.load(known, str(known))
        self.register = known_register.Register(self.known)
        self.coverage = coverage.Coverage()
        self.known_count = 0
        self._is_known = False
        self._of_no_test = 0

    def begin(self, result: TraceResult) -> None:
        """Begin a trace."""
        super().begin(result)
        self._trace = result
        self._transcript_failed = None

    def verdict(self, judged: Judged) -> None:
        """Count a verdict, and whether it fails the run."""
        super().verdict(judged)
        self.coverage.verdict(judged)
        trace = self._trace
        if trace is None:
            raise AssertionError(f"{judged.name}: a verdict without a trace")
        written = trace.format.startswith(_OF_TRANSCRIPTS)
        # Calls of a transcript that expect nothing only say how the ones behind them are judged.
        counts = judged.held is not None or not written
        self._of_no_test += not counts and judged.verdict.decision is not Decision.NOT_ASSESSABLE
        failure = finding(judged) if counts and fails(judged, self._fail_on) else None
        self._is_known = False
        if written:
            self._transcript_failed = self._transcript_failed or failure
            listed = failure is not None and self.known.reason(trace.id, trace.rules) is not None
            self._is_known = listed
        else:
            name = known_register.name_of(trace.path, judged.name)
            is_judged = judged.verdict.decision is not Decision.NOT_ASSESSABLE
            self._is_known = self.register.hear(
                name, trace.rules, failure=failure, is_judged=is_judged
            )
            self.known_count += self._is_known

    def marked(self, judged: Judged) -> Judged:
        """Return the verdict that was heard last, marked if it is a failure that the list names."""
        return judged.listed() if self._is_known else judged

    def end(self, result: TraceResult) -> None:
        """End a trace; a transcript is listed as a whole."""
        super().end(result)
        self.coverage.end(result)
        if result.let_pass.get(ARGUMENTS):
            # Valid calls are no verdicts, but entries about traces are to be judged by them, too.
            name = known_register.name_of(result.path, ARGUMENTS)
            self.register.hear(name, result.rules, failure=None)
        if result.format.startswith(_OF_TRANSCRIPTS):
            failure = self._transcript_failed
            self.known_count += self.register.hear(result.id, result.rules, failure=failure)

    def summary(self) -> Summary:
        """Return the counts so far, with the failures that the list names where there is one."""
        counts = super().summary()
        if not self._listed:
            return counts
        return replace(counts, known=self.known_count, new=len(self.register.failures))

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the run as a whole: its list, and how little it exercised."""
        for wrong in (*self.known.past(self._today), *self.register.findings()):
            yield wrong.sentence
        yield from coverage.too_little(self.covered(), self._least)

    def remarks(self) -> Iterator[str]:
        """Yield what makes a run that was judged one that nothing was asked of."""
        if self._of_no_test and not self._tested:
            yield "no transcript expects a verdict, so nothing was tested: say `expect` of one"

    @property
    def _tested(self) -> bool:
        """Whether something was assessed besides what transcripts say for its own sake."""
        return self.summary().assessed > self._of_no_test

    def covered(self) -> dict[str, Any]:
        """Return the coverage so far in its JSON form."""
        return self.coverage.document()

    def exit_code(self, unreadable: Sequence[Unreadable], problems: Sequence[str] = ()) -> int:
        """Return the exit code; what could not be read outweighs what failed."""
        if unreadable:
            return WRONG_USE
        if self.register.failures or problems:
            return FAILED
        return GOOD if self._tested else NOTHING_ASSESSED


class Marking:
    """Tells a watch and then a listener, with the verdicts marked that are known to fail.

    A transcript is listed, and counted, as a whole; of its verdicts those that fail are marked.
    """

    def __init__(self, watch: Watch, listener: Listener) -> None:
        self._watch = watch
        self._listener = listener

    def begin(self, result: TraceResult) -> None:
        """Pass on that a trace begins."""
        self._watch.begin(result)
        self._listener.begin(result)

    def verdict(self, judged: Judged) -> None:
        """Pass on a verdict."""
        self._watch.verdict(judged)
        self._listener.verdict(self._watch.marked(judged))

    def end(self, result: TraceResult) -> None:
        """Pass on that the trace has ended."""
        self._watch.end(result)
        self._listener.end(result)


class Kept:
    """Keeps results as they were told, with their verdicts."""

    def __init__(self) -> None:
        self.results: list[TraceResult] = []
        self._verdicts: list[Judged] = []

    def begin(self, _result: TraceResult) -> None:
        """Begin a trace."""
        self._verdicts = []

    def verdict(self, judged: Judged) -> None:
        """Keep a verdict."""
        self._verdicts.append(judged)

    def end(self, result: TraceResult) -> None:
        """Keep the result."""
        self.results.append(replace(result, verdicts=tuple(self._verdicts)))


def fails(judged: Judged, fail_on: Sequence[str]) -> bool:
    """Whether a verdict fails the run."""
    if judged.held is not None:
        return not judged.held and "expectation" in fail_on
    if judged.agreement in (Agreement.HOST_LENIENT, Agreement.HOST_STRICT):
        return judged.agreement.value in fail_on
    if judged.verdict.decision is Decision.NOT_ASSESSABLE:
        return "not_assessable" in fail_on
    return level(judged) is Level.ERROR and "reject" in fail_on
