"""What tools keep for themselves beside the work: no check looks at it, and nobody misses it.

What is built is another matter: tests may run it (`products.py`).
"""

from __future__ import annotations

import re
from typing import Final

_CACHES: Final = r"__pycache__|\.(?:pytest_cache|mypy_cache|ruff_cache|eslintcache|nyc_output)"
_NAMED: Final = re.compile(
    rf"(?:\./)?(?:[\w*-]+/)*(?:{_CACHES}|\*\.py[co]|\.coverage(?:\.\*)?|\.DS_Store|htmlcov)/?"
)
_NAME: Final = rf"-name (?:{_CACHES}|\*\.py[co]|\.DS_Store)"
_FILTER: Final = r"(?: -(?:type [df]|depth|prune|not -path \S+))*"
_FOUND: Final = re.compile(
    rf"find(?: (?:\.|\w[\w./-]*))+{_FILTER} (?:{_NAME}|\( {_NAME}(?: -o {_NAME})+ \)){_FILTER}"
    r" (?:-delete|-exec rm -(?:rf?|fr?) \{\} (?:\+|;))"
)
_LETTERS: Final = re.compile(r"-[rfRv]+|--recursive|--force|--")


def drops_caches(words: tuple[str, ...]) -> bool:
    """Whether a command takes away what tools keep for themselves, and nothing else."""
    if words[0] == "find":
        return _FOUND.fullmatch(" ".join(words)) is not None
    named = [word for word in words[1:] if not _LETTERS.fullmatch(word)]
    return words[0] == "rm" and bool(named) and all(map(_NAMED.fullmatch, named))
