"""What the two event logs of a Reasonix session tell, step by step (4.4 and 4.5).

A log wins over the message file beside it, for the session and for each of its sub-agents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

from reasonix_conformance.readers.building import Builder
from reasonix_conformance.readers.chat import typed
from reasonix_conformance.readers.detect import detect
from reasonix_conformance.readers.lines import Broken
from reasonix_conformance.readers.messages import Message
from reasonix_conformance.readers.recording import Recording, at, list_at, name_at, text_at
from reasonix_conformance.readers.requests import digest_of

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
            build.note("branch_dropped", f"{dropped} messages were taken back; they happened")
        fresh = [m for m, mark in zip(messages, new, strict=True) if mark not in known]
    else:
        fresh = messages[common:]
    marks[:] = new
    return fresh


def log_2_steps(recording: Recording, build: Builder) -> Iterator[LogStep]:
    """Yield the steps of a branching log, one a message of the live head.

    The tree is small (one entry a message); messages of dead branches are left out and counted.
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
        build.note("branch_dropped", f"{dropped} messages are on branches that were left")
    before = ""
    for line, ident, value in path:
        build.line = line
        turn = tree.begun.get(before)
        before = ident
        yield LogStep(typed([value], build), turn, turn in tree.ended)


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


STEPS: Final[dict[str, Steps]] = {LOG_1: log_1_steps, LOG_2: log_2_steps}
"""The logs by the name of their format."""


def steps_of(recording: Recording) -> Steps | None:
    """Return what reads a log, None for a file that is none."""
    return STEPS.get(detect(recording.head()) or "")
