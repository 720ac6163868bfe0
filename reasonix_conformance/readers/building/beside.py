"""Sessions whose records are mixed in one file, told one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

from reasonix_conformance.readers.building.builder import Builder

MOST_WAITING = 16 * 2**20
"""Bytes that other sessions tell since the last record of one, until it is taken to be over."""

SESSION = 4096
"""Bytes that the beginning of a session counts for: it takes about as much memory by itself."""


class Told(Protocol):
    """A session that is being told: whatever it is, it has a builder of its own."""

    build: Builder


T = TypeVar("T", bound=Told)


class Beside(Generic[T]):
    """The sessions of a file by their numbers from 0, in the order in which they begin.

    A replay judges one session after the other, so only the events of the first one that is not
    over are given as they are made; those of the others wait. No record marks the end of a session,
    and only the end of the file makes it sure. So that what waits does not grow with the file, a
    session is taken to be over when the others have told `MOST_WAITING` bytes since its last
    record. If it goes on after all, the rest of it is told as a session of its own.
    """

    def __init__(self) -> None:
        self.open: dict[int, T] = {}
        self.first = 0
        """The number of the first session that is not over."""
        self.begun = 0
        self._told = 0
        """Bytes that the sessions behind the first told, with `SESSION` for each that began."""
        self._heard: dict[int, int] = {}
        """What `_told` was at the last record of each session that is not over."""

    def begin(self, session: T) -> int:
        """Take in a session that begins, and return its number."""
        number = self.begun
        self._told += SESSION
        self.open[number] = session
        self._heard[number] = self._told
        self.begun += 1
        return number

    def heard(self, number: int, size: int) -> None:
        """Take in a record of a session, and how many bytes it has."""
        if number != self.first:
            self._told += size
        self._heard[number] = self._told

    def silent(self) -> Iterator[tuple[int, T]]:
        """Take out and yield the first sessions that are taken to be over."""
        while self.first + 1 < self.begun:
            if self._told - self._heard[self.first] <= MOST_WAITING:
                return
            yield self._take_first()

    def rest(self) -> Iterator[tuple[int, T]]:
        """Take out and yield all sessions that are left, at the end of the file."""
        while self.first < self.begun:
            yield self._take_first()

    def _take_first(self) -> tuple[int, T]:
        number = self.first
        del self._heard[number]
        self.first += 1
        return number, self.open.pop(number)
