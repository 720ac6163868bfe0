"""The goal of a session on disk.

A goal is written whole to a temporary file beside the target, flushed to the disk, and put in
place by one rename, so that a crash leaves the old file or the new one. A file that cannot be read
changes nothing and is reported. What a caller was told is stored can be read back.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from reasonix_runtime.contract.canonical import refuse_constant
from reasonix_runtime.errors import ReasonixError
from reasonix_runtime.gates.goal.life import RestoreGoal, SetGoal
from reasonix_runtime.gates.goal.machine import GoalEvent, advance
from reasonix_runtime.gates.goal.policy import CONTRACT_GOAL, GoalRules
from reasonix_runtime.gates.goal.sidecar import MalformedGoalError, decode_goal, encode_goal
from reasonix_runtime.gates.goal.state import NO_GOAL, GoalState, new_scope
from reasonix_runtime.gates.goal.table import Step
from reasonix_runtime.whole_files import read_whole

LARGEST = 4 * 1024 * 1024
"""Bytes; a larger file is no goal and is not read."""


class GoalFileError(ReasonixError):
    """A goal could not be stored; `path` is the file, and the goal in memory is the old one."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path}: the goal was not stored: {why}; the goal before it stays")
        self.path = path


@dataclass(frozen=True, slots=True)
class Stored:
    """What a file held; `problem` says why there is no goal in it, None where all is well.

    A session without a file has neither goal nor problem.
    """

    goal: GoalState | None
    problem: str | None = None


def read_goal(path: Path) -> Stored:
    """Read the goal of a session; never raises for what the file holds."""
    try:
        raw = read_whole(path, most=LARGEST)
    except FileNotFoundError:
        return Stored(None)
    except OSError as error:
        return Stored(None, f"{path}: cannot be read: {error.strerror or error}")
    try:
        return Stored(decode_goal(json.loads(raw, parse_constant=refuse_constant)))
    except (ValueError, RecursionError) as error:
        kind = "malformed" if isinstance(error, MalformedGoalError) else "no JSON"
        return Stored(None, f"{path}: {kind}: {error}")


def write_goal(path: Path, goal: GoalState) -> None:
    """Put a goal in place of what the file held.

    Raises:
        OSError: the disk refused, or the goal is larger than what is read again; the file is what
            it was.
    """
    text = json.dumps(encode_goal(goal), ensure_ascii=False, indent=1)
    # Half a surrogate pair, which no encoding has, is written as the escape that JSON has for it.
    data = text.encode(errors="backslashreplace")
    if len(data) > LARGEST:
        raise OSError(errno.EFBIG, f"{len(data)} bytes, and no more than {LARGEST} are read again")
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _flush_directory(path.parent)


def _flush_directory(directory: Path) -> None:
    """Make the rename itself durable where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class GoalStore:
    """The goal of one session, in memory and on disk.

    Every change goes through :meth:`apply`; saves do not overtake each other. A user's own change
    is durable: when it cannot be written, the goal in memory is rolled back. Background progress
    that cannot be written keeps the previous file and is told in :attr:`problems`.
    """

    def __init__(self, path: Path, *, rules: GoalRules = CONTRACT_GOAL) -> None:
        self.path = path
        self.rules = rules
        self.goal = NO_GOAL
        #: What went wrong without stopping anything, oldest first.
        self.problems: list[str] = []
        self._lock = Lock()

    def load(self, *, seed: str = "") -> Step:
        """Take the stored goal over; an unreadable file changes nothing and is told.

        `seed` makes the scope of an old goal without one.
        """
        stored = read_goal(self.path)
        if stored.problem:
            self.problems.append(stored.problem)
        with self._lock:
            event = RestoreGoal(stored=stored.goal, scope=new_scope(f"{self.path.name}:{seed}"))
            self.goal, step = advance(self.goal, event, self.rules)
            if stored.goal is not None and encode_goal(stored.goal) != encode_goal(self.goal):
                self._save_quietly()
        return step

    def apply(self, event: GoalEvent, *, durable: bool | None = None) -> Step:
        """Advance the goal and store it when it changed.

        `durable` (by default: the user sets a goal) means that a failed write undoes the change.

        Raises:
            GoalFileError: a durable change could not be written; the goal is what it was.
        """
        durable = isinstance(event, SetGoal) if durable is None else durable
        with self._lock:
            after, step = advance(self.goal, event, self.rules)
            self._keep(after, durable=durable)
            return step

    def keep(self, goal: GoalState, *, durable: bool = False) -> None:
        """Store a goal that a host's state machine has advanced, when it changed.

        Raises:
            GoalFileError: a durable change could not be written; the goal is what it was.
        """
        with self._lock:
            self._keep(goal, durable=durable)

    def _keep(self, goal: GoalState, *, durable: bool) -> None:
        before, self.goal = self.goal, goal
        if goal == before:
            return
        if not durable:
            self._save_quietly()
            return
        try:
            write_goal(self.path, goal)
        except OSError as error:
            self.goal = before
            raise GoalFileError(self.path, str(error.strerror or error)) from error

    def _save_quietly(self) -> None:
        try:
            write_goal(self.path, self.goal)
        except OSError as error:
            self.problems.append(f"{self.path}: progress was not stored: {error}")
