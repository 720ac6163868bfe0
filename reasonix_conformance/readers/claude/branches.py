"""Claude Code: prompts that go on from an earlier record, as what came after it was taken back.

Who takes a conversation back may have the program put the files back, too, that it edited since.
Nothing tells whether it did.
"""

from __future__ import annotations

from typing import Any, Final

from reasonix_conformance.readers.files.json_values import at, list_at, text_at

PUT_BACK: Final = "what was said is taken back, and the files that were edited may be, too"
"""What is said where files were edited in what was taken back."""

TAKEN_BACK: Final = "what was said is taken back; what was done still happened"
_EDITORS = frozenset({"Edit", "MultiEdit", "NotebookEdit", "Write"})
"""Tools whose changes the program can put back; it cannot those of commands."""


class Branches:
    """Where in a session the model last said something, and last edited a file."""

    def __init__(self) -> None:
        self._records = self._said = self._edited = 0

    def place(self) -> int:
        """Return the place of the next record."""
        self._records += 1
        return self._records

    def answered(self, record: Any, *, main: bool) -> None:
        """Take in a record of the model, or of a sub-agent, at the latest place."""
        if main:
            self._said = self._records
        blocks = list_at(at(record, "message"), "content")
        if any(text_at(block, "name") in _EDITORS for block in blocks):
            self._edited = self._records

    def left_at(self, place: int | None) -> str | None:
        """Say what a prompt takes back that goes on from the record at a place; None for nothing.

        None for a place means that the record is not known.
        """
        if place is None or place >= self._said:
            return None
        return PUT_BACK if place < self._edited else TAKEN_BACK
