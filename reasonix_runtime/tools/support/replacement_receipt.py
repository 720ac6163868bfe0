"""What an edit tool answers: the text that was really replaced and what stands there now."""

from __future__ import annotations

from collections.abc import Sequence

from reasonix_runtime.evidence.result_text import cut, cut_tail
from reasonix_runtime.tools.support.edits import Applied

RECEIPT_LIMIT = 2048
"""Bytes of the whole receipt."""

_SPAN_MOST = 896
_SPAN_LEAST = 128
_SPANS_TOGETHER = 1792
_SPAN_CUT = "…[replacement span truncated]…"
_RECEIPT_CUT = "\n…[receipt truncated; use read_file for the full content]…\n"


def receipt(applied: Sequence[Applied]) -> str:
    """Return the receipt of the replacements of one call; of more than two, the first and last."""
    count = len(applied)
    shown = [(1, applied[0])] if count == 1 else [(1, applied[0]), (count, applied[-1])]
    room = min(_SPAN_MOST, max(_SPAN_LEAST, _SPANS_TOGETHER // (2 * len(shown))))
    lines = ["Actual replacement receipt after write:\n"]
    for index, edit in shown:
        if index > 1 and count > len(shown):
            lines.append(f"…[{count - 2} intermediate replacement receipt(s) omitted]…\n")
        lines.append(_one(index, count, edit, room))
    return shorten("".join(lines), RECEIPT_LIMIT, _RECEIPT_CUT)


def _one(index: int, count: int, edit: Applied, room: int) -> str:
    marks = ", fuzzy match" if edit.tolerant else ""
    if edit.tolerant and edit.count > 1:
        marks += ", first matched sample shown"
    header = f"@@ replacement {index} of {count} ({edit.count} occurrence(s){marks}) @@\n"
    return header + _side("-", edit.removed, room) + _side("+", edit.added, room)


def _side(sign: str, text: str, room: int) -> str:
    if not text:
        return f"{sign}<empty>\n"
    lines = shorten(text, room, _SPAN_CUT).removesuffix("\n").split("\n")
    return "".join(f"{sign}{line}\n" for line in lines)


def shorten(text: str, limit: int, marker: str) -> str:
    """Return the text within `limit` bytes: three quarters head and one quarter tail of it."""
    data = text.encode()
    if len(data) <= limit:
        return text
    room = limit - len(marker.encode())
    return cut(data, room - room // 4).decode() + marker + cut_tail(data, room // 4).decode()
