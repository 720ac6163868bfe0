"""Sets of words, written as one text, and the words that a name is made of."""

from __future__ import annotations

import re
from typing import Final

_OF_NAME: Final = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


def words(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


def words_of_name(name: str) -> list[str]:
    """Return the words of a name, lower: those of `skipTests` and `SKIP_TESTS` are the same."""
    return [word.lower() for word in _OF_NAME.findall(name)]
