"""Looks by relative names, where nobody knows the folder that they are relative to.

Many recordings tell a change by the whole path of its file and a command as it was given. Whether
`cat a.py` showed the file that was changed, nobody can say there: not that it did, and not that
nobody looked.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

from reasonix_runtime.evidence.receipts import Receipt

MOST_LOOKS = 256
"""How many looks are remembered."""

_WORD = re.compile(r"[^\s'\"|;&<>()`$=]+")
_WILD = re.compile(r"[*?\[]")

Parts = tuple[str, ...]


class PlacelessLooks:
    """Good calls that changed nothing, while a change was unseen: the latest ones."""

    __slots__ = ("_calls",)

    def __init__(self) -> None:
        self._calls: deque[tuple[int, Receipt]] = deque(maxlen=MOST_LOOKS)

    def take(self, at: int, receipt: Receipt) -> None:
        """Take in a call and its position."""
        self._calls.append((at, receipt))

    def may_have_seen(self, changed: Mapping[str, int]) -> list[str]:
        """Return those of some files, with the positions of their changes, that one may show.

        It came after the change, and named the file, or a folder of it, by a relative path.
        """
        # Slices, as a turn may have changed thousands of files by relative names.
        files = {path: _parts(path) for path in changed if path[:1] == "/" or path[1:2] == ":"}
        if not files or not self._calls:
            return []
        named = [(at, tuple(_names(receipt))) for at, receipt in self._calls]
        return [
            path
            for path, parts in files.items()
            if any(at > changed[path] and _is_named(parts, names) for at, names in named)
        ]


def _names(receipt: Receipt) -> Iterator[Parts]:
    """Yield the parts of the relative paths that a call may name."""
    for word in _WORD.findall(receipt.command) if receipt.command else receipt.paths:
        if not word.startswith(("/", "-", "~")) and word[1:2] != ":":
            parts = _parts(word)
            if parts:
                yield parts


def _parts(path: str) -> Parts:
    """Return the names in a path, in small letters: of Windows, the same file has several."""
    return tuple(part for part in re.split(r"[/\\]", path.lower()) if part not in ("", ".", ".."))


def _is_named(path: Parts, names: Iterable[Parts]) -> bool:
    """Whether one of some names, which may have wildcards, stands as it is in a path."""
    return any(
        (wild or (parts[-1] in path))
        and any(
            all(map(fnmatchcase, path[start : start + len(parts)], parts))
            for start in range(len(path) - len(parts) + 1)
        )
        for parts in names
        for wild in (any(map(_WILD.search, parts)),)
    )
