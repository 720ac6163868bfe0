"""The two event logs of a Reasonix session (4.4 and 4.5); their messages are those of 4.3."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reasonix_conformance.readers.building import Builder
from reasonix_conformance.readers.chat import closing, conversation, typed
from reasonix_conformance.readers.lines import Broken
from reasonix_conformance.readers.messages import REASONIX
from reasonix_conformance.readers.reasonix_messages import Children
from reasonix_conformance.readers.recording import Recording, at, list_at, name_at, text_at
from reasonix_conformance.readers.requests import digest_of
from reasonix_runtime.trace.events import Event

LOG_1 = "reasonix-log-1"
LOG_2 = "reasonix-log-2"


def read_log_1(recording: Recording) -> Iterator[Event]:
    """Yield the events of a log of `replace` and `append` records.

    A later `replace` that goes on from what was there adds its rest; one that does not is a
    compaction or a rewind: what happened before it stands, and what it holds anew is told.
    """
    build = Builder(recording.shown)
    reader = conversation(build, recording, LOG_1, REASONIX)
    children = Children(recording, build)
    marks: list[bytes] = []
    number = 0
    for number, record in recording.records():
        build.line = number
        if isinstance(record, Broken):
            build.note(record.code, record.text)
            continue
        fresh = _step(record, marks, build)
        if fresh is None:
            break
        for message in typed(fresh, build):
            children.before(message)
            reader.feed(message)
        yield from build.drain()
    yield from closing(build, reader, recording, empty=number == 0)


def _step(record: Any, marks: list[bytes], build: Builder) -> list[Any] | None:
    """Return the messages that a record adds, and keep `marks`; None where the log is damaged."""
    messages = list_at(record, "messages")
    kind = at(record, "type")
    new = [digest_of(message) for message in messages]
    if kind == "append":
        index = at(record, "message_index")
        if index != len(marks):
            text = f"message_index is {index}, but {len(marks)} messages stand before it"
            build.note("bad_line", f"{text}; the log counts up to here")
            return None
        marks += new
        return messages
    if kind != "replace":
        build.count("unknown_record", f"a record of type {kind!r} is not read")
        return []
    common = 0
    while common < len(marks) and common < len(new) and marks[common] == new[common]:
        common += 1
    if common < len(marks):
        known = set(marks)
        summary = any("<compaction-summary>" in text_at(m, "content") for m in messages[common:])
        if not summary:
            dropped = len(marks) - common
            build.note("branch_dropped", f"{dropped} messages were taken back; they happened")
        fresh = [m for m, mark in zip(messages, new, strict=True) if mark not in known]
    else:
        fresh = messages[common:]
    marks[:] = new
    return fresh


def read_log_2(recording: Recording) -> Iterator[Event]:
    """Yield the events of a branching log: the live head, with its turns.

    The tree is small (one entry a message); messages of dead branches are left out and counted.
    """
    build = Builder(recording.shown)
    reader = conversation(build, recording, LOG_2, REASONIX)
    children = Children(recording, build)
    tree = _Tree()
    number = 0
    for number, record in recording.records():
        build.line = number
        if isinstance(record, Broken):
            build.note(record.code, record.text)
        elif not tree.add(number, record):
            build.count("unknown_record", f"a record of type {at(record, 'type')!r} is not read")
    path, dropped = tree.live()
    if dropped:
        build.note("branch_dropped", f"{dropped} messages are on branches that were left")
    before = ""
    for line, ident, value in path:
        build.line = line
        turn = tree.begun.get(before)
        if turn is not None:
            reader.open_turn(turn, ended=turn in tree.ended)
        before = ident
        for message in typed([value], build):
            children.before(message)
            reader.feed(message)
        yield from build.drain()
    yield from closing(build, reader, recording, empty=number == 0)


class _Tree:
    """The messages of a branching log by id, and which head is live.

    `begun` has the turns by the last message before them (a mark may be written later than what it
    encloses), `ended` those whose end is marked, too.
    """

    def __init__(self) -> None:
        self.begun: dict[str, str] = {}
        self.ended: set[str] = set()
        self._messages: dict[str, tuple[int, str | None, Any]] = {}
        self._tips: dict[str, str] = {}
        self._selected: list[str] = []
        self._newest = "main"

    def add(self, line: int, record: Any) -> bool:
        """Take a record in; False for one of a kind that is not known."""
        kind = at(record, "type")
        head = text_at(record, "head") or "main"
        if kind == "message":
            ident = text_at(record, "id")
            message = at(record, "msgs", 0)
            self._messages[ident] = (line, name_at(record, "parent"), message)
            self._tips[head] = ident
            self._newest = head
        elif kind == "patch":
            target = text_at(record, "target")
            if target in self._messages:
                first, parent, _ = self._messages[target]
                self._messages[target] = (first, parent, at(record, "msgs", 0))
        elif kind == "turn_begin":
            self.begun[text_at(record, "leaf")] = text_at(record, "turn")
        elif kind == "turn_end":
            self.ended.add(text_at(record, "turn"))
        elif kind == "select":
            self._selected.append(head)
        elif kind == "rewind":
            leaf = text_at(record, "target") or text_at(record, "leaf")
            if leaf in self._messages:
                self._tips[head] = leaf
        else:
            return kind in ("log", "writer", "redact")
        return True

    def live(self) -> tuple[list[tuple[int, str, Any]], int]:
        """Return the messages of the live head in order, and how many are on no live path."""
        selected = (name for name in reversed(self._selected) if name in self._tips)
        head = next(selected, self._newest)
        path: list[tuple[int, str, Any]] = []
        seen: set[str] = set()
        here = self._tips.get(head)
        while here is not None and here in self._messages and here not in seen:
            seen.add(here)
            line, parent, message = self._messages[here]
            path.append((line, here, message))
            here = parent
        path.reverse()
        return path, len(self._messages) - len(path)
