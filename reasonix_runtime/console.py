"""What the commands print arrives whole, whatever the locale."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import TextIO

from reasonix_runtime.plain import readable


def prepare_output() -> None:
    """Let output never fail for a character, and messages never for want of a place to go.

    Files and pipes get UTF-8, since programs read them and JSON is UTF-8. A terminal keeps its
    encoding and shows escapes for what it lacks, and so does half a surrogate pair anywhere.
    Where standard error is closed, `print` would write what is meant for it among the results.
    """
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


def complain(message: str, *, err: TextIO | None = None) -> None:
    """Print a message on standard error, if that takes one: the exit code says it as well.

    It quotes what others wrote: secrets are masked, and nothing steers the terminal or the log.
    """
    with contextlib.suppress(OSError):
        print(readable(message, lines=True), file=err or sys.stderr, flush=True)


def drop_output() -> None:
    """Send what is still to be written nowhere: it must not fail again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def system_failure(error: OSError) -> str:
    """Return what to say of what the system refused: of its file, else of output (a full disk)."""
    what = "cannot write the result" if error.filename is None else error.filename
    return f"{what}: {error.strerror or error}"
