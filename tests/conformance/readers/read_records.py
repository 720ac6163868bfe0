"""A trace that a test writes as records, and what was read from it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trace_samples import lines

from reasonix_conformance.readers.formats import events
from reasonix_conformance.readers.recording import Recording
from reasonix_runtime.trace.events import Diag, Event


def read(folder: Path, *records: dict[str, Any]) -> list[Event]:
    """Write records to a file of a name that tells nothing, one a line, and read it."""
    file = folder / "trace"
    file.write_text(lines(*records))
    return list(events(Recording(path=file, shown="trace")))


def notes(stream: Iterable[Event]) -> list[str]:
    """Return the codes of the diagnostics; that turns were inferred is nothing odd."""
    return [e.code for e in stream if isinstance(e, Diag) and e.code != "turn_inferred"]
