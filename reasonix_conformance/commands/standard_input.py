"""A trace from standard input: `codex exec --json … | reasonix-conformance replay -`.

A trace is read more than once, so what comes in is kept in a file until the run is over; no more of
it than a file may have.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.files import failing_as
from reasonix_conformance.readers.files.sources import BUFFER, DEFAULT_EXPANDED

STDIN: Final = Path("-")
"""The path that means it."""
NAME: Final = "stdin"
"""What reports call it."""

Paths = Sequence[Path | str]


@contextmanager
def kept(
    paths: Paths, *, cap: int, most: int = DEFAULT_EXPANDED
) -> Iterator[tuple[Paths, Mapping[Path, str]]]:
    """Give the paths with a file in the place of `-`, and the name of that file in reports.

    `cap` is the longest line that is read, `most` what may come in at all, both in bytes.

    Raises:
        ConformanceError: nothing comes in, more than `most` does, or it cannot be kept.
    """
    if STDIN not in paths:
        yield paths, {}
        return
    if sys.stdin is None or sys.stdin.isatty():
        raise ConformanceError(
            "-: standard input is a terminal or closed; send a trace into it, or name a file"
        )
    with TemporaryDirectory(prefix="reasonix-") as folder:
        file = Path(folder) / NAME
        with failing_as(ConformanceError, "-: cannot be kept"), file.open("wb") as out:
            _keep(sys.stdin.buffer, out, cap, most)
        yield [file if path == STDIN else path for path in paths], {file: NAME}


def _keep(source: IO[bytes], out: IO[bytes], cap: int, most: int) -> None:
    """Keep what comes in, up to a line beyond the cap: whoever reads the file says that of it.

    Raises:
        ConformanceError: more than `most` bytes come in.
    """
    line = kept = 0
    while block := source.read(BUFFER):
        kept += len(block)
        if kept > most:
            raise ConformanceError(
                f"-: more than {most} bytes come in; write them to a file, and name that"
            )
        out.write(block)
        end = block.rfind(b"\n")
        line = line + len(block) if end < 0 else len(block) - end - 1
        if line > cap:
            return
