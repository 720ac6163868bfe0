"""Records over several lines each, as `jq .`, `json.tool` and servers write them, or in one array.

Each is put on the line on which it begins, so that it keeps its place; nothing in it is changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple

from reasonix_conformance.readers.files.event_streams import without_fields
from reasonix_conformance.readers.format_facts import A_RECORD_A_LINE

REMEDY: Final = "write one record a line (`jq -c . FILE`, of an array `jq -c '.[]' FILE`)"
"""What to do about a file whose records cannot be told apart by lines."""

_MOST_OF_HEAD = 64
_BEGIN = re.compile(r"\s*(\[?)")
_NEXT = re.compile(r"\s*([{,\]]?)\s*")
_decode = json.JSONDecoder().raw_decode


class HeadRecords(NamedTuple):
    """The records at the start of a file in which they do not stand one a line.

    `lines` has them one a line all the same, as far as they are whole; it is empty for a file of
    any other layout. `several` says that JSON values follow one another: an array, or a single
    value, may as well be a document of its own.
    """

    lines: bytes = b""
    several: bool = False

    def are_of(self, kind: str | None) -> bool:
        """Whether the file holds records of this format, and is no document of it."""
        return bool(self.lines) and kind is not None and (self.several or kind in A_RECORD_A_LINE)


def records_in(head: bytes) -> HeadRecords:
    """Return the records at the start of a file, if they do not stand one a line."""
    sent = without_fields(head)
    head = head if sent is None else sent
    first = head.lstrip().partition(b"\n")[0].strip()
    if sent is None and first != b"{" and not first.startswith(b"["):
        return HeadRecords()
    text = head.decode("utf-8", "surrogateescape")
    spans = list(islice(_records(text), _MOST_OF_HEAD))
    whole = [_flat(text[begin:end]) for begin, end, whole in spans if whole]
    several = sent is not None or (first == b"{" and len(spans) > 1)
    return HeadRecords("\n".join(whole).encode("utf-8", "surrogateescape"), several)


def one_a_line(data: bytes) -> bytes | None:
    """Return a file with each record on the line on which it begins; None if two begin on one.

    What is behind the last whole record is one line.
    """
    text = (without_fields(data) or data).decode("utf-8", "surrogateescape")
    parts: list[str] = []
    done = 0
    for begin, end, whole in _records(text):
        between = text.count("\n", done, begin)
        if parts and not between:
            return None
        parts += ["\n" * between, _flat(text[begin:end])]
        if whole:  # what is torn ends without an end of line
            parts.append("\n" * text.count("\n", begin, end))
        done = end
    return "".join(parts).encode("utf-8", "surrogateescape")


def _flat(text: str) -> str:
    """Return a JSON value on one line: no text in it has a line break, which is an escape there."""
    return text.replace("\r", " ").replace("\n", " ")


def _records(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield where each object begins and ends; what cannot be read, up to the end, is not whole."""
    begun = _BEGIN.match(text)
    at = 0 if begun is None else begun.end()
    while (found := _NEXT.match(text, at)) is not None and found[1]:
        at = found.end()
        if found[1] != "{":
            continue
        begin = found.start(1)
        try:
            _, at = _decode(text, begin)
        except (ValueError, RecursionError):
            yield begin, len(text), False
            return
        yield begin, at, True
