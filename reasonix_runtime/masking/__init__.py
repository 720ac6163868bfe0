"""Secrets hidden before a text of a trace, a dump or a server is shown or written.

A secret is known by the shape that its maker gives it (`keys.py`), by the name that it is given
(`named.py`), by where it stands (`places.py`), or by what it is once base64 is taken off
(`encoded.py`). Neither its length nor a part of it is left. What is masked stays as it is when it
is masked again.
"""

from __future__ import annotations

import re
from typing import Final

from reasonix_runtime.masking import encoded, keys, named, places

MASK: Final = keys.MASK
"""What stands in place of a secret."""

# What is masked has one of these marks, letter case aside, or is one long word of a key's letters.
_MARKS: Final = (
    *("key", "secret", "pass", "token", "bearer", "basic", "authoriz", "cookie", "://", "pwd"),
    *("private", "auth", "signature", "credential", "redis-cli", "ldap", "mongo", "mysql", "maria"),
    *("login", "zip", "curl"),
)
_LONG_WORD: Final = re.compile(r"[A-Za-z0-9_-]{15}")


def mask(text: str) -> str:
    """Return a text with everything that looks like a secret replaced by `[secret]`."""
    lowered = text.lower()
    if _LONG_WORD.search(text) is None:
        return _by_name(text) if any(map(lowered.__contains__, _MARKS)) else text
    return encoded.masked(_all(text), _all)


def _by_name(text: str) -> str:
    return named.masked(places.masked(text))


def _all(text: str) -> str:
    return _by_name(keys.masked(text))
