"""The blocks that a host puts around what a user says, told from those that the user quotes.

They stand one after the other at the very beginning of a prompt, or at its very end; a prompt that
is pasted into a text has something of the user's own before it and behind it. One that is pasted as
the whole text, or at its very edge, looks as the host's own.
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


def _end_of_blocks(prompt: str, at: int) -> int:
    """Return where the blocks end that stand one after the other from a place on."""
    while found := _BLOCK.match(prompt, at):
        at = found.end()
    return at
