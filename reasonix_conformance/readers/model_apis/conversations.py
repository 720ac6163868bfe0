"""Which conversation a request goes on with, and what it adds to that.

A request goes on with the conversation that begins as it does; what it adds is told. One that does
not go on from the end is a branch, an edit or a compaction of its conversation. One that shares
nothing with any is a conversation of its own.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from itertools import count
from typing import Any, NamedTuple

import msgspec

from reasonix_conformance.readers.building.lately import Lately
from reasonix_conformance.readers.files.json_values import json_in, list_at, text_at
from reasonix_conformance.readers.files.message_content import flat_text
from reasonix_runtime.excerpts import common_start

MOST_MARKED = 1 << 14
"""Messages of a conversation whose records hold one message each that are known by a mark.

No record repeats them. What is given up for memory that does not grow with the file: a request that
does after all, and holds more messages than these, tells the rest of them again. As many are known
of those that later requests leave out.
"""
MOST_ANSWERS = 1 << 14
"""How many answers are surely remembered that a later record may go on from."""

MOST_ALIKE = 16
"""Messages by which the places are told apart where what was told may end in a request."""

# What an answer has and its echo in the next request lacks, or a cache mark moves between them.
_PASSING = frozenset(
    {
        "annotations", "audio", "cache_control", "index", "logprobs", "provider_specific_fields",
        "reasoning", "reasoning_content", "reasoning_details", "refusal", "status",
    }
)  # fmt: skip
_OF_ANSWERS = frozenset(
    {"finish_reason", "id", "model", "stop_reason", "stop_sequence", "type", "usage"}
)
_DEPTH = 6
_deep = count()


class Request(NamedTuple):
    """What one record of a log holds: messages with the answer behind them.

    With `after`, the id of the answer that the messages go on from, they are no whole history.
    `ident` is the id of this record's own answer.
    """

    messages: list[Any]
    after: str | None = None
    ident: str | None = None
    unread: bool = False
    """Whether the record holds an answer in a form that is not read, or more choices than one."""


class Added(NamedTuple):
    """What a request adds: to which conversation, and whether it leaves a part of it."""

    talk: int
    fresh: list[Any]
    branches: bool = False
    shortened: bool = False
    """Whether a summary stands in it for a part of what was told."""
    late: bool = False
    """Whether the conversation begins with what goes on from something that is not known."""


class Taken(NamedTuple):
    """What a request adds to the history of its conversation; as `Added` has it."""

    fresh: list[Any]
    branches: bool = False
    shortened: bool = False


class History:
    """What one conversation has told: what its latest request holds, and what that left out.

    A mark stands for a message. An equal message may come again, so marks are counted.
    """

    def __init__(self) -> None:
        self.marks: list[bytes] = []
        self._left_out: Counter[bytes] = Counter()

    def take(self, messages: list[Any], marks: list[bytes]) -> Taken:
        """Take the next request.

        What stands before a message that was told was there when that was told: a text there that
        is new is a summary. What stands behind the last one that was told has happened since.
        """
        seen = self.marks
        common = common_start(seen, marks)
        if common == len(marks):
            # Sent once more, or an answer that was not logged.
            return Taken([])
        self.marks = marks
        if common == len(seen):
            return Taken(messages[common:])
        known = Counter(seen[common:]) + self._left_out
        end = _end_of_tail(seen, marks, common)
        fresh, shortened = [], False
        for at, message in enumerate(messages[common:], common):
            if known[marks[at]] > 0 and (at < end or not end):
                known[marks[at]] -= 1
            elif at < end and _is_prompt(message):
                shortened = True
            else:
                fresh.append(message)
        self._left_out = Counter(dict(list((+known).items())[-MOST_MARKED:]))
        return Taken(fresh, branches=True, shortened=shortened)


def _end_of_tail(seen: list[bytes], marks: list[bytes], start: int) -> int:
    """Return the place behind the end of what was told, in a request; 0 if it is not in it.

    Of several places that before which most of it stands, and of these the first.
    """
    tail = seen[: -MOST_ALIKE - 1 : -1]
    best = end = 0
    for at in range(start, len(marks)):
        if marks[at] == tail[0]:
            alike = common_start(tail, marks[max(0, at - MOST_ALIKE + 1) : at + 1][::-1])
            if alike > best:
                best, end = alike, at + 1
    return end


class Conversations:
    """The conversations of a log so far, each with the history that it has told."""

    def __init__(self) -> None:
        self._begun = 0
        self._told: dict[int, History] = {}
        self._answers: Lately[str, int] = Lately(MOST_ANSWERS)
        self._beginning = _Holders()
        self._calling = _Holders()

    def add(self, request: Request) -> Added:
        """Say what a request adds."""
        messages = [message for message in request.messages if _is_told(message)]
        marks = [_mark_of(message) for message in messages]
        index = self._answers.get(request.after) if request.after is not None else None
        if index in self._told:
            self._go_on(index, messages, marks)
            added = Added(index, messages)
        else:
            begun = self._begun
            added = self._whole(messages, marks)
            if request.after is not None and self._begun > begun:
                added = added._replace(late=True)
        if request.ident is not None:
            self._answers.put(request.ident, added.talk)
        return added

    def forget(self, index: int) -> None:
        """Forget a conversation that is over; what goes on from it is one of its own."""
        seen = self._told.pop(index).marks
        self._beginning.remove(seen[:1], index)
        self._calling.remove(seen, index)

    def _go_on(self, index: int, messages: list[Any], marks: list[bytes]) -> None:
        """Add the marks of messages that go on from the end of a conversation."""
        seen = self._told[index].marks
        if not seen:
            self._beginning.add(marks[:1], index)
        room = MOST_MARKED - len(seen)
        if room > 0:
            seen += marks[:room]
            self._calling.add(_calls(messages[:room], marks), index)

    def _whole(self, messages: list[Any], marks: list[bytes]) -> Added:
        index = self._which(messages, marks)
        if index not in self._told:
            self._told[index] = History()
            self._begun += 1
        before = self._told[index].marks
        taken = self._told[index].take(messages, marks)
        if taken.branches:
            self._calling.remove(before, index)
            self._calling.add(_calls(messages, marks), index)
        elif taken.fresh:
            self._calling.add(_calls(taken.fresh, marks[len(before) :]), index)
        if self._told[index].marks[:1] != before[:1]:
            self._beginning.remove(before[:1], index)
            self._beginning.add(marks[:1], index)
        return Added(index, *taken)

    def _which(self, messages: list[Any], marks: list[bytes]) -> int:
        """Return the conversation with the longest common beginning, or with a call in common."""
        alike = self._beginning.of(marks[:1])
        if alike:
            return max(
                alike, key=lambda index: (common_start(self._told[index].marks, marks), -index)
            )
        sharing = self._calling.of(_calls(messages, marks))
        return min(sharing, default=self._begun)


class _Holders:
    """Which conversations have a mark: few have one in common, and nobody asks them all."""

    def __init__(self) -> None:
        self._by_mark: dict[bytes, tuple[int, ...]] = {}

    def of(self, marks: Iterable[bytes]) -> set[int]:
        """Return the conversations that have one of these marks."""
        return {index for mark in marks for index in self._by_mark.get(mark, ())}

    def add(self, marks: Iterable[bytes], index: int) -> None:
        """Take in that a conversation has these marks."""
        for mark in marks:
            held = self._by_mark.get(mark, ())
            if index not in held:
                self._by_mark[mark] = (*held, index)

    def remove(self, marks: Iterable[bytes], index: int) -> None:
        """Take in that a conversation has these marks no longer."""
        for mark in marks:
            held = tuple(other for other in self._by_mark.get(mark, ()) if other != index)
            if held:
                self._by_mark[mark] = held
            else:
                self._by_mark.pop(mark, None)


def _calls(messages: list[Any], marks: list[bytes]) -> list[bytes]:
    """Return the marks of the messages that have calls."""
    return [mark for message, mark in zip(messages, marks, strict=False) if _has_calls(message)]


def _is_told(message: Any) -> bool:
    """Whether a message belongs to what happened; instructions change, thoughts are not echoed."""
    instructs = text_at(message, "role") in ("system", "developer")
    return not instructs and text_at(message, "type") != "reasoning"


def _mark_of(message: Any) -> bytes:
    """Return a mark that a message and its echo in a later request have in common."""
    if isinstance(message, dict) and "role" in message:
        message = {key: value for key, value in message.items() if key not in _OF_ANSWERS}
    return digest_of(_lasting(message, _DEPTH))


def digest_of(value: Any) -> bytes:
    """Return the same bytes for equal JSON values; a value nested too deeply is like no other."""
    try:
        encoded = msgspec.json.encode(value, order="sorted")
    except RecursionError:
        return f"deep {next(_deep)}".encode()
    return hashlib.blake2b(encoded, digest_size=12).digest()


def _lasting(value: Any, depth: int) -> Any:
    if depth and isinstance(value, dict):
        kept = {
            key: _plain(inner) or _lasting(_decoded(key, inner), depth - 1)
            for key, inner in value.items()
            if key not in _PASSING
        }
        return {key: inner for key, inner in kept.items() if inner not in (None, "", [], {})}
    if depth and isinstance(value, list):
        return [_lasting(inner, depth - 1) for inner in value if not _is_thought(inner)]
    return value


def _decoded(key: str, value: Any) -> Any:
    """Return a value whose text clients write anew: arguments decoded, texts without their ends."""
    if not isinstance(value, str):
        return value
    if key == "arguments" and (told := json_in(value)) is not None:
        return told
    return value.strip()


def _plain(content: Any) -> str:
    """Return the text of parts that hold nothing else; a text alone says the same."""
    if not isinstance(content, list):
        return ""
    bare = all(
        isinstance(part, dict) and part.keys() - _PASSING <= {"type", "text"}
        for part in content
        if not _is_thought(part)
    )
    return flat_text(content).strip() if bare else ""


def _is_thought(part: Any) -> bool:
    """Whether a part of a message is a thought, which later requests may leave out."""
    return isinstance(part, dict) and part.get("type") in ("thinking", "redacted_thinking")


def _is_prompt(message: Any) -> bool:
    """Whether a message is text of the user's side, without a result."""
    blocks = list_at(message, "content")
    results = any(text_at(block, "type").endswith("tool_result") for block in blocks)
    return text_at(message, "role") == "user" and not results


def _has_calls(message: Any) -> bool:
    if list_at(message, "tool_calls") or text_at(message, "type").endswith("_call"):
        return True
    return any(text_at(block, "type").endswith("tool_use") for block in list_at(message, "content"))
