"""Recorded traces as cases: one a file, judged by replaying every session in it.

Files are read when their case is judged, so that collecting a folder of thousands is cheap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from reasonix_conformance.cases import Case, CaseFile
from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.findings import Finding, Level, Outcome, Result
from reasonix_conformance.readers.formats import UnknownFormatError
from reasonix_conformance.reports import levels
from reasonix_conformance.traces import TRANSCRIPT_ENDINGS, Options, file_results, files
from reasonix_conformance.transcripts import Transcripts
from reasonix_runtime.trace.transcript import TranscriptError

if TYPE_CHECKING:
    from reasonix_conformance.results import Judged, TraceResult
    from reasonix_conformance.settings import Settings

READABLE = "trace/readable"

_OUTCOMES = {
    levels.Level.ERROR: Outcome.FAILED,
    levels.Level.WARNING: Outcome.ADVICE,
    levels.Level.NOTE: Outcome.UNKNOWN,
}


def case_files(settings: Settings) -> Iterator[CaseFile]:
    """Yield the files of the traces to replay, in the order of the paths and names."""
    options = Options(rules=settings.rules)
    for path, named in files(settings.replay):
        if path.name.endswith(TRANSCRIPT_ENDINGS):
            yield from Transcripts(settings._replace(transcripts=path)).transcript_files()
        else:
            yield CaseFile(path=path, make=partial(_cases, path, named, options, settings))


def _cases(path: Path, named: bool, options: Options, settings: Settings) -> Sequence[Case]:
    judge = partial(_judge, path, named, options, settings)
    return [Case(name="replay", kind="trace", judge=judge)]


def _judge(path: Path, named: bool, options: Options, settings: Settings) -> Result:
    """Replay a file; a file of a folder that is no trace is not assessable, a named one fails."""
    try:
        traces = list(file_results(path, options))
    except (ConformanceError, TranscriptError) as error:
        unknown = isinstance(error, UnknownFormatError) and not named
        outcome = Outcome.UNKNOWN if unknown else Outcome.FAILED
        return Result(findings=(Finding(check=READABLE, what=str(error), outcome=outcome),))
    passed: list[str] = []
    findings: list[Finding] = []
    for trace in traces:
        for judged in trace.verdicts:
            name = judged.name if len(traces) == 1 else f"{trace.id}/{judged.name}"
            noted = _OUTCOMES.get(levels.level(judged))
            if noted is None:
                passed.append(name)
            else:
                findings.append(_finding(name, judged, trace, noted, settings))
    if not passed and not findings:
        what = "the trace holds no gate call and no end of turn that could be judged"
        findings.append(Finding(check="trace/verdicts", what=what, outcome=Outcome.UNKNOWN))
    facts = {"rules": sorted({trace.rules for trace in traces})}
    return Result(passed=tuple(passed), findings=tuple(findings), facts=facts)


def _finding(
    name: str, judged: Judged, trace: TraceResult, outcome: Outcome, settings: Settings
) -> Finding:
    """Return what is to be said of a verdict that did not simply pass."""
    verdict = judged.verdict
    src = judged.src
    shown = settings.show(Path(src.file if src else trace.path))
    return Finding(
        check=name,
        what=levels.headline(judged).removeprefix(f"{judged.name}: "),
        at=f"{shown}:{src.line}" if src and src.line else shown,
        found=f"rule {verdict.rule}, rule set {trace.rules}" if verdict.rule else "",
        details=(verdict.message,) if verdict.message else (),
        level=Level.SHOULD if outcome is Outcome.ADVICE else Level.MUST,
        outcome=outcome,
        hint=f"reasonix-conformance rules {verdict.reason}" if verdict.reason else "",
    )
