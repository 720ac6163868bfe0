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
    for index, value in enumerate(_trajectories(recording)):
        yield from _trajectory(recording, value, index)


def _trajectories(recording: Recording) -> Iterator[Any]:
    """Yield the trajectories of a file: one a line, one value, or a list of them.

    One a line are given as they are read: such a file may be of any size.
    """
    lines = (record for _, record in recording.records())
    first = next(lines, None)
    value = first if _is_one(first) else recording.document()
    if value is first or isinstance(value, Broken):
        before = [] if first is None else [first]
        found = int(_is_one(first))
        for record in lines:
            before.append(record)
            found += _is_one(record)
            if found > 1:
                yield from before
                yield from lines
                return
        if value is first and len(before) > 1:
            value = recording.document()
    yield from value if isinstance(value, list) else [value]


def _is_one(record: Any) -> bool:
    return name_at(record, "schema_version") is not None


def _trajectory(recording: Recording, value: Any, index: int) -> Iterator[Event]:
    build = Builder(recording.shown)
    build.session(
        name_at(value, "session_id") or recording.sid_of(index),
        FORMAT,
        model=name_at(value, "agent", "model_name"),
        tool_version=name_at(value, "agent", "version"),
    )
    if index:
        build.count("several_sessions", "each trajectory is a session of its own")
    if isinstance(value, Broken):
        build.note(value.code, value.text)
    answered = False
    for number, step in enumerate(list_at(value, "steps"), 1):
        source = text_at(step, "source")
        text = flat_text(at(step, "message"))
        if source == "user":
            _end(build, answered=answered)
            build.start_turn(by="inferred")
            build.user(text)
            answered = False
        elif source == "agent":
            answered = _agent(build, step, text, f"r{number}")
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
