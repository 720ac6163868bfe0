"""Anthropic Messages (5.5): an array, a line a message, or requests with their whole history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from reasonix_conformance.readers.building import Builder
from reasonix_conformance.readers.lines import Broken
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
from reasonix_conformance.readers.requests import Request, told
from reasonix_runtime.trace.events import Event, TurnStatus

FORMAT = "anthropic-messages"
_ALONE = "the message before"


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a conversation."""
    if _is_document(recording.head()):
        value = recording.document()
        records = value if isinstance(value, list) else [value]
        numbered: Iterator[tuple[int, Any]] = ((1, record) for record in records)
    else:
        numbered = recording.records()
    requests = _requests(numbered)
    yield from told(requests, lambda number: _Reader(recording, number))


def _requests(records: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Request | Broken | None]]:
    """Yield (line, request); messages that stand alone go on from the one before."""
    before: str | None = None
    for number, record in records:
        if isinstance(record, Broken):
            yield number, record
        elif list_at(record, "messages"):
            answer = at(record, "response")
            more = [answer] if list_at(answer, "content") else []
            yield number, Request([*list_at(record, "messages"), *more])
        elif at(record, "role") is not None:
            yield number, Request([record], after=before, ident=_ALONE)
            before = _ALONE
        else:
            yield number, None


def _is_document(head: bytes) -> bool:
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    return text.startswith(b"[") or text.split(b"\n", 1)[0].strip() in (b"{", b"")


class _Reader:
    def __init__(self, recording: Recording, number: int) -> None:
        self.build = Builder(recording.shown)
        self._recording = recording
        self._trusting = recording.trusting
        self._empty = True
        sid = f"{recording.sid}#{number + 1}" if number else recording.sid
        self.build.session(sid, FORMAT)
        self._answered = False
        self._step = 0

    def close(self) -> None:
        """Close what is open at the end of the conversation."""
        if self._empty:
            self.build.note("truncated_tail", "no record in the file can be read")
        if self._recording.damage:
            self.build.note("truncated_tail", self._recording.damage)
        self.end()
        self.build.finish()

    def take(self, message: Any) -> None:
        self._empty = False
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
        if at(block, "is_error") is False:
            return envelope or Grade("ok", "flag")
        content = at(block, "content")
        if name_at(content, "error_code"):
            return Grade("error", "flag", None, text_at(block, "content", "error_code"))
        code = at(content, "return_code")
        if is_int(code):
            return Grade("error" if code else "ok", "exit_code", code)
        if envelope is not None:
            return envelope
        return Grade("ok", "absence") if self._trusting else UNKNOWN
