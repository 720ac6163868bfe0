"""The wire events of a Reasonix host: stream-json, served sessions and the trajectory file.

All three carry the same event objects; a trajectory wraps them and adds what the host judged. A
call shows up to three times (announced, dispatched, refreshed); its result has the last word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, count, repeat
from typing import Any, Final, TypeAlias

from reasonix_conformance.readers.files.lines import Broken, Lines, typeless
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.hosts.host_texts import TRAILED, cut_of, strip_trailers
from reasonix_conformance.readers.hosts.outcomes import is_int, of_wire
from reasonix_conformance.readers.reasonix.wire_by_user import BY_USER
from reasonix_conformance.readers.reasonix.wire_records import (
    SKIPPED,
    STEPS,
    Narrow,
    Numbered,
    Step,
    Wire,
    decode_narrow,
    decode_numbered,
    decode_step,
    decode_wire,
    is_empty,
    step_of,
    text_of,
)
from reasonix_conformance.readers.reasonix.wire_turns import WireTurns
from reasonix_runtime.trace.events import MAIN, Event, Judgement, Truncated
from reasonix_runtime.trace.host_events import GOAL_SET

TRAJECTORY = "reasonix-trajectory"

_NOT_READY = "Goal is not ready to complete"
_GOAL_SET = "goal set → "
_AUDIT: Final[Mapping[str, Judgement]] = {
    "allowed": "accept",
    "blocked": "reject",
    "errored": "reject",
}


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a file of wire events, bare or wrapped."""
    return WireReader(recording).events(recording)


class WireReader(WireTurns):
    """Reads one file of wire events; `format_name` is set once the first record is known."""

    def __init__(self, recording: Recording) -> None:
        super().__init__(recording)
        self._number = 0
        """The number of the last record of a trajectory, and below its time."""
        self._time = 0
        self._attempts = 0
        self._answered_in = 0
        """The attempt of the model that gave the last answer."""
        self._attempt_id: str | None = None
        """The attempt of the model that is open, where it has an id."""
        self._step = "s0"

    def events(self, recording: Recording) -> Iterator[Event]:
        """Yield the events of one file."""
        return chain.from_iterable(self._blocks(recording))

    def _blocks(self, recording: Recording) -> Iterator[list[Event]]:
        number = 0
        for lines in recording.blocks():
            self._lines(lines, number)
            number += len(lines)
            self.build.line = number
            yield self.build.drain()
        self.finish(number, recording.damage)
        yield self.build.drain()

    # -- one record

    def _lines(self, lines: Lines, number: int) -> None:
        """Take the lines after line `number`."""
        # The first event begins the session, whatever it is.
        at = 0
        while not self._begun and at < len(lines):
            self.build.line = number + at + 1
            self._line(lines[at])
            at += 1
        rest = lines[at:] if at else lines
        if self.format_name == TRAJECTORY:
            self._wrapped(rest, number + at + 1)
        else:
            self._bare(rest, number + at + 1)

    def _bare(self, lines: Lines, first: int) -> None:
        """Take lines of a stream; nearly all the time of a reader is spent here."""
        records: list[Any] = decode_step.each(lines)
        takes = map(_BY_CLASS.get, map(type, records), repeat(_elsewhere))
        for number, line, record, take in zip(count(first), lines, records, takes, strict=False):
            if take is _elsewhere:
                self.build.line = number
                self._line(line)
            elif take is not None:
                self.build.line = number
                take(self, record)

    def _wrapped(self, lines: Lines, first: int) -> None:
        """Take lines of a trajectory."""
        records: list[Any] = decode_numbered.each(lines)
        for number, line, record in zip(count(first), lines, records, strict=False):
            self.build.line = number
            event: Any = record.event if type(record) is Numbered else None
            take = _BY_CLASS.get(type(event), _elsewhere)
            if take is _elsewhere:
                self._line(line)
            else:
                self._numbered(record)
                if take is not None:
                    take(self, event)

    def _line(self, line: bytes) -> None:
        """Take any line."""
        record = decode_wire(line)
        if type(record) is Wire:
            self._record(record, line)
        elif type(record) is Broken and not (self._begun and self._narrowly(line)):
            self._number += 1
            self.build.note(record.code, record.text)

    def _narrowly(self, line: bytes) -> bool:
        """Take a line by the fields of a `Step` alone; return whether it is one."""
        record = decode_narrow(line)
        if type(record) is not Narrow:
            return False
        event = record.event or record
        take = _BY_KIND.get(event.kind)
        if take is None and event.kind not in SKIPPED:
            return False
        self._numbered(record)
        if take is not None:
            take(self, Step(event.tool, event.stream_attempt, event.message_id))
        return True

    def _record(self, record: Wire, line: bytes) -> None:
        event = record.event
        self._numbered(record)
        if event is None:
            event = record
            if record.kind is None:
                self._no_event(record, line)
                return
        elif not self._begun:
            self.format_name = TRAJECTORY
        if not self._begun:
            self._begin(event)
        self.take(event)

    def _numbered(self, record: Numbered | Narrow | Wire) -> None:
        """Hold a record of a trajectory against its number and time: none may be missing."""
        if record.ts is None:
            return
        number, last = record.seq, self._number
        if is_int(number):
            if number == 1 and last:
                self._over, self._time = True, 0
            if number != last + 1 and number != 1:
                if last:
                    self.build.note("bad_line", f"record {number} stands after record {last}")
                else:
                    self.build.note("mid_chain_start", f"the first record is number {number}")
            self._number = number
        if is_int(record.ts):
            if record.ts < self._time:
                self.build.count("clock_disorder", "a record is older than one before it")
            self._time = record.ts

    def take(self, event: Wire) -> None:
        """Take one event object in."""
        kind = text_of(event.kind)
        if kind in _OTHERS:
            _OTHERS[kind](self, event)
        elif kind in _BY_KIND:
            _BY_KIND[kind](self, step_of(event))
        elif not kind:
            self.build.note("bad_line", "a record without a kind that can be read")
        elif event.tool is not None and kind not in SKIPPED:
            self.build.note("bad_line", f"a call in a record of kind {kind!r} is not read")
        elif kind not in SKIPPED:
            self.build.count("unknown_record", f"a record of kind {kind!r} is not read")

    def _no_event(self, record: Wire, line: bytes) -> None:
        """Take a record that is no event: the host's judgement, or the last line of a stream.

        A trajectory has records of the host about itself; one that holds nothing has lost it.
        """
        if isinstance(audit := record.readiness_audit, dict):
            said = audit.get("result")
            if not isinstance(said, str):
                self.build.note("bad_line", "a judgement of the host without its result")
            self._audit = (_AUDIT.get(str(said), "unknown"), audit)
        elif record.contract_shadow is not None or record.turn_completion is not None:
            self._ended_well = True
        elif record.type == "result":
            self._last_line(record)
        elif record.type is not None:
            self.build.count("unknown_record", f"a record of type {record.type!r} is not read")
        elif record.ts is None or is_empty(line):
            remark = typeless({})
            self.build.note(remark.code, remark.text)

    # -- messages

    def _user_message(self, event: Wire) -> None:
        if isinstance(event.text, str):
            self.build.user(event.text)

    def _message(self, event: Wire) -> None:
        self._final_text = event.text if isinstance(event.text, str) else ""
        self._answered_in = self._attempts
        step = event.message_id if isinstance(event.message_id, str) else self._step
        self._said.add(step)
        self.build.assistant(self._final_text, step=step)

    def _attempt(self, event: Step) -> None:
        attempt = event.stream_attempt
        if attempt is None:
            return
        if attempt.action == "begin":
            self._attempts += 1
            self._attempt_id = attempt.id if isinstance(attempt.id, str) else None
            step = self._step = f"s{self._attempts}"
            if step not in self._said:
                self._said.clear()
            elif len(self._said) > 1:
                self._said = {step}
        elif attempt.action == "discard":
            self._announced.discard(attempt.id)

    def _notice(self, event: Wire) -> None:
        text = event.text if isinstance(event.text, str) else ""
        if text.startswith(_GOAL_SET):
            self.build.host(GOAL_SET, {"text": text[len(_GOAL_SET) :]})
        elif text.startswith(_NOT_READY):
            self._not_ready = event.detail if isinstance(event.detail, str) else text
        code = event.code if isinstance(event.code, str) else None
        level = event.level if isinstance(event.level, str) else None
        self.build.notice(text, code=code, level=level)

    def _compaction(self, _event: Wire) -> None:
        self.build.compaction()

    # -- calls

    def _dispatch(self, event: Step) -> None:
        tool = event.tool
        if tool is None or tool.id is None:
            self.build.note("bad_line", "a dispatch without a tool or an id")
            return
        if tool.partial:
            self._announced.add(tool.id, tool.name, tool.attempt_id or self._attempt_id)
            return
        if tool.id.startswith(BY_USER) and self._users.ran(tool):
            return
        self._announced.dispatched(tool.id)
        place = (MAIN, tool.id) if "/" not in tool.id else self._nesting.place(self.build, tool)
        if place is None:
            return
        scope, native = place
        if tool.refreshed:
            uid = self.build.find(native, scope=scope, name=tool.name)
            if uid is not None:
                self.build.refresh(uid, read_only=tool.read_only, target=tool.resolved_name)
                return
        step = event.message_id or self._announced.attempt_of(tool.id, self._attempt_id)
        step = step or self._step
        host = native.startswith("host-")
        unasked = None if host else self._unasked(scope)
        if step not in self._said and not host:
            self._said.add(step)
            self.build.assistant("", step=step, scope=scope)
        if scope == MAIN:
            self._final_text = None
        self.build.call(
            native,
            tool.name,
            tool.args,
            step=step,
            scope=scope,
            origin="host" if host else "model",
            read_only=tool.read_only,
            target=tool.resolved_name,
        )
        if unasked is not None:
            self.build.note("missing_prompt", unasked)

    def _unasked(self, scope: str) -> str | None:
        """Return why a prompt before the next call of the model is missing, None if none is.

        No host lets its model go on behind an answer without a word of its own.
        """
        if self.build.turn > 0 and not self.build.in_turn:
            return "a call stands behind the end of a turn"
        if scope == MAIN and self._final_text is not None and self._answered_in != self._attempts:
            return "a call stands behind an answer, without a prompt between"
        return None

    def awaits(self, ident: str) -> bool:
        """Whether a call of this id was announced or dispatched, and has no result yet."""
        scope, native = self._nesting.told(ident)
        return (
            self._announced.waits(ident)
            or self.build.find(native, scope=scope) is not None
            or self.build.find(ident) is not None
        )

    def _result(self, event: Step) -> None:
        tool = event.tool
        if tool is None or tool.id is None or not (tool.id or tool.name):
            self.build.note("bad_line", "a result without a tool or an id")
            return
        if tool.id in self._users.running:
            self._users.running.discard(tool.id)
            grade = of_wire(tool.err, tool.run_state, tool.execution, tool.output)
            self.build.notice(f"{tool.name} ended: {grade.outcome}")
            return
        if self._announced.waits(tool.id):
            # The host answered what it never dispatched: its result tells the call, too.
            self._dispatch(event)
        place = (MAIN, tool.id) if "/" not in tool.id else self._nesting.place(self.build, tool)
        if place is None:
            return
        scope, native = place
        text = tool.output
        grade = of_wire(tool.err, tool.run_state, tool.execution, text)
        uid = self.build.find(native, scope=scope, name=tool.name)
        self.build.compare_name(uid, tool.name)
        uid = self.build.result(
            native,
            grade,
            strip_trailers(text) if text.endswith(TRAILED) else text,
            scope=scope,
            name=tool.name,
            truncated=cut_of(text) or (Truncated() if tool.truncated else None),
            read_only=tool.read_only,
            target=tool.resolved_name,
            uid=uid,
        )
        if uid is not None and grade.outcome == "running":
            self._nesting.goes_on(tool, uid)


_Take: TypeAlias = Callable[[WireReader, Step], None]
_BY_KIND: Final[Mapping[str, _Take]] = {
    "stream_attempt": WireReader._attempt,
    "tool_dispatch": WireReader._dispatch,
    "tool_result": WireReader._result,
}
_OTHERS: Final[Mapping[str, Callable[[WireReader, Wire], None]]] = {
    "turn_started": WireReader._turn_started,
    "turn_done": WireReader._turn_done,
    "user_message": WireReader._user_message,
    "steer": WireReader._user_message,  # to the model while it works: no turn of its own
    "message": WireReader._message,
    "notice": WireReader._notice,
    "compaction_done": WireReader._compaction,
}
_BY_CLASS: Final[Mapping[type, _Take | None]] = {
    **dict.fromkeys(STEPS[kind] for kind in SKIPPED),
    **{STEPS[kind]: take for kind, take in _BY_KIND.items()},
}
"""What takes a record of the quick decoder, by its class; None skips it.

A class that is not here marks a line that has to be decoded again, with all its fields.
"""


def _elsewhere(_reader: WireReader, _event: Step) -> None:
    """Mark, where a class is looked up, that `_BY_CLASS` does not have it; never called."""
