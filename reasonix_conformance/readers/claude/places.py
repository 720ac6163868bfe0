"""Where the shell of a Claude Code session stands, where the records do not tell it.

A session file has it in every record. In the output of a run it follows from the commands: the
shell stays where one that ended well went to, unless the program says that it took it back.
"""

from __future__ import annotations

import re
from typing import Any

from reasonix_conformance.readers.files.json_values import name_at
from reasonix_conformance.readers.hosts.roles import SHELL_TOOLS
from reasonix_runtime.evidence.paths import below
from reasonix_runtime.evidence.running.moves import stands_after
from reasonix_runtime.evidence.shell.script import parse
from reasonix_runtime.trace.events import MAIN, ToolCall

_TAKEN_BACK = re.compile(r"^Shell cwd was reset to (.+)$", re.MULTILINE)
_NOT_GONE = re.compile(r": (?:line \d+: )?cd: ")
"""What a shell says of a folder that it could not go to."""


class Place:
    """The folder of the shell, and that of sub-agents, whose every command begins anew."""

    def __init__(self, root: str | None) -> None:
        self._root = self._here = root
        self._left: str | None = root
        """The folder that the session was in before it went to a worktree."""
        self._begun: dict[str, str | None] = {}
        """Where sub-agents were started, if that is not the folder of the session."""

    def of(self, scope: str) -> str | None:
        """Return where a command of a conversation begins, None where that is not known."""
        return self._here if scope == MAIN else self._begun.get(scope, self._root)

    def starts(self, scope: str) -> None:
        """Take in that a sub-agent begins."""
        if self._here != self._root:
            self._begun[scope] = self._here

    def went_well(self, call: ToolCall, text: str, extra: Any) -> None:
        """Take in a call of the main conversation that ended well."""
        if call.name == "EnterWorktree":
            self._left, self._root = self._root, name_at(extra, "worktreePath") or self._root
            self._here = self._root
        elif call.name == "ExitWorktree":
            self._here = self._root = self._left
        elif call.name in SHELL_TOOLS:
            self._moved(name_at(call.args, "command") or "", text)

    def _moved(self, command: str, text: str) -> None:
        back = _TAKEN_BACK.search(text)
        if back is not None:
            self._here = back[1]
        elif ("cd" in command or "pushd" in command) and not _NOT_GONE.search(text):
            self._here = below(self._here or "", *stands_after(parse(command))) or None
