"""OpenAI Responses items: a line an item, an array, or whole requests and answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reasonix_conformance.readers.codex.outputs import enveloped
from reasonix_conformance.readers.files.json_values import as_text, at, list_at, name_at, text_at
from reasonix_conformance.readers.files.lines import Broken
from reasonix_conformance.readers.files.message_content import flat_text, unread_in
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.hosts.frames import believed, by_frame
from reasonix_conformance.readers.hosts.outcomes import UNKNOWN, Grade, by_code, by_state
from reasonix_conformance.readers.hosts.roles import made_by_interface
from reasonix_conformance.readers.model_apis.conversations import Request
from reasonix_conformance.readers.model_apis.requests import (
    HistoryReader,
    records_of,
    requests_of,
    told,
)
from reasonix_runtime.trace.events import Event, ToolCall

FORMAT = "openai-responses"

_CALLS = ("function_call", "custom_tool_call", "local_shell_call", "shell_call", "apply_patch_call")
"""Calls that the client makes, and tells the output of in an item of its own."""
_QUIET = frozenset(
    {
        "reasoning", "mcp_list_tools", "mcp_approval_request", "mcp_approval_response",
        "additional_tools", "tool_search_output",
    }
)  # fmt: skip
_OUTPUTS = ("_call_output", "_call_result")
"""What the kinds of outputs end with; the latter in the histories of an SDK."""
_UNFINISHED = frozenset({"incomplete", "in_progress", "failed", "cancelled", "queued"})
"""States of an answer that is none yet, or was cut off; of a message the first two."""
_COMMENTARY = "commentary"
"""The phase of a message in which the model says what it is about to do."""
_STREAM = "response."
"""What the kinds of streamed events begin with; the last one holds the whole answer."""
_FIRST = "response.created"
_LOST = "a streamed answer has no end, where all of it would stand"
_LAST = ("response.completed", "response.incomplete", "response.failed")


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a list of items."""
    requests = requests_of(_whole_answers(records_of(recording)), _is_item, _request)
    yield from told(requests, lambda number: _Reader(recording, number))


def _whole_answers(records: Iterator[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """Leave out the pieces of streamed answers; the whole follows them, else the answer is lost."""
    streams = False
    number = 0
    for number, record in records:
        kind = text_at(record, "type")
        piece = kind.startswith(_STREAM)
        if streams and (kind == _FIRST if piece else _request(record) is not None):
            yield number, Broken(_LOST)
            streams = False
        if not piece:
            yield number, record
            continue
        streams = kind not in _LAST
        if not streams:
            yield number, at(record, "response")
    if streams:
        yield number, Broken(_LOST)


_BODIES = ("body", "params")


def _is_item(record: Any) -> bool:
    """Whether a record is an item that stands alone."""
    return at(record, "type") is not None or at(record, "role") is not None


def _request(record: Any) -> Request | None:
    """Return what a request and its answer hold; either, or the request alone, may be a `body`.

    An answer alone goes on from what the model was given, which is not there.
    """
    sent, answer = (_body(at(record, side)) or _body(record) for side in ("request", "response"))
    given = at(sent, "input")
    items = [{"type": "message", "role": "user", "content": given}] if given else []
    if isinstance(given, list):
        items = given
    made = list_at(answer, "output")
    if text_at(answer, "status") in _UNFINISHED:
        made = [_unfinished(item) for item in made]
    items = [*items, *made]
    if not items:
        return None
    after = name_at(sent, "previous_response_id") or name_at(answer, "previous_response_id")
    if after is None and given is None:
        after = ""
    return Request(items, after=after, ident=name_at(answer, "id"))


def _body(side: Any) -> Any:
    """Return what one side of an exchange sent, or None where it is no object."""
    body = next((found for key in _BODIES if isinstance(found := at(side, key), dict)), side)
    return body if isinstance(body, dict) else None


def _unfinished(item: Any) -> Any:
    """Return an item of an answer that was cut off: its message is no last word."""
    return {**item, "status": "incomplete"} if text_at(item, "type") == "message" else item


class _Reader(HistoryReader):
    """One conversation of requests; its items are messages, calls and their outputs."""

    def __init__(self, recording: Recording, number: int) -> None:
        super().__init__(recording, number, FORMAT)
        self._after_result = True
        self._step = 0

    def take(self, item: Any) -> None:
        """Take the next item in; what one of an unknown type did is missing."""
        self.empty = False
        kind = name_at(item, "type") or "message"
        if at(item, "callId") is not None:
            item = {**item, "call_id": item["callId"]}  # the Agents SDK for JavaScript
        if kind.endswith(_OUTPUTS):
            self._output(item, kind)
        elif kind == "message":
            self._message(item)
        elif kind.endswith("_call"):
            self._call(item, kind)
        elif kind == "compaction":
            self.build.compaction("summary")
        elif kind not in _QUIET:
            # It may be a call, or its result.
            self.build.note("bad_line", f"an item of type {kind!r} is not read")

    def _respond(self, text: str = "") -> None:
        if self._after_result or text:
            self._step += 1
            self._after_result = False
            self.build.assistant(text, step=f"r{self._step}")

    def _message(self, item: Any) -> None:
        text = flat_text(at(item, "content"))
        role = text_at(item, "role")
        lost = self.acts.lost_in(text, role)
        if lost is not None:
            self.build.note("bad_line", lost)
        if role == "assistant":
            self._respond(text)
            on_its_way = text_at(item, "phase") == _COMMENTARY
            self.answered = text_at(item, "status") not in _UNFINISHED and not on_its_way
        elif role == "user":
            self.end_turn()
            self.build.start_turn(by="inferred")
            self.build.user(text)
            self.answered = False
            self._after_result = True
        else:
            self.build.note("bad_line", f"a message of role {role!r} is not read")

    def _call(self, item: Any, kind: str) -> None:
        """Take a call: of the client, or of a tool that the interface itself has."""
        self._respond()
        if kind in _CALLS:
            self.acts.called()
        self.answered = False
        tool = kind.removesuffix("_call")
        native = name_at(item, "call_id") or text_at(item, "id")
        name = name_at(item, "name") or ("" if tool in ("function", "custom_tool") else tool)
        if name_at(item, "server_label") is not None:
            name = f"mcp__{text_at(item, 'server_label')}__{name}"
        role = made_by_interface(tool, item)
        step = f"r{self._step}"
        self.build.call(native, name, _arguments(item, kind), step=step, role=role)
        if name_at(item, "call_id") is None and kind not in _CALLS:
            self._ended(item, native)

    def _ended(self, item: Any, native: str) -> None:
        """Take the end of a call that the interface made, which stands in the call itself.

        Its `status` is about the item: only that it failed says something of the tool.
        """
        error = as_text(at(item, "error"))
        output = at(item, "output")
        grade = UNKNOWN
        if error:
            grade = Grade("error", "flag", None, error)
        elif text_at(item, "status") == "failed":
            grade = Grade("error", "state")
        elif output is not None:
            grade = Grade("ok", "flag")
        self.build.result(native, grade, as_text(output))

    def _output(self, item: Any, kind: str) -> None:
        output = at(item, "output")
        native = text_at(item, "call_id")
        uid = self.build.find(native)
        parts = [output] if isinstance(output, dict) else output
        text = output if isinstance(output, str) else flat_text(parts) or as_text(output)
        if kind == "shell_call_output":
            grade, text = _shell_ended(output)
        elif kind == "apply_patch_call_output":
            grade = by_state(at(item, "status"))
        else:
            grade = enveloped(output, text)
            if grade is UNKNOWN:  # the client need not be Codex
                grade = by_frame(text) or UNKNOWN
            if uid is not None and not _is_believed(grade, self.build.opened(uid), text):
                grade = UNKNOWN
            told = isinstance(output, str) or unread_in(parts, may_be_empty=True) is None
            if grade is UNKNOWN and self.trusting and told:
                grade = Grade("ok", "absence")
        self._after_result = True
        self.answered = False
        self.build.result(native, grade, text, uid=uid)


def _arguments(item: Any, kind: str) -> Any:
    """Return the arguments of a call; what is no JSON is put in an object under its own name."""
    if kind == "custom_tool_call":
        return {"input": at(item, "input")}
    if at(item, "code") is not None:
        return {"code": at(item, "code")}
    given = (at(item, key) for key in ("arguments", "action", "operation", "queries"))
    return next((value for value in given if value is not None), None)


def _is_believed(grade: Grade, call: ToolCall, text: str) -> bool:
    """Whether an envelope is one, and not the text of a file that a tool gave back."""
    if grade.basis != "envelope" or call.name == "apply_patch":
        return True
    return believed(grade, call.name, call.args, text)


def _shell_ended(output: Any) -> tuple[Grade, str]:
    """Grade the commands of a shell call, which all have to end well, and return what they say."""
    told = output if isinstance(output, list) else []
    ends = [at(one, "outcome") for one in told]
    said = "".join(text_at(one, key) for one in told for key in ("stdout", "stderr"))
    if any(text_at(end, "type") == "timeout" for end in ends):
        return Grade("cancelled", "state"), said
    grades = [by_code(at(end, "exit_code")) or UNKNOWN for end in ends] or [UNKNOWN]
    failed = (grade for grade in grades if grade.outcome == "error")
    return next(failed, UNKNOWN if UNKNOWN in grades else grades[0]), said
