"""Patterns by which a shell finds files: `src/*.py` stands for those that are there.

A star stops at a slash, and leaves files alone whose names begin with a dot.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.memo import memoised

if TYPE_CHECKING:
    from collections.abc import Iterable

_GLOB: Final = re.compile(r"[^\[\]{}]*[*?][^\[\]{}]*")
_BRACES: Final = re.compile(r"([^{}]*)\{([^{},]*(?:,[^{},]*){1,9})\}([^{}]*)")
_PARTS: Final = re.compile(r"\*+|\?|[^*?]+")


def is_glob(word: str) -> bool:
    """Whether a word is a pattern of stars and question marks alone."""
    return _GLOB.fullmatch(word) is not None


def without_braces(word: str) -> list[str]:
    """Return what `src/{a,b}.py` stands for; a word without such a list stands for itself."""
    found = _BRACES.fullmatch(word)
    if found is None:
        return [word]
    return [f"{found[1]}{one}{found[3]}" for one in found[2].split(",")]


def fits_glob(path: str, globs: Iterable[str]) -> bool:
    """Whether a path fits one of some patterns, both told by their keys (`Ledger.key`)."""
    return any(_pattern(glob).fullmatch(path) for glob in globs)


@memoised(256)
def _pattern(glob: str) -> re.Pattern[str]:
    told = []
    for folder in glob.split("/"):
        parts = _PARTS.findall(folder)
        hidden = "(?!\\.)" if folder[:1] in {"*", "?"} else ""
        told.append(hidden + "".join(map(_part, parts)))
    return re.compile("/".join(told))


def _part(text: str) -> str:
    if text[0] == "*":
        return "[^/]*"
    return "[^/]" if text == "?" else re.escape(text)
