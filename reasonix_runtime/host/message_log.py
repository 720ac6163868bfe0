"""The messages of a turn, kept for the loop guards until somebody asks these (DL-10)."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

import msgspec

from reasonix_runtime.evidence.kept import LONGEST_WHOLE, mark
from reasonix_runtime.evidence.receipts import Receipt
from reasonix_runtime.evidence.tasks import DONE, Task
from reasonix_runtime.gates.loop_guards import (
    REPEATS_IN_A_ROW,
    Ended,
    ends_pass,
    may_gain_nothing,
)
from reasonix_runtime.trace.events import ToolResult


class ClosedMessage(msgspec.Struct, frozen=True):
    """A message that has ended: how its calls ended, and what the turn looked like then.

    Its receipts are those of the `ledger` from `start` up to `end`; of the list after it, `done`
    items were completed, and `unfinished` tells whether one was not.
    """

    calls: Sequence[Ended]
    ledger: Sequence[Receipt]
    start: int
    end: int
    done: int
    unfinished: bool


class MessageLog:
    """The running message, and those before it that nobody has looked at yet.

    Args:
        position: the length of the ledger.
    """

    __slots__ = ("_done", "_tasks", "closed", "ended", "position")

    def __init__(self, position: int) -> None:
        #: How the calls of the running message ended.
        self.ended: list[Ended] = []
        #: The ledger position at which it began.
        self.position = position
        #: The messages before it, oldest first.
        self.closed: list[ClosedMessage] = []
        # The list after the last of them, and how many of its items were completed.
        self._tasks: tuple[Task, ...] = ()
        self._done = 0

    def close(self, receipts: Sequence[Receipt], tasks: tuple[Task, ...]) -> None:
        """End the running message; `receipts` are those of the ledger, `tasks` the list now."""
        end = len(receipts)
        if self.ended:
            if tasks is not self._tasks:
                self._tasks, self._done = tasks, 0
                for task in tasks:
                    self._done += task.status == DONE
            done, open_left = self._done, self._done < len(tasks)
            message = ClosedMessage(self.ended, receipts, self.position, end, done, open_left)
            self.closed.append(message)
            self.ended = []
        self.position = end

    def if_closed(
        self, receipts: Sequence[Receipt], tasks: tuple[Task, ...]
    ) -> Sequence[ClosedMessage]:
        """Return the closed messages as they are if the running one ends now; nothing moves."""
        log = copy(self)
        log.closed = [*self.closed]
        log.close(receipts, tasks)
        return log.closed

    def may_grant_pass(self, failed_before: int, *, host_state_counts: bool) -> bool:
        """Whether a guard may have opened a pass in one of the closed messages that still holds.

        This is a quick look: it may say yes although none did, and never no although one did.
        Messages are read from the last one back, up to one that surely gained something.
        `failed_before` is how many messages in a row had failed before them, `host_state_counts`
        whether `remember` and its like are changes.
        """
        failed, ended = 0, False
        for message in reversed(self.closed):
            own = message.ledger[message.start : message.end]
            if not any(call.ok for call in message.calls):
                failed += 1
                if failed == REPEATS_IN_A_ROW:
                    return True
                ended = ended or ends_pass(own, host_state_counts=host_state_counts)
                continue
            if ended or ends_pass(own, host_state_counts=host_state_counts):
                return False
            failed = 0
            if may_gain_nothing(own):
                return True
        return failed > 0 and failed + failed_before >= REPEATS_IN_A_ROW


def failed(tool: str, result: ToolResult) -> Ended:
    """Return how a call ended that ran and failed."""
    return Ended(tool=tool, ok=False, error=first_line(result))


def first_line(result: ToolResult) -> str:
    """Return what a failed call answered first; of a long line what is equal for equal ones."""
    text = (result.error or result.text).strip()
    # Up to the first line feed first: not all of a long text is split for its first line.
    line = text.partition("\n")[0].splitlines()[0] if text else ""
    return line if len(line) <= LONGEST_WHOLE else mark(line).hex()
