"""Parts of texts for messages: where two begin to differ, and no more of them than one reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def common_start(one: Sequence[object], other: Sequence[object]) -> int:
    """Return how many members, characters or bytes two sequences have in common at their start."""
    for index, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return index
    return min(len(one), len(other))


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
