"""Recorded traces as cases: one a file, judged by replaying every session in it.

Files are read when their case is judged, so that collecting a folder of thousands is cheap.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from reasonix_conformance import known_failures
from reasonix_conformance.errors import ConformanceError, KnownFailuresError
from reasonix_conformance.findings import Finding, Level, Outcome, Result
from reasonix_conformance.known_failures import KnownFailures
from reasonix_conformance.known_register import Register, name_of
from reasonix_conformance.readers.formats import NAME_IT, UnknownFormatError
from reasonix_conformance.reports import levels
from reasonix_conformance.suite.cases import Case, CaseFile
from reasonix_conformance.suite.trace_facts import facts_of
from reasonix_conformance.suite.transcript_cases import Transcripts
from reasonix_conformance.traces.files import TRANSCRIPT_ENDINGS, files
from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.gates.rulebook.arguments import AREA as ARGUMENTS
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


class _Lists:
    """The list of known failures, read when the first file is judged."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @cached_property
    def known(self) -> KnownFailures:
        """The entries; a list that cannot be read is told once, at the end of the session."""
        path = self._settings.known_failures
        if path is None or not path.is_file():
            return KnownFailures()
        try:
            return known_failures.load(path, self._settings.show(path))
        except KnownFailuresError:
            return KnownFailures()


def case_files(settings: Settings, schemas: Schemas | None = None) -> Iterator[CaseFile]:
    """Yield the files of the traces to replay, in the order of the paths and names."""
    page = settings.report is not None and settings.report.suffix == ".html"
    options = Options(
        rules=settings.rules,
        basis=settings.min_basis,
        workspace=settings.workspace,
        setup={"profile": settings.profile} if settings.profile else {},
        receipts=page,
        timeline=page,
        schemas=schemas,
    )
    lists = _Lists(settings)
    for path, named in files(settings.replay):
        if path.name.endswith(TRANSCRIPT_ENDINGS):
            yield from Transcripts(settings._replace(transcripts=path)).transcript_files()
        else:
            yield CaseFile(path=path, make=partial(_cases, path, named, options, settings, lists))


def _cases(
    path: Path, named: bool, options: Options, settings: Settings, lists: _Lists
) -> Sequence[Case]:
    judge = partial(_judge, path, named, options, settings, lists)
    return [Case(name="replay", kind=KIND, judge=judge)]


def _judge(path: Path, named: bool, options: Options, settings: Settings, lists: _Lists) -> Result:
    """Replay a file; a file of a folder that is no trace is not assessable, a named one fails."""
    shown = settings.show(path)
    try:
        traces = list(file_results(path, options, shown=shown))
    except (ConformanceError, TranscriptError) as error:
        return Result(findings=(_unreadable(error, shown, named),))
    passed: list[str] = []
    findings: list[Finding] = []
    register = Register(lists.known)
    for trace in traces:
        for judged in trace.verdicts:
            name = judged.name if len(traces) == 1 else f"{trace.id}/{judged.name}"
            finding = _finding(name, judged, trace, settings)
            failed = finding is not None and finding.outcome is Outcome.FAILED
            said = finding.what if finding is not None and failed else None
            listed = name_of(shown, name)
            if register.hear(listed, trace.rules, failure=said) and finding is not None:
                why = lists.known.reason(listed, trace.rules) or ""
                finding = finding._replace(outcome=Outcome.KNOWN, details=(*finding.details, why))
            if finding is None:
                passed.append(name)
            else:
                findings.append(finding)
    if any(trace.let_pass.get(ARGUMENTS) for trace in traces):
        passed.append(VALID)
    if not passed and not findings:
        what = "the trace holds no gate call and no end of turn that could be judged"
        findings.append(Finding(check="trace/verdicts", what=what, outcome=Outcome.UNKNOWN))
    facts: dict[str, object] = {
        "rules": sorted({trace.rules for trace in traces}),
        "path": shown,
        "known": register.counts(),
        **facts_of(traces, settings),
    }
    return Result(passed=tuple(passed), findings=tuple(findings), facts=facts)


def _unreadable(error: Exception, shown: str, named: bool) -> Finding:
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
