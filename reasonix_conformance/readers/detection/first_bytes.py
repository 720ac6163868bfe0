"""What the beginning of a file that is no trace looks like, in the words of a message."""

from __future__ import annotations

import re
from typing import NamedTuple

from reasonix_conformance.readers.files.json_values import is_json
from reasonix_conformance.readers.files.sources import PACKED, ZIP

_MARKS = {
    b"\xff\xfe\0\0": 32,
    b"\0\0\xfe\xff": 32,
    b"\xff\xfe": 16,
    b"\xfe\xff": 16,
}
"""Byte order marks, and how many bits a character has behind them; a longer mark comes first."""
_RETURNS = re.compile(rb"\}[ \t]*\r[ \t]*\{")


class Look(NamedTuple):
    """What a file looks like; `remedy` is what to do about one that no reader can take.

    It is empty for a text in UTF-8: whoever knows its format can name it.
    """

    what: str
    remedy: str = ""


def look(head: bytes) -> Look:
    """Return what a head of no known format looks like."""
    if bits := _bits(head):
        return Look(
            f"it is UTF-{bits}, a trace is UTF-8",
            f"save it as UTF-8 (`iconv -f UTF-{bits} -t UTF-8`)",
        )
    if head.startswith(PACKED):
        return Look("it is packed twice", "unpack it once (`gunzip`, `unzstd`)")
    if head.startswith(ZIP):
        return Look("it is a zip archive", "unpack it, and give what is in it")
    if b"\0" in head:
        return Look("it is no text", "give the file that the host wrote its records to")
    if has_returns_alone(head):
        return Look("its lines end in CR alone", "end them in LF (`tr '\\r' '\\n'`)")
    return Look(_look_at_text(head))


def _look_at_text(head: bytes) -> str:
    if is_json(head):
        return "it is JSON of another kind"
    number, line = next(
        ((number, line) for number, line in enumerate(head.split(b"\n"), 1) if line.strip()),
        (1, b""),
    )
    if is_json(line):
        return f"line {number} is JSON of another kind"
    if line.lstrip().startswith((b"{", b"[")):
        return f"line {number} begins as JSON and is of another kind, or broken"
    return f"line {number} is no JSON"


def has_returns_alone(head: bytes) -> bool:
    """Whether records follow one another without a line feed between any two."""
    return b"\n" not in head.rstrip(b"\n") and _RETURNS.search(head) is not None


def _bits(head: bytes) -> int | None:
    """Return how many bits a character has in text of wide characters, None for other text.

    Of wide Latin text without a mark half of the bytes are zero: every other one, or every other
    pair of them.
    """
    for mark, bits in _MARKS.items():
        if head.startswith(mark):
            return bits
    few = head[:64]
    if len(few) < 4 or not any(few):
        return None
    first, second, third, fourth = (any(few[start::4]) for start in range(4))
    if len(few) >= 8 and (not (first or second) or not (third or fourth)):
        return 32
    return 16 if not (first or third) or not (second or fourth) else None
