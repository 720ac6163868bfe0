"""Text of a trace made fit for a terminal or a log: what would steer it is spelled out.

A trace holds what models and commands wrote, also colour codes, titles for the window, characters
that turn the direction round, and line ends in file names that would begin a line of ours. The log
of a CI job is steered by lines, too: `::add-mask::x`, `##[group]x`, `##vso[…]x`.
"""

from __future__ import annotations

import re
from typing import Final

from reasonix_runtime.masking import mask

# What begins a command in the log: at the start of a line, blanks aside, or anywhere in it.
_COMMAND: Final = re.compile(
    r"^(?P<blank>[ \t]*):(?=:[a-z-]{2,32}(?:[ ][^\n]*?)?::)|#(?=#(?:vso|teamcity)?\[)",
    re.MULTILINE | re.IGNORECASE,
)


def plain(text: str, *, lines: bool = False) -> str:
    """Return a text with all that steers a terminal or a log written as its escape.

    Line feeds stay where the text may have several `lines`.
    """
    if not text.isprintable():
        text = "".join(
            char if char.isprintable() or (lines and char == "\n") else _escape(char)
            for char in text
        )
    return _COMMAND.sub(_spelled, text) if "::" in text or "##" in text else text


def readable(text: str, *, lines: bool = False) -> str:
    """Return a text fit to be shown: secrets masked, and nothing in it that steers."""
    return plain(mask(text), lines=lines)


def _spelled(match: re.Match[str]) -> str:
    return r"\x23" if match[0] == "#" else rf"{match['blank']}\x3a"


def _escape(char: str) -> str:
    if ord(char) > 127:
        return char.encode("ascii", "backslashreplace").decode()
    return repr(char)[1:-1]
