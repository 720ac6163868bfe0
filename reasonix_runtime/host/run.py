"""What the host knows of one agent at work: all that the gates are asked about, and nothing else.

Each scope (the main conversation, or one sub-agent) has one :class:`Run`. Only the state machine of
`host/state.py` changes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from reasonix_runtime.host.jobs import Jobs

if TYPE_CHECKING:
    from reasonix_runtime.evidence.ledger import Ledger
    from reasonix_runtime.evidence.session import SessionHistory
    from reasonix_runtime.evidence.tasks import Task
    from reasonix_runtime.gates.verdict import Verdict
    from reasonix_runtime.host.turn import TurnGates
    from reasonix_runtime.trace.events import ToolCall


class Message(msgspec.Struct):
    """The model response that is being executed; calls with one `step` belong to it.

    `signed_off` turns true with its first successful `complete_step` (CS-16), `change_failed` with
    its first failed or refused modification (DL-02 G0). `end` is the position in the session where
    the next message began; it is kept only if calls of this one had no result by then.
    """

    step: str
    signed_off: bool = False
    change_failed: bool = False
    end: int | None = None


class Opened(msgspec.Struct):
    """A call without a result yet: the message that it stands in, and its number in the run.

    Each end of a turn asks two things of a call that may never be answered, so they are kept once
    they were asked: `in_doubt` names it for a message if it may have changed something, and is
    empty if not; `lists` says whether it sends a task list with open items.
    """

    call: ToolCall
    message: Message
    number: int
    in_doubt: str | None = None
    lists: bool | None = None


class JudgedCall(msgspec.Struct, frozen=True):
    """A call that the gate of its own tool judged, and what that gate said."""

    uid: str
    verdict: Verdict


@dataclass(slots=True)
class Run:
    """What one scope knows.

    Attributes:
        scope: the scope of its calls.
        ledger: the receipts of this turn.
        session: what is remembered of earlier turns.
        depth: how deep it is nested; the main conversation is at 0.
        background: whether it goes on when the call that started it is answered, None if that is
            not known.
        began: the position in the session at which a delegated run started.
        reviews: whether it was started to review, and so has `review_report` (RV-01).
        tasks: the canonical task list.
        children: the delegated runs that have not ended, by scope.
        untold_list: whether nobody knows if a list with open items, sent later, was taken.
        open: the calls without a result yet, by uid.
        made: how many calls were made.
        ended: the number of the last of them that has a result.
        overtaking: what was changed while calls had no result: the number of the call that did it,
            and its position in the session.
        message: the model response that is being executed.
        jobs: its background jobs.
        judged: the latest call that the gate of its tool judged.
        gates: the delivery gates, and what they know.
    """

    scope: str
    ledger: Ledger
    session: SessionHistory
    depth: int = 0
    background: bool | None = None
    began: int = -1
    reviews: bool = False
    tasks: tuple[Task, ...] = ()
    children: dict[str, Run] = field(default_factory=dict)
    untold_list: bool = False
    open: dict[str, Opened] = field(default_factory=dict)
    made: int = 0
    ended: int = 0
    overtaking: list[tuple[int, int]] = field(default_factory=list)
    message: Message | None = None
    jobs: Jobs = field(default_factory=Jobs)
    judged: JudgedCall | None = None
    gates: TurnGates = field(init=False)

    @property
    def refusal(self) -> str:
        """The reason code by which the latest gated call was refused, empty when it was taken."""
        verdict = None if self.judged is None else self.judged.verdict
        return "" if verdict is None or verdict.accepted else verdict.reason or ""

    def begin_turn(self, *, keeps_ledger: bool) -> None:
        """Start a turn: the session takes the ledger over, then it is emptied (EL-17)."""
        self.session.message_ended()
        self.leave()
        self.message = None
        if not keeps_ledger:
            self.jobs.turn_over(self.ledger)
            self.session.turn_ended(self.ledger)
            self.ledger.clear()
        self.jobs.merge(self.ledger)

    def leave(self) -> None:
        """Note where the running message ends, for the calls of it that have no result."""
        if self.message is not None and self.message.end is None:
            self.message.end = self.ledger.end

    def opened(self, uid: str) -> ToolCall | None:
        """Return a call that has no result yet."""
        opened = self.open.get(uid)
        return None if opened is None else opened.call

    def still_changing(self) -> Iterator[str]:
        """Yield the delegated runs that changed something and have not ended."""
        for scope, child in self.children.items():
            if child.has_changed():
                yield scope

    def has_changed(self) -> bool:
        """Whether a delegated run changed something, or what goes on below it did."""
        nested = [self]
        for run in nested:  # it grows by those below, as deep as a recording nests them
            if run.ledger.latest_mutation >= 0 or any(run.jobs.changing()):
                return True
            nested += run.children.values()
        return False

    def note_changes(self, start: int, number: int) -> None:
        """Note what receipts from an index on changed, while calls have no result.

        `number` is that of the call that left the first of them; each later one is of the next.
        """
        receipts, base = self.ledger.receipts, self.ledger.base
        for index in range(start, len(receipts)):
            if receipts[index].changed:
                self.overtaking.append((number + index - start, base + index))

    def settle_beside_others(self, start: int, number: int) -> None:
        """Put the receipts of a call, from an index on, in order with calls that ran beside it.

        `number` is that of the call.
        """
        began = self.overtaken(number)
        if began is not None and not self.ledger.rules.background_from_start:
            self.ledger.date_back(start, began)
        if self.open:
            self.note_changes(start, number)
        else:
            self.overtaking.clear()

    def overtaken(self, number: int) -> int | None:
        """Return the position before which a call began that is answered now, None if it is new.

        Calls that were made after it have changed something in the meantime.
        """
        later = [at for made, at in self.overtaking if made > number]
        return min(later) - 1 if later else None

    def enter(self, step: str) -> Message:
        """Return the message of that step; a new step begins a new message.

        A recording that names no steps has a message for each call.
        """
        message = self.message
        if message is None or message.step != step or not step:
            if self.open:
                self.leave()
            self.session.message_ended()
            self.gates.memory.message_ended()
            message = self.message = Message(step)
        return message
