"""Secrets inside base64: what `echo … | base64 -d` or a manifest of a cluster holds."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from typing import Final

from reasonix_runtime.masking import MASK

# Four letters tell three bytes. Where all of these are ASCII, the letters are some of their places,
# so that ids and hashes, which are no text, are hardly ever looked at.
_FIRST: Final = "[CDI-Za-f]"
_SECOND: Final = "[A-HQ-Xg-nw-z0-3]"
_THIRD: Final = "[ABEFIJMNQRUVYZcdghklopstwx014589]"
_ANY: Final = "[A-Za-z0-9+/_-]"
_TEXT: Final = re.compile(
    rf"(?<!{_ANY})(?:{_FIRST}{_SECOND}{_THIRD}{_ANY}){{5,}}"
    rf"(?:{_FIRST}{_SECOND}(?:{_THIRD}=?|={{0,2}}))?(?!{_ANY})"
)
_URL_SAFE: Final = str.maketrans("-_", "+/")


def masked(text: str, mask: Callable[[str], str]) -> str:
    """Return a text with each word masked that is base64 of one in which `mask` finds something."""
    return _TEXT.sub(lambda match: MASK if _hides(match[0], mask) else match[0], text)


def _hides(word: str, mask: Callable[[str], str]) -> bool:
    inner = _decoded(word)
    return mask(inner) != inner


def _decoded(word: str) -> str:
    """Return the text that a word is base64 of, nothing if it is of none."""
    letters = word.rstrip("=").translate(_URL_SAFE)
    try:
        return base64.b64decode(letters + "=" * (-len(letters) % 4)).decode("ascii")
    except (binascii.Error, UnicodeDecodeError):
        return ""
