"""What the two event logs of a Reasonix session tell, step by step.

A log wins over the message file beside it, for the session and for each of its sub-agents.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.detection.detect import detect
from reasonix_conformance.readers.files.json_values import at, list_at, name_at, text_at
from reasonix_conformance.readers.files.lines import Broken
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.messages import Message
from reasonix_conformance.readers.model_apis.chat import typed
from reasonix_conformance.readers.model_apis.conversations import digest_of
from reasonix_conformance.words import count

LOG_1 = "reasonix-log-1"
LOG_2 = "reasonix-log-2"


class LogStep(NamedTuple):
    """Messages that a log adds, to be read before the next step.

    `turn` is the id of a turn that begins before them, if one does.
    """

    messages: Iterable[Message] = ()
    turn: str | None = None
    ended: bool = False
    """Whether the end of that turn is marked, too."""


Steps = Callable[[Recording, Builder], Iterator[LogStep]]


def log_1_steps(recording: Recording, build: Builder) -> Iterator[LogStep]:
    """Yield the steps of a log of `replace` and `append` records, one a record.

    A later `replace` that goes on from what was there adds its rest; one that does not is a
    compaction or a rewind: what happened before it stands, and what it holds anew is told.
    """
    marks: list[bytes] = []
    for number, record in recording.records():
        build.line = number
        if isinstance(record, Broken):
            build.note(record.code, record.text)
            yield LogStep()
            continue
        fresh = _step(record, marks, build)
        if fresh is None:
            yield LogStep()
            return
        yield LogStep(typed(fresh, build))


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
            taken = count(dropped, "message")
            build.note("branch_dropped", f"taken back: {taken}; what they did still happened")
        fresh = [m for m, mark in zip(messages, new, strict=True) if mark not in known]
    else:
        fresh = messages[common:]
    marks[:] = new
    return fresh


def log_2_steps(recording: Recording, build: Builder) -> Iterator[LogStep]:
    """Yield the steps of a branching log, one a message of the live head.

    Which head is live is known at the end of the log, so it is read twice: for the tree, with one
    small entry a message, then for the messages. Those of dead branches are left out and counted.
    """
    tree = _Tree()
    number = 0
    for number, record in recording.records():
        build.line = number
        if isinstance(record, Broken):
            build.note(record.code, record.text)
        elif not tree.add(number, record):
            build.count("unknown_record", f"a record of type {at(record, 'type')!r} is not read")
    if number:
        yield LogStep()
    path, dropped = tree.live()
    if dropped:
        build.note("branch_dropped", f"on branches that were left: {count(dropped, 'message')}")
    if path and not tree.has_parent(path[0]):
        build.line = tree.lines[path[0]]
        code = "bad_line" if path[0] else "mid_chain_start"
        build.note(code, "a message goes on from one that is not here, and from all before that")
    before = ""
    told = _told_at(recording, tree.told, path)
    for entry, (ident, value) in zip(path, told, strict=True):
        build.line = tree.lines[entry]
        turn = tree.begun.get(before)
        before = ident
        if name_at(value, "id") not in (None, ident):
            build.note("bad_line", "a message stands under the id of another one")
        yield LogStep(typed([value], build), turn, turn in tree.ended)


def _told_at(
    recording: Recording, lines: Sequence[int], path: Sequence[int]
) -> Iterator[tuple[str, Any]]:
    """Yield the id and the message of each entry of a path, whose last word stands at its line.

    The path follows the log, but for messages that were replaced later on: what is read before its
    time waits.
    """
    wanted = bytearray(max((lines[entry] for entry in path), default=0) + 1)
    for entry in path:
        wanted[lines[entry]] = 1
    waiting: dict[int, tuple[str, Any]] = {}
    records = recording.records()
    for entry in path:
        line = lines[entry]
        while line not in waiting:
            number, record = next(records, (line, None))
            if number < len(wanted) and wanted[number]:
                ident = text_at(record, "target" if at(record, "type") == "patch" else "id")
                waiting[number] = (ident, at(record, "msgs", 0))
        yield waiting.pop(line)


class _Tree:
    """The messages of a branching log by id, and which head is live.

    Of each message it keeps where its last word stands, not what it says: `lines` are those where
    messages stand first, `told` those of what is told of them, by entry. `begun` has the turns by
    the last message before them (a mark may be written later than what it encloses), `ended` those
    whose end is marked, too.
    """

    def __init__(self) -> None:
        self.begun: dict[str, str] = {}
        self.ended: set[str] = set()
        self.lines = array("q")
        self.told = array("q")
        self._entries: dict[str, int] = {}
        self._parents = array("q")
        self._parents_to_come: dict[int, str] = {}
        """Names of the parents that stood nowhere yet when their child was met."""
        self._without_parent: set[int] = set()
        """Messages of a head that has others, and that go on from none of them."""
        self._tips: dict[str, int] = {}
        self._selected: list[str] = []
        self._newest = "main"

    def add(self, line: int, record: Any) -> bool:
        """Take a record in; False for one of a kind that is not known."""
        kind = at(record, "type")
        head = text_at(record, "head") or "main"
        if kind == "message":
            self._tips[head] = self._message(line, record, goes_on=head in self._tips)
            self._newest = head
        elif kind == "patch":
            target = self._entries.get(text_at(record, "target"))
            if target is not None:
                self.told[target] = line
        elif kind == "turn_begin":
            self.begun[text_at(record, "leaf")] = text_at(record, "turn")
        elif kind == "turn_end":
            self.ended.add(text_at(record, "turn"))
        elif kind == "select":
            self._selected.append(head)
        elif kind == "rewind":
            back_to = text_at(record, "target") or text_at(record, "leaf")
            leaf = self._entries.get(back_to)
            if leaf is not None:
                self._tips[head] = leaf
            elif not back_to:
                self._tips.pop(head, None)
        else:
            return kind in ("log", "writer", "redact")
        return True

    def _message(self, line: int, record: Any, *, goes_on: bool) -> int:
        """Return the entry of a message, a new one where it stands for the first time.

        `goes_on` says that its head has messages, of which it should name one as its parent.
        """
        ident, parent = text_at(record, "id"), name_at(record, "parent")
        entry = self._entries.setdefault(ident, len(self.lines))
        if entry == len(self.lines):
            for column in (self.lines, self.told, self._parents):
                column.append(0)
            if parent is None and goes_on:
                self._without_parent.add(entry)
        self.lines[entry] = self.told[entry] = line
        self._parents_to_come.pop(entry, None)
        self._parents[entry] = self._entries.get(parent, -1) if parent is not None else -1
        if parent is not None and parent not in self._entries:
            self._parents_to_come[entry] = parent
        return entry

    def live(self) -> tuple[array[int], int]:
        """Return the entries of the live head in order, and how many are on no live path."""
        selected = (name for name in reversed(self._selected) if name in self._tips)
        head = next(selected, self._newest)
        path = array("q")
        seen = bytearray(len(self.lines))
        here = self._tips.get(head, -1)
        while here >= 0 and not seen[here]:
            seen[here] = 1
            path.append(here)
            parent = self._parents_to_come.get(here)
            here = self._parents[here] if parent is None else self._entries.get(parent, -1)
        path.reverse()
        return path, len(self.lines) - len(path)

    def has_parent(self, entry: int) -> bool:
        """Whether the message that an entry goes on from stands somewhere, if it has to."""
        parent = self._parents_to_come.get(entry)
        return entry not in self._without_parent and (parent is None or parent in self._entries)


STEPS: Final[dict[str, Steps]] = {LOG_1: log_1_steps, LOG_2: log_2_steps}
"""The logs by the name of their format."""


def steps_of(recording: Recording) -> Steps | None:
    """Return what reads a log, None for a file that is none."""
    return STEPS.get(detect(recording.head()) or "")
