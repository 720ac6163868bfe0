"""OpenAI Responses items: a line an item, an array, or whole requests and answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reasonix_conformance.readers.codex_outputs import enveloped
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
from reasonix_conformance.readers.requests import (
    HistoryReader,
    Request,
    records_of,
    requests_of,
    told,
)
from reasonix_runtime.trace.events import Event

FORMAT = "openai-responses"


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a list of items."""
    requests = requests_of(records_of(recording), _is_item, _request)
    yield from told(requests, lambda number: _Reader(recording, number))


def _is_item(record: Any) -> bool:
    """Whether a record is an item that stands alone."""
    return at(record, "type") is not None or at(record, "role") is not None


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


class _Reader(HistoryReader):
    """One conversation of requests; its items are messages, calls and their outputs."""

    def __init__(self, recording: Recording, number: int) -> None:
        super().__init__(recording, number, FORMAT)
        self._after_result = True
        self._step = 0

    def take(self, item: Any) -> None:
        """Take the next item in; one of an unknown type is counted and left out."""
        self.empty = False
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
            self.answered = True
        elif role == "user":
            self.end_turn()
            self.build.start_turn(by="inferred")
            self.build.user(text)
            self.answered = False
            self._after_result = True

    def _call(self, item: Any, kind: str) -> None:
        self._respond()
        self.answered = False
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
        self.answered = False
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
        grade = enveloped(output, text)
        if grade is UNKNOWN and self.trusting:
            grade = Grade("ok", "absence")
        self._after_result = True
        self.answered = False
        self.build.result(text_at(item, "call_id"), grade, text)
