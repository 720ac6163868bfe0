"""What a replay keeps for people beside its verdicts: events in short, receipts by place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from reasonix_conformance.redact import redact
from reasonix_conformance.replay.results import Ground, Grounds, Moment
from reasonix_runtime.evidence.owed.bearings import Role
from reasonix_runtime.evidence.receipts import Receipt
from reasonix_runtime.gates.verdict import Verdict
from reasonix_runtime.host.state import HostState
from reasonix_runtime.host.turn_end import bearings
from reasonix_runtime.trace.events import (
    MAIN,
    Assistant,
    Diag,
    Event,
    Host,
    Notice,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    User,
)

WIDTH = 200
"""How many characters of a text are kept."""

# What a call is about, by the first of these arguments that it has.
_TELLING = ("command", "path", "file_path", "source_path", "step", "status", "kind", "pattern")


class Timeline:
    """Keeps one moment for each event that says something."""

    def __init__(self) -> None:
        self._moments: list[Moment] = []
        self._calls: dict[str, int] = {}

    def moments(self) -> tuple[Moment, ...]:
        """Return what was kept, in order."""
        return tuple(self._moments)

    def take(self, event: Event, turn: int, index: int | None) -> None:
        """Take an event in; a result is added to the moment of its call."""
        if isinstance(event, ToolResult):
            at = self._calls.pop(event.uid, None)
            if at is not None:
                self._moments[at] = replace(self._moments[at], outcome=event.outcome)
            return
        moment = _moment(event, turn, index)
        if moment is None:
            return
        if isinstance(event, ToolCall):
            at = self._calls.get(event.uid)
            if at is not None:
                self._moments[at] = moment
                return
            self._calls[event.uid] = len(self._moments)
        self._moments.append(moment)


def _moment(event: Event, turn: int, index: int | None) -> Moment | None:
    where = ""
    if event.src is not None:
        where = f"{event.src.file}:{event.src.line}" if event.src.line else event.src.file
    if isinstance(event, ToolCall):
        name = redact(event.name) + ("" if event.origin == "model" else " (host)")
        text = about(event.resolved_args or event.args)
        return Moment(turn=turn, name=name, event=index, placed=True, text=text, where=where)
    if isinstance(event, Host):
        text = about(event.data)
        return Moment(
            turn=turn,
            name=redact(event.name),
            event=index,
            placed=index is not None,
            text=text,
            where=where,
        )
    if isinstance(event, TurnEnd):
        return Moment(turn=turn, name="end of turn", placed=True, text=event.status, where=where)
    if isinstance(event, TurnStart):
        return Moment(turn=turn, name="turn", text=f"turn {event.turn}", where=where)
    if isinstance(event, Diag):
        said = short(f"{event.code}: {event.text}")
        return Moment(turn=turn, name="note", text=said, where=where)
    if isinstance(event, User | Assistant | Notice) and event.text:
        names = {User: "user", Assistant: "assistant", Notice: "notice"}
        return Moment(turn=turn, name=names[type(event)], text=short(event.text), where=where)
    return None


class _Placed(NamedTuple):
    """A receipt and the call that left it; turn 0 and no event for a call of an earlier file."""

    receipt: Receipt
    turn: int
    event: int | None


class ReceiptPlaces:
    """Remembers for each receipt the call that left it, as long as a verdict may rest on it."""

    def __init__(self, state: HostState) -> None:
        self._state = state
        self._placed: dict[str, dict[int, _Placed]] = {}
        self._bases: dict[str, int] = {}
        self.at: int | None = None
        """The event index of the call that is being applied."""

    def follow(self, turn: int) -> None:
        """Place the receipts that the last event left; of earlier turns what is owed is kept."""
        for scope, run in self._state.runs.items():
            ledger, placed = run.ledger, self._placed.setdefault(scope, {})
            end = ledger.base + len(ledger)
            known = next(reversed(placed)) + 1 if placed else 0
            if ledger.base != self._bases.get(scope, 0):
                self._bases[scope] = ledger.base
                owed = {bearing.at for bearing in bearings(run.gates).named}
                self._placed[scope] = placed = {at: placed[at] for at in placed if at in owed}
            for at in range(max(known, ledger.base), end):
                placed[at] = _Placed(ledger[at - ledger.base], turn, self.at)

    def of_verdict(self, scope: str, verdict: Verdict) -> Grounds:
        """Return the receipts behind a verdict by their indices in the ledger of a run."""
        run = self._state.runs.get(scope)
        base = 0 if run is None else run.ledger.base
        wanted = [(base + index, None) for index in verdict.grounds]
        return Grounds(self._named(scope, wanted))

    def of_end(self) -> Grounds:
        """Return the receipts that an end of the turn rests on; asked before it is told."""
        found = bearings(self._state.main.gates)
        return Grounds(self._named(MAIN, found.named), found.more)

    def _named(self, scope: str, wanted: Sequence[tuple[int, Role | None]]) -> tuple[Ground, ...]:
        """Return receipts as reports name them, as far as they are known."""
        known = self._placed.get(scope, {})
        return tuple(_ground(known[at], role) for at, role in wanted if at in known)


def _ground(placed: _Placed, role: Role | None) -> Ground:
    receipt = placed.receipt
    return Ground(
        turn=placed.turn,
        event=placed.event,
        tool=redact(receipt.tool),
        text=short(receipt.command or ", ".join(receipt.paths) or receipt.step)
        or about(receipt.args),
        outcome=receipt.outcome,
        role=None if role is None else role.value,
    )


def about(value: Any) -> str:
    """Return in short what arguments are about."""
    if isinstance(value, dict):
        if isinstance(value.get("todos"), list) and value["todos"]:
            return short(_about_list(value["todos"]))
        if isinstance(value.get("step_index"), int):
            return short(f"step {value['step_index']}: {value.get('result', '')}")
        for name in _TELLING:
            if isinstance(value.get(name), str) and value[name]:
                return short(value[name])
    if value in (None, {}, ""):
        return ""
    return short(value if isinstance(value, str) else msgspec.json.encode(value).decode())


def _about_list(items: list[Any]) -> str:
    """Return what a task list is about: how much of it is done, and what comes next."""
    known = [item for item in items if isinstance(item, dict)]
    done = sum(item.get("status") == "completed" for item in known)
    rest = [str(item.get("content", "")) for item in known if item.get("status") != "completed"]
    return f"{done} of {len(items)} done" + (f", next: {rest[0]}" if rest else "")


def short(text: str) -> str:
    """Return the start of a text, secrets masked."""
    text = redact(text)
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 1]}…"
