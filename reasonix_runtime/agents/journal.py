"""What a live host tells its state machine, in order, and who else hears it.

Every event of a run passes here once: with the time it happened at, to the one state machine that
judges, and to the listeners that record or show it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import msgspec

from reasonix_runtime.agents.errors import RecordError
from reasonix_runtime.trace.events import Event
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
        self._clock = clock
        self._listeners = tuple(listeners)

    def apply(self, event: Event) -> Sequence[Verdict]:
        """Let an event be judged, then tell it; returns the verdicts."""
        verdicts = self.state.apply(event)
        self.tell(event)
        return verdicts

    def tell(self, event: Event) -> None:
        """Tell an event that the state machine knows already."""
        timed = msgspec.structs.replace(event, at=self.time())
        for listener in self._listeners:
            listener(timed)

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
