"""What a live host tells its state machine, in order, and who else hears it.

Every event of a run passes here once: with the time it happened at, to the one state machine that
judges, and to the listeners that record or show it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from reasonix_runtime.agents.errors import RecordError, ScopeEndedError
from reasonix_runtime.trace.events import (
    Assistant,
    Event,
    Host,
    HostVerdict,
    Judgement,
    SubEnd,
    SubStart,
    scope_of,
)
from reasonix_runtime.trace.neutral import line_of

if TYPE_CHECKING:
    from datetime import datetime

    from reasonix_runtime.gates.verdict import Verdict
    from reasonix_runtime.host.state import HostState

Listener: TypeAlias = Callable[[Event], None]

OWN_FILE = 0o600
"""A record holds what files and commands said, so nobody else reads it."""


class Journal:
    """The events of one run.

    Args:
        state: the state machine that judges them.
        clock: the time of an event.
        listeners: who is told each event, with its time.
    """

    def __init__(
        self,
        state: HostState,
        *,
        clock: Callable[[], datetime],
        listeners: Sequence[Listener] = (),
    ) -> None:
        self.state = state
        #: Held while an event is judged and told, so that both happen in one order.
        self.lock = threading.RLock()
        self._clock = clock
        self._listeners = tuple(listeners)
        self._closed = False
        self._spent = 0
        self._children: dict[str, str] = {}
        """The scopes that are open, in the order of their start, by the call that started each."""

    def apply(self, event: Event) -> Sequence[Verdict]:
        """Let an event be judged, then tell it; returns the verdicts.

        Raises ScopeEndedError for a response in a scope that has ended, and for everything in a
        journal that is closed.
        """
        with self.lock:
            if self._closed:
                raise ScopeEndedError("the session has ended")
            if isinstance(event, Assistant) and event.scope not in self.state.runs:
                raise ScopeEndedError(f"{event.scope} has ended")
            verdicts = self.state.apply(event)
            self.tell(event)
            return verdicts

    def tell(self, event: Event) -> None:
        """Tell an event that the state machine knows already."""
        with self.lock:
            timed = msgspec.structs.replace(event, at=self.time())
            for listener in self._listeners:
                listener(timed)

    def decide(self, event: Host, gate: str) -> Verdict:
        """Let an event be judged by the gate that it asks; the decision is told before it."""
        with self.lock:
            (verdict,) = self.state.apply(event)
            decided: Judgement = "accept" if verdict.accepted else "reject"
            self.tell(HostVerdict(gate=gate, result=decided, turn=event.turn))
            self.tell(event)
            return verdict

    def may_end(self, scope: str, answer: str) -> Verdict:
        """Return whether an agent may end with an answer; nothing moves by that.

        Raises ScopeEndedError when the agent was ended meanwhile, as one that was cancelled is.
        """
        with self.lock:
            verdict = self.state.ask_end(scope, answer)
        if verdict is None:
            raise ScopeEndedError(f"{scope} has ended")
        return verdict

    def spend(self, tokens: int) -> None:
        """Take in what an answer cost, whoever asked for it."""
        with self.lock:
            self._spent += tokens

    def take_spent(self) -> int:
        """Return what was spent since the last time."""
        with self.lock:
            spent, self._spent = self._spent, 0
            return spent

    def begin_child(self, event: SubStart) -> None:
        """Tell that a child starts."""
        with self.lock:
            self._children[event.scope] = event.parent_uid
            self.apply(event)

    def end_child(self, scope: str, status: str) -> None:
        """Tell that a child ended, after its own children; one that has ended already stays so."""
        with self.lock:
            if scope not in self._children:
                return
            for inner, caller in reversed(tuple(self._children.items())):
                if scope_of(caller) == scope:
                    self.end_child(inner, "cancelled")
            self.apply(SubEnd(scope=scope, parent_uid=self._children.pop(scope), status=status))

    def close(self) -> None:
        """End the children that are open, and hear nothing any more."""
        with self.lock:
            for scope in reversed(tuple(self._children)):
                self.end_child(scope, "cancelled")
            self._closed = True

    def time(self) -> str:
        """Return the time as events tell it."""
        return self._clock().isoformat()


class Record:
    """A file with the neutral trace of a run; each event is in it as soon as it happened.

    Raises RecordError for a file that is there already or cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
            self._file = os.open(path, flags, OWN_FILE)
        except FileExistsError:
            raise RecordError(
                f"{path} exists already; a record is never overwritten, name another file"
            ) from None
        except FileNotFoundError:
            raise RecordError(f"{path}: there is no folder {path.parent}; make it first") from None
        except OSError as error:
            raise RecordError(f"{path}: {error.strerror or error}") from None

    def take(self, event: Event) -> None:
        """Append an event; raises RecordError where the file cannot take it."""
        line = memoryview(line_of(event))
        try:
            while line:
                line = line[os.write(self._file, line) :]
        except OSError as error:
            raise RecordError(f"{self._path}: {error.strerror or error}") from None

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)
