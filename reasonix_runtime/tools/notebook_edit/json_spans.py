"""Where the members of a JSON object and the elements of an array stand in a text.

An edit that replaces spans leaves every other byte of the file as it was: order of keys, spelling
of numbers, indentation, escapes.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Span:
    """A value in a text: where it starts and ends, and what it is."""

    start: int
    end: int
    value: Any


def skip(text: str, at: int) -> int:
    """Return the index of the next character that is no white space."""
    found = _SPACE.match(text, at)
    return found.end() if found else at


def value_at(text: str, at: int) -> Span:
    """Return the value that starts at `at`; raises json.JSONDecodeError."""
    value, end = _DECODER.raw_decode(text, at)
    return Span(at, end, value)


def members(text: str, at: int) -> dict[str, Span]:
    """Return the values of the object that starts at `at`, by key in their order."""
    found: dict[str, Span] = {}
    at = skip(text, at + 1)
    while text[at] != "}":
        key = value_at(text, at)
        value = value_at(text, skip(text, skip(text, key.end) + 1))
        found[key.value] = value
        at = skip(text, value.end)
        if text[at] == ",":
            at = skip(text, at + 1)
    return found


def elements(text: str, at: int) -> list[Span]:
    """Return the elements of the array that starts at `at`, in their order."""
    found: list[Span] = []
    at = skip(text, at + 1)
    while text[at] != "]":
        found.append(value_at(text, at))
        at = skip(text, found[-1].end)
        if text[at] == ",":
            at = skip(text, at + 1)
    return found
