"""What a replay keeps for people beside its verdicts: events in short, receipts by place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec

from reasonix_conformance.readers.redact import redact
from reasonix_conformance.replay.results import Ground, Moment
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import (
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


class ReceiptPlaces:
    """Remembers for each receipt of a ledger the call that left it."""

    def __init__(self, state: HostState) -> None:
        self._state = state
        self._places: dict[str, list[tuple[int, int]]] = {}
        self.at = 0
        """The event index of the call that is being applied."""

    def follow(self, turn: int) -> None:
        """Place the receipts that the last event left; an emptied ledger begins anew."""
        for scope, run in self._state.runs.items():
            places = self._places.setdefault(scope, [])
            size = len(run.ledger)
            if size < len(places):
                places.clear()
            while len(places) < size:
                places.append((turn, self.at))

    def grounds(self, scope: str, indices: Sequence[int]) -> tuple[Ground, ...]:
        """Return the receipts behind these ledger indices."""
        run = self._state.runs.get(scope)
        places = self._places.get(scope, [])
        found = []
        for index in indices:
            if run is None or not 0 <= index < min(len(places), len(run.ledger)):
                continue
            receipt = run.ledger[index]
            turn, event = places[index]
            text = receipt.command or ", ".join(receipt.paths) or receipt.step
            found.append(
                Ground(
                    turn=turn,
                    event=event,
                    tool=redact(receipt.tool),
                    text=short(text),
                    outcome=receipt.outcome,
                )
            )
        return tuple(found)


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
