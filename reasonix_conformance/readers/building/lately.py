"""What was met lately, in bounded memory: of a long recording the oldest is forgotten."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Lately(Generic[K, V]):
    """The values of keys that were put in lately: surely the last `most`, at most twice as many.

    The older half is forgotten at once; one by one, each step would search for the oldest. Looking
    a key up does not keep it longer, other than in `evidence/recent.py`: what a recording may still
    speak of depends on when it was told, not on who asked.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._new: dict[K, V] = {}
        self._old: dict[K, V] = {}

    def __len__(self) -> int:
        return len(self._new) + len(self._old)

    def __contains__(self, key: K) -> bool:
        return key in self._new or key in self._old

    def get(self, key: K) -> V | None:
        """Return the value of a key, None where it was never met or is forgotten."""
        return self._new.get(key, self._old.get(key))

    def put(self, key: K, value: V) -> None:
        """Remember a value."""
        if len(self._new) >= self._most:
            self._old, self._new = self._new, {}
        self._new[key] = value
