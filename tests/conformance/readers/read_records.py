"""A trace that a test writes, and what was read from it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trace_samples import lines

from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_runtime.trace.events import Diag, Event, ToolCall, ToolResult, TurnEnd


def read(folder: Path, *records: dict[str, Any]) -> list[Event]:
    """Write records to a file of a name that tells nothing, one a line, and read it."""
    return read_text(folder, lines(*records))


def read_text(folder: Path, text: str | bytes, **options: Any) -> list[Event]:
    """Write a trace to a file of a name that tells nothing, and read it."""
    file = folder / "trace"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(events(Recording(path=file, shown="trace", **options)))


def codes(stream: Iterable[Event]) -> list[str]:
    """Return the codes of the diagnostics, each once, in the order of the alphabet."""
    return sorted({event.code for event in stream if isinstance(event, Diag)})


def notes(stream: Iterable[Event]) -> list[str]:
    """Return the codes of the diagnostics as told; that turns were inferred is nothing odd."""
    return [e.code for e in stream if isinstance(e, Diag) and e.code != "turn_inferred"]


def acted(stream: Iterable[Event]) -> list[tuple[str, str]]:
    """Return (uid, tool) of each call."""
    return [(event.uid, event.name) for event in stream if isinstance(event, ToolCall)]


def outcomes(stream: Iterable[Event]) -> list[tuple[str, str]]:
    """Return (outcome, basis) of each result."""
    return [(event.outcome, event.basis) for event in stream if isinstance(event, ToolResult)]


def ended(stream: Iterable[Event]) -> list[tuple[str, str]]:
    """Return (uid, outcome) of each result."""
    return [(event.uid, event.outcome) for event in stream if isinstance(event, ToolResult)]


def results(stream: Iterable[Event]) -> list[tuple[str, str, str]]:
    """Return (tool, outcome, basis) of each result."""
    called: dict[str, str] = {}
    found = []
    for event in stream:
        if isinstance(event, ToolCall):
            called[event.uid] = event.name
        elif isinstance(event, ToolResult):
            found.append((called[event.uid], event.outcome, event.basis))
    return found


def texts(stream: Iterable[Event]) -> dict[str, str]:
    """Return the text of each result by the uid of its call."""
    return {event.uid: event.text for event in stream if isinstance(event, ToolResult)}


def ends(stream: Iterable[Event]) -> list[tuple[str, bool]]:
    """Return (status, whether it is judged) of each end of a turn."""
    return [(event.status, event.judge) for event in stream if isinstance(event, TurnEnd)]
