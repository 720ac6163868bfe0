"""Numbers in the sentences of commands and reports."""

from __future__ import annotations


def count(number: int, what: str) -> str:
    """Return `1 trace`, `2 traces`."""
    return f"{number} {what}{'' if number == 1 else 's'}"
