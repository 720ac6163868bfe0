"""What the beginning of a file that is no trace looks like, in the words of a message."""

from __future__ import annotations

from typing import NamedTuple

from reasonix_conformance.readers.files.json_values import is_json

_WIDE = (b"\xff\xfe", b"\xfe\xff")


class Look(NamedTuple):
    """What a file looks like; `remedy` is what to do about one that no reader can take.

    It is empty for a text in UTF-8: whoever knows its format can name it.
    """

    what: str
    remedy: str = ""


def look(head: bytes) -> Look:
    """Return what a head of no known format looks like."""
    if head.startswith(_WIDE) or _is_wide(head):
        return Look(
            "it is UTF-16, a trace is UTF-8", "save it as UTF-8 (`iconv -f UTF-16 -t UTF-8`)"
        )
    if head.startswith(b"PK\x03\x04"):
        return Look("it is a zip archive", "unpack it, and give what is in it")
    if b"\0" in head:
        return Look("it is no text", "give the file that the host wrote its records to")
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


def _is_wide(head: bytes) -> bool:
    """Whether every other byte is zero, as in Latin text of two bytes a character."""
    few = head[:64]
    return len(few) >= 4 and any(not any(few[start::2]) for start in (0, 1)) and any(few)
