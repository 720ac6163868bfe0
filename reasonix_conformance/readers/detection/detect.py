"""Which format a recording has: told by its first bytes and records, never by its name alone.

What the records of each format look like is in `marks.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from reasonix_conformance.readers.detection.first_bytes import has_returns_alone
from reasonix_conformance.readers.detection.marks import (
    DOCUMENT_TESTS,
    GUESSES,
    RECORD_TESTS,
    WORDS,
    holds_items,
    holds_messages,
)
from reasonix_conformance.readers.files.json_values import is_json, json_in, list_at
from reasonix_conformance.readers.files.laid_out import records_in
from reasonix_conformance.readers.files.lines import bare
from reasonix_conformance.readers.files.sources import PACKED, ZIP

MOST_RECORDS = 64
"""How many records of the head are looked at before a weak name (`GUESSES`) is taken."""

LEAST_RECORDS = 4
"""One line in so many has to hold a record; with fewer, a file is a text that quotes records.

Asked only of a file whose name does not say that it holds records.
"""

_TOLD_BY_START = (b"{", b"[", b"RX4F", ZIP)
# A first line that leaves a value open: what stands in the lines behind it are parts of it.
_BEGUN = re.compile(rb"[\[{](?:[^\n]*[\[{])?[ \t\r]*\n")
# What begins as JSON of objects; a section of TOML opens a bracket too.
_OPENS_OBJECT = re.compile(rb"(?:\[\s*)*\{\s*[\"}]")
# The name of a member that the zipped log of Inspect has, behind the header of the member.
_EVAL_MEMBER = re.compile(
    ZIP + rb".{26}(?:_journal/(?:start\.json|summaries/)|samples/[^/]{1,200}_epoch_\d+\.json)",
    re.DOTALL,
)


def detect(head: bytes) -> str | None:
    """Return the name of the format that a head shows, or None for none of the known ones."""
    if head.startswith(PACKED) or has_returns_alone(head):
        return None
    if head.startswith(b"RX4F"):
        return "reasonix-v4"
    if head.startswith(ZIP):
        return "inspect" if _EVAL_MEMBER.search(head) else None
    records = records_in(head)
    kind = _by_records(records.lines)
    if records.are_of(kind):
        return kind
    text = head.lstrip()
    value = _over_lines(text)
    if value is not None:
        return _document(value)
    if _BEGUN.match(text):
        return _whole(text) or _by_records(head)
    return _by_records(head) or _whole(text)


def _by_records(head: bytes) -> str | None:
    """Tell the format of records that stand one a line."""
    guess = None
    for index, record in enumerate(_records(head)):
        name = _kind(record, guess)
        if name is not None and name not in GUESSES:
            return name
        guess = guess or name
        if index >= MOST_RECORDS:
            break
    return None if guess is None else GUESSES[guess]


def _kind(record: dict[str, Any], before: str | None) -> str | None:
    """Return the name of a record, None for no known one; `before` is the weak name so far.

    An answer counts as one only at the start of a file: behind messages it is their answer.
    """
    for name, test in RECORD_TESTS:
        if test(record) and (name != "answer" or before in (None, "answer")):
            return name
    return None


def _records(head: bytes) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects that stand one a line at the start of a recording."""
    for line in map(bare, head.split(b"\n")):
        start = line.find(b"{")
        if start < 0 or start > 24:
            continue
        record = json_in(line[start:])
        if isinstance(record, dict):
            yield record


def is_prose(head: bytes) -> bool:
    """Whether a text holds records here and there, as sources and documents quote them."""
    if head.lstrip().startswith(_TOLD_BY_START):
        return False
    lines = sum(1 for line in head.split(b"\n") if line.strip())
    return sum(1 for _ in _records(head)) * LEAST_RECORDS < lines


def _over_lines(text: bytes) -> Any:
    """Return the JSON value that many lines are together, or None.

    This comes before the lines are looked at one by one: many programs write a list of messages
    with each message on a line of its own.
    """
    first, _, more = text.partition(b"\n")
    return _value(text) if more.strip() and not is_json(first) else None


def _whole(text: bytes) -> str | None:
    """Tell the format of one JSON value: of one line, or of many of which the start is at hand.

    The words that are looked for stand in the head of every such file, before any content.
    """
    first, _, more = text.partition(b"\n")
    if not _OPENS_OBJECT.match(text) or (more.strip() and is_json(first)):
        return None  # records that stand one a line were looked at
    value = None if more.strip() else _value(text)
    if value is not None:
        return _document(value)
    if any(True for _ in _records(first)):
        return None  # a record a line, and of no known kind
    for word, name in WORDS:
        if word.search(text):
            return name
    return None


def _value(text: bytes) -> Any:
    """Return the JSON object or list that a text is, or None for anything else."""
    return json_in(text) if text.startswith((b"{", b"[")) else None


def _document(value: Any) -> str | None:
    if isinstance(value, dict):
        for name, test in DOCUMENT_TESTS:
            if test(value):
                return name
        if list_at(value, "messages") or list_at(value, "traj"):
            return _document(list_at(value, "messages") or list_at(value, "traj"))
        if holds_messages(value):
            return "chat-requests"
        if list_at(value, "output") or list_at(value, "input") or holds_items(value):
            return "openai-responses"
        return None
    if not isinstance(value, list):
        return None
    weak = None
    for item in value:
        if not isinstance(item, dict):
            continue
        kind = _kind(item, weak)
        if kind is None:
            inner = _document(item)
            if inner is not None:
                return inner
        elif kind not in GUESSES:
            return f"{kind}-document" if kind == "chat-completions" else kind
        weak = weak or kind
    if weak is None or weak == "summary":
        return None
    return "chat-completions-document" if weak == "role" else GUESSES[weak]
