"""Anthropic Messages (5.5): an array, a line a message, or requests with their whole history."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reasonix_conformance.readers.building import Builder
from reasonix_conformance.readers.lines import Broken
from reasonix_conformance.readers.messages import flat_text
from reasonix_conformance.readers.outcomes import UNKNOWN, Grade, by_envelope, first_line
from reasonix_conformance.readers.recording import Recording, at, list_at, name_at, text_at
from reasonix_runtime.trace.events import Event, TurnStatus

FORMAT = "anthropic-messages"


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a conversation."""
    reader = _Reader(recording)
    build = reader.build
    build.session(recording.sid, FORMAT)
    number = 0
    for number, message in _messages(recording):
        build.line = number
        if isinstance(message, Broken):
            build.note("truncated_tail" if message.torn else "bad_line", message.text)
        else:
            reader.take(message)
        yield from build.drain()
    if number == 0:
        build.note("truncated_tail", "no record in the file can be read")
    if recording.damage:
        build.note("truncated_tail", recording.damage)
    reader.end()
    build.finish()
    yield from build.drain()


def _messages(recording: Recording) -> Iterator[tuple[int, Any]]:
    """Yield (line, message); a file that is one value has all of them in line 1."""
    if _is_document(recording.head()):
        value = recording.document()
        if isinstance(value, Broken):
            yield 1, value
            return
        messages = value if isinstance(value, list) else list_at(value, "messages")
        answer = at(value, "response")
        for message in messages:
            yield 1, message
        if list_at(answer, "content"):
            yield 1, answer
        return
    seen = 0
    for number, record in recording.records():
        history = list_at(record, "messages")
        if not history:
            yield number, record
            continue
        for message in history[seen:]:
            yield number, message
        seen = max(seen, len(history))


def _is_document(head: bytes) -> bool:
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return text.startswith(b"[") or text.split(b"\n", 1)[0].strip() in (b"{", b"")


class _Reader:
    def __init__(self, recording: Recording) -> None:
        self.build = Builder(recording.shown)
        self._trusting = recording.trusting
        self._answered = False
        self._step = 0

    def take(self, message: Any) -> None:
        role = text_at(message, "role")
        if role == "assistant":
            self._assistant(message)
        elif role == "user":
            self._user(message)
        elif role != "system":
            self.build.count("unknown_record", f"a message of role {role!r} is not read")

    def end(self) -> None:
        if self.build.in_turn:
            status: TurnStatus = "completed" if self._answered else "unknown"
            self.build.end_turn(status, by="inferred", judge=self._answered)

    def _assistant(self, message: Any) -> None:
        self._step += 1
        step = f"r{self._step}"
        blocks = list_at(message, "content")
        calls = [b for b in blocks if text_at(b, "type").endswith("tool_use")]
        self.build.assistant(flat_text(at(message, "content")), step=step, final=not calls)
        for block in blocks:
            kind = text_at(block, "type")
            if kind.endswith("tool_use"):
                self.build.call(
                    text_at(block, "id"), text_at(block, "name"), at(block, "input"), step=step
                )
            elif kind.endswith("tool_result"):
                # A tool of the server's side: its result stands in the same message.
                self._result(block)
        self._answered = not calls

    def _user(self, message: Any) -> None:
        blocks = list_at(message, "content")
        results = [block for block in blocks if text_at(block, "type").endswith("tool_result")]
        for block in results:
            self._result(block)
        text = flat_text(at(message, "content"))
        if results:
            self._answered = False
            if text:
                self.build.user(text, origin="host")
            return
        self.end()
        self.build.start_turn(by="inferred")
        self.build.user(text)
        self._answered = False

    def _result(self, block: Any) -> None:
        content = at(block, "content")
        text = flat_text(content)
        self.build.result(text_at(block, "tool_use_id"), self._grade(block, text), text)

    def _grade(self, block: Any, text: str) -> Grade:
        if at(block, "is_error") is True:
            return Grade("error", "flag", None, first_line(text))
        if at(block, "is_error") is False:
            return by_envelope(text) or Grade("ok", "flag")
        if name_at(block, "content", "error_code"):
            return Grade("error", "flag", None, text_at(block, "content", "error_code"))
        grade = by_envelope(text)
        if grade is not None:
            return grade
        return Grade("ok", "absence") if self._trusting else UNKNOWN
