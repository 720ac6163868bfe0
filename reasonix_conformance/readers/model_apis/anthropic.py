"""Anthropic Messages: an array, a line a message, or requests with their whole history."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reasonix_conformance.readers.files.json_values import at, list_at, text_at
from reasonix_conformance.readers.files.message_content import flat_text, unread_in
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.hosts.frames import believed, by_frame
from reasonix_conformance.readers.hosts.outcomes import UNKNOWN, Grade, first_line, of_provider
from reasonix_conformance.readers.hosts.roles import made_by_provider
from reasonix_conformance.readers.messages import UNENDED
from reasonix_conformance.readers.model_apis.answers import ANTHROPIC, logged
from reasonix_conformance.readers.model_apis.requests import HistoryReader, records_of, told
from reasonix_runtime.trace.events import Event, ToolCall

FORMAT = "anthropic-messages"
# Why an answer stopped before its end.
_CUT_OFF = ("max_tokens", "model_context_window_exceeded", "pause_turn", "refusal", UNENDED)


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a conversation."""
    requests = logged(records_of(recording), ANTHROPIC)
    yield from told(requests, lambda number: _Reader(recording, number))


class _Reader(HistoryReader):
    """One conversation of requests; the blocks of a message are its text, calls and results."""

    def __init__(self, recording: Recording, number: int) -> None:
        super().__init__(recording, number, FORMAT)
        self._step = 0

    def take(self, message: Any) -> None:
        """Take the next message in; a message of an unknown role is counted and left out."""
        self.empty = False
        role = text_at(message, "role")
        content = at(message, "content")
        lost = unread_in(content, may_be_empty=role == "assistant")
        if _holds_tools(content):
            self.acts.called()
        elif lost is None:
            lost = self.acts.lost_in(flat_text(content), role)
        if lost is not None and role in ("assistant", "user"):
            self.build.note("bad_line", lost)
        if role == "assistant":
            self._assistant(message)
        elif role == "user":
            self._user(message)
        elif role != "system":
            self.build.note("bad_line", f"a message of role {role!r} is not read")

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
                native, (name, role) = text_at(block, "id"), made_by_provider(block)
                self.build.call(native, name, at(block, "input"), step=step, role=role)
            elif kind.endswith("tool_result"):
                # A tool of the server's side: its result stands in the same message.
                self._result(block)
        self.answered = not calls and at(message, "stop_reason") not in _CUT_OFF

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
        if isinstance(content, list) and unread_in(content, may_be_empty=True):
            self.build.note("bad_line", "a part of a result is of no type that can be read")
        native = text_at(block, "tool_use_id")
        uid = self.build.find(native)
        call = self.build.opened(uid) if uid is not None else None
        self.build.result(native, self._grade(block, text, call), text)

    def _grade(self, block: Any, text: str, call: ToolCall | None) -> Grade:
        envelope = by_frame(text)
        tool, given = (call.name, call.args) if call is not None else ("", None)
        if envelope is not None and not believed(envelope, tool, given, text):
            envelope = None
        flag = at(block, "is_error")
        if flag is not None and not isinstance(flag, bool):
            return UNKNOWN
        if flag:
            return Grade("error", "flag", None, first_line(text))
        if (told_inside := of_provider(at(block, "content"))) is not None:
            return told_inside
        if flag is False:
            return envelope or Grade("ok", "flag")
        if envelope is not None:
            return envelope
        return Grade("ok", "absence") if self.trusting else UNKNOWN


def _holds_tools(content: Any) -> bool:
    """Whether a message has calls of the client, or their results."""
    blocks = content if isinstance(content, list) else []
    return any(text_at(block, "type") in ("tool_use", "tool_result") for block in blocks)
