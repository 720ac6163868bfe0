"""When two calls are the same, or want the same: what the loop guards compare (DL-10)."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from reasonix_runtime.evidence.kept import mark

LONGEST_TEXT = 2048
"""Longest arguments that are their own identity, in characters."""
_ONLY_TEXT = {str}


def write_key(tool: str, args: Any) -> Hashable:
    """Return the identity of a write: its arguments, or the words of a command.

    A short command, and short arguments that are texts, as those of most edits are, stand for
    themselves.
    """
    if tool == "bash":
        words = " ".join(_text(args, "command").split())
        return (tool, words) if len(words) <= LONGEST_TEXT else mark([tool, words])
    if isinstance(args, dict):
        values = args.values()
        if set(map(type, values)) == _ONLY_TEXT and sum(map(len, values)) <= LONGEST_TEXT:
            return tool, frozenset(args.items())
    return mark([tool, args])


def intent_key(tool: str, args: Any) -> Hashable:
    """Return the identity of what a write wants: for an edit its path and the old texts.

    Of a list of edits also which of them take every place: an old text that stands in several
    places fails for one of them and works for all.
    """
    if tool == "edit_file":
        return mark([tool, [_text(args, "path"), _text(args, "old_string")]])
    if tool == "multi_edit":
        edits = args.get("edits") if isinstance(args, dict) else None
        old = [_target(edit) for edit in edits] if isinstance(edits, list) else []
        return mark([tool, [_text(args, "path"), old]])
    return write_key(tool, args)


def _target(edit: Any) -> list[object]:
    """Return what one step of a list of edits looks for."""
    everywhere = isinstance(edit, dict) and edit.get("replace_all") is True
    return [_text(edit, "old_string"), everywhere]


def _text(value: Any, key: str) -> str:
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""
