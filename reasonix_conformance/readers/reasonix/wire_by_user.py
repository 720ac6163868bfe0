"""Commands that the user runs in a session: the host tells them as it tells calls of the model."""

from __future__ import annotations

from typing import Any

from reasonix_conformance.readers.files.json_values import json_in, text_at
from reasonix_conformance.readers.reasonix.wire_records import Tool

BY_USER = "shell-"
"""What the id of such a command begins with; the command itself stands behind it."""


class Users:
    """The commands of the user in one session."""

    def __init__(self) -> None:
        self.running: set[str] = set()
        """The ids of those that have begun and not ended."""
        self._any = False

    def ran(self, tool: Tool) -> bool:
        """Take in a dispatch whose id begins with `BY_USER`; return whether the user ran it."""
        if tool.id != BY_USER + _command_in(tool.args):
            return False
        self.running.add(tool.id)
        self._any = True
        return True

    def turn_ended(self) -> bool:
        """Take in the end of a turn; return whether the user ran a command in it."""
        ran, self._any = self._any, False
        return ran


def _command_in(args: Any) -> str:
    """Return the command that the arguments of a call tell, empty where they tell none."""
    return text_at(json_in(args) if isinstance(args, str) else args, "command")
