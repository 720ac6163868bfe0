"""What the output of a Codex run hides by not telling the folder that its commands ran in.

A change is told by the whole path of its file, a command as it was given. Whether `cat a.py` showed
the file that was changed, nobody can say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

FOLDER_NOT_TOLD = "a command names a changed file from a folder that is not told"
"""What is said where such a command may have looked at what was changed."""
MOST_CHANGED = 1 << 8
"""Changed files that are remembered; of more, any command may name one."""

_WORD = re.compile(r"[^\s'\"|;&<>()`$=]+")
_WILD = re.compile(r"[*?\[]")

Parts = tuple[str, ...]


class Changed:
    """The files that were changed: what a turn leaves, a later one may look at."""

    def __init__(self) -> None:
        self._paths: set[Parts] = set()
        #: The same by each of their parts: a command has many words, and few of them name a file.
        self._holding: dict[str, set[Parts]] = {}
        self._more = False

    def add(self, path: str) -> None:
        """Take in the whole path of a file that was changed."""
        parts = _parts(path)
        if len(self._paths) == MOST_CHANGED and parts not in self._paths:
            self._more = True
            return
        self._paths.add(parts)
        for part in parts:
            self._holding.setdefault(part, set()).add(parts)

    def may_be_named_by(self, command: str) -> bool:
        """Whether a command names one of the files, or a folder of it, by a relative path."""
        return self._more or any(map(self._is_named, _relative(command)))

    def _is_named(self, parts: Parts) -> bool:
        wild = any(map(_WILD.search, parts))
        paths = self._paths if wild else self._holding.get(parts[-1], ())
        return any(_are_inside(parts, path) for path in paths)


def _relative(command: str) -> Iterator[Parts]:
    for word in _WORD.findall(command):
        if not word.startswith(("/", "-", "~")) and ":\\" not in word:
            parts = _parts(word)
            if parts:
                yield parts


def _parts(path: str) -> Parts:
    return tuple(part for part in re.split(r"[/\\]", path) if part not in ("", ".", ".."))


def _are_inside(parts: Parts, path: Parts) -> bool:
    """Whether parts, which may have wildcards, stand one behind the other in a path."""
    return any(
        all(map(fnmatchcase, path[start : start + len(parts)], parts))
        for start in range(len(path) - len(parts) + 1)
    )
