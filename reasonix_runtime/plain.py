"""Text of a trace made fit for a terminal or a log: what would steer it is spelled out.

A trace holds what models and commands wrote, also colour codes, titles for the window, characters
that turn the direction round, and line ends in file names that would begin a line of ours.
"""

from __future__ import annotations


def plain(text: str, *, lines: bool = False) -> str:
    """Return a text with every character that is not printable written as its escape.

    Line feeds stay where the text may have several `lines`.
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or (lines and char == "\n") else _escape(char) for char in text
    )


def _escape(char: str) -> str:
    if ord(char) > 127:
        return char.encode("ascii", "backslashreplace").decode()
    return repr(char)[1:-1]
