"""How commands, paths and titles stand in messages: masked, on one line, of bounded length."""

from __future__ import annotations

from collections.abc import Iterable

from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.masking import mask


@memoised(4096)
def shown(text: str, limit: int = 80) -> str:
    """Return a command, path or title for a message: masked, on one line, cut to a length.

    The cut is made after the masking, so that no half of a secret is left.
    """
    line = " ".join(mask(text).split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def shown_all(texts: Iterable[str]) -> str:
    """List commands or paths for a message, each in back-quotes as :func:`shown` tells it."""
    return ", ".join(f"`{shown(text)}`" for text in texts)
