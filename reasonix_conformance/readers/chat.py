"""Chat Completions messages and request logs (5.3): an array, a line a message, or requests.

A line-a-message file is read as a stream. A log of requests repeats the history in each line: what
a line adds to the one before is read; a line that does not go on is a branch, said so and read on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from reasonix_conformance.readers.building import Builder
from reasonix_conformance.readers.lines import Broken, Decoder
from reasonix_conformance.readers.messages import (
    PLAIN,
    REASONIX,
    Grading,
    Message,
    MessageReader,
    split_host_blocks,
)
from reasonix_conformance.readers.recording import HEAD, Recording, at, list_at
from reasonix_runtime.trace.events import Event

FORMAT = "chat-completions"

_decode = Decoder[Message](Message)
# Tools and blocks that only hosts of this contract have; their failure prefix may be trusted.
_HOST_MARKS = (
    b'"complete_step"',
    b'"todo_write"',
    b'"update_goal"',
    b'"use_capability"',
    b'"review_report"',
    b"<response-language>",
    b"<session-context ",
    b"<delivery-runtime>",
    b"<subagent-context ",
)


def grading_of(recording: Recording) -> Grading:
    """Return how results are graded: by the host's prefix if the file shows such a host."""
    head = recording.head()[:HEAD]
    if any(mark in head for mark in _HOST_MARKS):
        return REASONIX
    return Grading(host=False, trusting=True) if recording.trusting else PLAIN


def read_lines(recording: Recording) -> Iterator[Event]:
    """Yield the events of a file with one message a line."""
    build = Builder(recording.shown)
    reader = conversation(build, recording, FORMAT, grading_of(recording))
    number = 0
    for line in recording.lines():
        number += 1
        build.line = number
        message = _decode(line)
        if type(message) is Message:
            reader.feed(message)
        elif type(message) is Broken:
            build.note("truncated_tail" if message.torn else "bad_line", message.text)
        if build.out:
            yield from build.drain()
    yield from closing(build, reader, recording, empty=number == 0)


def read_document(recording: Recording) -> Iterator[Event]:
    """Yield the events of one JSON value: messages, a request, or a list of episodes."""
    build = Builder(recording.shown)
    value = recording.document()
    if isinstance(value, Broken):
        build.note("truncated_tail" if value.torn else "bad_line", value.text)
    conversations = list(_conversations(value))
    if len(conversations) > 1:
        build.count("several_sessions", f"{len(conversations)} conversations in one file")
    for index, messages in enumerate(conversations or [[]]):
        if index:
            yield from build.drain()
            build = Builder(recording.shown)
        reader = conversation(build, recording, FORMAT, grading_of(recording), number=index)
        for message in typed(messages, build):
            reader.feed(message)
            yield from build.drain()
        yield from closing(build, reader, recording, empty=not messages)


def read_requests(recording: Recording) -> Iterator[Event]:
    """Yield the events of a log of requests, each line with its whole history."""
    build = Builder(recording.shown)
    reader = conversation(build, recording, FORMAT, grading_of(recording))
    seen: list[bytes] = []
    number = 0
    for number, record in recording.records():
        build.line = number
        if isinstance(record, Broken):
            build.note("truncated_tail" if record.torn else "bad_line", record.text)
            continue
        messages = _history(record)
        marks = [_mark(message) for message in messages]
        common = 0
        while common < len(seen) and common < len(marks) and seen[common] == marks[common]:
            common += 1
        if common < len(seen):
            known = set(seen)
            build.note("branch_dropped", "a request does not go on from the one before it")
            fresh = [m for m, mark in zip(messages, marks, strict=True) if mark not in known]
        else:
            fresh = messages[common:]
        seen = marks
        for message in typed(fresh, build):
            reader.feed(message)
        yield from build.drain()
    yield from closing(build, reader, recording, empty=number == 0)


def conversation(
    build: Builder, recording: Recording, format_name: str, grading: Grading, *, number: int = 0
) -> MessageReader:
    """Return a reader of one conversation that begins its session at the first message."""
    reader = MessageReader(build, grading=grading)
    sid = f"{recording.sid}#{number + 1}" if number else recording.sid

    def begin(text: str) -> None:
        build.session(sid, format_name)
        setup = setup_of(text)
        if setup:
            build.host("setup", setup)
        reader.delegated = bool(setup)

    reader.begin = begin
    return reader


def setup_of(first_prompt: str) -> dict[str, Any]:
    """Return what the host's blocks in the first prompt tell about the run."""
    _, blocks = split_host_blocks(first_prompt)
    setup: dict[str, Any] = {}
    if "<review-report-contract" in first_prompt:
        setup["role"] = "review"
    elif "subagent-context" in blocks:
        setup["role"] = "subagent"
    return setup


def closing(
    build: Builder, reader: MessageReader, recording: Recording, *, empty: bool
) -> Iterator[Event]:
    """Yield what is left to say at the end of a conversation."""
    if empty:
        build.note("truncated_tail", "no record in the file can be read")
    if recording.damage:
        build.note("truncated_tail", recording.damage)
    reader.finish()
    build.finish()
    yield from build.drain()


def typed(messages: Iterable[Any], build: Builder) -> Iterator[Message]:
    """Yield messages as records; what is none is reported."""
    for message in messages:
        try:
            yield msgspec.convert(message, Message)
        except msgspec.ValidationError as error:
            build.note("bad_line", f"not a message: {error}")


def _conversations(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, dict):
        for key in ("messages", "traj", "history"):
            if isinstance(value.get(key), list):
                yield _history(value) if key == "messages" else value[key]
                return
    elif isinstance(value, list):
        if any(at(item, "role") is not None for item in value):
            yield value
            return
        for item in value:
            yield from _conversations(item)


def _history(record: Any) -> list[Any]:
    """Return the messages of a request and, where it was logged, of its answer."""
    request = record.get("request") if isinstance(record, dict) else None
    messages = list(list_at(record, "messages") or list_at(request, "messages"))
    answer = at(record, "response", "choices", 0, "message")
    return [*messages, answer] if isinstance(answer, dict) else messages


def _mark(message: Any) -> bytes:
    encoded = msgspec.json.encode(message, order="sorted")
    return hashlib.blake2b(encoded, digest_size=12).digest()
