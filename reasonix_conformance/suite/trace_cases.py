"""Recorded traces as cases: one a file, judged by replaying every session in it.

Files are read when their case is judged, so that collecting a folder of thousands is cheap.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from reasonix_conformance import known_failures
from reasonix_conformance.errors import ConformanceError, KnownFailuresError
from reasonix_conformance.findings import Finding, Level, Outcome, Result, unknown
from reasonix_conformance.known_failures import KnownFailures
from reasonix_conformance.known_register import Register, name_of
from reasonix_conformance.readers.formats import NAME_IT, UnknownFormatError
from reasonix_conformance.reports import levels
from reasonix_conformance.suite.cases import FAILING, Case, CaseFile
from reasonix_conformance.suite.trace_facts import facts_of
from reasonix_conformance.suite.transcript_cases import Transcripts
from reasonix_conformance.traces.files import TRANSCRIPT_ENDINGS, FoundFile, files
from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.gates.rulebook.arguments import AREA as ARGUMENTS
from reasonix_runtime.gates.verdict import Decision
from reasonix_runtime.trace.transcript import TranscriptError

if TYPE_CHECKING:
    from reasonix_conformance.arguments.schemas import Schemas
    from reasonix_conformance.replay.results import Judged, TraceResult
    from reasonix_conformance.settings import Settings

READABLE = "trace/readable"
VALID = "trace/arguments"
"""Passed where calls were held against a contract and are valid; each that is not has a name."""
KIND = "trace"
"""The kind of the items that are recorded traces."""

_OUTCOMES = {
    levels.Level.ERROR: Outcome.FAILED,
    levels.Level.WARNING: Outcome.ADVICE,
    levels.Level.NOTE: Outcome.UNKNOWN,
}


class Traces:
    """The recorded traces of a run, with the list of those that are known to fail."""

    def __init__(self, settings: Settings, schemas: Schemas | None = None) -> None:
        """Take the settings, and the schemas that calls are held against; nothing is read yet."""
        self._settings = settings
        page = settings.report is not None and settings.report.suffix == ".html"
        self._options = Options(
            rules=settings.rules,
            basis=settings.min_basis,
            workspace=settings.workspace,
            setup={"profile": settings.profile} if settings.profile else {},
            receipts=page,
            timeline=page,
            schemas=schemas,
        )

    def files(self) -> Iterator[CaseFile]:
        """Yield the files of the traces to replay, in the order of the paths and names."""
        for found in files(self._settings.replay):
            if found.path.name.endswith(TRANSCRIPT_ENDINGS):
                written = Transcripts(self._settings._replace(transcripts=found.path))
                yield from written.transcript_files()
            else:
                yield CaseFile(path=found.path, make=partial(self._cases, found))

    @cached_property
    def _known(self) -> KnownFailures:
        """The list of failures; one that cannot be read is told once, at the end of the session."""
        try:
            return known_failures.of_run(self._settings)
        except KnownFailuresError:
            return KnownFailures()

    def _cases(self, found: FoundFile) -> Sequence[Case]:
        return [Case(name="replay", kind=KIND, judge=partial(self._judge, found))]

    def _judge(self, found: FoundFile) -> Result:
        """Replay a file; one of a folder that is no trace is not assessable, a named one fails."""
        shown = self._settings.show(found.path)
        try:
            own = found.own_from
            traces = list(file_results(found.path, self._options, shown=shown, own_from=own))
        except (ConformanceError, TranscriptError) as error:
            # A file that is no trace has no verdict that an entry could name.
            none_at_all = {"path": shown} if isinstance(error, UnknownFormatError) else {}
            why = _unreadable(error, shown, named=found.named)
            return Result(findings=(why,), facts=none_at_all)
        register = Register(self._known)
        passed: list[str] = []
        findings: list[Finding] = []
        for at, trace in enumerate(traces):
            verdicts = []
            for judged in trace.verdicts:
                name = judged.name if len(traces) == 1 else f"{trace.id}/{judged.name}"
                finding = self._finding(name, judged, trace, shown, register)
                if finding is None:
                    passed.append(name)
                else:
                    findings.append(finding)
                known = finding is not None and finding.outcome is Outcome.KNOWN
                verdicts.append(judged.listed() if known else judged)
            traces[at] = replace(trace, verdicts=tuple(verdicts))
        if any(trace.let_pass.get(ARGUMENTS) for trace in traces):
            passed.append(VALID)
        if not passed and not findings:
            what = "the trace holds no gate call and no end of turn that could be judged"
            findings.append(unknown("trace/verdicts", what))
        facts: dict[str, object] = {
            "rules": sorted({trace.rules for trace in traces}),
            "path": shown,
            "known": register.counts(),
            FAILING: [*register.failures, *register.listed],
            **facts_of(traces, self._settings),
        }
        return Result(passed=tuple(passed), findings=tuple(findings), facts=facts)

    def _finding(
        self, name: str, judged: Judged, trace: TraceResult, shown: str, register: Register
    ) -> Finding | None:
        """Return what is to be said of a verdict, None where it passes; the register hears it."""
        finding = _finding(name, judged, trace, self._settings)
        failed = finding is not None and finding.outcome is Outcome.FAILED
        listed = name_of(shown, name)
        failure = finding.what if finding is not None and failed else None
        is_judged = judged.verdict.decision is not Decision.NOT_ASSESSABLE
        known = register.hear(listed, trace.rules, failure=failure, is_judged=is_judged)
        if known and finding is not None:
            return finding.listed(self._known.reason(listed, trace.rules) or "")
        return finding


def _unreadable(error: Exception, shown: str, *, named: bool) -> Finding:
    """Return what is to be said of a file that is not read; formats are named in commands only."""
    if not isinstance(error, UnknownFormatError):
        return Finding(check=READABLE, what=str(error))
    command = f"reasonix-conformance replay {shlex.quote(shown)} --format-in NAME"
    name_it = f"name its format in a command, `{command}`"
    return Finding(
        check=READABLE,
        what=error.what,
        outcome=Outcome.FAILED if named else Outcome.UNKNOWN,
        hint="pytest tells formats by content: leave the file out of --reasonix-replay, or "
        f"{name_it if error.remedy == NAME_IT else error.remedy}",
    )


def _finding(name: str, judged: Judged, trace: TraceResult, settings: Settings) -> Finding | None:
    """Return what is to be said of a verdict, None where it simply passes."""
    outcome = _OUTCOMES.get(levels.level(judged))
    if outcome is None:
        return None
    verdict = judged.verdict
    src = judged.src
    shown = settings.show(Path(src.file if src else trace.path))
    return Finding(
        check=name,
        what=levels.finding(judged),
        at=f"{shown}:{src.line}" if src and src.line else shown,
        found=f"rule {verdict.rule}, rule set {trace.rules}" if verdict.rule else "",
        details=(verdict.message,) if verdict.message else (),
        level=Level.SHOULD if outcome is Outcome.ADVICE else Level.MUST,
        outcome=outcome,
        hint=f"reasonix-conformance rules {verdict.reason}" if verdict.reason else "",
    )
