"""The content of a message: text, or a list of parts of which some are text.

All programs keep it in one of these two ways, whatever else their messages hold.
"""

from __future__ import annotations

from typing import Any


def flat_text(content: Any) -> str:
    """Return the text of a content field: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = []
        for part in content:
            if isinstance(part, str):
                parts.append(part)
            elif isinstance(part, dict) and isinstance(part.get("text"), str):
                parts.append(part["text"])
        return "".join(parts)
    return ""


def unread_in(content: Any, *, may_be_empty: bool) -> str | None:
    """Return what of a message's blocks cannot be read: a call or a result may have stood there."""
    if isinstance(content, str):
        return None
    if not isinstance(content, list) or not (content or may_be_empty):
        return "a message without content that can be read"
    if all(isinstance(part, str) or _tells_type(part) for part in content):
        return None
    return "a part of a message is of no type that can be read"


def _tells_type(part: Any) -> bool:
    kind = part.get("type") if isinstance(part, dict) else None
    return isinstance(kind, str) and kind != ""
