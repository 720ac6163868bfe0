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
MOST_CHANGED = 1 << 12
"""Changed files of a turn that are surely remembered."""

_WORD = re.compile(r"[^\s'\"|;&<>()`$=]+")


class Changed:
    """The changed files of a turn."""

    def __init__(self) -> None:
        self._paths: dict[str, tuple[str, ...]] = {}

    def add(self, path: str) -> None:
        """Take in the whole path of a file that was changed."""
        if len(self._paths) < MOST_CHANGED:
            self._paths[path] = _parts(path)

    def forget(self) -> None:
        """Begin another turn."""
        self._paths.clear()

    def may_be_named_by(self, command: str) -> bool:
        """Whether a command names one of the files, or a folder of it, by a relative path."""
        return any(
            _are_inside(parts, path)
            for parts in _relative(command)
            for path in self._paths.values()
        )


def _relative(command: str) -> Iterator[tuple[str, ...]]:
    for word in _WORD.findall(command):
        if not word.startswith(("/", "-", "~")) and ":\\" not in word:
            parts = _parts(word)
            if parts:
                yield parts


def _parts(path: str) -> tuple[str, ...]:
    return tuple(part for part in re.split(r"[/\\]", path) if part not in ("", ".", ".."))


def _are_inside(parts: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Whether parts, which may have wildcards, stand one behind the other in a path."""
    return any(
        all(map(fnmatchcase, path[start : start + len(parts)], parts))
        for start in range(len(path) - len(parts) + 1)
    )
