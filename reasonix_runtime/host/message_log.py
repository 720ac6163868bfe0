"""The messages of a turn, as the loop guards will see them when they are asked (DL-10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from reasonix_runtime.evidence.receipts import Receipt
from reasonix_runtime.evidence.tasks import Task
from reasonix_runtime.gates.loop_guards import Ended
from reasonix_runtime.trace.events import ToolResult

ClosedMessage: TypeAlias = tuple[Sequence[Ended], Sequence[Receipt], int, int, tuple[Task, ...]]
"""A message that has ended: its calls, the ledger, where its part begins and ends, the list."""


class MessageLog:
    """The running message, and those before it that nobody has looked at yet.

    Args:
        position: the length of the ledger.
    """

    __slots__ = ("closed", "ended", "position")

    def __init__(self, position: int) -> None:
        #: How the calls of the running message ended.
        self.ended: list[Ended] = []
        #: The ledger position at which it began.
        self.position = position
        #: The messages before it, oldest first.
        self.closed: list[ClosedMessage] = []

    def close(self, receipts: Sequence[Receipt], tasks: tuple[Task, ...]) -> None:
        """End the running message; `receipts` are those of the ledger, `tasks` the list now."""
        end = len(receipts)
        if self.ended:
            self.closed.append((self.ended, receipts, self.position, end, tasks))
            self.ended = []
        self.position = end


def failed(tool: str, result: ToolResult) -> Ended:
    """Return how a call ended that ran and failed."""
    return Ended(tool=tool, ok=False, error=first_line(result))


def first_line(result: ToolResult) -> str:
    """Return what a failed call answered first."""
    text = (result.error or result.text).strip()
    # Up to the first line feed first: not all of a long text is split for its first line.
    return text.partition("\n")[0].splitlines()[0] if text else ""
