"""What the beginning of a file that is no trace looks like, in the words of a message."""

from __future__ import annotations

import msgspec

_WIDE = (b"\xff\xfe", b"\xfe\xff")


def look(head: bytes) -> str:
    """Return what a head of no known format looks like."""
    if head.startswith(_WIDE) or _is_wide(head):
        return "it is UTF-16, a trace is UTF-8"
    if head.startswith(b"PK\x03\x04"):
        return "it is a zip archive"
    if b"\0" in head:
        return "it is no text"
    if _is_json(head):
        return "it is JSON of another kind"
    number, line = next(
        ((number, line) for number, line in enumerate(head.split(b"\n"), 1) if line.strip()),
        (1, b""),
    )
    if _is_json(line):
        return f"line {number} is JSON of another kind"
    if line.lstrip().startswith((b"{", b"[")):
        return f"line {number} begins as JSON and is of another kind, or broken"
    return f"line {number} is no JSON"


def _is_wide(head: bytes) -> bool:
    """Whether every other byte is zero, as in Latin text of two bytes a character."""
    few = head[:64]
    return len(few) >= 4 and any(not any(few[start::2]) for start in (0, 1)) and any(few)


def _is_json(text: bytes) -> bool:
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True
