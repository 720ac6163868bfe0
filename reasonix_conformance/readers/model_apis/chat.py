"""Chat Completions messages and request logs: an array, a line a message, or requests.

A line-a-message file is read as a stream. A log of requests repeats the history in each line
(:mod:`requests`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.files.json_values import at, json_in, list_at
from reasonix_conformance.readers.files.lines import Broken, Decoder
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.hosts.host_texts import split_host_blocks
from reasonix_conformance.readers.hosts.rule_sets import marks_failures
from reasonix_conformance.readers.hosts.widely_given import ANYONES
from reasonix_conformance.readers.messages import (
    PLAIN,
    REASONIX,
    Grading,
    LoggedMessage,
    MessageReader,
)
from reasonix_conformance.readers.model_apis.answers import CHAT, answer_in, logged, messages_at
from reasonix_conformance.readers.model_apis.requests import UNREAD_ANSWER, Talk, records_of, told
from reasonix_runtime.trace.events import Event
from reasonix_runtime.trace.host_events import SETUP

FORMAT = "chat-completions"

_decode = Decoder[LoggedMessage](LoggedMessage)


def _grading_of(recording: Recording) -> Grading:
    """Return how results are graded: by the host's prefix if the file shows such a host."""
    if marks_failures(recording):
        return REASONIX
    return Grading(host=False, trusting=True) if recording.trusting else PLAIN


def _builder(recording: Recording, grading: Grading) -> Builder:
    """Return what builds a conversation: of a host that the file does not show it is anyone's."""
    return Builder(recording.shown, None if grading.host else ANYONES, of_anyone=True)


def read_lines(recording: Recording) -> Iterator[Event]:
    """Yield the events of a file with one message a line."""
    grading = _grading_of(recording)
    build = _builder(recording, grading)
    reader = conversation(build, recording, FORMAT, grading)
    number = 0
    for lines in recording.blocks():
        for message in _decode.each(lines):
            number += 1
            build.line = number
            if type(message) is LoggedMessage:
                reader.feed(message)
            elif type(message) is Broken:
                build.note(message.code, message.text)
        yield from build.drain()
    yield from closing(build, reader, recording, empty=number == 0)


def read_document(recording: Recording) -> Iterator[Event]:
    """Yield the events of messages, a request or episodes in one value, or of an episode a line."""
    first = recording.head().partition(b"\n")[0]
    if recording.laid_out or list_at(json_in(first), "traj"):
        yield from _read_episodes(recording)
        return
    value = recording.document()
    if isinstance(value, list) and any(map(messages_at, value)):
        yield from read_requests(recording)
        return
    grading = _grading_of(recording)
    build = _builder(recording, grading)
    if isinstance(value, Broken):
        build.note(value.code, value.text)
    answer = answer_in(value, CHAT)
    if answer is not None and answer.more:
        build.count("unknown_record", UNREAD_ANSWER)
    conversations = list(_conversations(value))
    if len(conversations) > 1:
        build.count("several_sessions", f"{len(conversations)} conversations in one file")
    for index, messages in enumerate(conversations or [[]]):
        if index:
            yield from build.drain()
            build = _builder(recording, grading)
        yield from _whole(messages, build, recording, grading, index)


def _read_episodes(recording: Recording) -> Iterator[Event]:
    """Yield the events of episodes that stand one a line: each is a session of its own."""
    grading = _grading_of(recording)
    for index, (number, record) in enumerate(recording.records(), 1):
        build = _builder(recording, grading)
        build.line = number
        if isinstance(record, Broken):
            build.note(record.code, record.text)
        if index == 2:
            build.count("several_sessions", "each line is a conversation of its own")
        messages = next(_conversations(record), None)
        if messages is None and not isinstance(record, Broken):
            build.note("bad_line", "a line that holds no messages")
        yield from _whole(messages or [], build, recording, grading, index - 1)


def _whole(
    messages: list[Any], build: Builder, recording: Recording, grading: Grading, number: int
) -> Iterator[Event]:
    """Yield the events of a conversation of which all messages are at hand."""
    reader = conversation(build, recording, FORMAT, grading, number=number)
    for message in typed(messages, build):
        reader.feed(message)
        yield from build.drain()
    yield from closing(build, reader, recording, empty=not messages)


def read_requests(recording: Recording) -> Iterator[Event]:
    """Yield the events of a log of requests, each line with its whole history."""
    grading = _grading_of(recording)

    def begin(number: int) -> Talk:
        """Begin a conversation; `number` counts those of the file."""
        return _Conversation(recording, grading, number)

    yield from told(logged(records_of(recording), CHAT), begin)


class _Conversation:
    """One conversation of a log of requests."""

    def __init__(self, recording: Recording, grading: Grading, number: int) -> None:
        self.build = _builder(recording, grading)
        self._recording = recording
        self._reader = conversation(self.build, recording, FORMAT, grading, number=number)
        self._empty = True

    def take(self, message: Any) -> None:
        """Take the next message in; one that is none is a diagnostic."""
        self._empty = False
        for one in typed([message], self.build):
            self._reader.feed(one)

    def close(self) -> None:
        """End the conversation; what it still had to tell stands in `build.out`."""
        build = self.build
        build.out += closing(build, self._reader, self._recording, empty=self._empty)


def conversation(
    build: Builder,
    recording: Recording,
    format_name: str,
    grading: Grading,
    *,
    number: int = 0,
    cwd: str | None = None,
) -> MessageReader:
    """Return a reader of one conversation that begins its session at the first message."""
    reader = MessageReader(build, grading=grading)

    def begin(text: str) -> None:
        """Begin the session, with what its first text tells of the host."""
        build.session(recording.sid_of(number), format_name, cwd=cwd)
        setup = setup_in(text)
        if setup:
            build.host(SETUP, setup)
        reader.delegated = bool(setup)

    reader.begin = begin
    return reader


def setup_in(first_prompt: str) -> dict[str, Any]:
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
    build.file_ended(empty=empty, damage=recording.damage)
    reader.finish()
    build.finish()
    yield from build.drain()


def typed(messages: Iterable[Any], build: Builder) -> Iterator[LoggedMessage]:
    """Yield messages as records; what is none is reported."""
    for message in messages:
        try:
            yield msgspec.convert(message, LoggedMessage)
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
    messages = messages_at(record)
    if not messages:
        return []
    answer = answer_in(record, CHAT)
    return [*messages, answer.message] if answer is not None else messages
