"""Neutral events as JSON lines: what the reference host appends and what readers exchange."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from reasonix_conformance.readers.lines import Broken, Decoder
from reasonix_conformance.readers.recording import Recording
from reasonix_runtime.trace.events import (
    DIAGNOSTICS,
    Diag,
    Event,
    Session,
    Source,
    SubStart,
    ToolCall,
    ToolResult,
    scope_of,
)

FORMAT = "neutral/1"

_decode: Decoder[Any] = Decoder(Event)


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a neutral trace; one that cannot follow is reported, not passed on."""
    scopes = {"main"}
    known: set[str] = set()
    number = 0
    session = False
    for number, line in enumerate(recording.lines(), 1):
        event = _decode(line)
        where = Source(recording.shown, number)
        if event is None:
            continue
        if not session and not isinstance(event, Session):
            yield Session(sid=recording.sid, format=FORMAT, src=where)
        session = True
        if isinstance(event, Broken):
            code = "truncated_tail" if event.torn else "bad_line"
            yield _diag(code, where, event.text)
            continue
        problem = _misplaced(event, scopes, known)
        if problem is not None:
            yield _diag(*problem[:1], where, problem[1])
            continue
        yield msgspec.structs.replace(event, src=where)
    if not session:
        yield Session(sid=recording.sid, format=FORMAT)
    if number == 0:
        yield _diag("truncated_tail", Source(recording.shown), "the file is empty")


def _misplaced(event: Any, scopes: set[str], known: set[str]) -> tuple[str, str] | None:
    """Return (code, text) if an event speaks of a call or scope that is not there."""
    if isinstance(event, SubStart):
        if event.parent_uid not in known:
            return "missing_child", f"the call {event.parent_uid} that started it is not open"
        scopes.add(event.scope)
    elif isinstance(event, ToolCall):
        if scope_of(event.uid) not in scopes:
            return "missing_child", f"the scope of call {event.uid} was not started"
        known.add(event.uid)
    elif isinstance(event, ToolResult):
        if event.uid not in known:
            return "orphan_result", f"no call is open for the result of {event.uid}"
        known.discard(event.uid)
    elif isinstance(event, Diag) and event.code not in DIAGNOSTICS:
        return "unknown_record", f"the diagnostic code {event.code!r} is not known"
    return None


def _diag(code: str, where: Source, text: str) -> Diag:
    at = f"{where.file}:{where.line}" if where.line else where.file
    return Diag(code=code, where=at, text=text, src=where)
