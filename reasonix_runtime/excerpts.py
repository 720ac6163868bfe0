"""Parts of texts for messages: where two differ, where one is odd, no more than one reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


def common_start(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many members, characters or bytes two sequences have in common at their start."""
    for index, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return index
    return min(len(one), len(other))


class OddByte(NamedTuple):
    """The byte at which a text stops being UTF-8: its line, from 1, and what to say of it."""

    line: int
    what: str


def odd_byte(error: UnicodeDecodeError) -> OddByte:
    """Return where bytes that were decoded are not UTF-8, as every message tells it.

    A byte order mark that was taken off before is not among the bytes of the error.
    """
    data, start = error.object, error.start
    line = data.count(b"\n", 0, start) + 1
    return OddByte(line, f"byte {data[start]:#04x} is not UTF-8")


def clipped(text: str, limit: int) -> str:
    """Return a text; of one that is longer, its first `limit` characters and an ellipsis."""
    return text if len(text) <= limit else f"{text[:limit]}…"


def around(one: str, other: str, width: int) -> tuple[str, str]:
    """Return what two texts say around the place where they part, `width` characters of each.

    An ellipsis stands for what is left out before and behind.
    """
    first = max(0, common_start(one, other) - width // 3)
    return _window(one, first, width), _window(other, first, width)


def _window(text: str, first: int, width: int) -> str:
    head = "…" if first else ""
    return f"{head}{clipped(text[first:], width)}"
