"""OpenAI Responses items (5.4): a line an item, an array, or whole requests and answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
from reasonix_conformance.readers.requests import Request, told
from reasonix_runtime.trace.events import Event, TurnStatus

FORMAT = "openai-responses"
_ALONE = "the item before"


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a list of items."""
    head = recording.head().removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(b"[") or head.split(b"\n", 1)[0].strip() == b"{":
        value = recording.document()
        records = value if isinstance(value, list) else [value]
        numbered: Iterator[tuple[int, Any]] = ((1, record) for record in records)
    else:
        numbered = recording.records()
    yield from told(_requests(numbered), lambda number: _Reader(recording, number))


def _requests(records: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Request | Broken | None]]:
    """Yield (line, request); items that stand alone go on from the one before."""
    before: str | None = None
    for number, record in records:
        if isinstance(record, Broken):
            yield number, record
        elif at(record, "type") is not None or at(record, "role") is not None:
            yield number, Request([record], after=before, ident=_ALONE)
            before = _ALONE
        else:
            yield number, _request(record)


def _request(record: Any) -> Request | None:
    """Return what a request and its answer hold."""
    sent = at(record, "request") if isinstance(at(record, "request"), dict) else record
    given = at(sent, "input")
    items = [{"type": "message", "role": "user", "content": given}] if given else []
    if isinstance(given, list):
        items = given
    answer = at(record, "response") if list_at(record, "response", "output") else record
    items = [*items, *list_at(answer, "output")]
    if not items:
        return None
    after = name_at(sent, "previous_response_id") or name_at(answer, "previous_response_id")
    return Request(items, after=after, ident=name_at(answer, "id"))


class _Reader:
    def __init__(self, recording: Recording, number: int) -> None:
        self.build = Builder(recording.shown)
        self._recording = recording
        self._empty = True
        sid = f"{recording.sid}#{number + 1}" if number else recording.sid
        self.build.session(sid, FORMAT)
        self._trusting = recording.trusting
        self._answered = False
        self._after_result = True
        self._step = 0

    def close(self) -> None:
        """Close what is open at the end of the conversation."""
        if self._empty:
            self.build.note("truncated_tail", "no record in the file can be read")
        if self._recording.damage:
            self.build.note("truncated_tail", self._recording.damage)
        self.end()
        self.build.finish()

    def take(self, item: Any) -> None:
        self._empty = False
        kind = name_at(item, "type") or "message"
        if kind.endswith("_call_output"):
            self._output(item)
        elif kind in ("function_call", "custom_tool_call", "local_shell_call"):
            self._call(item, kind)
        elif kind == "message":
            self._message(item)
        elif kind.endswith("_call"):
            self._other_call(item, kind.removesuffix("_call"))
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

    def _other_call(self, item: Any, tool: str) -> None:
        """Take a call of a tool that the interface itself has; without a call id it holds its end.

        Its `status` is about the item, not about what the tool did.
        """
        self._respond()
        self._answered = False
        given = (at(item, key) for key in ("arguments", "action", "operation", "code", "queries"))
        args = next((value for value in given if value is not None), None)
        native = name_at(item, "call_id") or text_at(item, "id")
        self.build.call(native, name_at(item, "name") or tool, args, step=f"r{self._step}")
        if name_at(item, "call_id") is not None:
            return
        error = as_text(at(item, "error"))
        output = at(item, "output")
        grade = UNKNOWN
        if error:
            grade = Grade("error", "flag", None, error)
        elif output is not None:
            grade = Grade("ok", "flag")
        self.build.result(native, grade, as_text(output))

    def _output(self, item: Any) -> None:
        output = at(item, "output")
        text = output if isinstance(output, str) else flat_text(output) or as_text(output)
        grade = grade_of(output, text)
        if grade is UNKNOWN and self._trusting:
            grade = Grade("ok", "absence")
        self._after_result = True
        self._answered = False
        self.build.result(text_at(item, "call_id"), grade, text)
