"""Reasonix message files, format 1, and the sub-agents that lie beside them.

`<id>.jsonl` holds one message a line. Sub-agents have files of their own under `subagents/`, a log
among them where there is one, and a `.meta.json` that names the call which started them; their
events come before that call's result.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.files.json_values import name_at, text_at
from reasonix_conformance.readers.files.lines import Broken, Decoder
from reasonix_conformance.readers.files.neighbours import neighbour, unpacked
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.files.sources import ReadError
from reasonix_conformance.readers.hosts.host_facts import DELEGATES
from reasonix_conformance.readers.messages import REASONIX, Message, MessageReader
from reasonix_conformance.readers.model_apis.chat import closing, conversation
from reasonix_conformance.readers.reasonix.log_records import steps_of
from reasonix_conformance.readers.reasonix.message_pairs import pairs_from
from reasonix_conformance.readers.reasonix.side_files import folder_of, sub_agents
from reasonix_runtime.trace.events import Event

FORMAT = "reasonix-messages"

decode = Decoder[Message](Message)

_COMPLETED = "completed"
"""The status of a sub-agent that has answered."""
_TRIES = 8
"""Times that pairs are looked for in vain among the lines that are read at once."""


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a message file with those of its sub-agents."""
    return chain.from_iterable(_blocks(recording))


def _blocks(recording: Recording) -> Iterator[list[Event]]:
    build = Builder(recording.shown)
    reader = conversation(build, recording, FORMAT, REASONIX, cwd=folder_of(recording.path))
    children = Children(recording, build)
    number = 0
    for lines in recording.blocks():
        records = decode.each(lines)
        at, tries = 0, _TRIES
        while at < len(records):
            message = records[at]
            build.line = number + at + 1
            if type(message) is Message:
                if tries and message.tool_calls and not children.waiting:
                    pairs = reader.take_answered(pairs_from(records, at), build.line)
                    if pairs:
                        at += 2 * pairs
                        continue
                    tries -= 1
                if message.role == "tool":
                    yield from children.before(message)
                reader.feed(message)
            elif type(message) is Broken:
                build.note(message.code, message.text)
            at += 1
        number += at
        yield build.drain()
    yield list(closing(build, reader, recording, empty=number == 0))


class Children:
    """The sub-agents of a session folder, found by the call that started them."""

    def __init__(self, recording: Recording, build: Builder) -> None:
        self._recording = recording
        self._build = build
        self.waiting: dict[str, list[tuple[Path, dict[str, Any]]]] = {}
        """The files that are not told yet, by the call that started them."""
        for name, meta in sub_agents(recording.path):
            path = name.with_name(f"{name.name}.jsonl")
            log = neighbour(name.with_name(f"{name.name}.events.jsonl"))
            if log is not None and steps_of(Recording(path=log)) is not None:
                path = log
            call = text_at(meta, "parentToolCallId")
            self.waiting.setdefault(call, []).append((path, meta))

    def before(self, message: Message) -> Iterator[list[Event]]:
        """Yield the events of the sub-agents whose parent call this message answers, as read."""
        if not self.waiting and str(message.name) not in DELEGATES:
            return
        native = message.tool_call_id
        if message.role != "tool" or not isinstance(native, str):
            return
        uid = self._build.find(message.tool_call_id)
        if uid is None:
            return
        files = self.waiting.pop(message.tool_call_id, [])
        for path, meta in files:
            yield from self._tell(uid, path, meta)
        if not files and self._build.opened(uid).name in DELEGATES:
            name = self._build.opened(uid).name
            self._build.note("missing_child", f"what the sub-agent of {name} did is not recorded")

    def _tell(self, uid: str, path: Path, meta: dict[str, Any]) -> Iterator[list[Event]]:
        build = self._build
        scope = build.child(
            text_at(meta, "parentToolCallId") or unpacked(path).stem,
            uid,
            kind=build.opened(uid).name,
            ref=name_at(meta, "ref"),
        )
        reader = MessageReader(build, grading=REASONIX, scope=scope)
        outer = build.file, build.line
        try:
            file = neighbour(unpacked(path))
            if file is None:
                raise ReadError(f"{path}: no such file")
            child = Recording.of_records(file, cap=self._recording.cap)
            build.file = child.shown
            for message in _messages(child, build):
                self._miss_inner(message, scope)
                reader.feed(message)
                yield build.drain()
            if text_at(meta, "status") == _COMPLETED and not reader.has_answered:
                build.note("missing_child", f"the last messages of {path.name} are gone")
        except ReadError:
            build.note("missing_child", f"the messages of the sub-agent {path.name} are gone")
        finally:
            build.file, build.line = outer
        build.end_child(scope, status=name_at(meta, "status"))

    def _miss_inner(self, message: Message, scope: str) -> None:
        """Say that a sub-agent started one of its own: no file names the call of another one."""
        native = message.tool_call_id
        if message.role != "tool" or not isinstance(native, str):
            return
        uid = self._build.find(native, scope=scope)
        name = self._build.opened(uid).name if uid is not None else ""
        if name in DELEGATES:
            self._build.note("missing_child", f"what the sub-agent of an inner {name} did is lost")


def _messages(recording: Recording, build: Builder) -> Iterator[Message]:
    """Yield the messages of a sub-agent, of its log where that is the file."""
    steps = steps_of(recording)
    if steps is not None:
        for step in steps(recording, build):
            yield from step.messages
        return
    for number, message in recording.records(decode):
        build.line = number
        if isinstance(message, Broken):
            build.note(message.code, message.text)
        else:
            yield message
