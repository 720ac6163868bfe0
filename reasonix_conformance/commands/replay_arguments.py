"""What the values of the options of `replay` have to look like.

Each function takes the text of one and raises `argparse.ArgumentTypeError` for what is none.
"""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path
from typing import Final

from reasonix_conformance.commands import values
from reasonix_conformance.commands.standard_input import STDIN
from reasonix_conformance.parallel.remote_files import MARK
from reasonix_conformance.settings import NO_WHOLE_PATH
from reasonix_runtime.evidence.paths import PathStyle, is_absolute

NOTHING: Final = "none"
JUDGED: Final = ("expectation", "host_lenient", "host_strict", "reject", "not_assessable")
FAIL_ON: Final = (*JUDGED, NOTHING)
DEFAULT_FAIL_ON: Final = ("expectation", "host_lenient", "reject")


def location(text: str) -> Path | str:
    """Return a path, or the address of a file somewhere else as it is.

    Only `-` is standard input: a file that is called so has a name with its folder.
    """
    values.text(text)
    path = Path(text)
    if path == STDIN and text != str(STDIN):
        path = path.absolute()
    return text if MARK in text else path


def kinds(text: str) -> tuple[str, ...]:
    """Return what fails the run."""
    found = tuple(part.strip() for part in text.split(","))
    for kind in found:
        if kind not in FAIL_ON:
            raise argparse.ArgumentTypeError(f"{kind!r} is none of {', '.join(FAIL_ON)}")
    if NOTHING in found and set(found) != {NOTHING}:
        raise argparse.ArgumentTypeError(f"{NOTHING!r} means that nothing fails; give it alone")
    return found


def jobs(text: str) -> int:
    """Return a number of workers."""
    if not text.isdecimal() or not 1 <= int(text) <= 256:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to 256")
    return int(text)


def size(text: str) -> int:
    """Return a number of bytes that was given in MiB."""
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of MiB") from None
    if not 0 < number <= 4096:
        raise argparse.ArgumentTypeError("the cap must be above 0 and at most 4096 MiB")
    return int(number * 2**20)


def workspace(text: str) -> str:
    """Return the whole path of a folder, of whatever machine."""
    values.text(text)
    if not is_absolute(text, PathStyle.WINDOWS):
        raise argparse.ArgumentTypeError(f"{text!r} {NO_WHOLE_PATH}")
    return text


def share(text: str) -> float:
    """Return a number of percent."""
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of percent") from None
    if not 0 <= number <= 100:
        raise argparse.ArgumentTypeError("a share is from 0 to 100 percent")
    return number


def day(text: str) -> date:
    """Return a date."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no date such as 2026-12-31") from None
