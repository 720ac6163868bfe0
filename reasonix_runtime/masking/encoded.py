"""Secrets inside base64: what `echo … | base64 -d` or a manifest of a cluster holds."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from typing import Final

from reasonix_runtime.masking.keys import MASK

_WORD: Final = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20,}={0,2}")
_URL_SAFE: Final = str.maketrans("-_", "+/")


def masked(text: str, mask: Callable[[str], str]) -> str:
    """Return a text with each word masked that is base64 of one in which `mask` finds something."""
    return _WORD.sub(lambda match: MASK if _hides(match[0], mask) else match[0], text)


def _hides(word: str, mask: Callable[[str], str]) -> bool:
    inner = _decoded(word)
    return inner is not None and mask(inner) != inner


def _decoded(word: str) -> str | None:
    """Return the text that a word is base64 of, None if it is of none."""
    digits = word.rstrip("=").translate(_URL_SAFE)
    try:
        data = base64.b64decode(digits + "=" * (-len(digits) % 4), validate=True)
        text = data.decode("ascii")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return None
    return text if text.replace("\n", " ").isprintable() else None
