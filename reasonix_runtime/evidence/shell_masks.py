"""What the tolerant Bash parser misreads inside a word, put in a way that it reads like a shell.

A mask changes single bytes and no place, so that words are still cut from the text as it was.
"""

from __future__ import annotations

import re

_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)
_INNER_HASH = re.compile(rb"(?<=[A-Za-z0-9_./:=@%+,~^-])#")


def masked(source: bytes) -> bytes:
    r"""Return a text for the parser in which an escaped blank is a letter of its word.

    The parser loses the backslash of ``ls \ x`` and with it the word, and rejects one at the very
    end, which a shell takes for itself.
    """
    if b"\\" not in source:
        return source
    kept = len(source) - len(source.rstrip(b"\\"))
    return _ESCAPED.sub(_visible, source) + b"\\" * (kept % 2)


def _visible(match: re.Match[bytes]) -> bytes:
    return b"\\_" if match[1] in b" \t" else match[0]


def without_inner_hashes(source: bytes) -> bytes:
    """Return a text in which `#` inside a word is a letter; a comment begins with its own word."""
    return _INNER_HASH.sub(b"_", source)
