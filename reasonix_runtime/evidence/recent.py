"""A memory of bounded size that keeps what is used."""

from __future__ import annotations

from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Remembers values by key; when it is full, what was not used lately is forgotten.

    Two halves: `now` is filled, and when it is full it takes the place of the one before. What is
    found in the older half moves to the newer one, so only what nobody asked for while a whole half
    was filled is lost.

    Args:
        most: how much one half holds, in the unit of the sizes that `keep` is told.
    """

    __slots__ = ("_before", "_most", "_size", "now")

    def __init__(self, most: int) -> None:
        #: The newer half; a look into it alone is quick and may miss.
        self.now: dict[K, V] = {}
        self._before: dict[K, V] = {}
        self._most = most
        self._size = 0

    def find(self, key: K, size: int = 1) -> V | None:
        """Return the value of a key, None when it is not known."""
        found = self.now.get(key)
        if found is None:
            found = self._before.get(key)
            if found is not None:
                self.keep(key, found, size)
        return found

    def keep(self, key: K, value: V, size: int = 1) -> None:
        """Remember a value."""
        self._size += size
        if self._size > self._most:
            self._before, self.now, self._size = self.now, {}, size
        self.now[key] = value
