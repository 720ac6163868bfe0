"""A trace from standard input: `codex exec --json … | reasonix-conformance replay -`.

A trace is read more than once, so what comes in is kept in a file until the run is over.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.files import failing_as

STDIN: Final = Path("-")
"""The path that means it."""
NAME: Final = "stdin"
"""What reports call it."""

Paths = Sequence[Path | str]


@contextmanager
def kept(paths: Paths) -> Iterator[tuple[Paths, Mapping[Path, str]]]:
    """Give the paths with a file in the place of `-`, and the name of that file in reports.

    Raises:
        ConformanceError: nothing comes in, or it cannot be kept.
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
            shutil.copyfileobj(sys.stdin.buffer, out)
        yield [file if path == STDIN else path for path in paths], {file: NAME}
