"""What Codex tells of work that was done, beside the model's own calls.

Older files have events (`exec_command_end`, `patch_apply_end`, `mcp_tool_call_end`), newer ones
completed items (`CommandExecution`, `FileChange`, `McpToolCall`). They say how a call of the model
ended. Where the model writes a script instead (the tool `exec`), the calls of the script stand
nowhere else.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple
from urllib.parse import unquote

from reasonix_conformance.readers.codex.outputs import by_words
from reasonix_conformance.readers.files.json_values import as_text, at, list_at, name_at, text_at
from reasonix_conformance.readers.files.message_content import flat_text
from reasonix_conformance.readers.hosts.outcomes import (
    UNKNOWN,
    Grade,
    by_code,
    by_state,
    by_success,
    is_int,
)
from reasonix_runtime.trace.events import ToolCall

ENDS = frozenset({"exec_command_end", "patch_apply_end", "mcp_tool_call_end"})
"""Events that say how a call ended."""
DONE = frozenset({"CommandExecution", "FileChange", "McpToolCall"})
"""Completed items that say the same."""

_FILE = "file://"
_SCRIPT_ERROR = "Script error:\n"
_NESTED = re.compile(r"\btools\s*\.\s*(?:exec_command|apply_patch|mcp__\w+)\s*\(")
_ANY_NESTED = re.compile(r"\btools\b(?!\s*\.)")
"""Tools reached in a way that does not show which."""


class Work(NamedTuple):
    """A piece of work as a call: its id, tool, arguments, grade, output, and times in ms.

    What the user ran in a shell of the program is work too.
    """

    native: str
    tool: str
    args: Any
    grade: Grade
    text: str
    started: int | None
    ended: int | None
    by_user: bool
    folder: str | None
    """Where a command ran."""


def is_script(call: ToolCall) -> bool:
    """Whether a call runs a script of the model, or waits for one that runs."""
    return call.name == "exec" or (call.name == "wait" and at(call.args, "cell_id") is not None)


def work_of(event: Any) -> Work:
    """Return what an event of `ENDS`, or one that completes an item of `DONE`, tells."""
    item = at(event, "item")
    facts = event if item is None else item
    tool, args = _call_of(facts)
    return Work(
        text_at(facts, "call_id") or text_at(facts, "id"),
        tool,
        args,
        _grade_of(facts),
        _text_of(facts),
        _time(event, "started_at_ms"),
        _time(event, "completed_at_ms"),
        text_at(facts, "source") == "user_shell",
        _folder_of(facts),
    )


class Scripts:
    """The scripts of a thread: the calls they show, and the work that was told of them.

    A script's own result says that it ran, not what it did: that is known where all the calls that
    it shows were told. Work is told when it ends, so it came after all that was told before only if
    it began later.
    """

    def __init__(self) -> None:
        self.any = False
        """Whether the model writes scripts here."""
        self._owed = 0
        self._dark = False
        self._until = 0
        """Up to when work was told."""

    def called(self, script: str) -> None:
        """Take in a script that is run; a call that waits for one has none."""
        self.any = True
        self._owed += len(_NESTED.findall(script))
        self._dark = self._dark or _ANY_NESTED.search(script) is not None

    def told(self, work: Work) -> bool:
        """Take in a piece of work; whether it may have been done beside work told before."""
        self._owed -= 1
        beside = work.started is not None and work.started <= self._until
        self._until = max(self._until, work.ended or 0)
        return beside

    def settled(self, text: str) -> bool:
        """Whether all that the scripts did was told, now that one has ended with this text.

        A call that was refused, or a patch that did not fit, is told by that text alone.
        """
        error = text.removeprefix(_SCRIPT_ERROR)
        refused = error != text and by_words(error) is not UNKNOWN
        known = self._owed <= refused and not self._dark
        self.forget()
        return known

    def forget(self) -> None:
        """Forget the scripts that are over."""
        self._owed, self._dark = 0, False


def _call_of(facts: Any) -> tuple[str, Any]:
    command, changes = at(facts, "command"), at(facts, "changes")
    if command is not None:
        return "exec_command", {"command": command}
    if isinstance(changes, dict):
        moved = {path: name_at(change, "move_path") for path, change in changes.items()}
        kinds = {text_at(change, "kind") or text_at(change, "type") for change in changes.values()}
        return "apply_patch", {"changes": moved, "adds": kinds == {"add"}}
    made = at(facts, "invocation") or facts
    name = "__".join(("mcp", text_at(made, "server"), text_at(made, "tool")))
    return name, at(made, "arguments")


def _folder_of(facts: Any) -> str | None:
    """Return the folder of a command; newer versions tell it as an address."""
    folder = name_at(facts, "cwd")
    if folder is None or not folder.startswith(_FILE):
        return folder
    path = unquote(folder.removeprefix(_FILE))
    return path[1:] if path[2:3] == ":" else path


def _grade_of(facts: Any) -> Grade:
    """Grade by the exit code, then by flags, then by the state."""
    ended, success = by_code(at(facts, "exit_code")), at(facts, "success")
    status = at(facts, "status")
    result = at(facts, "result")
    answer = at(result, "Ok") or result
    error = at(facts, "error", "message") or at(result, "Err")
    if status == "declined":
        return Grade("blocked", "state")
    if ended is not None:
        return ended
    if isinstance(success, bool):
        return by_success(success)
    if error is not None:
        return Grade("error", "flag", None, error if isinstance(error, str) else None)
    if answer is not None:
        failed = at(answer, "is_error") is True or at(answer, "isError") is True
        return by_success(not failed)
    return by_state(status) if isinstance(status, str) else UNKNOWN


def _text_of(facts: Any) -> str:
    told = (text_at(facts, "aggregated_output"), text_at(facts, "stdout"))
    content = list_at(facts, "result", "content") or list_at(facts, "result", "Ok", "content")
    error = at(facts, "error", "message") or at(facts, "result", "Err")
    return next((text for text in told if text), "") or flat_text(content) or as_text(error)


def _time(event: Any, name: str) -> int | None:
    value = at(event, name)
    return value if is_int(value) else None
