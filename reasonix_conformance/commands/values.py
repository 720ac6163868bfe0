"""Values that an option of any command has to be given: an empty one is a mistake.

It comes from a variable of the shell that is not set, and would switch off what was asked for. All
raise `argparse.ArgumentTypeError`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from reasonix_conformance.settings import EMPTY_VALUE


def text(given: str) -> str:
    """Return a text that is not empty."""
    if not given:
        raise argparse.ArgumentTypeError(EMPTY_VALUE)
    return given


def path(given: str) -> Path:
    """Return a path; nothing would mean the current folder."""
    return Path(text(given))


def number(given: str) -> int:
    """Return a whole number from 0 on."""
    if not (given.isascii() and given.isdecimal()) or len(given) > 9:
        raise argparse.ArgumentTypeError(f"{given!r} is no number from 0 on")
    return int(given)
