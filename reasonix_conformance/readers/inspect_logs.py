"""Inspect logs as JSON (5.9): samples with messages and events, and the best error model of all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reasonix_conformance.readers.building import Builder
from reasonix_conformance.readers.lines import Broken
from reasonix_conformance.readers.messages import flat_text
from reasonix_conformance.readers.outcomes import Grade
from reasonix_conformance.readers.recording import (
    Recording,
    as_text,
    at,
    list_at,
    name_at,
    text_at,
)
from reasonix_runtime.trace.events import Event, Outcome, Truncated

FORMAT = "inspect"

_ERRORS: dict[str, Outcome] = {
    "parsing": "not_run",
    "timeout": "cancelled",
    "cancelled": "cancelled",
    "permission": "blocked",
    "approval": "blocked",
    "limit": "cancelled",
}
_ATTACHMENT = "attachment://"


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of each sample, every one a session of its own."""
    value = recording.document()
    samples = list_at(value, "samples")
    if isinstance(value, Broken) or not samples:
        build = Builder(recording.shown)
        build.session(recording.sid, FORMAT)
        if isinstance(value, Broken):
            build.note("truncated_tail" if value.torn else "bad_line", value.text)
        else:
            build.note("truncated_tail", "the log holds no samples")
        yield from build.drain()
        return
    for index, sample in enumerate(samples, 1):
        yield from _Sample(recording, value, sample, index, many=len(samples) > 1).events()


class _Sample:
    def __init__(
        self, recording: Recording, log: Any, sample: Any, index: int, *, many: bool
    ) -> None:
        self._build = Builder(recording.shown)
        self._sample = sample
        self._attachments = at(sample, "attachments")
        name = at(sample, "id")
        sid = f"{recording.sid}#{index if name is None else name}.{at(sample, 'epoch') or 1}"
        self._build.session(sid, FORMAT, model=name_at(log, "eval", "model"))
        if many:
            self._build.count("several_sessions", "each sample is a session of its own")
        if at(log, "status") == "started":
            self._build.note("truncated_tail", "the log was still being written")

    def events(self) -> Iterator[Event]:
        build = self._build
        build.start_turn(native=as_text(at(self._sample, "id")))
        tools = {
            text_at(event, "id"): event
            for event in list_at(self._sample, "events")
            if text_at(event, "event") == "tool"
        }
        answered = False
        step = 0
        for message in list_at(self._sample, "messages"):
            role = text_at(message, "role")
            if role == "assistant":
                step += 1
                answered = self._assistant(message, f"r{step}")
            elif role == "tool":
                self._result(message, tools.get(text_at(message, "tool_call_id")))
                answered = False
            elif role == "user":
                build.user(flat_text(at(message, "content")))
            yield from build.drain()
        failed = name_at(self._sample, "error", "message")
        if failed is not None:
            build.end_turn("failed", error=failed, judge=False)
        else:
            build.end_turn("completed" if answered else "unknown", judge=answered)
        build.finish()
        yield from build.drain()

    def _assistant(self, message: Any, step: str) -> bool:
        calls = list_at(message, "tool_calls")
        self._build.assistant(flat_text(at(message, "content")), step=step, final=not calls)
        for call in calls:
            self._build.call(
                text_at(call, "id"), text_at(call, "function"), at(call, "arguments"), step=step
            )
            if name_at(call, "parse_error"):
                self._build.note("bad_args", text_at(call, "parse_error"))
        return not calls

    def _result(self, message: Any, event: Any) -> None:
        """Answer a call: the event knows more than the message, where there is one."""
        error = at(event, "error") or at(message, "error")
        text = self._text(flat_text(at(message, "content")))
        cut = at(event, "truncated")
        truncated = None
        if isinstance(cut, list) and len(cut) == 2 and all(isinstance(n, int) for n in cut):
            truncated = Truncated(original=cut[0], kept=cut[1])
        native = text_at(message, "tool_call_id")
        name = text_at(message, "function")
        grade = Grade("ok", "flag")
        if error is not None:
            kind = text_at(error, "type")
            outcome = _ERRORS.get(kind, "error")
            grade = Grade(outcome, "flag", None, name_at(error, "message") or kind)
        elif at(event, "failed") is True:
            grade = Grade("error", "flag")
        self._build.result(native, grade, text, name=name, truncated=truncated)

    def _text(self, text: str) -> str:
        if not text.startswith(_ATTACHMENT):
            return text
        found = at(self._attachments, text[len(_ATTACHMENT) :].strip())
        if isinstance(found, str):
            return found
        self._build.note("missing_blob", "the text of a result is not among the attachments")
        return ""
