"""Walking a directory tree from its handle: in a fixed order, never through a link."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from reasonix_runtime.tools.errors import PathError, ToolError, os_reason
from reasonix_runtime.tools.support import handles
from reasonix_runtime.tools.support.cancellation import Cancellation
from reasonix_runtime.tools.support.workspace import LARGEST_FILE, Place, Workspace

DEEPEST = 250
"""How many directories may be open inside each other; nothing below that is walked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Something in a directory.

    `path` is relative to where the walk began, with slashes. `found` are its own facts, not those
    of what a link leads to; None when the system did not tell them. `handle` is that of its
    directory, open as long as the entry is looked at.
    """

    path: str
    name: str
    found: os.stat_result | None
    handle: int

    @property
    def is_directory(self) -> bool:
        """Whether it is a directory; a link to one is not."""
        return self.found is not None and stat.S_ISDIR(self.found.st_mode)

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file."""
        return self.found is not None and stat.S_ISREG(self.found.st_mode)

    def read(self, limit: int = LARGEST_FILE) -> bytes | None:
        """Return the bytes of a regular file; None when it is too large or cannot be read."""
        if not self.is_file:
            return None
        try:
            with os.fdopen(handles.open_file(self.name, within=self.handle), "rb") as file:
                found = os.fstat(file.fileno())
                if not stat.S_ISREG(found.st_mode) or found.st_size > limit:
                    return None
                return file.read()
        except OSError:
            return None


def on_one_line(path: str) -> str:
    """Return a path for a list of one entry a line: its own line ends as escapes."""
    return path.replace("\n", "\\n").replace("\r", "\\r")


class Deadline:
    """A time limit for a walk, and the request to stop it."""

    def __init__(self, seconds: float, cancellation: Cancellation) -> None:
        self._end = time.monotonic() + seconds
        self._cancellation = cancellation

    def over(self) -> bool:
        """Whether the time is over; raises ToolError when the turn was cancelled."""
        if self._cancellation.requested:
            raise ToolError("cancelled before the search was complete")
        return time.monotonic() >= self._end


@dataclass(slots=True)
class Walk:
    """A walk through a tree.

    `enter` tells whether to go into a directory. `strict` makes the first directory that cannot be
    read an error instead of leaving it out.
    """

    workspace: Workspace
    place: Place
    enter: Callable[[Entry], bool] = lambda entry: True
    strict: bool = False
    deepest: int = DEEPEST
    left_out: int = field(default=0, init=False)
    """How many directories could not be read or lay too deep."""

    def __iter__(self) -> Iterator[Entry]:
        """Yield entries depth first, each directory sorted by the bytes of its names."""
        with open_directory(self.workspace, self.place) as handle:
            yield from self._below(handle, "", 1)

    def _below(self, handle: int, prefix: str, depth: int) -> Iterator[Entry]:
        for entry in entries(handle, prefix):
            if self.workspace.is_hidden(os.path.join(self.place.real, entry.path)):
                continue
            yield entry
            if not entry.is_directory or not self.enter(entry):
                continue
            if depth >= self.deepest:
                self.left_out += 1
                continue
            try:
                below = handles.open_directory(entry.name, within=handle)
            except OSError as error:
                if self.strict:
                    path = os.path.join(self.place.shown, entry.path)
                    raise PathError("open", path, os_reason(error)) from error
                self.left_out += 1
                continue
            try:
                yield from self._below(below, f"{entry.path}/", depth + 1)
            finally:
                os.close(below)


@contextmanager
def open_directory(workspace: Workspace, place: Place) -> Iterator[int]:
    """Open a directory without following a link; raises OSError."""
    with workspace.parent(place) as (parent, name):
        handle = handles.open_directory(name, within=parent)
    try:
        yield handle
    finally:
        os.close(handle)


def entries(handle: int, prefix: str = "") -> list[Entry]:
    """Return what an open directory holds, sorted by the bytes of the names."""
    return [
        Entry(path=prefix + name, name=name, found=_stat(handle, name), handle=handle)
        for name in sorted(os.listdir(handle), key=os.fsencode)
    ]


def _stat(handle: int, name: str) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=handle, follow_symlinks=False)
    except OSError:
        return None
