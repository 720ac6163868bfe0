"""A session as it happened, whoever wrote it down."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

Record = dict[str, Any]
Files = dict[str, bytes]
"""The files of a recording by their names; the first one is read."""

SID = "11111111-2222-4333-8444-555555555555"
FOLDER = "/w"
PIXEL = "iVBORw0KGgo="
"""The data of an image, wherever one is shown."""
SUMMARY = "Summary: something was done, see above."
"""What a host puts in the place of what it took out of the model's view."""


@dataclass(frozen=True)
class Call:
    """A call and how it ended; `what` is the path, or the command, that it was about.

    `answered` is false for one without a result, `made` for a result without its call; `twice`
    stands for a second result that says the opposite. `ended` is told where it ended otherwise than
    well or ill: `denied` before it ran, `stopped` by the user, or as a job in the background of
    which `job` tells the end. `inside` is what a sub-agent did.
    """

    kind: str
    what: str
    ok: bool = True
    output: str = "+x = 1"
    ident: str = ""
    answered: bool = True
    made: bool = True
    twice: bool = False
    ended: str = ""
    job: str = ""
    shows: bool = False
    cut: bool = False
    inside: tuple[Response, ...] = ()

    @property
    def code(self) -> int:
        """The exit status of a command."""
        return 0 if self.ok else 1

    @property
    def changes(self) -> bool:
        """Whether it, or the sub-agent that it starts, would change something."""
        own = self.kind in ("edit", "write", "odd") or self.what.startswith("sed -i")
        return own or any(call.changes for one in self.inside for call in one.calls)

    @property
    def number(self) -> str:
        """What tells its job, or its sub-agent, from others."""
        return self.ident[-3:]


@dataclass(frozen=True)
class Response:
    """The calls of one response of the model, and what it said with them.

    `turned` says that the results came in another order, `retried` that the provider failed before
    it answered, `compacted` that the model's view was shortened before.
    """

    calls: tuple[Call, ...]
    text: str = ""
    turned: bool = False
    retried: bool = False
    compacted: bool = False

    @property
    def made(self) -> list[Call]:
        """The calls that are told."""
        return [call for call in self.calls if call.made]

    @property
    def results(self) -> Iterator[Call]:
        """What came back, in order."""
        for call in self.calls[:: -1 if self.turned else 1]:
            if call.answered or not call.made:
                yield call
                if call.twice:
                    yield replace(call, ok=not call.ok)


@dataclass(frozen=True)
class Turn:
    """What the user asked for, and what was done until the model answered, or was `stopped`."""

    prompt: str
    responses: tuple[Response, ...]
    answer: str = "All done."
    shows: bool = False
    stopped: bool = False


Session = tuple[Turn, ...]
"""The turns of a session."""

Change = Callable[[int, Call], tuple[Call, ...]]
"""Gives what stands in the place of a call; it is given its number, too."""


def named_after(call: Call, digit: int) -> str:
    """Return the id of something that goes with a call: no other call has it."""
    return f"{call.ident[:-3]}{digit}{call.number}"


def ended_jobs(responses: tuple[Response, ...], at: int) -> list[Call]:
    """Return the jobs of which is told before a response that they have ended.

    Those are of the response before it; `at` is one too high before the answer of the turn.
    """
    calls = responses[at - 1].calls if at else ()
    return [
        call for call in calls if call.ended == "job" and call.job and call.made and call.answered
    ]


def each_call(session: Session) -> list[Call]:
    """Return the calls of a session in order, with those of sub-agents behind their own."""
    return [call for turn in session for call in _calls_in(turn.responses)]


def _calls_in(responses: tuple[Response, ...]) -> Iterator[Call]:
    for response in responses:
        for call in response.calls:
            yield call
            yield from _calls_in(call.inside)


def changed(session: Session, change: Change) -> Session:
    """Return a session with each call replaced by others."""
    numbers = iter(range(len(each_call(session))))

    def each(responses: tuple[Response, ...]) -> tuple[Response, ...]:
        told = []
        for response in responses:
            calls: list[Call] = []
            for call in response.calls:
                number = next(numbers)
                inside = each(call.inside)
                calls += change(number, replace(call, inside=inside) if call.inside else call)
            if calls:
                told.append(replace(response, calls=tuple(calls)))
        return tuple(told)

    return tuple(replace(turn, responses=each(turn.responses)) for turn in session)


def each_response(session: Session, change: Callable[[Response], Response]) -> Session:
    """Return a session with each response changed, those of sub-agents, too."""

    def each(responses: tuple[Response, ...]) -> tuple[Response, ...]:
        told = []
        for one in responses:
            calls = tuple(replace(call, inside=each(call.inside)) for call in one.calls)
            told.append(change(replace(one, calls=calls)))
        return tuple(told)

    return tuple(replace(turn, responses=each(turn.responses)) for turn in session)


def in_order(session: Session) -> Session:
    """Return a session in which all results come in the order of their calls."""
    return each_response(session, lambda one: replace(one, turned=False))


def numbered(session: Session) -> Session:
    """Return a session whose calls have ids."""
    return changed(session, lambda number, call: (replace(call, ident=f"toolu_{number:03}"),))


def lines(*records: Any) -> bytes:
    """Write records one a line."""
    return "".join(json.dumps(record) + "\n" for record in records).encode()
