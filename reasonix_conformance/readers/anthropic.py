"""Anthropic Messages: an array, a line a message, or requests with their whole history."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reasonix_conformance.readers.messages import flat_text
from reasonix_conformance.readers.outcomes import (
    UNKNOWN,
    Grade,
    believed,
    by_envelope,
    first_line,
    is_int,
)
from reasonix_conformance.readers.recording import Recording, at, list_at, name_at, text_at
from reasonix_conformance.readers.requests import (
    HistoryReader,
    Request,
    records_of,
    requests_of,
    told,
)
from reasonix_runtime.trace.events import Event

FORMAT = "anthropic-messages"


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a conversation."""
    records = records_of(recording, whole=_is_document(recording.head()))
    requests = requests_of(records, _is_message, _request)
    yield from told(requests, lambda number: _Reader(recording, number))


def _is_message(record: Any) -> bool:
    """Whether a record is a message that stands alone."""
    return not list_at(record, "messages") and at(record, "role") is not None


def _request(record: Any) -> Request | None:
    """Return what a request and its answer hold."""
    messages = list_at(record, "messages")
    if not messages:
        return None
    answer = at(record, "response")
    return Request([*messages, *([answer] if list_at(answer, "content") else [])])


def _is_document(head: bytes) -> bool:
    text = head.lstrip()
    return text.startswith(b"[") or text.split(b"\n", 1)[0].strip() in (b"{", b"")


class _Reader(HistoryReader):
    def __init__(self, recording: Recording, number: int) -> None:
        super().__init__(recording, number, FORMAT)
        self._step = 0

    def take(self, message: Any) -> None:
        self.empty = False
        role = text_at(message, "role")
        if role == "assistant":
            self._assistant(message)
        elif role == "user":
            self._user(message)
        elif role != "system":
            self.build.count("unknown_record", f"a message of role {role!r} is not read")

    def _assistant(self, message: Any) -> None:
        self._step += 1
        step = f"r{self._step}"
        blocks = list_at(message, "content")
        here = {text_at(block, "tool_use_id") for block in blocks}
        uses = [block for block in blocks if text_at(block, "type").endswith("tool_use")]
        calls = [block for block in uses if text_at(block, "id") not in here]
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
        self.answered = not calls

    def _user(self, message: Any) -> None:
        blocks = list_at(message, "content")
        results = [block for block in blocks if text_at(block, "type").endswith("tool_result")]
        for block in results:
            self._result(block)
        text = flat_text(at(message, "content"))
        if results:
            self.answered = False
            if text:
                self.build.user(text, origin="host")
            return
        self.end_turn()
        self.build.start_turn(by="inferred")
        self.build.user(text)
        self.answered = False

    def _result(self, block: Any) -> None:
        content = at(block, "content")
        text = flat_text(content)
        native = text_at(block, "tool_use_id")
        uid = self.build.find(native)
        tool = self.build.opened(uid).name if uid is not None else ""
        self.build.result(native, self._grade(block, text, tool), text)

    def _grade(self, block: Any, text: str, tool: str) -> Grade:
        envelope = by_envelope(text)
        if envelope is not None and not believed(envelope, tool):
            envelope = None
        if at(block, "is_error") not in (None, False):
            return Grade("error", "flag", None, first_line(text))
        content = at(block, "content")
        code = at(content, "return_code")
        if is_int(code):
            return Grade("error" if code else "ok", "exit_code", code)
        if at(block, "is_error") is False:
            return envelope or Grade("ok", "flag")
        if name_at(content, "error_code"):
            return Grade("error", "flag", None, text_at(block, "content", "error_code"))
        if envelope is not None:
            return envelope
        return Grade("ok", "absence") if self.trusting else UNKNOWN
