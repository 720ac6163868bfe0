"""OpenAI Responses items (5.4): a line an item, an array, or whole requests and answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reasonix_conformance.readers.building import Builder
from reasonix_conformance.readers.codex import grade_of
from reasonix_conformance.readers.lines import Broken
from reasonix_conformance.readers.messages import flat_text
from reasonix_conformance.readers.outcomes import UNKNOWN, Grade
from reasonix_conformance.readers.recording import (
    Recording,
    as_text,
    at,
    list_at,
    name_at,
    text_at,
)
from reasonix_runtime.trace.events import Event, TurnStatus

FORMAT = "openai-responses"


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a list of items."""
    reader = _Reader(recording)
    build = reader.build
    build.session(recording.sid, FORMAT)
    number = 0
    for number, item in _items(recording):
        build.line = number
        if isinstance(item, Broken):
            build.note("truncated_tail" if item.torn else "bad_line", item.text)
        else:
            reader.take(item)
        yield from build.drain()
    if number == 0:
        build.note("truncated_tail", "no record in the file can be read")
    if recording.damage:
        build.note("truncated_tail", recording.damage)
    reader.end()
    build.finish()
    yield from build.drain()


def _items(recording: Recording) -> Iterator[tuple[int, Any]]:
    head = recording.head().removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(b"[") or head.split(b"\n", 1)[0].strip() == b"{":
        value = recording.document()
        if isinstance(value, Broken):
            yield 1, value
            return
        for record in value if isinstance(value, list) else [value]:
            for item in _unpacked(record):
                yield 1, item
        return
    for number, record in recording.records():
        for item in _unpacked(record):
            yield number, item


def _unpacked(record: Any) -> Iterator[Any]:
    """Yield the items of a record: itself, or what a request and its answer hold."""
    if isinstance(record, Broken) or at(record, "type") is not None or "role" in (record or ()):
        yield record
        return
    given = at(record, "input")
    if isinstance(given, str):
        yield {"type": "message", "role": "user", "content": given}
    yield from given if isinstance(given, list) else ()
    yield from list_at(record, "output") or list_at(record, "response", "output")


class _Reader:
    def __init__(self, recording: Recording) -> None:
        self.build = Builder(recording.shown)
        self._trusting = recording.trusting
        self._answered = False
        self._after_result = True
        self._step = 0

    def take(self, item: Any) -> None:
        kind = name_at(item, "type") or "message"
        if kind.endswith("_call_output"):
            self._output(item)
        elif kind in ("function_call", "custom_tool_call", "local_shell_call"):
            self._call(item, kind)
        elif kind == "message":
            self._message(item)
        elif kind != "reasoning":
            self.build.count("unknown_record", f"an item of type {kind!r} is not read")

    def end(self) -> None:
        if self.build.in_turn:
            status: TurnStatus = "completed" if self._answered else "unknown"
            self.build.end_turn(status, by="inferred", judge=self._answered)

    def _respond(self, text: str = "") -> None:
        if self._after_result or text:
            self._step += 1
            self._after_result = False
            self.build.assistant(text, step=f"r{self._step}")

    def _message(self, item: Any) -> None:
        text = flat_text(at(item, "content"))
        role = text_at(item, "role")
        if role == "assistant":
            self._respond(text)
            self._answered = True
        elif role == "user":
            self.end()
            self.build.start_turn(by="inferred")
            self.build.user(text)
            self._answered = False
            self._after_result = True

    def _call(self, item: Any, kind: str) -> None:
        self._respond()
        self._answered = False
        args = at(item, "arguments") if kind == "function_call" else None
        if kind == "custom_tool_call":
            args = {"input": at(item, "input")}
        elif kind == "local_shell_call":
            args = at(item, "action")
        name = name_at(item, "name") or ("local_shell" if kind == "local_shell_call" else "")
        native = name_at(item, "call_id") or text_at(item, "id")
        self.build.call(native, name, args, step=f"r{self._step}")

    def _output(self, item: Any) -> None:
        output = at(item, "output")
        text = output if isinstance(output, str) else flat_text(output) or as_text(output)
        grade = grade_of(output, text)
        if grade is UNKNOWN and self._trusting:
            grade = Grade("ok", "absence")
        self._after_result = True
        self._answered = False
        self.build.result(text_at(item, "call_id"), grade, text)
