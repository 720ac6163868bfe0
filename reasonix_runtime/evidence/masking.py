"""Hiding what looks like a secret before a command or a path stands in a message or a report."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

MASK = "***"

_NAME = r"(?:api[_-]?key|access[_-]?key|secret|token|passw(?:or)?d|credential|private[_-]?key)"
_VALUE = r"(?P<hide>\"[^\"]*\"|'[^']*'|[^\s\"';&|)]+)"

_PATTERNS = (
    # NAME=value and "name": value, where the name says that the value is secret
    re.compile(rf"(?i)(?P<keep>(?<![\w/.])-{{0,2}}[\w-]*{_NAME}[\w-]*[\"']?(?:=|:\s*)){_VALUE}"),
    # --name value
    re.compile(rf"(?i)(?P<keep>(?<!\S)--?[\w-]*{_NAME}[\w-]*\s+){_VALUE}"),
    # Authorization headers
    re.compile(r"(?i)(?P<keep>\b(?:bearer|basic)\s+)(?P<hide>[A-Za-z0-9._~+/=-]{8,})"),
    # user:password@host
    re.compile(r"(?P<keep>://[^/\s:@]*:)(?P<hide>[^/\s@]+)(?=@)"),
    # keys that are known by their first letters
    re.compile(
        r"(?P<keep>)(?P<hide>\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}|\bgh[opsur]_[A-Za-z0-9]{20,}"
        r"|\bgithub_pat_[A-Za-z0-9_]{20,}|\bglpat-[A-Za-z0-9_-]{16,}|\bxox[abeprs]-[A-Za-z0-9-]{10,}"
        r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}|\bAIza[A-Za-z0-9_-]{30,}"
        r"|\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,})"
    ),
)


def mask(text: str) -> str:
    """Return the text with everything that looks like a secret replaced by `***`."""
    for pattern in _PATTERNS:
        text = pattern.sub(lambda found: found["keep"] + MASK, text)
    return text


@lru_cache(maxsize=4096)
def shown(text: str, limit: int = 80) -> str:
    """Return a command, path or title for a message: masked, on one line, cut to a length.

    The cut is made after the masking, so that no half of a secret is left.
    """
    line = " ".join(mask(text).split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def shown_all(texts: Iterable[str]) -> str:
    """List commands or paths for a message, each in back-quotes as :func:`shown` tells it."""
    return ", ".join(f"`{shown(text)}`" for text in texts)
