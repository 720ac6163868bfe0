"""Sessions that stand beside one another in a file, told one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, Protocol, TypeVar

from reasonix_conformance.readers.building.builder import Builder

MOST_WAITING = 16 * 2**20
"""Bytes that other sessions tell after which one that is silent is taken to be over."""

SESSION = 4096
"""Bytes that a session counts for by itself: it holds about as much, however little it told."""


class Told(Protocol):
    """One session as it is told."""

    build: Builder


T = TypeVar("T", bound=Told)


class Beside(Generic[T]):
    """The sessions of a file by their numbers from 0, in the order in which they begin.

    The events of the first can be given as they are made, those of the others wait until it is
    over. A session that says nothing more is only known at the end of the file; so that what waits
    does not grow with the file, one that was silent for long is taken to be over. What is given up:
    if it goes on after all, that is told as a session of its own.
    """

    def __init__(self) -> None:
        self.open: dict[int, T] = {}
        self.first = 0
        """The number of the first session that is not over."""
        self.begun = 0
        self._told = 0
        self._heard: dict[int, int] = {}

    def begin(self, session: T) -> int:
        """Take in a session that begins, and return its number."""
        number = self.begun
        self._told += SESSION
        self.open[number] = session
        self._heard[number] = self._told
        self.begun += 1
        return number

    def heard(self, number: int, size: int) -> None:
        """Take in that a session told so many bytes."""
        if number != self.first:
            self._told += size
        self._heard[number] = self._told

    def silent(self) -> Iterator[tuple[int, T]]:
        """Take out the first sessions, as long as they have been silent for long."""
        while self.first + 1 < self.begun:
            if self._told - self._heard[self.first] <= MOST_WAITING:
                return
            yield self._take_first()

    def rest(self) -> Iterator[tuple[int, T]]:
        """Take out all that are left: the file has ended."""
        while self.first < self.begun:
            yield self._take_first()

    def _take_first(self) -> tuple[int, T]:
        number = self.first
        del self._heard[number]
        self.first += 1
        return number, self.open.pop(number)
