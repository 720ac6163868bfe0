"""How much a file tells of what the sub-agents of its session did.

They have files of their own, so that two copies of a session may differ in that alone.
"""

from __future__ import annotations

import sys
from pathlib import Path

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_runtime.trace.events import IN_MAIN, Diag, ToolCall


def untold(path: Path) -> tuple[int, int]:
    """Return how many sub-agents a file lacks, and how many calls of some it tells, below zero.

    The smaller of two tells more. A file that cannot be read tells least of all.
    """
    lacking = told = 0
    try:
        for event in events(Recording(path=path)):
            lacking += type(event) is Diag and event.code == "missing_child"
            told += type(event) is ToolCall and not event.uid.startswith(IN_MAIN)
    except (OSError, ConformanceError):
        return sys.maxsize, 0
    return lacking, -told
