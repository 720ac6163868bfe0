"""ATIF, the exchange format of the Harbor harness (5.12): steps, calls and observations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reasonix_conformance.readers.building import Builder
from reasonix_conformance.readers.lines import Broken
from reasonix_conformance.readers.messages import flat_text
from reasonix_conformance.readers.outcomes import Grade, by_envelope
from reasonix_conformance.readers.recording import (
    Recording,
    as_text,
    at,
    list_at,
    name_at,
    text_at,
)
from reasonix_runtime.trace.events import Event

FORMAT = "atif"


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a trajectory; an outcome is known by the absence of a sign at best."""
    build = Builder(recording.shown)
    value = recording.document()
    sid = name_at(value, "session_id") or recording.sid
    build.session(
        sid,
        FORMAT,
        model=name_at(value, "agent", "model_name"),
        tool_version=name_at(value, "agent", "version"),
    )
    if isinstance(value, Broken):
        build.note("truncated_tail" if value.torn else "bad_line", value.text)
    answered = False
    for index, step in enumerate(list_at(value, "steps"), 1):
        source = text_at(step, "source")
        text = flat_text(at(step, "message"))
        if source == "user":
            _end(build, answered=answered)
            build.start_turn(by="inferred")
            build.user(text)
            answered = False
        elif source == "agent":
            answered = _agent(build, step, text, f"r{index}")
        elif source != "system":
            build.count("unknown_record", f"a step of source {source!r} is not read")
        yield from build.drain()
    _end(build, answered=answered)
    build.finish()
    yield from build.drain()


def _end(build: Builder, *, answered: bool) -> None:
    if build.in_turn:
        build.end_turn("completed" if answered else "unknown", by="inferred", judge=answered)


def _agent(build: Builder, step: Any, text: str, name: str) -> bool:
    calls = list_at(step, "tool_calls")
    build.assistant(text, step=name, final=not calls)
    for call in calls:
        build.call(
            text_at(call, "tool_call_id"),
            text_at(call, "function_name"),
            at(call, "arguments"),
            step=name,
        )
    results = list_at(step, "observation", "results")
    for index, result in enumerate(results):
        _result(build, result, calls, index)
    return not calls


def _result(build: Builder, result: Any, calls: list[Any], index: int) -> None:
    content = at(result, "content")
    text = flat_text(content) or as_text(content if isinstance(content, dict) else None)
    native = name_at(result, "source_call_id")
    if native is None and len(calls) > index:
        native = name_at(calls[index], "tool_call_id")
    if at(result, "subagent_trajectory_ref"):
        build.note("missing_child", "what a sub-agent did stands in a trajectory of its own")
    build.result(native or "", by_envelope(text) or Grade("ok", "absence"), text)
