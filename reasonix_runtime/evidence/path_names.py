"""Paths found by their file names or by how they end, so that none is compared with all others."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, Generic, TypeVar

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


LONGEST_TURNED: Final = 256
"""How many of the last characters of a path its place in the order depends on."""


class PathsAt(dict[str, int]):
    """Normalised paths with the index at which each was met: they stay, and indices may change.

    Where no root is known, an absolute path may be one that is told by its end (`same_file`).
    """

    _turned: list[tuple[str, str]] | None = None
    _seen = 0

    def ending_in(self, tail: str) -> Iterator[str]:
        """Yield the absolute paths that end in `/` and this one."""
        turned = self._turned = [] if self._turned is None else self._turned
        for path in islice(self, self._seen, None):
            if path[:1] == "/" or path[1:2] == ":":
                insort(turned, (_turn(path), path))
        self._seen = len(self)
        ending = _turn(f"/{tail}")
        for beginning, path in islice(turned, bisect_left(turned, (ending,)), None):
            if not beginning.startswith(ending):
                return
            if path.endswith(f"/{tail}"):
                yield path


def _turn(path: str) -> str:
    """Return the end of a path from its last character on, so that equal ends stand together."""
    return path[: -LONGEST_TURNED - 1 : -1]


class Endings:
    """Normalised paths, found by longer ones that end in them, in any case.

    Of how a path is spelt in lower case a hash is kept, since it may be long; where two have the
    same one, a path more is found.
    """

    def __init__(self, paths: Iterable[str] = ()) -> None:
        self._folded: dict[int, dict[str, None]] = {}
        self._lengths: set[int] = set()
        for path in paths:
            self.add(path)

    def add(self, path: str) -> None:
        """Take a path in."""
        folded = path.lower()
        self._folded.setdefault(hash(folded), {})[path] = None
        self._lengths.add(len(folded))

    def of(self, path: str) -> Iterator[str]:
        """Yield the paths that are the same as this one, or that it ends in, the longest first."""
        folded = path.lower()
        yield from self._folded.get(hash(folded), ())
        at, end = folded.find("/"), len(folded) - 1
        while at >= 0:
            if end - at in self._lengths:
                yield from self._folded.get(hash(folded[at + 1 :]), ())
            at = folded.find("/", at + 1)
