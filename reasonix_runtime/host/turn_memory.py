"""What receipts and messages of a run leave for its gates: criteria, changes, duties, loop guards.

It is asked for at few moments: before a write, after a failure, at the end of the turn. Until then
receipts and messages only wait. They are taken in, in their order, when one of
:attr:`~TurnMemory.criteria`, :attr:`~TurnMemory.changes`, :attr:`~TurnMemory.duties` and
:attr:`~TurnMemory.guards` is asked for.
"""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from reasonix_runtime.evidence.effects.profile import profile_of
from reasonix_runtime.evidence.new_files import is_new
from reasonix_runtime.evidence.owed.changes import ChangeSet
from reasonix_runtime.evidence.owed.workplace import Workplace
from reasonix_runtime.evidence.paths import either_way
from reasonix_runtime.evidence.receipts import Receipt
from reasonix_runtime.evidence.tasks import unfinished
from reasonix_runtime.gates.delivery.policy import RiskScope
from reasonix_runtime.gates.duties import DutyBook, DutyRules
from reasonix_runtime.gates.goal.report import claim_of
from reasonix_runtime.gates.loop_guards import ADVICE, Advice, LoopGuards, stands_down
from reasonix_runtime.gates.policy import EndOfTurn, Policy
from reasonix_runtime.gates.review import is_well_formed, report_of
from reasonix_runtime.host.message_log import ClosedMessage, MessageLog

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reasonix_runtime.host.run import Run

EARLIER_RUN = "an earlier run"
"""Stands for the tool of a change whose receipt is gone with an earlier run of the goal."""

MOST_WAITING = 2048
"""How many receipts wait: what their commands are is still remembered when they are taken in."""

_HEARD_BY_NAME = frozenset({"read_file", "review_report", "todo_write", "update_goal"})
"""Tools whose receipts say something beside what they changed."""


class MemorySetup(msgspec.Struct, frozen=True, kw_only=True):
    """What a setup tells the memory: the declared checks, and what the user asked of all checks.

    With `tests_forbidden` none may be run; with `always_full` every change owes the whole of them.
    """

    project_checks: tuple[str, ...]
    tests_forbidden: bool
    always_full: bool


class TurnMemory:
    """What one run did, as its gates ask for it.

    Args:
        policy: the rule set.
        run: the run whose receipts and messages are taken in.
        told: what held before the first turn.
    """

    def __init__(self, policy: Policy, run: Run, told: MemorySetup) -> None:
        self._policy = policy
        self._run = run
        #: Whether nothing waits: duties depend on the task list at the moment of a receipt.
        self.at_once = policy.end_of_turn is EndOfTurn.DUTIES
        self._changes = self._new_changes(told)
        #: All that keep what is owed: of everything, and of what came behind an excuse.
        self._kept: tuple[ChangeSet, ...] = (self._changes,)
        self._duties = self._new_duties(told)
        self._criteria = False
        self._absorbed = 0

    def begin_duties(self, told: MemorySetup) -> None:
        """Begin a turn whose calls owe nothing yet; call it before :meth:`begin`."""
        self._duties = self._new_duties(told)

    def begin(self, *, criteria: bool, turn: int = 0) -> None:
        """Begin a turn, by its number; `criteria`: an earlier run of its goal established some."""
        run, changes = self._run, self._changes
        #: The loop guards without the messages that wait; :attr:`guards` takes these in before.
        self.latest_guards = LoopGuards()
        self._claimed_unverified = False
        # What is still owed for a change was planned when the change was.
        planned = self._criteria and bool(changes) and not changes.unplanned
        self._criteria = planned or unfinished(run.tasks) or run.ledger.criteria or criteria
        for one in self._kept:
            one.new_turn(turn)
        #: The running message, and those that wait for the loop guards.
        self.log = MessageLog(len(run.ledger.receipts))
        self._absorbed = 0
        if run.ledger.receipts:
            self.absorb()

    def settle(self) -> None:
        """Owe nothing for what changed so far: a turn end passed."""
        self.absorb()
        for one in self._kept:
            one.settle()

    def excuse(self) -> None:
        """Take in that what is owed so far may have been seen to, or taken back, unseen."""
        self.absorb()
        self._kept = (self._changes, self._changes.as_settled())

    def restore_change(self) -> None:
        """Owe what an earlier run of the goal left owing: its receipts are gone."""
        self._changes.restore(EARLIER_RUN)

    def message_ended(self) -> None:
        """Close the message that was executed; the loop guards look at it as a whole."""
        receipts = self._run.ledger.receipts
        self.log.close(receipts, self._run.tasks)
        if len(receipts) - self._absorbed > MOST_WAITING:
            self.absorb()

    @property
    def has_list(self) -> bool:
        """Whether a task list exists: the carried one, or one of this turn."""
        return bool(self._run.tasks) or bool(self._run.ledger.todos)

    def absorb(self) -> None:
        """Take in the receipts that were added to the ledger since the last time."""
        ledger, start = self._run.ledger, self._absorbed
        receipts = ledger.receipts
        if start == len(receipts):
            return
        self._absorbed = len(receipts)
        owed = self._kept if self._policy.end_of_turn is EndOfTurn.CHANGES else ()
        for at, receipt in enumerate(receipts[start:], ledger.base + start):
            for one in owed:
                one.record(receipt, at=at, criteria=self._criteria)
            if self.at_once:
                self._take_duty(receipt, at)
            if receipt.success and (
                receipt.write
                or receipt.tool in _HEARD_BY_NAME
                or (receipt.mutation and self.latest_guards.failing)
            ):
                self._take(receipt)

    def _take_duty(self, receipt: Receipt, at: int) -> None:
        profile = profile_of(
            receipt.tool,
            receipt.command,
            receipt.paths,
            mutates=receipt.mutation,
            rules=self._policy.ledger.commands,
        )
        self._duties.record(receipt, profile, at=at, has_list=self.has_list)

    def _take(self, receipt: Receipt) -> None:
        """Take in a successful receipt that the guards hear of, or that says something by itself.

        The guards hear of reads and writes of files; of other changes while a write has failed.
        """
        self.latest_guards.receipt(receipt, self._run.ledger.place)
        if receipt.tool == "todo_write" and receipt.todos:
            self._criteria = True
        elif receipt.tool == "review_report":
            self._take_report(receipt)
        elif receipt.tool == "update_goal":
            claim = claim_of(receipt.args)
            self._claimed_unverified = claim is not None and bool(claim.unverified)

    def _take_report(self, receipt: Receipt) -> None:
        report = report_of(receipt.args, self._policy.reviews, self._policy.ledger.paths)
        if not is_well_formed(report):
            return
        forbids = report.blocks
        found = [f.path for f in report.findings if f.blocks and f.path] if forbids else ()
        for one in self._kept:
            one.report(report.kind, (*report.paths, *found), blocking=forbids)
        self._duties.report(report.kind, report.paths, blocking=forbids)

    @property
    def criteria(self) -> bool:
        """Whether acceptance criteria are established (EL-17)."""
        self.absorb()
        return self._criteria

    @property
    def claimed_unverified(self) -> bool:
        """Whether the latest goal report says that something is complete but unverified."""
        self.absorb()
        return self._claimed_unverified

    @property
    def changes(self) -> ChangeSet:
        """What changed since the last end that passed."""
        self.absorb()
        return self._changes

    @property
    def unexcused(self) -> ChangeSet | None:
        """What changed since the latest excuse (:meth:`excuse`), None without any."""
        self.absorb()
        return self._kept[1] if len(self._kept) > 1 else None

    @property
    def duties(self) -> DutyBook:
        """What the calls of the turn owe (rule sets with duties)."""
        self.absorb()
        return self._duties

    @property
    def guards(self) -> LoopGuards:
        """The memory of the loop guards, with every message that has ended."""
        self.absorb()
        _hear(self.latest_guards, self.log.closed)
        self.log.closed.clear()
        return self.latest_guards

    @property
    def advice(self) -> Advice:
        """What the loop guards say newly of the running message, if it ends now; nothing moves."""
        before = self.guards
        after = deepcopy(before)
        _hear(after, self.log.if_closed(self._run.ledger.receipts, self._run.tasks))
        news = (ADVICE[guard] for guard in after.advice if guard not in before.advice)
        return Advice(tuple(news), after.paused)

    def guard_fired(self) -> None:
        """Take over that the host's own loop guard fired here."""
        self.message_ended()
        self.guards.grant_pass(len(self._run.ledger))

    @property
    def stands_down(self) -> bool:
        """Whether the pass of a loop guard holds."""
        counts = self._policy.delivery.host_state_needs_task
        may_hold = self.latest_guards.pass_from is not None or self.log.may_grant_pass(
            self.latest_guards.failed_in_a_row, host_state_counts=counts
        )
        # Asked last: nearly no turn has a pass, and the guards then look at every message.
        return may_hold and stands_down(
            self.guards, self._run.ledger.receipts, host_state_counts=counts
        )

    def _new_changes(self, told: MemorySetup) -> ChangeSet:
        rules, ledger = self._policy.ledger, self._run.ledger
        return ChangeSet(
            rules.commands,
            checks=told.project_checks,
            where=Workplace(
                key=ledger.key,
                fits=ledger.fits,
                places=ledger.places,
                inside=ledger.inside,
                holds=ledger.holds,
                is_new=partial(is_new, ledger),
                own_text=ledger.own_text,
            ),
            latest_only=self._policy.delivery.risk_scope is RiskScope.LATEST,
            inconclusive_exits=rules.inconclusive_exits,
            selection_outweighs=rules.selection_outweighs,
            risk=self._policy.risk,
        )

    def _new_duties(self, told: MemorySetup) -> DutyBook:
        return DutyBook(
            DutyRules(
                commands=self._policy.ledger.commands,
                checks=told.project_checks,
                tests_forbidden=told.tests_forbidden,
                always_full=told.always_full,
                fits=self._run.ledger.fits,
                covers=either_way,
            )
        )


def _hear(guards: LoopGuards, messages: Iterable[ClosedMessage]) -> None:
    """Tell the loop guards of messages that have ended."""
    for message in messages:
        guards.message_ended(
            message.calls,
            message.ledger[message.start : message.end],
            position=message.start,
            done=message.done,
            unfinished=message.unfinished,
        )
