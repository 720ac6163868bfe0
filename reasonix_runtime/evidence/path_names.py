"""Values found by the file names of their paths, so that a path is not compared with all others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

from reasonix_runtime.evidence.paths import norm

V = TypeVar("V")


class ByName(Generic[V]):
    """Values by a path of theirs.

    However two paths are compared (EL-05), they only fit when they end in the same file name, in
    any case, or when one ends in `.` or `..` and does not tell its name.
    """

    def __init__(self) -> None:
        self._named: dict[str, list[V]] = {}
        self._values: list[V] = []

    def add(self, path: str, value: V) -> None:
        """Take a value in; one with several paths is added once for each."""
        self._named.setdefault(_name(path), []).append(value)
        self._values.append(value)

    def like(self, path: str) -> Iterable[V]:
        """Return the values with a path that may fit this one, in the order of adding."""
        name = _name(path)
        if not name:
            return self._values
        found, unnamed = self._named.get(name, ()), self._named.get("", ())
        return [*unnamed, *found] if unnamed else found


def _name(path: str) -> str:
    name = norm(path).rpartition("/")[2].lower()
    return "" if name in (".", "..") else name
