"""A text as lines that remember how they end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """One line and its end: LF, CRLF, or nothing for a last line without one."""

    text: str
    end: str


def lines_of(text: str) -> list[Line]:
    """Return the lines of a text; put together again they are the text."""
    parts = text.split("\n")
    lines = [
        Line(part[:-1], "\r\n") if part.endswith("\r") else Line(part, "\n") for part in parts[:-1]
    ]
    return [*lines, Line(parts[-1], "")] if parts[-1] else lines


def without(lines: Sequence[Line], start: int, end: int) -> str:
    """Return the text without the lines from `start` up to `end`.

    Whether the text ends with a line end stays as it was.
    """
    kept = [*lines[:start], *lines[end:]]
    text = "".join(line.text + line.end for line in kept)
    if kept and lines and not lines[-1].end:
        text = text.removesuffix(kept[-1].end)
    return text
