"""What the commands print arrives whole, whatever the locale."""

from __future__ import annotations

import io
import sys


def prepare_output() -> None:
    """Let output never fail for a character.

    Files and pipes get UTF-8, since programs read them and JSON is UTF-8. A terminal keeps its
    encoding and shows escapes for what it lacks, and so does half a surrogate pair anywhere.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")
