"""The slots of a session: children wait here for their turn, and writers for their paths."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from reasonix_runtime.gates.delegation.claims import Claim, overlap
from reasonix_runtime.gates.delegation.launch import Reads, Taken, fits

if TYPE_CHECKING:
    from reasonix_runtime.tools.support.cancellation import Cancellation


class _Place:
    """One child, running or waiting; two with equal claims are two."""

    __slots__ = ("asked",)

    def __init__(self, asked: Claim | Reads) -> None:
        self.asked = asked


class Slots:
    """Who runs, and who waits, in the order of coming.

    A later one that fits starts before an earlier one that does not.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running: list[_Place] = []
        self._waiting: list[_Place] = []

    @property
    def taken(self) -> Taken:
        """The slots that are taken now."""
        found = Taken()
        for place in tuple(self._running):
            found = found.with_one(place.asked)
        return found

    @contextmanager
    def held(
        self, asked: Claim | Reads, cancellation: Cancellation, *, waits: bool = True
    ) -> Iterator[bool]:
        """Wait for a slot and hold it inside; False, without one, when the cancellation comes.

        One that never `waits` gets its slot at once or not at all.
        """
        place = _Place(asked)
        got = self._wait(place, cancellation, waits=waits)
        try:
            yield got
        finally:
            if got:
                with self._changed:
                    self._running.remove(place)
                    self._changed.notify_all()

    def _wait(self, place: _Place, cancellation: Cancellation, *, waits: bool) -> bool:
        with cancellation.calling(self._wake), self._changed:
            self._waiting.append(place)
            try:
                while waits and not (cancellation.requested or self._is_next(place)):
                    self._changed.wait()
                got = not cancellation.requested and self._is_next(place)
                if got:
                    self._running.append(place)
                return got
            finally:
                self._waiting.remove(place)
                self._changed.notify_all()

    def _is_next(self, place: _Place) -> bool:
        """Whether the one that waits fits, and none before it does."""
        taken = self.taken
        return next((one for one in self._waiting if fits(one.asked, taken)), None) is place

    def in_the_way(self, claim: Claim) -> bool:
        """Whether a running writer holds paths of a claim."""
        held = [place.asked for place in tuple(self._running)]
        return any(not isinstance(one, Reads) and overlap(claim, one) for one in held)

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()
