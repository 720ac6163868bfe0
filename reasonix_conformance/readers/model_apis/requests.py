"""Logs of requests: each holds the history of its conversation, and several may be mixed.

Their records are read, and each conversation is told by itself; which request belongs to which is
found in `conversations.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeAlias

import msgspec

from reasonix_conformance.readers.building.beside import Beside
from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.files.acts_in_text import TextActs
from reasonix_conformance.readers.files.json_values import is_json
from reasonix_conformance.readers.files.lines import ANYTHING, Broken, Decoder, typeless
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.hosts.widely_given import ANYONES
from reasonix_conformance.readers.model_apis.conversations import Added, Conversations, Request
from reasonix_runtime.trace.events import Event, TurnStatus

Requests: TypeAlias = "Iterator[tuple[int, Request | Broken | None]]"
"""The lines of a log with what each holds; None where it is neither a request nor a part of one."""

UNREAD_ANSWER = "an answer, or another choice of one, that is not read"
ALONE = "the record before"
"""What a message goes on from that stands in a record of its own."""


def requests_of(
    records: Iterable[tuple[int, Any]],
    is_part: Callable[[Any], bool],
    request: Callable[[Any], Request | None],
) -> Requests:
    """Yield (line, request); a record that is only a part goes on from the part before it."""
    before: str | None = None
    for number, record in records:
        if isinstance(record, Broken):
            yield number, record
        elif is_part(record):
            yield number, Request([record], after=before, ident=ALONE)
            before = ALONE
        else:
            found = request(record)
            # Among items that stand alone each is one; what tells no type may have been a call.
            lost = found is None and before is not None
            yield number, typeless(record) if lost else found


class Talk(Protocol):
    """One conversation as it is told."""

    build: Builder

    def take(self, message: Any) -> None:
        """Take the next message of the conversation."""

    def close(self) -> None:
        """Close what is open at its end."""


class HistoryReader:
    """Reads one conversation of a log; what an item of it means is told by its format.

    A turn ends at the next text of the user, and well if it was `answered`.
    """

    def __init__(self, recording: Recording, number: int, format_name: str) -> None:
        self.build = Builder(recording.shown, ANYONES, of_anyone=True)
        self.trusting = recording.trusting
        self.answered = False
        self.empty = True
        """Whether nothing of the conversation was told yet."""
        self._recording = recording
        self.acts = TextActs()
        self.build.session(recording.sid_of(number), format_name)

    def end_turn(self) -> None:
        """End the open turn, if there is one."""
        lost = self.acts.lost_in_turn()
        if lost is not None:
            self.build.note("bad_line", lost)
        status: TurnStatus = "completed" if self.answered else "unknown"
        self.build.end_turn(status, by="inferred", judge=self.answered)

    def close(self) -> None:
        """Close what is open at the end of the conversation."""
        self.build.file_ended(empty=self.empty, damage=self._recording.damage)
        self.end_turn()
        self.build.finish()


_RECORDS = (Broken, dict, list, msgspec.Struct)


def records_of(recording: Recording, decoder: Decoder[Any] = ANYTHING) -> Iterator[tuple[int, Any]]:
    """Yield (line, record) of a log: one a line, arrays of them, or one value that is the file."""
    first = recording.head().lstrip().split(b"\n", 1)[0].strip()
    if not recording.laid_out and first.startswith((b"{", b"[")) and not is_json(first):
        value = recording.document(decoder)
        if not isinstance(value, Broken) or first in (b"{", b"["):
            yield from ((1, record) for record in _each(value))
            return
    for number, record in recording.records(decoder):
        yield from ((number, one) for one in _each(record))


def _each(value: Any) -> Iterator[Any]:
    """Yield the records of a value that is one, or a list of them; what is none is `Broken`.

    A line may be that of another program; what stands in a list is lost.
    """
    if not (value and isinstance(value, list)):
        yield _read(value)
        return
    for one in value:
        yield _read(one) if isinstance(one, _RECORDS) else Broken("a member of a list is no record")


def _read(value: Any) -> Any:
    """Return a value, or what to say of it where it is no record or tells nothing."""
    return value if isinstance(value, _RECORDS) and value not in ({}, []) else typeless(value)


def told(requests: Requests, begin: Callable[[int], Talk]) -> Iterator[Event]:
    """Yield the events of every conversation of a log, the first as it is read, then the others.

    `requests` have the number of their line; None is a record without messages. `begin` makes the
    conversation of a number from 0.
    """
    known = Conversations()
    talks: Beside[Talk] = Beside()
    talks.begin(begin(0))
    number: int | None = None
    for number, request in requests:
        if isinstance(request, Broken):
            for talk in talks.open.values():
                talk.build.line = number
                talk.build.note(request.code, request.text)
        elif request is None:
            first = talks.open[talks.first].build
            first.line = number
            first.count("unknown_record", "a record without messages is not read")
        else:
            talk = _take(talks, known.add(request), number, begin)
            if request.unread:
                talk.build.count("unknown_record", UNREAD_ANSWER)
        yield from talks.open[talks.first].build.drain()
        for index, talk in talks.silent():
            known.forget(index)
            yield from _closed(talk, "several conversations stand in one file", index)
    whole = talks.begun > 1
    for index, talk in talks.rest():
        talk.build.line = number
        text = f"{talks.begun} conversations stand in one file"
        yield from _closed(talk, text if whole else None, index)


def _take(talks: Beside[Talk], added: Added, number: int, begin: Callable[[int], Talk]) -> Talk:
    """Tell what a request adds to its conversation, which may begin with it, and return that."""
    if added.talk == talks.begun:
        talks.begin(begin(added.talk))
    talk = talks.open[added.talk]
    talk.build.line = number
    if added.late:
        text = "the conversation goes on from what is not here; log each request with its answer"
        talk.build.note("mid_chain_start", text)
    if added.branches:
        talk.build.note("branch_dropped", "a request does not go on from the one before it")
    if added.shortened:
        talk.build.compaction("summary")
    for message in added.fresh:
        talk.take(message)
    waits = added.talk != talks.first
    talks.heard(added.talk, len(msgspec.json.encode(added.fresh)) if waits else 0)
    return talk


def _closed(talk: Talk, several: str | None, index: int) -> list[Event]:
    """Close a conversation; the first one tells whether there are others."""
    if several is not None and index == 0:
        talk.build.count("several_sessions", several)
    talk.close()
    return talk.build.drain()
