"""The items and events in the output of `codex exec --json` as work that was done."""

from __future__ import annotations

import shlex
from typing import Any

from reasonix_conformance.readers.codex.items import work_of
from reasonix_conformance.readers.codex.running import GOES_ON, Piece
from reasonix_conformance.readers.files.json_values import at, list_at, name_at, text_at
from reasonix_conformance.readers.hosts.outcomes import UNKNOWN, Grade, by_code
from reasonix_conformance.readers.hosts.roles import script_of

COMMAND = "command_execution"
AGENTS = "collab_tool_call"

_NO_ARGUMENTS = ("id", "type", "item_type", "status")
NO_WORK = frozenset({"context_compaction", "image_view", "reasoning", "web_search"})
"""Items of which nothing was said to the user or done here."""


def kind_of(item: Any) -> str:
    """Return the kind of an item, under the name of the first versions too."""
    return text_at(item, "type") or text_at(item, "item_type")


def of_item(item: Any) -> Piece | None:
    """Return the work that an item tells of; None for one that tells of none.

    An item of a kind that is not known is work if it has a state: it may have done anything.
    """
    kind, ident = kind_of(item), text_at(item, "id")
    if kind in NO_WORK:
        return None
    work = work_of({"item": _normal(item, kind)})
    grade = _grade(item, kind, work.grade)
    if kind in (COMMAND, "file_change", "mcp_tool_call"):
        return Piece(ident, work.tool, work.args, grade, work.text)
    if name_at(item, "status") is None:
        return None
    tool = name_at(item, "tool") if kind == AGENTS else kind
    told = {key: value for key, value in item.items() if key not in _NO_ARGUMENTS}
    return Piece(ident, tool or kind, told, grade, work.text)


def of_begin(event: Any) -> Piece:
    """Return the work that an event of the older shape begins."""
    changes = at(event, "changes")
    if isinstance(changes, dict):
        event = event | {"changes": {path: _inner(change) for path, change in changes.items()}}
    work = work_of(event)
    return Piece(work.native, work.tool, work.args, GOES_ON, "")


def of_end(event: Any) -> Piece:
    """Return the work that an event of the older shape ends; what it was stands at its begin."""
    work = work_of(event)
    return Piece(work.native, work.tool, work.args, work.grade, work.text)


def _normal(item: Any, kind: str) -> Any:
    """Return an item in the form of the items of a rollout."""
    if kind == COMMAND:
        return item | {"command": _words(text_at(item, "command"))}
    if kind == "file_change":
        told = {text_at(change, "path"): change for change in list_at(item, "changes")}
        return item | {"changes": {path: change for path, change in told.items() if path}}
    return item


def _words(command: str) -> str | list[str]:
    """Return a command as it was given: the words of one for a shell, or a whole script.

    Some versions quote a script as one word, without the shell that runs it.
    """
    try:
        words = shlex.split(command)
    except ValueError:
        return command
    if len(words) == 1:
        return words[0]
    return words if script_of(words) is not None else command


def _grade(item: Any, kind: str, grade: Grade) -> Grade:
    """Grade by the state where the facts say less: a tool may fail and have a result.

    A command without an exit code still ran when its turn was over, whatever its state says; other
    work does not go on behind its end.
    """
    if grade.outcome != "ok":
        return UNKNOWN if grade.outcome == "running" and kind != COMMAND else grade
    if text_at(item, "status") == "failed":
        return Grade("error", "state")
    return GOES_ON if kind == COMMAND and by_code(at(item, "exit_code")) is None else grade


def _inner(change: Any) -> Any:
    """Return what a change holds, which stands under the name of its kind, with that name."""
    kind, inner = next(iter(change.items()), ("", None)) if isinstance(change, dict) else ("", None)
    return {**inner, "kind": kind} if isinstance(inner, dict) else change
