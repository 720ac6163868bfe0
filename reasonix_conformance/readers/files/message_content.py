"""The content of a message: text, or a list of parts of which some are text.

All programs keep it in one of these two ways, whatever else their messages hold.
"""

from __future__ import annotations

from typing import Any

_NOT_SHOWN = ("call", "reasoning", "text", "thinking", "tool")
"""Words in the types of parts that are acts or thoughts, or texts without one."""


def flat_text(content: Any) -> str:
    """Return the text of a content field: a string, or the parts of a list.

    A part that was seen and is no text (an image, a file) is told by its type, as `[image]`.
    """
    if isinstance(content, str):
        return content
    return "".join(map(_told, content)) if isinstance(content, list) else ""


def words_in(content: Any) -> str:
    """Return the text of a content field without what is no text in it."""
    parts = content if isinstance(content, list) else [content]
    return "".join(_words(part) or "" for part in parts)


def _words(part: Any) -> str | None:
    if not isinstance(part, dict):
        return part if isinstance(part, str) else None
    text = part.get("text", part.get("refusal"))
    return text if isinstance(text, str) else None


def _told(part: Any) -> str:
    words = _words(part)
    if words is not None:
        return words
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(kind, str) or not kind or any(word in kind for word in _NOT_SHOWN):
        return ""
    return f"[{kind}]"


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
