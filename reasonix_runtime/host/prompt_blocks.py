"""Which blocks of a prompt the host put there, and which the user only quotes.

A host puts its blocks (`<active-goal>...</active-goal>`) one after the other at the very beginning
of a prompt, or at its very end. A prompt that a user quotes has text of the user's own before and
after it. One that is pasted as the whole text, or at its edge, cannot be told from the host's own.
"""

from __future__ import annotations

import re
from typing import Final

_BLOCK: Final = re.compile(r"\s*<([\w-]+)(?: [^<>]*)?>.*?</\1>\s*", re.DOTALL)


def blocks_around(tag: str, prompt: str) -> str:
    """Return the run of blocks around a prompt that has one of this name, else nothing."""
    opening = f"<{tag}>"
    if opening not in prompt:
        return ""
    in_front = prompt[: _end_of_blocks(prompt, 0)]
    if opening in in_front:
        return in_front
    at = prompt.rfind(opening)
    return prompt[at:] if _end_of_blocks(prompt, at) == len(prompt) else ""


def inside(tag: str, prompt: str) -> str | None:
    """Return what stands in the first block of this name, None where there is none."""
    _, _, behind = prompt.partition(f"<{tag}>")
    told, closed, _ = behind.partition(f"</{tag}>")
    return told if closed else None


def _end_of_blocks(prompt: str, at: int) -> int:
    """Return where the blocks end that stand one after the other from a place on."""
    while found := _BLOCK.match(prompt, at):
        at = found.end()
    return at
