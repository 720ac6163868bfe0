"""What a tool call of an editor capture is, where its title is a sentence and no tool's name.

A host of the contract puts the name of the tool there, others what it is about (`` Edit `a.py` ``);
these tell a kind beside it, and the files that it is about. One tells the name of its tool, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from reasonix_conformance.readers.files.json_values import as_text, at, list_at, text_at
from reasonix_conformance.readers.files.message_content import flat_text
from reasonix_conformance.readers.hosts.outcomes import Grade, by_code
from reasonix_conformance.readers.hosts.roles import Role, role_of
from reasonix_conformance.readers.hosts.widely_given import ANYONES

_NAME: Final = re.compile(r"[\w:-]+")
_CHANGES: Final = frozenset({"delete", "edit", "move"})
_LOOKS_ABOUT: Final = frozenset({"fetch", "search", "switch_mode", "think"})
_SHELL: Final = "execute_bash"
_BY_EDITOR: Final = "mcp__acp__"
"""What stands before the names of tools that act through the editor."""
_EXITS: Final = (
    ("rawOutput", "exit_code"),
    ("rawOutput", "exitCode"),
    ("rawOutput", "metadata", "exit"),
    ("_meta", "terminal_exit", "exit_code"),
)
_OUTPUTS: Final = ("output", "formatted_output", "stdout")


def name_of(update: Any) -> str:
    """Return the name of the tool that is called, or what stands for it."""
    own = text_at(update, "_meta", "claudeCode", "toolName").removeprefix(_BY_EDITOR)
    return own or text_at(update, "title")


def by_kind(name: str, update: Any) -> bool:
    """Whether a call is known by its kind alone, as its title is no name of a tool.

    It may be the name of the file that the call is about.
    """
    files = (text_at(one, "path").rpartition("/")[2] for one in list_at(update, "locations"))
    named = _NAME.fullmatch(name) is not None and name not in files
    return bool(text_at(update, "kind")) and not named


def runs_untold(update: Mapping[str, Any]) -> bool:
    """Whether a call ran a command that is not told: nobody can say what it did."""
    return text_at(update, "kind") == "execute" and role_by_kind(update) is None


def role_by_kind(update: Mapping[str, Any]) -> Role | None:
    """Return what a call is by its kind and the files that it is about; None for any other."""
    kind, args = text_at(update, "kind"), at(update, "rawInput")
    if kind == "execute":
        return role_of(ANYONES, _SHELL, args)
    if kind in _LOOKS_ABOUT:
        return Role(None, None, read_only=True)
    told = [*list_at(update, "locations"), *list_at(update, "content")]
    paths = dict.fromkeys(path for path in (text_at(one, "path") for one in told) if path)
    if kind == "read":
        return Role("read_file", {"paths": list(paths)}, read_only=True)
    return Role("edit_file", {"paths": list(paths)}, read_only=False) if kind in _CHANGES else None


def exit_of(update: Any) -> Grade | None:
    """Grade by the exit code of a command, which the protocol has no place for, if one is told.

    Some agents call a command completed that failed.
    """
    return next((grade for path in _EXITS if (grade := by_code(at(update, *path)))), None)


def text_of(update: Any) -> str:
    """Return the text of a result; some agents tell none, and what the tool gave beside it."""
    text = flat_text([at(part, "content") for part in list_at(update, "content")])
    given = at(update, "rawOutput")
    inside = next((found for key in _OUTPUTS if (found := text_at(given, key))), None)
    return text or inside or as_text(given)
