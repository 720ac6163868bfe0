"""What a replay found: records that every report is made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePath
from typing import NamedTuple, Protocol

import msgspec

from reasonix_conformance.redact import redact
from reasonix_runtime.gates.rulebook.arguments import AREA as ARGUMENTS
from reasonix_runtime.gates.verdict import Decision, Verdict
from reasonix_runtime.trace.events import Diag, Source
from reasonix_runtime.trace.transcript import Expectation


class Agreement(StrEnum):
    """Our verdict against the host's own; `lenient` and `strict` speak of the host."""

    AGREE = "agree"
    HOST_LENIENT = "host_lenient"
    HOST_STRICT = "host_strict"
    UNKNOWN = "unknown"


class Ground(msgspec.Struct, frozen=True, kw_only=True):
    """A receipt that a verdict rests on: where its call stands, and what it says.

    One of an earlier file of the session has turn 0 and no event. `role` says as what it bears on
    the end of a turn; the claims of other verdicts tell that themselves.
    """

    turn: int
    event: int | None
    tool: str
    text: str
    outcome: str
    role: str | None = None


class Grounds(msgspec.Struct, frozen=True):
    """The receipts that a verdict rests on, oldest first, and how many more are not named."""

    named: tuple[Ground, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One event of a trace as the timeline shows it; `text` is what it was about, in short."""

    turn: int
    name: str
    event: int | None = None
    placed: bool = False
    """Whether verdicts may belong to it (a call, a host event, the end of a turn)."""
    text: str = ""
    outcome: str | None = None
    where: str = ""


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """One verdict and where it belongs.

    `turn` counts from 1; `event` is the index within the turn's events from 0, None for the end of
    the turn. A verdict inside a sub-agent has the event of the call that started it, its `scope`,
    and `call`, the number of the call within that scope. `held` is None where nothing was expected;
    `mismatches` say in what the expectation did not hold. `host` is what the host itself decided.
    """

    turn: int
    event: int | None
    verdict: Verdict
    subject: str
    """The tool that was called, the host event, or `end`."""
    scope: str = "main"
    call: str | None = None
    native_id: str | None = None
    src: Source | None = None
    expected: Expectation | None = None
    mismatches: tuple[str, ...] = ()
    host: Decision | None = None
    grounds: Grounds = Grounds()
    """The receipts behind the verdict, where they were asked for."""
    label: str = ""
    """The name of what is no verdict on a trace: a requirement of another item of a suite."""
    known: bool = False
    """Whether it fails, and a list of known failures names it."""

    def listed(self) -> Judged:
        """Return the same as a failure that is known."""
        return msgspec.structs.replace(self, known=True)

    @property
    def held(self) -> bool | None:
        """Whether the expectation holds; None where nothing is expected."""
        return None if self.expected is None else not self.mismatches

    @property
    def agreement(self) -> Agreement:
        """Compare with the host's own decision; what one of the two does not know is unknown."""
        ours = self.verdict.decision
        if self.host is None or ours is Decision.NOT_ASSESSABLE:
            return Agreement.UNKNOWN
        if ours is self.host:
            return Agreement.AGREE
        return Agreement.HOST_LENIENT if self.host is Decision.ACCEPT else Agreement.HOST_STRICT

    @property
    def name(self) -> str:
        """The name of the verdict within its trace: `turn-1/2-complete_step`, `turn-1/end`.

        That on arguments is `turn-1/2-complete_step/arguments`.
        """
        if self.label:
            return self.label
        if self.event is None:
            return f"turn-{self.turn}/end"
        inner = "" if self.scope == "main" else f"/{self.scope}-{self.call}"
        # A call may fail by its arguments and by its gate; each is listed as known by its own name.
        last = f"/{ARGUMENTS}" if self.verdict.gate == ARGUMENTS else ""
        return f"turn-{self.turn}/{self.event}{inner}-{self.subject}{last}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceResult:
    """The verdicts on one trace under one rule set, in order, and the reader's remarks."""

    path: str
    id: str
    format: str
    rules: str
    verdicts: tuple[Judged, ...] = ()
    diagnostics: tuple[Diag, ...] = ()
    timeline: tuple[Moment, ...] = ()
    events: int = 0
    calls: int = 0
    let_pass: Mapping[str, int] = field(default_factory=dict)
    """By gate, the calls that it let pass and that are not listed among the verdicts."""
    unjudged: int = 0
    """How many turns were interrupted, failed or broke off, so that their ends are not judged."""

    @property
    def part(self) -> str:
        """What of the file is meant: a session, a transcript, a tool; empty where that is named."""
        file = PurePath(self.path)
        return "" if self.id in (self.path, file.name, file.stem) else self.id

    @property
    def name(self) -> str:
        """The file, and what of it is meant, as reports show it: without the name of a user."""
        return redact(f"{self.path} :: {self.part}" if self.part else self.path)

    @property
    def failures(self) -> tuple[Judged, ...]:
        """The verdicts whose expectation does not hold."""
        return tuple(judged for judged in self.verdicts if judged.held is False)


class Lost(NamedTuple):
    """A file that could not be read, or not to its end: every form of a report names it."""

    path: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Counts over any number of traces; `held` and `failed` count expectations.

    `lost` are the files that could not be read, or not to their end, `problems` what is wrong with
    the run as a whole.
    """

    traces: int = 0
    verdicts: int = 0
    decisions: Mapping[Decision, int] = field(default_factory=dict)
    held: int = 0
    failed: int = 0
    agreement: Mapping[Agreement, int] = field(default_factory=dict)
    diagnostics: Mapping[str, int] = field(default_factory=dict)
    arguments: Mapping[Decision, int] | None = None
    """Calls by what their arguments are, valid ones too, which are no verdicts of their own; None
    where nobody judged them."""
    lost: Sequence[Lost] = ()
    problems: Sequence[str] = ()
    known: int | None = None
    """How many failures a list names that was given, None without one; `new` are the others."""
    new: int = 0
    unjudged: int = 0
    """How many turns did not come to an end that is judged (:attr:`TraceResult.unjudged`)."""
    untold: int = 0
    """How many traces hold claims, none of which could be assessed."""

    @property
    def assessed(self) -> int:
        """How many verdicts are not `not_assessable`, and how many calls have valid arguments."""
        valid = self.arguments[Decision.ACCEPT] if self.arguments else 0
        return self.decisions[Decision.ACCEPT] + self.decisions[Decision.REJECT] + valid


class Listener(Protocol):
    """Hears what a replay finds while it finds it, so that nothing has to be kept.

    For each trace: `begin` with its heading (no verdicts yet), `verdict` for each, `end` with its
    diagnostics and counts.
    """

    def begin(self, result: TraceResult) -> None:
        """Hear that a trace begins."""

    def verdict(self, judged: Judged) -> None:
        """Hear a verdict on the trace that has begun."""

    def end(self, result: TraceResult) -> None:
        """Hear that the trace has ended."""


class Listeners:
    """Several listeners as one; each hears everything, in their order."""

    def __init__(self, *listeners: Listener) -> None:
        self._listeners = listeners

    def begin(self, result: TraceResult) -> None:
        """Pass on that a trace begins."""
        for listener in self._listeners:
            listener.begin(result)

    def verdict(self, judged: Judged) -> None:
        """Pass on a verdict."""
        for listener in self._listeners:
            listener.verdict(judged)

    def end(self, result: TraceResult) -> None:
        """Pass on that the trace has ended."""
        for listener in self._listeners:
            listener.end(result)


class Writer(Listener, Protocol):
    """Writes a report while the traces are read."""

    def close(self, counts: Summary) -> None:
        """Write the summary; nothing is told afterwards."""


class Tally:
    """Counts what it hears."""

    def __init__(self) -> None:
        self._traces = 0
        self._decisions: Counter[Decision] = Counter()
        self._held: Counter[bool | None] = Counter()
        self._agreement: Counter[Agreement] = Counter()
        self._diagnostics: Counter[str] = Counter()
        self._arguments: Counter[Decision] = Counter()
        self._validated = False
        self._unjudged = 0
        self._untold = self._asked = self._told = 0

    def begin(self, result: TraceResult) -> None:
        """Count a trace."""
        self._traces += 1
        self._asked = self._told = 0

    def verdict(self, judged: Judged) -> None:
        """Count a verdict."""
        self._decisions[judged.verdict.decision] += 1
        self._asked += 1
        self._told += judged.verdict.decision is not Decision.NOT_ASSESSABLE
        if judged.verdict.gate == ARGUMENTS:
            self._arguments[judged.verdict.decision] += 1
        self._held[judged.held] += 1
        self._agreement[judged.agreement] += 1

    def end(self, result: TraceResult) -> None:
        """Count the diagnostics of a trace, and the calls that nothing is said about."""
        self._untold += bool(self._asked) and not self._told and ARGUMENTS not in result.let_pass
        if ARGUMENTS in result.let_pass:
            self._validated = True
            self._arguments[Decision.ACCEPT] += result.let_pass[ARGUMENTS]
        self._unjudged += result.unjudged
        self._diagnostics.update(diag.code for diag in result.diagnostics)

    def summary(self) -> Summary:
        """Return the counts so far."""
        return Summary(
            traces=self._traces,
            verdicts=self._decisions.total(),
            decisions={decision: self._decisions[decision] for decision in Decision},
            held=self._held[True],
            failed=self._held[False],
            agreement={kind: self._agreement[kind] for kind in Agreement},
            diagnostics=dict(sorted(self._diagnostics.items())),
            arguments=self._judged_arguments(),
            unjudged=self._unjudged,
            untold=self._untold,
        )

    def _judged_arguments(self) -> Mapping[Decision, int] | None:
        if not self._validated:
            return None
        return {decision: self._arguments[decision] for decision in Decision}


def tell(listener: Listener, result: TraceResult) -> None:
    """Tell a listener of a result that is already whole."""
    listener.begin(result)
    for judged in result.verdicts:
        listener.verdict(judged)
    listener.end(result)


def write(writer: Writer, results: Iterable[TraceResult]) -> None:
    """Have a whole report written, its summary last."""
    tally = Tally()
    both = Listeners(writer, tally)
    for result in results:
        tell(both, result)
    writer.close(tally.summary())


def summarise(results: Iterable[TraceResult]) -> Summary:
    """Count what a run found."""
    tally = Tally()
    for result in results:
        tell(tally, result)
    return tally.summary()
