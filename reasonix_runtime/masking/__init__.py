"""Secrets hidden before a text of a trace, a dump or a server is shown or written.

A secret is known by several signs (`signs.py`): by the shape that its maker gives it (`keys.py`),
by the name that it is given (`named.py`), by where it stands (`places.py`), or by what it is once
base64 is taken off (`encoded.py`). Neither its length nor a part of it is left. What is masked
stays as it is when it is masked again.
"""

from __future__ import annotations

import re
from typing import Final

MASK: Final = "[secret]"
"""What stands in place of a secret."""

PROGRAMS: Final = (
    *("mysql", "maria", "redis-cli", "mongo", "ldap", "zip", "7z", "rar", "openssl", "smb", "-u"),
    *("cqlsh", "sqlcmd", "bcp", "mosquitto", "ipmitool", "-pw", "twine", "poetry", "-a "),
)
"""What stands in a command that takes a password behind an option which does not say so."""

# What is masked has one of these marks, letter case aside, or is one long word of a key's letters.
_MARKS: Final = (
    *("key", "secret", "pass", "token", "bearer", "basic", "authoriz", "cookie", "://", "pwd"),
    *("private", "auth", "signature", "credential", "identified", "login", "curl", *PROGRAMS),
)
_LONG_WORD: Final = re.compile(r"[A-Za-z0-9_-]{15}")


def mask(text: str) -> str:
    """Return a text with everything that looks like a secret replaced by `[secret]`."""
    if _LONG_WORD.search(text) is None and not any(map(text.lower().__contains__, _MARKS)):
        return text
    # The patterns take ten milliseconds to import, and most runs have nothing to mask.
    from reasonix_runtime.masking.signs import masked

    return masked(text)


def hidden(text: str) -> list[str]:
    """Return what :func:`mask` hides in a text."""
    begin, *parts = mask(text).split(MASK)
    found, at = [], len(begin)
    for part in parts:
        end = text.index(part, at) if part else len(text)
        found.append(text[at:end])
        at = end + len(part)
    return found
