"""Traces -> results: each session of a recording, and each transcript, read and replayed.

One file may hold several of them; each is a result of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from reasonix_conformance.arguments.judge import Judge
from reasonix_conformance.arguments.schemas import Schemas
from reasonix_conformance.arguments.stage import Stage
from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.files import failing_as
from reasonix_conformance.readers.detection.detect import detect, is_prose
from reasonix_conformance.readers.files.lines import DEFAULT_CAP
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.files.sources import ReadError
from reasonix_conformance.readers.format_facts import (
    OF_OWN_HOSTS,
    USUAL_WEAKEST_BASIS,
    WEAKEST_BASIS,
)
from reasonix_conformance.readers.formats import (
    ProseError,
    UnknownFormatError,
    events_as,
)
from reasonix_conformance.readers.hosts.rule_sets import rules_of, setup_of
from reasonix_conformance.redact import redact
from reasonix_conformance.replay.replay import Replay, replay_transcript
from reasonix_conformance.replay.results import Listener, TraceResult, tell
from reasonix_conformance.traces.files import RECORDS, TRANSCRIPT_ENDINGS, Aside, files
from reasonix_conformance.traces.sequences import carried, earlier_runs, is_later_run
from reasonix_conformance.traces.unordered import changes_last
from reasonix_runtime.errors import HostDataError
from reasonix_runtime.gates.policy import RULE_SETS, Policy, rule_set
from reasonix_runtime.trace.events import BASES, Assistant, Basis, Diag, Event, Host, Session
from reasonix_runtime.trace.host_events import SETUP
from reasonix_runtime.trace.transcript import DEFAULT_RULES, Transcript, TranscriptError, loads
from reasonix_runtime.trace.transcript_events import unfold
from reasonix_runtime.whole_files import read_whole

TRANSCRIPT = "transcript"
"""The format that is written by hand; no recording, and read by the runtime itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How traces are read and judged.

    `rules` is None where the trace (or its host) decides. `basis` is the weakest basis of an
    outcome that is believed, None for the format's own. `workspace` is the folder that relative
    names are relative to, where the recording does not tell it. `setup` is what held before the
    first turn and a recording does not tell, in the keys of transcript setups. `receipts` keeps
    what each verdict rested on, `timeline` the events for the page. With `schemas`, the arguments
    of every call of a recording are held against them; those of transcripts, which people write by
    hand with no more than their gates ask for, are not. `names` are those of files that reports do
    not call by their paths.
    """

    rules: str | None = None
    format_in: str | None = None
    basis: Basis | None = None
    workspace: str | None = None
    cap: int = DEFAULT_CAP
    setup: dict[str, Any] = field(default_factory=dict)
    receipts: bool = False
    timeline: bool = False
    schemas: Schemas | None = None
    names: Mapping[Path, str] = field(default_factory=dict)

    def name_of(self, path: Path) -> str:
        """Return what reports call a file: by its path, if `names` knows no other name."""
        return self.names.get(path) or str(path)


class WhyUnread(Enum):
    """Why a file gave no result, or not all."""

    LOST = "lost"
    """It is a trace, and could not be read, or not to its end: no run is good without it."""
    UNKNOWN_FORMAT = "unknown_format"
    """It was found in a folder and is of no known format: it may be no trace at all."""
    TOLD_BESIDE = "told_beside"
    """It is the output of a run, and was not read, as the session has a file of its own."""
    LEADS_OUT = "leads_out"
    """It only leads to a file outside of the folder, or to none."""
    NO_FILE = "no_file"
    """It is a pipe or a device in a folder, which can be read only once."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that was not read, or not to its end: what to say of it, and why that is."""

    path: Path
    text: str
    why: WhyUnread = WhyUnread.LOST

    @property
    def lost(self) -> bool:
        """Whether a trace is missing by it; any other file was left out on purpose."""
        return self.why is WhyUnread.LOST


def problem_of(path: Path, error: Exception, *, named: bool) -> Unreadable | None:
    """Return why a file gave no result, or not all; None for one that nobody takes for a trace."""
    if named or not isinstance(error, UnknownFormatError):
        return Unreadable(path, str(error))
    if RECORDS.search(path.name) or isinstance(error, ProseError):
        return Unreadable(path, str(error), WhyUnread.UNKNOWN_FORMAT)
    return None


def results(
    paths: Sequence[Path],
    options: Options,
    unreadable: list[Unreadable],
    *,
    listener: Listener | None = None,
) -> Iterator[TraceResult]:
    """Yield the result of each trace; files that cannot be read are added to `unreadable`.

    With a listener, verdicts go to it as they fall and the results yielded hold none, so that
    memory does not grow with a file.

    Raises:
        ConformanceError: a path does not exist, or a rule set or format has no such name.
    """
    aside = Aside()
    for found in files(paths, aside):
        try:
            yield from file_results(found.path, options, listener, own_from=found.own_from)
        except (ConformanceError, TranscriptError) as error:
            problem = problem_of(found.path, error, named=found.named)
            if problem is not None:
                unreadable.append(problem)
    unreadable += set_aside(aside)


def set_aside(aside: Aside) -> Iterator[Unreadable]:
    """Yield what is left out in folders and may be missed there."""
    for file in aside.beside:
        text = f"{file}: its session is judged by its own file"
        yield Unreadable(file, text, WhyUnread.TOLD_BESIDE)
    for file in aside.leading_out:
        text = f"{file}: leads out of the folder, or to no file"
        yield Unreadable(file, text, WhyUnread.LEADS_OUT)
    for file in aside.no_files:
        yield Unreadable(file, f"{file}: a pipe or a device", WhyUnread.NO_FILE)


def events_of(paths: Sequence[Path], options: Options) -> Iterator[Event]:
    """Yield the neutral events of every trace; in a folder, files of no known format are left out.

    Raises:
        ConformanceError: a path does not exist or a file cannot be read.
        TranscriptError: a transcript file is broken.
    """
    for file, named, _ in files(paths):
        recording = _recording(file, None, options, talk=True)
        try:
            name = _format_of(recording, options)
            if name == TRANSCRIPT:
                for transcript in _load(file):
                    yield from unfold(transcript).events
                continue
            for event in events_as(name, recording):
                if isinstance(event, Session) and event.resumed_from is None:
                    own = rules_of(recording, name or "") or event.profile
                    yield msgspec.structs.replace(_placed(event, options), profile=own)
                    yield from _known_of(recording, name, options, event)
                else:
                    yield event
        except UnknownFormatError:
            if named:
                raise


def _placed(session: Session, options: Options) -> Session:
    """Return a session with the folder that it ran in, its own or the one that the user tells."""
    if session.cwd or not options.workspace:
        return session
    return msgspec.structs.replace(session, cwd=options.workspace)


def _known_of(
    recording: Recording, name: str | None, options: Options, session: Session
) -> Iterator[Event]:
    """Yield what stands beside the events of a session and would be lost without it."""
    setup = options.setup or setup_of(recording, name or "")
    if setup:
        yield Host(name=SETUP, data=setup, src=session.src)
    if earlier_runs(recording.path) or is_later_run(recording.path):
        text = "the session has earlier runs, which are not in this file"
        where = session.src.file if session.src else recording.shown
        yield Diag(code="mid_chain_start", where=where, text=text, src=session.src)


def file_results(
    path: Path,
    options: Options,
    listener: Listener | None = None,
    *,
    shown: str | None = None,
    own_from: int = 0,
) -> Iterator[TraceResult]:
    """Yield the results of one file; `shown` is what results call it, by default its path.

    What stands before line `own_from` is judged in another file: here it only counts.

    Raises:
        UnknownFormatError: the file is of no known format.
        ConformanceError: the file cannot be read.
        TranscriptError: a transcript file is broken.
    """
    recording = _recording(path, shown, options, talk=options.timeline)
    name = _format_of(recording, options)
    if name == TRANSCRIPT:
        yield from _transcripts(path, options, listener, shown)
        return
    stream = events_as(name, recording)
    first = next(stream, None)
    own = (_told_by(first) if name == "neutral" else None) or rules_of(recording, name or "")
    policy = rule_set(options.rules or own or DEFAULT_RULES)
    sessions = _Sessions(
        recording=recording,
        policy=policy,
        own_rules=own,
        told_setup=setup_of(recording, name or ""),
        options=options,
        listener=listener,
        own_from=own_from,
    )
    told_in_order = own is not None or _is_of_own_host(first)
    stream = chain(() if first is None else (first,), stream)
    yield from sessions.results(stream if told_in_order else changes_last(stream))


def _recording(path: Path, shown: str | None, options: Options, *, talk: bool) -> Recording:
    return Recording(
        path=path,
        shown=shown or options.name_of(path),
        cap=options.cap,
        trusting=options.basis in ("absence", "none"),
        talk=talk,
    )


def _told_by(event: Event | None) -> str | None:
    """Return the rule set that a session says its host follows."""
    profile = event.profile if isinstance(event, Session) else None
    return profile if profile in RULE_SETS else None


def _is_of_own_host(event: Event | None) -> bool:
    """Whether a session, in whatever form it is kept, is of a host with the gates of the rules."""
    return isinstance(event, Session) and event.format.startswith(OF_OWN_HOSTS)


def _format_of(recording: Recording, options: Options) -> str | None:
    """Return the format of a file, None for none of the known ones; YAML holds transcripts."""
    if options.format_in is not None:
        return options.format_in
    if recording.path.name.endswith(TRANSCRIPT_ENDINGS):
        return TRANSCRIPT
    head = recording.head()
    name = detect(head)
    plain = name is not None and not RECORDS.search(recording.path.name)
    if plain and is_prose(head):
        raise ProseError(
            f"{recording.shown}: not a trace of a known format: few lines hold a record"
        )
    return name


def _load(path: Path, shown: str | None = None) -> list[Transcript]:
    with failing_as(ReadError, shown or str(path)):
        data = read_whole(path)
    return loads(data, shown or str(path))


def _transcripts(
    path: Path, options: Options, listener: Listener | None, shown: str | None
) -> Iterator[TraceResult]:
    transcripts = _load(path, shown)
    for transcript in transcripts:
        for name in transcript.rules_for(options.rules):
            result = replay_transcript(transcript, rule_set(name))
            if listener is not None:
                tell(listener, result)
            yield result


def _begins(event: Event) -> bool:
    """Whether an event begins a trace: a session that resumes nothing."""
    return isinstance(event, Session) and event.resumed_from is None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sessions:
    """The sessions of one recording; a `Session` that resumes nothing begins a new trace."""

    recording: Recording
    policy: Policy
    own_rules: str | None
    """The rule set that the recording's own host follows, None where nothing tells."""
    told_setup: dict[str, Any]
    """What the recording shows of the setup of its runs."""
    options: Options
    listener: Listener | None
    own_from: int
    """The first line that is judged here, 0 for all of them."""

    def results(self, stream: Iterator[Event]) -> Iterator[TraceResult]:
        """Replay a stream of events; what was read before an error is a result, too.

        What a host tells in a way that cannot be read ends its own session; the error follows
        when the others are told.
        """
        session = next(stream, None)
        unread: list[str] = []
        while session is not None:
            if not isinstance(session, Session):
                raise AssertionError(f"{self.recording.shown}: the reader told no session")
            session = _placed(session, self.options)
            replay: Replay | None = None
            stage: Stage | None = None
            try:
                replay = self._begin(session)
                replay.take(session)
                stage = self._stage(replay, session)
                fed = self._from_own(stream, replay) if self.own_from else stream
                session = replay.feed(fed if stage is None else stage.watch(fed))
            except HostDataError as error:
                unread.append(str(error))
                session = next(filter(_begins, stream), None)
            except ConformanceError:
                if replay is not None:
                    yield self._end(replay, stage)
                raise
            if replay is not None:
                yield self._end(replay, stage)
        if unread:
            raise ReadError("; ".join(unread))

    def _from_own(self, stream: Iterator[Event], replay: Replay) -> Iterator[Event]:
        """Yield the events of a stream; what they say counts, and is judged from a line on.

        The turn that a prompt ends in that line is judged in the other file, one that what the
        model says there ends is not.
        """
        shown, own = self.recording.shown, self.own_from
        replay.mute(on=True)
        text = f"what stands before line {own} is a copy, and judged in the file that has it first"
        replay.take(Diag(code="duplicate_result", where=f"{shown}:1", text=text))
        for event in stream:
            src = event.src
            line = (src.line or 0) if src is not None and src.file == shown else 0
            if line > own or (line == own and isinstance(event, Assistant)):
                replay.mute(on=False)
            yield event

    def _stage(self, replay: Replay, session: Session) -> Stage | None:
        """Return the stage that judges arguments, if they are to be judged."""
        if self.options.schemas is None:
            return None
        return Stage(
            Judge(self.options.schemas),
            replay,
            format_name=session.format,
            doubted=self._doubted(session),
        )

    def _doubted(self, session: Session) -> frozenset[Basis]:
        """Return the bases on which no success is believed; a trace in neutral form keeps its own.

        What a session was read from says how its outcomes can be known.
        """
        usual = WEAKEST_BASIS.get(session.format, USUAL_WEAKEST_BASIS)
        basis = self.options.basis or usual
        return frozenset(BASES[BASES.index(basis) + 1 :])

    def _begin(self, session: Session) -> Replay:
        options, shown = self.options, self.recording.shown
        replay = Replay(
            self.policy,
            path=shown,
            trace_id=redact(session.sid),
            format_name=session.format,
            keep_receipts=options.receipts,
            keep_timeline=options.timeline,
            doubted=self._doubted(session),
            asks_before=self.own_rules is not None or _is_of_own_host(session),
            sink=self.listener.verdict if self.listener else None,
        )
        if self.listener is not None:
            self.listener.begin(replay.result())
        setup = options.setup or self.told_setup
        if setup:
            replay.take(Host(name=SETUP, data=setup))
        earlier = () if self.options.format_in else earlier_runs(self.recording.path)
        if earlier:
            keeps = not self.policy.evidence_gates
            past = carried(earlier, cap=options.cap, keeps_broken_turns=keeps)
            replay.carry(session, past)
        elif is_later_run(self.recording.path):
            replay.begins_late()
        own = self.own_rules
        if own and self.policy.evidence_gates != rule_set(own).evidence_gates:
            text = f"the host of this trace follows {own}; it is judged by {self.policy.name}"
            replay.take(Diag(code="profile_mismatch", where=shown, text=text))
        return replay

    def _end(self, replay: Replay, stage: Stage | None) -> TraceResult:
        if stage is not None:
            stage.finish()
        result = replay.result()
        if self.listener is not None:
            self.listener.end(result)
        return result
