"""Editor-protocol captures: JSON-RPC lines of one or both directions.

A prompt request begins a turn, its answer ends it. The format tells no exit codes; a call's title
is the name of its tool.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reasonix_conformance.readers.building import Builder
from reasonix_conformance.readers.host_facts import PLAN_MODE
from reasonix_conformance.readers.lines import Broken
from reasonix_conformance.readers.messages import cut_of, strip_trailers
from reasonix_conformance.readers.outcomes import Grade, by_state, first_line, of_failure
from reasonix_conformance.readers.recording import (
    Recording,
    at,
    list_at,
    name_at,
    text_at,
)
from reasonix_runtime.trace.events import Event

FORMAT = "acp"

_SKIPPED = frozenset(
    {
        "agent_thought_chunk", "plan", "available_commands_update",
        "user_message_chunk", "session_info_update", "usage_update",
    }
)  # fmt: skip
_LIMITS = ("max_tokens", "max_turn_requests", "refusal")


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a capture."""
    sessions = _Sessions(recording)
    number = 0
    for number, record in recording.records():
        for reader in sessions.readers:
            reader.build.line = number
        if isinstance(record, Broken):
            for reader in sessions.readers:
                reader.build.note(record.code, record.text)
        else:
            reader = sessions.of(record)
            reader.build.line = number
            reader.take(record)
        yield from sessions.readers[0].build.drain()
    if len(sessions.readers) > 1:
        text = f"{len(sessions.readers)} sessions stand in one file"
        sessions.readers[0].build.count("several_sessions", text)
    for reader in sessions.readers:
        reader.finish(number, recording.damage)
        yield from reader.build.drain()


class _Sessions:
    """The sessions of a capture: a connection may have several at once."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._by_sid: dict[str, _AcpReader] = {}
        self.readers = [_AcpReader(recording)]

    def of(self, record: Any) -> _AcpReader:
        """Return the reader of the session that a record belongs to."""
        sid = name_at(record, "params", "sessionId")
        if sid is None:
            asked = (reader for reader in self.readers if reader.is_answer(record))
            return next(asked, self.readers[0])
        if sid not in self._by_sid:
            if self._by_sid:
                self.readers.append(_AcpReader(self._recording, sid))
            self._by_sid[sid] = self.readers[-1]
        return self._by_sid[sid]


class _AcpReader:
    def __init__(self, recording: Recording, sid: str | None = None) -> None:
        self.build = Builder(recording.shown)
        self._sid = sid or recording.sid
        self._begun = False
        self._prompt_id: Any = None
        self._step = 0
        self._after_result = True
        self._said: list[str] = []

    def take(self, record: Any) -> None:
        method = text_at(record, "method")
        if method == "session/prompt":
            self._prompt(record)
        elif method == "session/set_mode":
            self._mode(text_at(record, "params", "modeId"))
        elif method == "session/update":
            self._update(at(record, "params", "update"))
        elif method == "" and self.is_answer(record):
            self._stop(record)

    def finish(self, records: int, damage: str | None) -> None:
        self.build.file_ended(empty=records == 0, damage=damage)
        self._begin(None)
        if self.build.in_turn:
            self.build.note("truncated_tail", "the file stops inside a turn")
            self.build.end_turn("unknown", by="inferred", judge=False)
        self.build.finish()

    def _begin(self, sid: str | None) -> None:
        if not self._begun:
            self._begun = True
            self.build.session(sid or self._sid, FORMAT)

    def _prompt(self, record: Any) -> None:
        self._begin(name_at(record, "params", "sessionId"))
        self._prompt_id = at(record, "id")
        self._after_result = True
        self.build.start_turn(native=str(self._prompt_id))
        parts = list_at(record, "params", "prompt")
        self.build.user("".join(text_at(part, "text") for part in parts))

    def is_answer(self, record: Any) -> bool:
        """Whether a record answers the open prompt; both sides count their ids from 1."""
        same = self._prompt_id is not None and at(record, "id") == self._prompt_id
        return same and (at(record, "result", "stopReason") is not None or "error" in record)

    def _stop(self, record: Any) -> None:
        self._flush(final=True)
        reason = text_at(record, "result", "stopReason")
        self._prompt_id = None
        if reason == "cancelled":
            self.build.end_turn("interrupted", judge=False)
        elif reason == "end_turn":
            self.build.verdict("accept", {"stop": reason})
            self.build.end_turn("completed")
        else:
            error = name_at(record, "error", "message") or reason or None
            self.build.end_turn("failed", error=error, judge=reason in _LIMITS)

    def _update(self, update: Any) -> None:
        kind = text_at(update, "sessionUpdate")
        if kind == "tool_call":
            self._call(update)
        elif kind == "tool_call_update":
            self._call_update(update)
        elif kind == "agent_message_chunk":
            self._said.append(text_at(update, "content", "text"))
        elif kind == "current_mode_update":
            self._mode(text_at(update, "currentModeId"))
        elif kind not in _SKIPPED:
            self.build.count("unknown_record", f"an update of kind {kind!r} is not read")

    def _mode(self, mode: str) -> None:
        if self._begun and mode:
            self.build.host(PLAN_MODE, {"on": mode == "plan"})

    def _flush(self, *, final: bool = False) -> None:
        """Tell the model's text so far, and begin a new response after results."""
        if self._said or self._after_result:
            if self._said or not final:
                self._step += 1
                text = "".join(self._said)
                self.build.assistant(text, step=f"s{self._step}", final=final)
            self._said.clear()
            self._after_result = False

    def _call(self, update: Any) -> None:
        native = text_at(update, "toolCallId")
        host = native.startswith("host-")
        if self.build.find(native) is not None and native:
            return
        self._begin(None)
        if not host:
            self._flush()
        self.build.call(
            native,
            text_at(update, "title"),
            at(update, "rawInput"),
            step=f"s{self._step}",
            origin="host" if host else "model",
        )
        if text_at(update, "status") in ("completed", "failed"):
            self._call_update(update)

    def _call_update(self, update: Any) -> None:
        status = text_at(update, "status")
        if status not in ("completed", "failed"):
            return
        text = "".join(text_at(part, "content", "text") for part in list_at(update, "content"))
        grade = by_state(status)
        if status == "failed":
            message = first_line(text)
            grade = Grade(of_failure(message), "state", None, message)
        elif text.startswith("Started background job "):
            grade = Grade("running", "state")
        native = text_at(update, "toolCallId")
        self._after_result = self._after_result or not native.startswith("host-")
        truncated = cut_of(text)
        self.build.result(native, grade, strip_trailers(text), truncated=truncated)
