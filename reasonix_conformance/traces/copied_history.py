"""Sessions that begin with a copy of another one: what both tell is judged once.

Older versions of Claude Code write the history of a session that is resumed, or forked, into the
file of the new one, and those of Codex that of a thread that is forked. Its records keep their ids
and messages, or their items. Which file was first nothing tells, so what several tell counts for
the one that tells most of its sub-agents, and among equals for the one that is read first; in the
others it goes before what is judged there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.readers.files.json_values import json_in, name_at, text_at
from reasonix_conformance.readers.files.lines import Broken, Decoder
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.traces.same_session import SESSION_NAME
from reasonix_conformance.traces.sub_agents_told import untold

MOST_REMEMBERED: Final = 1 << 17
"""How many records of sessions with one beginning are remembered by their ids and messages.

Beyond them a copy is not known for one: its turns are judged again.
"""

_SAID: Final = ("assistant", "user")
_META: Final = "session_meta"
_ITEM: Final = "response_item"


class _Record(msgspec.Struct, gc=False, rename="camel"):
    """What of a record tells which one it is: any value may stand anywhere.

    With the same id and another message or result it is another one, and judged.
    """

    type: Any = None
    uuid: Any = None
    is_sidechain: Any = None
    message: msgspec.Raw = msgspec.Raw()
    tool_use_result: msgspec.Raw = msgspec.Raw()
    payload: msgspec.Raw = msgspec.Raw()


_decode: Final[Decoder[_Record]] = Decoder(_Record)


class CopiedHistories:
    """What each of some files tells by itself, of those that begin as one before them does."""

    def __init__(self, files: Iterable[Path]) -> None:
        """Take the files in the order in which they are read.

        Of most only the beginning is looked at; those that share it are read, one after the other.
        """
        families: dict[str, list[Path]] = {}
        for path in files:
            begin = _first_of(path) if SESSION_NAME.match(path.name) else None
            if begin is not None:
                families.setdefault(begin, []).append(path)
        self._own: dict[Path, int | None] = {}
        for family in families.values():
            if len(family) > 1:
                # A copy that has lost its sub-agents must not hide what these did.
                self._own.update(_compared(sorted(family, key=untold)))

    def own_from(self, path: Path) -> int | None:
        """Return the first line that a file tells by itself: 0 for all of it, None for nothing."""
        return self._own.get(path, 0)


def _compared(family: list[Path]) -> Iterator[tuple[Path, int | None]]:
    """Yield each of some files with one beginning, and the line from which on it is new.

    That is 0 where nothing stands before it: the first file, and one whose ids alone are alike.
    """
    told: set[int] = set()
    for path in family:
        first, own = 0, None
        try:
            for line, key in _records(path):
                first = first or line
                if key is None or key not in told:
                    own = own or line
                    if key is not None and len(told) < MOST_REMEMBERED:
                        told.add(key)
        except (OSError, ConformanceError):
            own = 0  # whoever judges the file says why it cannot be read
        yield path, 0 if path is family[0] or own == first else own


def _records(path: Path) -> Iterator[tuple[int, int | None]]:
    """Yield the line of each message or item of the main conversation, and what stands for it.

    Of a message without an id that is None: whose copy it may be nobody knows.
    """
    for line, record in Recording.of_records(path).records(_decode):
        if isinstance(record, Broken):
            continue
        if record.type == _ITEM:
            yield line, hash(bytes(record.payload))
        elif record.type in _SAID and record.is_sidechain is not True:
            said = (bytes(record.message), bytes(record.tool_use_result))
            yield line, hash((record.uuid, said)) if isinstance(record.uuid, str) else None


def _first_of(path: Path) -> str | None:
    """Return the id of the first message or thread in a file, None where it begins with none.

    A thread that was forked begins with the records of all those that it goes on from.
    """
    thread = None
    try:
        head = Recording(path=path).first_records()
    except (OSError, ConformanceError):
        return None
    for line in head.split(b"\n"):
        record = json_in(line) if b'"uuid"' in line or _META.encode() in line else None
        if text_at(record, "type") == _META:
            thread = name_at(record, "payload", "id") or thread
            continue
        if thread is not None:
            return thread
        if isinstance(record, dict) and record.get("type") in _SAID and "sessionId" in record:
            uuid = record.get("uuid")
            return uuid if isinstance(uuid, str) else None
    return None
