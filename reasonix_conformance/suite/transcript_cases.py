"""Transcripts as cases: one a transcript and rule set, judged by replaying it.

The list of known failures is a case of every contract run, with or without transcripts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from reasonix_conformance.errors import KnownFailuresError
from reasonix_conformance.files import below, reason_of
from reasonix_conformance.findings import Finding, Level, Outcome, Result, unknown
from reasonix_conformance.suite.cases import Case, CaseFile
from reasonix_runtime.whole_files import read_whole

if TYPE_CHECKING:
    from reasonix_conformance.known_failures import KnownFailures
    from reasonix_conformance.replay.results import Judged, TraceResult
    from reasonix_conformance.settings import Settings
    from reasonix_runtime.trace.events import Diag
    from reasonix_runtime.trace.transcript import Transcript

ENDINGS = (".yaml", ".yml", ".json")
"""Endings of transcript files."""

READABLE = "transcript/readable"
"""The requirement that a file can be read as transcripts."""
KEYS = "transcript/keys"
"""The requirement that every key means something, also where the format is open."""
UNREAD = "unknown_key"


class Transcripts:
    """The transcripts of a run, with the list of those that are known to fail."""

    def __init__(self, settings: Settings) -> None:
        """Take the settings; nothing is read yet."""
        self._settings = settings
        self._loaded: dict[Path, list[Transcript] | str] = {}

    def files(self) -> Iterator[CaseFile]:
        """Yield the transcript files in the order of their names, then the list of failures."""
        yield from self.transcript_files()
        known = self._settings.known_failures
        if known is not None and known.is_file():
            yield CaseFile(path=known, make=self._list_cases)

    def transcript_files(self) -> Iterator[CaseFile]:
        """Yield the transcript files in the order of their names."""
        for path in self._paths:
            yield CaseFile(path=path, make=partial(self._cases, path))

    @cached_property
    def _paths(self) -> list[Path]:
        """The transcript files, in the order of their names; the usual folder may be absent."""
        found = self._settings.transcripts
        return files(found) if found is not None and found.exists() else []

    @cached_property
    def _known(self) -> KnownFailures | KnownFailuresError:
        """The list of failures; a list that cannot be read is reported by its own case."""
        from reasonix_conformance import known_failures

        try:
            return known_failures.of_run(self._settings)
        except KnownFailuresError as error:
            return error

    def _load(self, path: Path) -> list[Transcript] | str:
        """Return the transcripts of a file, or what is wrong with it."""
        from reasonix_runtime.trace.transcript import TranscriptError, loads

        if path not in self._loaded:
            shown = self._settings.show(path)
            if path.exists() and not path.is_file():
                # Whoever opens a pipe may wait for ever.
                return f"{shown}: neither a file nor a folder; write what it gives to a file"
            try:
                self._loaded[path] = loads(read_whole(path), shown)
            except TranscriptError as error:
                self._loaded[path] = str(error)
            except OSError as error:
                self._loaded[path] = f"{shown}: cannot be read: {reason_of(error)}"
        return self._loaded[path]

    def _cases(self, path: Path) -> list[Case]:
        loaded = self._load(path)
        if isinstance(loaded, str):
            return [Case(name="readable", kind="transcript", judge=partial(_unreadable, loaded))]
        return [
            Case(
                name=f"{transcript.id}[{rules}]",
                kind="transcript",
                line=transcript.line or 1,
                known=known,
                judge=partial(judge, transcript, rules, self._settings, known=known),
            )
            for transcript in loaded
            for rules in transcript.rules_for(self._settings.rules)
            for known in [self._reason(transcript.id, rules)]
        ]

    def _reason(self, transcript: str, rules: str) -> str | None:
        known = self._known
        return None if isinstance(known, KnownFailuresError) else known.reason(transcript, rules)

    def _list_cases(self) -> list[Case]:
        return [Case(name="entries", kind="known-failures", judge=self._judge_list)]

    def _judge_list(self) -> Result:
        """Judge the list itself: readable, every entry in its time and about something that exists.

        Which transcripts exist is known only in a run of transcripts.
        """
        from reasonix_conformance.known_failures import CHECK, of_contract

        known = self._known
        if isinstance(known, KnownFailuresError):
            return Result(
                findings=tuple(
                    Finding(check=CHECK, what=line, hint="repair the list")
                    for line in str(known).splitlines()
                )
            )
        everything = [
            (transcript.id, rules)
            for path in self._paths
            for loaded in [self._load(path)]
            if not isinstance(loaded, str)
            for transcript in loaded
            for rules in transcript.rules_for(self._settings.rules)
        ]
        settings = self._settings
        findings = (
            *(known.unmatched(everything) if self._paths else ()),
            *known.past(settings.today),
            *of_contract(known, settings.show(settings.document)),
        )
        return Result(passed=() if findings else (CHECK,), findings=findings)


def files(path: Path) -> list[Path]:
    """Return the transcript files of a file or folder, in the order of their names.

    What cannot be read is among them, for reading it tells why; the locks of editors, links to
    nothing with a hidden name, are not.

    Raises:
        OSError: a folder cannot be read.
    """
    if path.is_file():
        return [path]
    named = (one for one in below(path) if one.suffix in ENDINGS)
    found = (one for one in named if one.is_file() or not one.name.startswith("."))
    return sorted(found, key=lambda one: one.as_posix())


def _unreadable(problem: str) -> Result:
    return Result(
        findings=tuple(
            Finding(check=READABLE, what=line, hint="repair the file; see the transcript format")
            for line in problem.splitlines()
        )
    )


def judge(
    transcript: Transcript, rules: str, settings: Settings, *, known: str | None = None
) -> Result:
    """Replay a transcript under a rule set and hold its verdicts against what it expects.

    `known` is why it is known to fail, or None.
    """
    from reasonix_conformance.replay.replay import replay_transcript
    from reasonix_runtime.gates.policy import rule_set

    trace = replay_transcript(transcript, rule_set(rules))
    result = _to_result(trace, strict=settings.strict)
    if known is not None:
        trace = _marked(trace)
        result = result._replace(findings=tuple(one.listed(known) for one in result.findings))
    if not (settings.covers or settings.report):
        return result
    from reasonix_conformance.suite.trace_facts import facts_of

    return result._replace(facts={**result.facts, **facts_of([trace], settings)})


def _marked(trace: TraceResult) -> TraceResult:
    """Return a trace whose failures are known."""
    verdicts = (one.listed() if one.held is False else one for one in trace.verdicts)
    return replace(trace, verdicts=tuple(verdicts))


def _to_result(trace: TraceResult, *, strict: bool) -> Result:
    """Return the result of a replayed trace: an unmet expectation fails, none at all is unknown.

    A key that nobody reads is told, and fails where the run is `strict`.
    """
    judged = trace.verdicts
    passed = tuple(one.name for one in judged if one.held)
    failed = tuple(_unmet(one, trace) for one in judged if one.held is False)
    if not passed and not failed:
        return Result(
            findings=(unknown("transcript/expectations", "the transcript expects no verdict"),)
        )
    unread = tuple(
        _unread(diag, strict=strict) for diag in trace.diagnostics if diag.code == UNREAD
    )
    return Result(passed=passed, findings=(*failed, *unread), facts={"rules": trace.rules})


def _unread(diag: Diag, *, strict: bool) -> Finding:
    """Return the finding of a key that changes nothing, whatever its writer believes."""
    return Finding(
        check=KEYS,
        level=Level.SHOULD,
        outcome=Outcome.FAILED if strict else Outcome.ADVICE,
        what=diag.text,
        at=diag.where,
        hint="correct the key or take it out; nobody reads it",
    )


def _unmet(judged: Judged, trace: TraceResult) -> Finding:
    """Return the finding of a verdict that is not the expected one."""
    line = judged.src.line if judged.src else None
    verdict = judged.verdict
    found = f"{verdict.decision.value} {verdict.reason or ''}".rstrip()
    rule = f" (rule {verdict.rule})" if verdict.rule else ""
    expected = judged.expected
    wanted = ""
    if expected:
        reason = expected.reason or " or ".join(expected.reason_in)
        wanted = f"{expected.verdict} {reason}".rstrip()
    return Finding(
        check=judged.name,
        what=f"{verdict.gate} decides otherwise under rule set {trace.rules}",
        at=f"{trace.path}:{line}" if line else trace.path,
        expected=wanted,
        found=f"{found}{rule}",
        details=(*judged.mismatches, *([verdict.message] if verdict.message else [])),
        hint="correct the gate, or the expectation if the rules say otherwise"
        + (f" (reasonix-conformance rules {verdict.reason})" if verdict.reason else ""),
    )
