"""Neutral events as JSON lines: what the reference host appends and what readers exchange."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, TypeAlias, get_args

import msgspec

from reasonix_conformance.readers.building.argument_pool import ArgumentPool
from reasonix_conformance.readers.building.late_results import LateResult, shows
from reasonix_conformance.readers.files.lines import NOTHING_READ, Broken, Decoder, Lines
from reasonix_conformance.readers.files.recording import Recording
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
from reasonix_runtime.trace.neutral import FORMAT


class _Call(ToolCall, tag="tool.call", frozen=True, kw_only=True):
    """A call as it is decoded: its arguments are looked up by their text."""

    args: msgspec.Raw = msgspec.Raw(b"null")


_Free: TypeAlias = TurnStart | User | Assistant | Notice | HostVerdict | Compaction | TurnEnd | Host
_FREE = frozenset(get_args(_Free))
"""Kinds that may stand anywhere: they speak of no call that has to be open."""

_UNDECIDED = (LateResult, Broken)
"""What a line is as long as it was not decoded in full."""

_Record: TypeAlias = _Free | Session | _Call | SubStart | SubEnd | Diag

_decoder: Decoder[Any] = Decoder(_Record | ToolResult)
_late_decoder: Decoder[Any] = Decoder(_Record | LateResult)
_set = msgspec.structs.force_setattr


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a neutral trace; one that cannot follow is reported, not passed on."""
    return chain.from_iterable(_blocks(recording))


def _blocks(recording: Recording) -> Iterator[list[Event]]:
    """Yield the events of some lines at a time, a session before them all."""
    placing = _Placing(recording)
    first, begun = 1, False
    for lines in recording.blocks():
        events = placing.placed(lines, first)
        first += len(lines)
        if events and not begun:
            begun = True
            if not isinstance(events[0], Session):
                yield [Session(sid=recording.sid, format=FORMAT, src=events[0].src)]
        yield events
    if not begun:
        yield [Session(sid=recording.sid, format=FORMAT)]
    if recording.damage or first == 1:
        where = Source(recording.shown, first - 1 or None)
        yield [_diag("truncated_tail", where, recording.damage or NOTHING_READ)]


class _Placing:
    """Holds each event against the scopes and calls before it, and says where it stands."""

    def __init__(self, recording: Recording) -> None:
        self._file = recording.shown
        self._talk = recording.talk
        self._records = (_decoder if recording.talk else _late_decoder).each
        self._scopes = {MAIN}
        self._arguments = ArgumentPool().arguments
        self._open: set[str] = set()
        """The calls without a result yet."""
        self._sid: str | None = None
        """The name of the session that was told last."""

    def placed(self, lines: Lines, first: int) -> list[Event]:
        """Return the events of lines, the first of which has that number."""
        events: list[Any] = self._records(lines)
        talk, waiting = self._talk, self._open
        blank = False
        for at, event in enumerate(events):  # nearly all the time is spent here
            kind = type(event)
            if (
                (kind is ToolResult or (kind is LateResult and shows(event.json_text)))
                and event.uid in waiting
                and not (event.exit_code and event.outcome == "ok")
            ):
                waiting.discard(event.uid)
            elif kind is _Call:
                events[at] = self._call(event, first + at)
            elif kind in _FREE:
                if talk or kind is not Assistant:
                    _set(event, "src", Source(self._file, first + at))
            elif event is None:
                blank = True
            else:
                events[at] = self._other(event, lines[at], first + at)
        return [event for event in events if event is not None] if blank else events

    def _call(self, call: _Call, number: int) -> Event:
        """Return a call with its arguments and its place, or the diagnostic for it."""
        where, uid = Source(self._file, number), call.uid
        if not uid.startswith(IN_MAIN) and scope_of(uid) not in self._scopes:
            return _diag("missing_child", where, _no_scope(uid))
        try:
            _set(call, "args", self._arguments(call.name, bytes(call.args)))
        except msgspec.DecodeError as error:
            return _diag("bad_line", where, f"no valid JSON: {error}")
        self._open.add(uid)
        _set(call, "src", where)
        return call

    def _other(self, event: Any, line: bytes, number: int) -> Event:
        """Return an event that speaks of others with its place, or a diagnostic."""
        if isinstance(event, _UNDECIDED):
            event = _decoder(line)
        if isinstance(event, ToolResult) and event.uid in self._open:
            self._open.discard(event.uid)
            return _by_exit(event)  # it stands where its call does
        where = Source(self._file, number)
        if isinstance(event, Session):
            event = self._going_on(event)
        problem = self._problem(event)
        if problem is not None:
            return _diag(problem[0], where, problem[1])
        _set(event, "src", where)
        return event  # type: ignore[no-any-return]  # the decoder makes events alone

    def _going_on(self, session: Session) -> Session:
        """Return a session; one of the same name as that before it is no other, it goes on."""
        before, self._sid = self._sid, session.sid
        if session.sid != before or session.resumed_from is not None:
            return session
        return msgspec.structs.replace(session, resumed_from=before)

    def _problem(self, event: Any) -> tuple[str, str] | None:
        """Return (code, text) for what is no event, or speaks of a call that is not there."""
        if isinstance(event, Broken):
            return event.code, event.text
        if isinstance(event, ToolResult):
            return "orphan_result", f"no call is open for the result of {event.uid}"
        if isinstance(event, Session) and event.resumed_from is None:
            # Another session: its calls are counted anew.
            self._open.clear()
            self._scopes = {MAIN}
        elif isinstance(event, SubStart):
            if event.scope in self._scopes:
                return "missing_child", f"the scope {event.scope} is open already"
            if event.parent_uid not in self._open:
                return "missing_child", f"the call {event.parent_uid} that started it is not open"
            self._scopes.add(event.scope)
        elif isinstance(event, SubEnd):
            if event.scope not in self._scopes - {MAIN}:
                return "missing_child", f"the scope {event.scope} that ends here was not started"
            self._scopes.discard(event.scope)
            self._open -= {uid for uid in self._open if scope_of(uid) == event.scope}
        elif isinstance(event, Diag) and event.code not in DIAGNOSTICS:
            return "unknown_record", f"the diagnostic code {event.code!r} is not known"
        return None


def _by_exit(result: ToolResult) -> ToolResult:
    """Return a result by the strongest that it tells: an exit status is stronger than any word."""
    if result.exit_code and result.outcome == "ok":
        return msgspec.structs.replace(result, outcome="error", basis="exit_code")
    return result


def _no_scope(uid: str) -> str:
    """Say why a call stands in no conversation that is open."""
    scope = scope_of(uid)
    if not scope:
        return f"the uid {uid!r} has no scope; a uid looks like {IN_MAIN}1"
    return f"the scope of call {uid} is not open"


def _diag(code: str, where: Source, text: str) -> Diag:
    at = f"{where.file}:{where.line}" if where.line else where.file
    return Diag(code=code, where=at, text=text, src=where)
