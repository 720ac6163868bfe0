"""Inspect logs as JSON: samples with messages and events, and the best error model of all."""

from __future__ import annotations

from collections.abc import Generator, Iterator
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
from reasonix_runtime.trace.events import MAIN, Event, Outcome, Truncated

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
            build.note(value.code, value.text)
        else:
            build.note("truncated_tail", "the log holds no samples")
        yield from build.drain()
        return
    for index, sample in enumerate(samples, 1):
        yield from _Sample(recording, value, sample, index, many=len(samples) > 1).events()


class _Sample:
    """One sample of a log: a session of one turn."""

    def __init__(
        self, recording: Recording, log: Any, sample: Any, index: int, *, many: bool
    ) -> None:
        self._build = Builder(recording.shown)
        self._sample = sample
        self._attachments = at(sample, "attachments")
        self._steps = 0
        self._spans: _Spans | None = None
        name = at(sample, "id")
        sid = f"{recording.sid}#{index if name is None else name}.{at(sample, 'epoch') or 1}"
        self._build.session(sid, FORMAT, model=name_at(log, "eval", "model"))
        if many:
            self._build.count("several_sessions", "each sample is a session of its own")
        if at(log, "status") == "started":
            self._build.note("truncated_tail", "the log was still being written")

    def events(self) -> Iterator[Event]:
        """Yield the events of the sample; without any of the model, what its messages tell."""
        build, sample = self._build, self._sample
        build.start_turn(native=as_text(at(sample, "id")))
        told = list(_flat(list_at(sample, "events")))
        if any(text_at(event, "event") == "model" for event in told):
            answered = yield from self._by_events(told)
        else:
            answered = yield from self._by_messages(told)
        failed = name_at(sample, "error", "message")
        if failed is not None:
            build.end_turn("failed", error=failed, judge=False)
        else:
            build.end_turn("completed" if answered else "unknown", judge=answered)
        build.finish()
        yield from build.drain()

    def _by_messages(self, told: list[Any]) -> Generator[Event, None, bool]:
        """Tell the messages, each result with its event; events of no message come last."""
        tools: dict[str, list[Any]] = {}
        for event in told:
            if text_at(event, "event") == "tool":
                tools.setdefault(text_at(event, "id"), []).append(event)
        answered = False
        for message in list_at(self._sample, "messages"):
            role = text_at(message, "role")
            if role == "assistant":
                answered = self._assistant(message)
            elif role == "tool":
                events = tools.get(text_at(message, "tool_call_id")) or [None]
                self._result(message, events.pop(0))
                answered = False
            elif role == "user":
                self._build.user(flat_text(at(message, "content")))
            yield from self._build.drain()
        for event in (event for events in tools.values() for event in events):
            self._tool(event, MAIN)
        yield from self._build.drain()
        return answered

    def _by_events(self, told: list[Any]) -> Generator[Event, None, bool]:
        """Tell the events: messages are only what the model saw last."""
        for message in list_at(self._sample, "messages"):
            if text_at(message, "role") == "user":
                self._build.user(flat_text(at(message, "content")))
        self._spans = _Spans(told)
        answered = False
        for event in self._spans.of(None):
            answered = self._event(event, MAIN, answered=answered)
            yield from self._build.drain()
        return answered

    def _event(self, event: Any, scope: str, *, answered: bool = False) -> bool:
        """Tell an event of a scope; return whether the model has answered for good."""
        kind = text_at(event, "event")
        if kind == "model":
            message = at(event, "output", "choices", 0, "message")
            return self._assistant(message, scope) if message is not None else answered
        if kind == "tool":
            self._tool(event, scope)
            return False
        return answered

    def _tool(self, event: Any, scope: str) -> None:
        """Tell a call that its event holds whole, with what a sub-agent did in it."""
        build = self._build
        native, name = text_at(event, "id"), text_at(event, "function")
        uid = build.find(native, scope=scope, name=name)
        if uid is None:
            self._steps += 1
            build.call(native, name, at(event, "arguments"), step=f"r{self._steps}", scope=scope)
            uid = build.find(native, scope=scope, name=name)
        agent = name_at(event, "agent_span_id")
        if agent is not None and uid is not None and self._spans is not None:
            inner = build.child(agent, uid, kind=name_at(event, "agent") or name)
            for own in self._spans.of(agent):
                self._event(own, inner)
            build.end_child(inner)
        if at(event, "pending") is not True:
            said = {"tool_call_id": native, "function": name, "content": at(event, "result")}
            self._result(said, event, scope)

    def _assistant(self, message: Any, scope: str = MAIN) -> bool:
        self._steps += 1
        step = f"r{self._steps}"
        calls = list_at(message, "tool_calls")
        text = flat_text(at(message, "content"))
        self._build.assistant(text, step=step, scope=scope, final=not calls)
        for call in calls:
            self._build.call(
                text_at(call, "id"),
                text_at(call, "function"),
                at(call, "arguments"),
                step=step,
                scope=scope,
            )
            if name_at(call, "parse_error"):
                self._build.note("bad_args", text_at(call, "parse_error"))
        return not calls

    def _result(self, message: Any, event: Any, scope: str = MAIN) -> None:
        """Answer a call: the event knows more than the message, where there is one."""
        error = at(event, "error") or at(message, "error")
        content = at(message, "content")
        text = self._text(flat_text(content) if isinstance(content, list) else as_text(content))
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
        self._build.result(native, grade, text, scope=scope, name=name, truncated=truncated)

    def _text(self, text: str) -> str:
        if not text.startswith(_ATTACHMENT):
            return text
        found = at(self._attachments, text[len(_ATTACHMENT) :].strip())
        if isinstance(found, str):
            return found
        self._build.note("missing_blob", "the text of a result is not among the attachments")
        return ""


class _Spans:
    """The events of a sample by the span of the sub-agent that they belong to."""

    def __init__(self, told: list[Any]) -> None:
        agents = {name_at(event, "agent_span_id") for event in told} - {None}
        parents = {
            text_at(event, "id"): name_at(event, "parent_id")
            for event in told
            if text_at(event, "event") == "span_begin"
        }
        self._events: dict[str | None, list[Any]] = {}
        for event in told:
            span, seen = name_at(event, "span_id"), set[str]()
            while span is not None and span not in agents and span not in seen:
                seen.add(span)
                span = parents.get(span)
            self._events.setdefault(span if span in agents else None, []).append(event)

    def of(self, agent: str | None) -> list[Any]:
        """Return the events of a sub-agent, None for the sample's own; each is given once."""
        return self._events.pop(agent, [])


def _flat(told: list[Any], depth: int = 16) -> Iterator[Any]:
    """Yield events and those inside them, as older logs have it."""
    for event in told:
        inner = list_at(event, "events") if depth else []
        if not inner:
            yield event
            continue
        span = name_at(event, "agent_span_id") or f"in {text_at(event, 'id')}"
        yield {**event, "agent_span_id": span}
        for own in _flat(inner, depth - 1):
            yield own if name_at(own, "span_id") else {**own, "span_id": span}
