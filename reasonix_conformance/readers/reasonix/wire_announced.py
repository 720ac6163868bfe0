"""Calls that a stream shows before they are dispatched, and which attempt of the model shows them.

An attempt that is discarded takes along what it showed.
"""

from __future__ import annotations

from typing import Any


class Announced:
    """The calls of one turn that were announced and not dispatched yet, in their order."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._attempts: dict[str, str] = {}
        """By id the attempt that showed a call last, also where it was dispatched."""
        self._shown: dict[str | None, set[str]] = {}
        """By attempt the ids of those that wait; None has those that no attempt showed."""
        self._latest: str | None = None
        """The attempt that showed the latest call of the turn."""

    def add(self, ident: str, name: str, attempt: str | None) -> None:
        """Take in that a call is announced, maybe once more."""
        if ident in self._names:
            self._hide(ident)
        if attempt is not None:
            self._attempts[ident] = self._latest = attempt
        self._names[ident] = name
        self._shown.setdefault(self._attempts.get(ident), set()).add(ident)

    def dispatched(self, ident: str) -> None:
        """Take in that a call is dispatched, whether it was announced or not."""
        if ident in self._names:
            del self._names[ident]
            self._hide(ident)

    def discard(self, attempt: Any) -> None:
        """Forget what an attempt showed; a recording may hold anything for its name."""
        if attempt is None or isinstance(attempt, str):
            for ident in self._shown.pop(attempt, ()):
                del self._names[ident]

    def waits(self, ident: str) -> bool:
        """Whether a call was announced and not dispatched yet."""
        return ident in self._names

    def attempt_of(self, ident: str, current: str | None) -> str | None:
        """Return the attempt that showed a call of this turn.

        What was announced nowhere is of the current attempt, if that showed the latest call: a
        recording may lack one announcement of several, and they are of one response all the same.
        """
        told = self._attempts.get(ident)
        return current if told is None and current == self._latest else told

    def turn_ended(self) -> list[str]:
        """Forget all; return the names of the tools whose calls were never dispatched."""
        names = list(self._names.values())
        self._names.clear()
        self._attempts.clear()
        self._shown.clear()
        self._latest = None
        return names

    def _hide(self, ident: str) -> None:
        attempt = self._attempts.get(ident)
        shown = self._shown[attempt]
        shown.discard(ident)
        if not shown:
            del self._shown[attempt]
