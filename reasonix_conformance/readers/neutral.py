"""Neutral events as JSON lines: what the reference host appends and what readers exchange."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import msgspec

from reasonix_conformance.readers.lines import Broken, Decoder
from reasonix_conformance.readers.recording import Recording
from reasonix_conformance.readers.shared import ArgumentPool
from reasonix_runtime.trace.events import (
    DIAGNOSTICS,
    MAIN,
    Assistant,
    Compaction,
    Diag,
    Event,
    Host,
    HostVerdict,
    Notice,
    Session,
    Source,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    User,
    scope_of,
)

FORMAT = "neutral/1"


class _Call(ToolCall, tag="tool.call", frozen=True, kw_only=True):
    """A call as it is decoded: its arguments are looked up by their text."""

    args: msgspec.Raw = msgspec.Raw(b"null")


_Record: TypeAlias = (
    Session
    | TurnStart
    | User
    | Assistant
    | _Call
    | ToolResult
    | SubStart
    | SubEnd
    | Notice
    | HostVerdict
    | Compaction
    | TurnEnd
    | Diag
    | Host
)

_decoder: Decoder[Any] = Decoder(_Record)
_set = msgspec.structs.force_setattr


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a neutral trace; one that cannot follow is reported, not passed on."""
    shown = recording.shown
    placing = _Placing(shown)
    number = 0
    lines = enumerate(recording.lines(), 1)
    for number, line in lines:  # how many there are is asked below
        event = placing.event(line, number)
        if event is not None:
            yield from _begun(event, recording)
            break
    else:
        yield Session(sid=recording.sid, format=FORMAT)
        if number == 0:
            yield _diag("truncated_tail", Source(shown), "the file is empty")
    for number, line in lines:
        event = placing.event(line, number)
        if event is not None:
            yield event


def _begun(event: Event, recording: Recording) -> Iterator[Event]:
    """Yield the first event, behind a session where the trace does not tell of one."""
    if not isinstance(event, Session):
        yield Session(sid=recording.sid, format=FORMAT, src=event.src)
    yield event


class _Placing:
    """Decodes lines and holds each event against the scopes and calls before it."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._scopes = {MAIN}
        self._known: set[str] = set()
        self._arguments = ArgumentPool().arguments

    def event(self, line: bytes, number: int) -> Event | None:
        """Return the event of a line, or a diagnostic; None for a blank line."""
        event: Any = _decoder(line)
        kind = type(event)
        if kind is ToolResult:
            uid = event.uid
            if uid not in self._known:
                text = f"no call is open for the result of {uid}"
                return _diag("orphan_result", Source(self._file, number), text)
            self._known.discard(uid)
        elif kind is _Call:
            uid = event.uid
            if scope_of(uid) not in self._scopes:
                text = f"the scope of call {uid} was not started"
                return _diag("missing_child", Source(self._file, number), text)
            self._known.add(uid)
            _set(event, "args", self._arguments(event.name, bytes(event.args)))
        elif event is None:
            return None
        else:
            problem = self._problem(event)
            if problem is not None:
                return _diag(problem[0], Source(self._file, number), problem[1])
        _set(event, "src", Source(self._file, number))
        return event  # type: ignore[no-any-return]

    def _problem(self, event: Any) -> tuple[str, str] | None:
        """Return (code, text) for what is no event, or speaks of a call that is not there."""
        if isinstance(event, Broken):
            return "truncated_tail" if event.torn else "bad_line", event.text
        if isinstance(event, SubStart):
            if event.parent_uid not in self._known:
                return "missing_child", f"the call {event.parent_uid} that started it is not open"
            self._scopes.add(event.scope)
        elif isinstance(event, Diag) and event.code not in DIAGNOSTICS:
            return "unknown_record", f"the diagnostic code {event.code!r} is not known"
        return None


def _diag(code: str, where: Source, text: str) -> Diag:
    at = f"{where.file}:{where.line}" if where.line else where.file
    return Diag(code=code, where=at, text=text, src=where)
