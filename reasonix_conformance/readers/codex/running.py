"""The work of a Codex run that has begun and not ended, as its output tells both.

What overlaps is told as calls of one response: nobody knows which saw what. A command that goes on
while other work begins and ends, and more begins, runs in the background: its end is the host event
`job_ended`. Other work is waited for; without an end nobody knows what came of it.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.building.lately import Lately
from reasonix_conformance.readers.hosts.outcomes import UNKNOWN, Grade
from reasonix_runtime.trace.host_events import JOB_ENDED

MOST_OPEN = 1 << 12
"""How many pieces of work may be open; of more nobody knows what came of the oldest."""

COMMAND = "exec_command"
"""The tool whose work may go on in the background."""
_NUMBERED = re.compile(r"item_(\d{1,9})")
GOES_ON = Grade("running", "state")


class Numbers:
    """The numbers of the items of a run: each new item has the next one."""

    def __init__(self) -> None:
        self._next = 0
        self._others: Lately[str, None] = Lately(MOST_OPEN)
        """The ids of items that hide their numbers behind another id."""

    def skip_to(self, ident: str) -> bool:
        """Take in an item; whether there are others between it and those before."""
        found = _NUMBERED.fullmatch(ident)
        if found is None:
            if ident not in self._others:
                self._others.put(ident, None)
                self._next += 1
            return False
        number = int(found[1])
        skips = number > self._next
        self._next = max(self._next, number + 1)
        return skips


class Piece(NamedTuple):
    """A piece of work as a call: its id, tool, arguments, how it stands, and what it gave."""

    ident: str
    tool: str
    args: Any
    grade: Grade
    text: str


class Running:
    """The open work of a run by its ids, which each run of a thread counts anew."""

    def __init__(self, build: Builder) -> None:
        self._build = build
        self._run = self._step = 0
        self._open: dict[str, str] = {}
        """The uids of open calls, in the order in which they began."""
        self._commands: set[str] = set()
        """Those of them that are commands."""
        self._passed: set[str] = set()
        """Those of them that work which began later did not wait for."""
        self._jobs: dict[str, str] = {}
        """The uids of calls that were told to go on in the background."""

    def next_run(self) -> None:
        """Go on with another run, which uses the same ids again."""
        self._run += 1
        self.forget()

    def forget(self) -> None:
        """Know of no work: what is open is answered by nobody."""
        self._open.clear()
        self._commands.clear()
        self._passed.clear()
        self._jobs.clear()

    def say(self, text: str) -> None:
        """Tell a message of the model: a response of its own."""
        self._step += 1
        self._build.assistant(text, step=f"s{self._step}")

    def begin(self, piece: Piece) -> None:
        """Tell that work begins."""
        for key in [key for key in self._open if key in self._passed & self._commands]:
            self._goes_on(key)
        while len(self._open) >= MOST_OPEN:
            self._answer(next(iter(self._open)), UNKNOWN)
        if not self._open:
            self.say("")
        ident = f"{piece.ident}@{self._run}" if self._run > 1 else piece.ident
        uid = self._build.call(ident, piece.tool, piece.args, step=f"s{self._step}")
        self._open[piece.ident] = uid
        if piece.tool == COMMAND:
            self._commands.add(piece.ident)

    def is_open(self, ident: str) -> bool:
        """Whether work has begun and not ended."""
        return ident in self._open or ident in self._jobs

    def end(self, piece: Piece) -> None:
        """Tell how work that has begun ended."""
        ident = piece.ident
        if ident in self._jobs:
            self._end_job(ident, piece.grade)
            return
        for key in self._open:
            if key == ident:
                break
            self._passed.add(key)
        if piece.grade.outcome == "running":
            self._goes_on(ident)
            return
        self._answer(ident, piece.grade, piece.text)

    def _end_job(self, ident: str, grade: Grade) -> None:
        if grade.outcome != "running":
            uid = self._jobs.pop(ident)
            self._build.host(JOB_ENDED, {"uid": uid, "outcome": grade.outcome})

    def note(self, tool: str, args: Any) -> None:
        """Tell a call that only notes something down and never fails."""
        uid = self._build.call((), tool, args, step=f"s{self._step}")
        self._build.result("", Grade("ok", "absence"), "", uid=uid)

    def turn_ended(self) -> None:
        """Tell that the commands that are open go on: their turn has ended."""
        for key in [key for key in self._open if key in self._commands]:
            self._goes_on(key)

    def _goes_on(self, ident: str) -> None:
        self._jobs[ident] = self._open[ident]
        self._answer(ident, GOES_ON)

    def _answer(self, ident: str, grade: Grade, text: str = "") -> None:
        uid = self._open.pop(ident)
        self._commands.discard(ident)
        self._passed.discard(ident)
        self._build.result("", grade, text, uid=uid)
