"""JSON values of recordings: decoded, and read where they may be anything.

A recording may hold any value in any place. What is not there, or is of another type than the one
that is asked for, is None or empty, and never an error.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

import msgspec

from reasonix_runtime.contract.canonical import refuse_constant

NOT_JSON: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What decoding raises of what is no JSON, is not UTF-8, or is nested too deeply to be read."""


_HALF = re.compile("[\ud800-\udfff]")


def is_json(text: str | bytes) -> bool:
    """Whether a text is one JSON value, half of a surrogate pair in it or not."""
    try:
        decoded(text)
    except NOT_JSON:
        return False
    return True


def json_in(text: str | bytes) -> Any:
    """Return the JSON value that a text is; None where it is none."""
    try:
        return decoded(text)
    except NOT_JSON:
        return None


def decoded(text: str | bytes) -> Any:
    """Return the JSON value that a text is, with halves of surrogate pairs as `without_halves`.

    Raises:
        msgspec.DecodeError: the text is no JSON; or another one of `NOT_JSON`.
    """
    try:
        return msgspec.json.decode(text)
    except NOT_JSON:
        mended = without_halves(text)
        if mended is None:
            raise
        return msgspec.json.decode(mended)


def without_halves(text: str | bytes) -> bytes | None:
    """Return a JSON value with each half of a surrogate pair as the text of its escape.

    None if it holds none. A character may be cut in half by a limit, or by the pieces of a stream:
    in JSON text that comes in pieces, the escapes of both halves are the character again.
    """
    if b"\\ud" not in (text.encode(errors="replace") if isinstance(text, str) else text).lower():
        return None
    try:
        value = json.loads(text, parse_constant=refuse_constant)
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        return None
    mended = _HALF.sub(lambda half: f"\\\\u{ord(half[0]):04x}", text)
    return None if mended == text else mended.encode()


def at(record: Any, *path: str | int) -> Any:
    """Return what stands at a path inside a JSON value, or None where it does not go on."""
    for step in path:
        if isinstance(step, str):
            record = record.get(step) if isinstance(record, dict) else None
        else:
            record = record[step] if isinstance(record, list) and len(record) > step else None
    return record


def text_at(record: Any, *path: str | int) -> str:
    """Return the text at a path; anything else is empty."""
    value = at(record, *path)
    return value if isinstance(value, str) else ""


def name_at(record: Any, *path: str | int) -> str | None:
    """Return the text at a path, or None if there is none or it is empty."""
    return text_at(record, *path) or None


def list_at(record: Any, *path: str | int) -> list[Any]:
    """Return the list at a path; anything else is an empty one."""
    value = at(record, *path)
    return value if isinstance(value, list) else []


def as_text(value: Any) -> str:
    """Return an output as text: text as it is, other JSON values as compact JSON."""
    if isinstance(value, str):
        return value
    return "" if value is None else msgspec.json.encode(value).decode()
