"""Neutral events as JSON lines: what the reference host appends and what readers exchange."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import msgspec

from reasonix_conformance.readers.lines import UNREADABLE, Broken, Decoder
from reasonix_conformance.readers.recording import Recording
from reasonix_conformance.readers.shared import ArgumentPool
from reasonix_runtime.trace.events import (
    DIAGNOSTICS,
    IN_MAIN,
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
    number = 0
    lines = enumerate(recording.lines(), 1)
    placing = _Placing(shown)
    for number, line in lines:  # how many there are is asked below
        event = _decoder(line)
        if event is not None:
            event = placing.placed(event, number)
            if not isinstance(event, Session):
                yield Session(sid=recording.sid, format=FORMAT, src=event.src)
            yield event
            break
    else:
        yield Session(sid=recording.sid, format=FORMAT)
        if number == 0:
            yield _diag("truncated_tail", Source(shown), "no record in the file can be read")
    yield from _rest(lines, placing, talk=recording.talk)


def _rest(lines: Iterator[tuple[int, bytes]], placing: _Placing, *, talk: bool) -> Iterator[Event]:
    """Yield the events of all further lines; nearly all the time is spent here."""
    decode, placed, known = _decoder.decode, placing.placed, placing.known
    for number, line in lines:
        try:
            if not line.isascii():
                str(line, "utf-8")
            event = decode(line)
        except UNREADABLE as error:
            event = _decoder.second_look(line, error)
            if event is None:
                continue
        kind = type(event)
        if kind is ToolResult and event.uid in known:
            known.discard(event.uid)
            yield event
        elif kind is not Assistant or talk:
            yield placed(event, number)
        else:
            yield event


class _Placing:
    """Holds each event against the scopes and calls before it, and says where it stands."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._scopes = {MAIN}
        self._arguments = ArgumentPool().arguments
        self.known: set[str] = set()
        """The calls without a result yet."""

    def placed(self, event: Any, number: int) -> Event:
        """Return the event with its place, or the diagnostic that is given for it."""
        where = Source(self._file, number)
        if type(event) is _Call:
            uid = event.uid
            if not uid.startswith(IN_MAIN) and scope_of(uid) not in self._scopes:
                return _diag("missing_child", where, f"the scope of call {uid} was not started")
            try:
                _set(event, "args", self._arguments(event.name, bytes(event.args)))
            except msgspec.DecodeError as error:
                return _diag("bad_line", where, f"no valid JSON: {error}")
            self.known.add(uid)
        else:
            problem = self._problem(event)
            if problem is not None:
                return _diag(problem[0], where, problem[1])
        _set(event, "src", where)
        return event  # type: ignore[no-any-return]

    def _problem(self, event: Any) -> tuple[str, str] | None:
        """Return (code, text) for what is no event, or speaks of a call that is not there."""
        if isinstance(event, Broken):
            return "truncated_tail" if event.torn else "bad_line", event.text
        if isinstance(event, ToolResult):
            if event.uid not in self.known:
                return "orphan_result", f"no call is open for the result of {event.uid}"
            self.known.discard(event.uid)
        if isinstance(event, SubStart):
            if event.parent_uid not in self.known:
                return "missing_child", f"the call {event.parent_uid} that started it is not open"
            self._scopes.add(event.scope)
        elif isinstance(event, Diag) and event.code not in DIAGNOSTICS:
            return "unknown_record", f"the diagnostic code {event.code!r} is not known"
        return None


def _diag(code: str, where: Source, text: str) -> Diag:
    at = f"{where.file}:{where.line}" if where.line else where.file
    return Diag(code=code, where=at, text=text, src=where)
