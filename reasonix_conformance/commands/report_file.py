"""Where a report is written: to standard output, or to a file once it is whole.

A run that is refused, fails or is stopped leaves the report of an earlier one as it is. Half of a
report would look like a whole one.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.files import failing_as, whole_file


@contextmanager
def report_to(path: Path | None, out: TextIO) -> Iterator[TextIO]:
    """Give the stream that the report is written to.

    Raises:
        ConformanceError: the file cannot be written.
    """
    if path is None:
        yield out
        return
    with failing_as(ConformanceError, f"{path}: cannot be written"), whole_file(path) as stream:
        # The name of a file can hold bytes that are no UTF-8.
        text = io.TextIOWrapper(stream, encoding="utf-8", errors="backslashreplace", newline="\n")
        yield text
        text.flush()
        text.detach()
