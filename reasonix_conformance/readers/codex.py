"""Codex rollout files: response items beside events, success mostly in envelopes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from reasonix_conformance.readers.building import Builder
from reasonix_conformance.readers.lines import Broken
from reasonix_conformance.readers.messages import flat_text
from reasonix_conformance.readers.outcomes import (
    UNKNOWN,
    Grade,
    by_envelope,
    by_state,
    first_line,
    is_int,
    unless_text_fails,
)
from reasonix_conformance.readers.recording import (
    Recording,
    as_text,
    at,
    list_at,
    name_at,
    text_at,
)
from reasonix_conformance.readers.roles import CODEX
from reasonix_runtime.trace.events import Event

FORMAT = "codex"

_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")
_TURNS = ("task_started", "task_complete", "turn_aborted")
# User items that the program writes by itself: the environment, instructions, notes.
_HOST_TEXT = re.compile(r"\s*(?:<[a-z_]+>|# AGENTS\.md instructions)")
_QUIET_EVENTS = frozenset(
    {
        "token_count", "agent_message", "agent_reasoning", "exec_command_begin",
        "patch_apply_begin", "mcp_tool_call_begin", "agent_message_delta", "item_started",
        "item_completed", "exec_command_output_delta", "turn_diff",
    }
)  # fmt: skip


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a rollout file."""
    reader = _CodexReader(recording)
    number = 0
    for number, record in recording.records():
        reader.build.line = number
        if isinstance(record, Broken):
            reader.build.note(record.code, record.text)
        else:
            reader.take(record)
        yield from reader.build.drain()
    reader.finish(number, recording.damage)
    yield from reader.build.drain()


class _CodexReader:
    def __init__(self, recording: Recording) -> None:
        self.build = Builder(recording.shown, CODEX)
        self._sid = recording.sid
        self._begun = False
        self._explicit = False
        self._answered = False
        self._step = 0
        self._after_result = True
        self._grades: dict[str, Grade] = {}

    def take(self, record: Any) -> None:
        kind, payload = _unwrapped(record)
        if kind == "session_meta":
            self._session(payload)
            return
        if not self._begun:
            self._session({})
        if kind == "response_item":
            self._item(payload)
        elif kind == "event_msg":
            self._event(payload)
        elif kind == "compacted":
            self.build.compaction("summary", len(list_at(payload, "replacement_history")) or None)
        elif kind not in ("turn_context", "world_state", "state"):
            self.build.count("unknown_record", f"a record of type {kind!r} is not read")

    def finish(self, records: int, damage: str | None) -> None:
        self.build.file_ended(empty=records == 0, damage=damage)
        if not self._begun:
            self._session({})
        if self._explicit and self.build.in_turn:
            self.build.note("truncated_tail", "the file stops inside a turn")
        self._end()
        self.build.finish()

    def _session(self, payload: Any) -> None:
        if self._begun:
            self.build.count("several_sessions", "the records of several threads stand in one file")
            if not self.build.turn:
                # A thread that goes on from another begins with that one's history.
                return
            self._next_thread()
        self._begun = True
        self.build.session(
            name_at(payload, "id") or self._sid,
            FORMAT,
            cwd=name_at(payload, "cwd"),
            tool_version=name_at(payload, "cli_version"),
            started_at=name_at(payload, "timestamp"),
        )

    def _next_thread(self) -> None:
        """Go on with another thread, whose calls are none of the one before it."""
        self._end()
        self.build.finish()
        self.build = self.build.successor()
        self._explicit = self._answered = False

    def _end(self) -> None:
        """Close a turn that nothing closes: an older file, or one that stops."""
        self._grades.clear()
        if self.build.in_turn:
            done = self._answered and not self._explicit
            self.build.end_turn("completed" if done else "unknown", by="inferred", judge=done)

    # -- response items

    def _item(self, item: Any) -> None:
        kind = text_at(item, "type")
        if kind in _CALLS:
            self._call(item, kind)
        elif kind in _OUTPUTS:
            self._output(item)
        elif kind == "message":
            self._message(item)
        elif kind not in ("reasoning", "web_search_call"):
            self.build.count("unknown_record", f"an item of type {kind!r} is not read")

    def _message(self, item: Any) -> None:
        role = text_at(item, "role")
        text = flat_text(at(item, "content"))
        if role == "assistant":
            self._respond(text)
            self._answered = True
        elif role == "user":
            if _HOST_TEXT.match(text):
                self.build.user(text, origin="host")
                return
            if not self._explicit and not (self.build.in_turn and self.build.quiet):
                self._end()
                self.build.start_turn(by="inferred")
            self._answered = False
            self.build.user(text)

    def _respond(self, text: str = "") -> None:
        if self._after_result or text:
            self._step += 1
            self._after_result = False
            self.build.assistant(text, step=f"s{self._step}")

    def _call(self, item: Any, kind: str) -> None:
        self._respond()
        self._answered = False
        if kind == "function_call":
            args: Any = at(item, "arguments")
        elif kind == "custom_tool_call":
            args = {"input": at(item, "input")}
        else:
            args = at(item, "action")
        ids = [key for key in (name_at(item, "call_id"), name_at(item, "id")) if key]
        name = name_at(item, "name") or ("local_shell" if kind == "local_shell_call" else "")
        self.build.call(ids[:1], name, args, step=f"s{self._step}")

    def _output(self, item: Any) -> None:
        output = at(item, "output")
        text = output if isinstance(output, str) else flat_text(output)
        if isinstance(output, dict):
            text = text_at(output, "content") or as_text(output)
        native = text_at(item, "call_id")
        told = self._grades.pop(native, None)
        grade = grade_of(output, text) if told is None else unless_text_fails(told, text)
        uid = self.build.find(native)
        if uid is not None and self.build.opened(uid).name == "spawn_agent":
            self.build.note(
                "missing_child", "what the sub-agent did stands in a rollout of its own"
            )
        self._after_result = True
        self.build.result(native, grade, text)

    # -- events

    def _event(self, event: Any) -> None:
        kind = text_at(event, "type")
        if kind in _TURNS:
            self._grades.clear()  # a call that was not answered in its turn never is
        if kind == "task_started":
            self._explicit = True
            self.build.start_turn(native=name_at(event, "turn_id"))
        elif kind == "task_complete":
            self.build.end_turn("completed")
        elif kind == "turn_aborted":
            self.build.end_turn("interrupted", error=name_at(event, "reason"), judge=False)
        elif kind in ("exec_command_end", "patch_apply_end", "mcp_tool_call_end"):
            self._remember(event)
        elif kind == "context_compacted":
            self.build.compaction("summary")
        elif kind == "error":
            self.build.notice(text_at(event, "message"), level="error")
        elif kind != "user_message" and kind not in _QUIET_EVENTS:
            self.build.count("unknown_record", f"an event of type {kind!r} is not read")

    def _remember(self, event: Any) -> None:
        """Keep what an event says about a call until the call's output comes."""
        native = text_at(event, "call_id")
        code = at(event, "exit_code")
        success = at(event, "success")
        answer = at(event, "result", "Ok")
        if self.build.find(native) is None:
            return
        if at(event, "status") == "declined":
            self._grades[native] = Grade("blocked", "state")
        elif is_int(code):
            self._grades[native] = Grade("ok" if code == 0 else "error", "exit_code", code)
        elif isinstance(success, bool):
            self._grades[native] = Grade("ok" if success else "error", "flag")
        elif at(event, "result", "Err") is not None:
            self._grades[native] = Grade("error", "flag", None, text_at(event, "result", "Err"))
        elif answer is not None:
            failed = at(answer, "is_error") is True or at(answer, "isError") is True
            self._grades[native] = Grade("error" if failed else "ok", "flag")
        elif name_at(event, "status"):
            self._grades[native] = by_state(at(event, "status"))


def _unwrapped(record: Any) -> tuple[str, Any]:
    """Return the kind of a record and what it holds; the oldest files have no wrapper."""
    payload = at(record, "payload")
    kind = text_at(record, "type") or text_at(record, "record_type")
    if payload is None and kind in (*_CALLS, *_OUTPUTS, "message", "reasoning"):
        return "response_item", record
    if payload is None and not kind and name_at(record, "id") and name_at(record, "timestamp"):
        return "session_meta", record
    return kind, payload


def grade_of(output: Any, text: str) -> Grade:
    """Grade an output by its envelopes: metadata in JSON, or the fixed first lines."""
    code = at(_json_of(text) if isinstance(output, str) else output, "metadata", "exit_code")
    if is_int(code):
        return Grade("ok" if code == 0 else "error", "envelope", code)
    success = at(output, "success")
    if isinstance(success, bool):
        return unless_text_fails(Grade("ok" if success else "error", "flag"), text)
    grade = by_envelope(text)
    if grade is not None:
        return grade
    if text.startswith(("apply_patch verification failed", "execution error:")):
        return Grade("error", "envelope", None, first_line(text))
    if text.startswith("Success. Updated the following files:"):
        return Grade("ok", "envelope")
    return UNKNOWN


def _json_of(text: str) -> Any:
    import msgspec

    if not text.startswith("{"):
        return None
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None
