"""A transcript unfolded into neutral events, and what it expects at which of them.

A batch becomes one model response: the response, its calls, then their results in order. A child
run stands between its parent's call and result, in a scope of its own. A judged call (one with
`expect`) that says neither `ok` nor `outcome` has no recorded outcome: its verdict moves the state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from reasonix_runtime.contract.surface import PROXY
from reasonix_runtime.trace.events import (
    MAIN,
    Assistant,
    Basis,
    Diag,
    Event,
    Host,
    Outcome,
    Session,
    Source,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    User,
)
from reasonix_runtime.trace.host_events import SETUP
from reasonix_runtime.trace.transcript import Call, Expectation, HostStep, Transcript, Turn

DEFAULT_OUTPUT = "(output)"
"""What a call without `output` gave: any text that is not empty."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a transcript: turn from 1, event from 0 (None: the end), child path inside it."""

    turn: int
    event: int | None = None
    child: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Unfolded:
    """The events of a transcript; `places` by `seq` for those that a verdict can belong to."""

    events: tuple[Event, ...]
    places: Mapping[int, Place]
    expectations: Mapping[Place, Expectation]


def unfold(transcript: Transcript) -> Unfolded:
    """Return the events of a transcript with its places and expectations."""
    unfolder = _Unfolder(transcript)
    events = tuple(unfolder.events())
    return Unfolded(events, unfolder.places, unfolder.expectations)


@dataclass(slots=True)
class _Scope:
    """One conversation while it is unfolded: its name, its call counter, its open steps."""

    name: str
    calls: int = 0


@dataclass(slots=True)
class _Unfolder:
    """Turns one transcript into events, and notes where each of them stood in it."""

    transcript: Transcript
    places: dict[int, Place] = field(default_factory=dict)
    expectations: dict[Place, Expectation] = field(default_factory=dict)
    _seq: int = 0
    _children: int = 0
    _responses: int = 0

    def events(self) -> Iterator[Event]:
        """Yield the session, its setup as a host event, and what each turn holds, in order."""
        transcript = self.transcript
        yield Session(
            sid=transcript.id,
            format="transcript/1",
            cwd=transcript.setup.get("workspace"),
            **self._stamp(transcript.line),
        )
        yield Host(name=SETUP, data=dict(transcript.setup), **self._stamp(transcript.line))
        for unread in transcript.unread:
            where = f"{transcript.path}:{unread.line}"
            stamp = self._stamp(unread.line)
            yield Diag(code="unknown_key", where=where, text=unread.text, **stamp)
        main = _Scope(MAIN)
        for number, turn in enumerate(transcript.turns, 1):
            yield TurnStart(turn=number, **self._stamp(turn.line))
            if turn.user is not None:
                yield User(turn=number, text=turn.user, **self._stamp(turn.line))
            places = [(Place(number, index), step) for index, step in enumerate(turn.steps)]
            yield from self._steps(places, main)
            yield self._turn_end(number, turn)

    def _steps(self, steps: list[tuple[Place, Any]], scope: _Scope) -> Iterator[Event]:
        """Unfold neighbours of one batch together, everything else on its own."""

        def batch(item: tuple[int, tuple[Place, Any]]) -> object:
            """Return what neighbours of one batch share; a step outside of any shares nothing."""
            index, (_, step) = item
            given = getattr(step, "batch", None)
            return ("alone", index) if given is None else ("batch", type(given), given)

        for _, group in groupby(enumerate(steps), key=batch):
            members = [pair for _, pair in group]
            first = members[0][1]
            if isinstance(first, HostStep):
                yield self._host(members[0][0], first)
            else:
                yield from self._response(members, scope)

    def _host(self, place: Place, step: HostStep) -> Event:
        stamp = self._stamp(step.line, place, step.expect)
        return Host(name=step.name, turn=place.turn, data=dict(step.data), **stamp)

    def _response(self, members: list[tuple[Place, Call]], scope: _Scope) -> Iterator[Event]:
        self._responses += 1
        name = f"r{self._responses}"
        turn = members[0][0].turn
        yield Assistant(turn=turn, step=name, scope=scope.name, **self._stamp(members[0][1].line))
        uids = []
        for _, call in members:
            scope.calls += 1
            uids.append(f"{scope.name}#{scope.calls}")
            yield self._call(uids[-1], call, turn, name)
        for uid, (place, call) in zip(uids, members, strict=True):
            if call.children:
                yield from self._child(uid, place, call)
            yield self._result(uid, place, call)

    def _call(self, uid: str, call: Call, turn: int, step: str) -> ToolCall:
        target = call.target
        return ToolCall(
            uid=uid,
            name=call.name,
            turn=turn,
            step=step,
            args=call.args,
            native_id=call.id,
            read_only=call.read_only,
            resolved_name=target.name if target else None,
            resolved_args=target.args if target else None,
            resolved_read_only=target.read_only if target else None,
            plan_replacement=call.plan_replacement,
            **self._stamp(call.line),
        )

    def _child(self, uid: str, place: Place, call: Call) -> Iterator[Event]:
        self._children += 1
        scope = _Scope(f"sub{self._children}")
        yield SubStart(scope=scope.name, parent_uid=uid, **self._stamp(call.line))
        inner = [
            (Place(place.turn, place.event, (*place.child, index)), child)
            for index, child in enumerate(call.children)
        ]
        yield from self._steps(inner, scope)
        yield SubEnd(scope=scope.name, parent_uid=uid, **self._stamp(call.line))

    def _result(self, uid: str, place: Place, call: Call) -> ToolResult:
        outcome, basis = outcome_of(call, decided=self._decides(call))
        absent = "" if outcome == "none" else DEFAULT_OUTPUT
        text = absent if call.output is None else call.output
        return ToolResult(
            uid=uid,
            outcome=outcome,
            basis=basis,
            text=text,
            exit_code=call.exit_code,
            error=text if outcome in ("error", "blocked", "not_run") else None,
            **self._stamp(call.line, place, call.expect),
        )

    def _decides(self, call: Call) -> bool:
        """Whether the session says itself what comes of a call, where nobody else does.

        One with an expectation is there to be decided; so is a call of the proxy in a world that
        the setup describes.
        """
        described = call.name == PROXY and call.target is None and "host" in self.transcript.setup
        return described or call.expect is not None

    def _turn_end(self, number: int, turn: Turn) -> TurnEnd:
        """Return the end of a turn; one without `end` just stops and is not judged."""
        end = turn.end
        if end is None:
            return TurnEnd(turn=number, by="inferred", judge=False, **self._stamp(turn.line))
        return TurnEnd(
            turn=number,
            status="unknown" if end.expect else "completed",
            answer=end.answer,
            attempts=end.attempts,
            **self._stamp(end.line, Place(number), end.expect),
        )

    def _stamp(
        self, line: int, place: Place | None = None, expect: Expectation | None = None
    ) -> dict[str, Any]:
        """Count the event, and remember where it stands if a verdict can belong to it."""
        self._seq += 1
        if place is not None:
            self.places[self._seq] = place
            if expect is not None:
                self.expectations[place] = expect
        return {"seq": self._seq, "src": Source(self.transcript.path, line or None)}


def outcome_of(call: Call, *, decided: bool) -> tuple[Outcome, Basis]:
    """Return how a written call ended and how that is known.

    One that does not say so succeeded, unless it is `decided` when it is judged.
    """
    outcome: Outcome
    if call.outcome is not None:
        outcome = call.outcome  # type: ignore[assignment]  # the schema closed the list
    elif call.ok is not None:
        outcome = "ok" if call.ok else "error"
    elif decided:
        outcome = "none"
    else:
        outcome = "ok"
    if outcome == "ok" and call.exit_code:
        return "error", "exit_code"
    return outcome, "none" if outcome == "none" else "state"
