"""How large a result may be that a model sees, and where the rest of a longer one is."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

RESULT_LIMIT = 32768
"""Bytes of one result, marker included."""

_REF_DIGITS = 24
_NAME_LIMIT = 128
_ID_LIMIT = 128
_ID_TOO_LONG = 256
_ID_PLACEHOLDER = "(id too long)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounded:
    """A result as a model sees it; `ref` and `kept` are None when nothing was cut."""

    text: str
    original: int
    kept: int | None = None
    ref: str | None = None


def reference(call_id: str, body: bytes) -> str:
    """Return the reference of a complete body: the same in every process."""
    digest = hashlib.sha256(call_id.encode("utf-8", "surrogatepass") + b"\0" + body)
    return f"tr-{digest.hexdigest()[:_REF_DIGITS]}"


def bound(body: str, *, tool: str, call_id: str) -> Bounded:
    """Return the body, or its head and tail around a marker that says how to read the rest."""
    data = body.encode()
    if len(data) <= RESULT_LIMIT:
        return Bounded(text=body, original=len(data))
    ref = reference(call_id, data)
    # The digits of `kept_bytes` are at most those of the limit itself.
    room = RESULT_LIMIT - len(_marker(tool, call_id, ref, len(data), RESULT_LIMIT).encode())
    head = cut(data, room - room // 2)
    tail = cut_tail(data, room // 2)
    kept = len(head) + len(tail)
    marker = _marker(tool, call_id, ref, len(data), kept)
    text = head.decode() + marker + tail.decode()
    return Bounded(text=text, original=len(data), kept=kept, ref=ref)


def inside_character(data: bytes, at: int) -> bool:
    """Whether a place in UTF-8 lies inside a character."""
    return 0 <= at < len(data) and data[at] & 0xC0 == 0x80


def cut(data: bytes, size: int) -> bytes:
    """Return at most `size` leading bytes of UTF-8, ending at a character."""
    if size >= len(data):
        return data
    while size > 0 and inside_character(data, size):
        size -= 1
    return data[:size]


def cut_tail(data: bytes, size: int) -> bytes:
    """Return at most `size` trailing bytes of UTF-8, starting at a character."""
    start = max(0, len(data) - size)
    while inside_character(data, start):
        start += 1
    return data[start:]


def _marker(tool: str, call_id: str, ref: str, original: int, kept: int) -> str:
    """Return the marker line with the blank lines around it."""
    name = cut(tool.encode(), _NAME_LIMIT).decode()
    too_long = len(call_id.encode()) > _ID_TOO_LONG
    shown = _ID_PLACEHOLDER if too_long else cut(call_id.encode(), _ID_LIMIT).decode()
    how = (
        'read the rest with use_capability: action="call", '
        'capability_id="session:tool_result", '
        f'arguments={{"tool_call_id": "{shown}", "result_ref": "{ref}", "offset": 0}}'
    )
    return (
        f"\n\n…[truncated tool={name} call_id={shown} result_ref={ref} "
        f"original_bytes={original} kept_bytes={kept} — {how}]…\n\n"
    )
