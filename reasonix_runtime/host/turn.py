"""The part of the state machine about running calls, within one turn.

:class:`TurnGates` is what one run knows beside its ledger: loop guards, outstanding changes or
duties, routes, the message that is being executed. It asks the pure gates before a call and is told
what came of it; it decides nothing itself. The end of the turn is in `host/turn_end.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import msgspec

from reasonix_runtime.evidence.arguments import command_in
from reasonix_runtime.evidence.effects.profile import Profile, profile_of
from reasonix_runtime.evidence.new_files import is_new
from reasonix_runtime.evidence.owed.changes import ChangeSet
from reasonix_runtime.evidence.owed.workplace import Workplace
from reasonix_runtime.evidence.paths import either_way
from reasonix_runtime.evidence.receipts import Receipt, paths_of
from reasonix_runtime.evidence.tasks import current, unfinished
from reasonix_runtime.evidence.tool_kinds import HOST_STATE_TOOLS
from reasonix_runtime.gates import preflight
from reasonix_runtime.gates.capability import (
    RouteOutcome,
    Routes,
    capability_of,
    leads_nowhere,
    note,
    outcome_of,
    routed,
    routes_of,
    settle,
)
from reasonix_runtime.gates.checkpoint import Checkpoint, checkpoint_of
from reasonix_runtime.gates.delivery.policy import RiskScope
from reasonix_runtime.gates.duties import DutyBook, DutyRules
from reasonix_runtime.gates.goal.report import claim_of
from reasonix_runtime.gates.loop_guards import (
    PASS_GUARDS,
    Ended,
    LoopGuards,
    stands_down,
)
from reasonix_runtime.gates.policy import EndOfTurn, Policy
from reasonix_runtime.gates.preflight import Attempt, MayRun, Situation
from reasonix_runtime.gates.review import parse_refusals, report_of
from reasonix_runtime.gates.verdict import Refusal, Verdict, decide
from reasonix_runtime.gates.writer_guards import (
    Constraints,
    constrained,
    constraints_of,
    preconditions,
)
from reasonix_runtime.host import doubts
from reasonix_runtime.host.message_log import MessageLog, first_line
from reasonix_runtime.trace.events import UNTOLD

if TYPE_CHECKING:
    from reasonix_runtime.host.known_calls import KnownCall
    from reasonix_runtime.host.run import Run
    from reasonix_runtime.host.setup import Setup
    from reasonix_runtime.trace.events import Outcome, ToolCall, ToolResult

FAILED: frozenset[str] = frozenset({"blocked", "cancelled", "error", "not_run"})
"""Outcomes that are known not to have done what the call wanted."""
NEVER_RAN: frozenset[str] = frozenset({"blocked", "not_run"})
"""Those of calls that did not even begin."""
EARLIER_RUN = "an earlier run"
"""Stands for the tool of a change whose receipt is gone with an earlier run of the goal."""

MOST_WAITING = 2048
"""How many receipts wait: what their commands are is still remembered when they are taken in."""

_HEARD_BY_NAME = frozenset({"read_file", "review_report", "todo_write", "update_goal"})
"""Tools whose receipts say something beside what they changed."""


class TurnGates:
    """What the delivery gates know of one run.

    Most of what it keeps is asked for at few moments: before a write, after a failure, at the end
    of the turn. Until then receipts and messages only wait, and are taken in, in their order, when
    one of :attr:`criteria`, :attr:`changes`, :attr:`duties` and :attr:`guards` is asked for.

    Args:
        policy: the rule set.
        setup: what held before the first turn.
        run: the run whose calls are judged.
    """

    def __init__(self, policy: Policy, setup: Setup, run: Run) -> None:
        self.policy = policy
        self.setup = setup
        self.run = run
        self.constraints: Constraints = constraints_of(setup.constraints)
        self._constrained = self.constraints != Constraints()
        self.checkpoint: Checkpoint | None = checkpoint_of(setup.goal_checkpoint)
        self._changes = self._new_changes()
        # Duties depend on the task list at the moment of a receipt, so nothing waits for them.
        self._at_once = policy.end_of_turn is EndOfTurn.DUTIES
        self._absorbed = 0
        self._criteria = False
        self._duties = self._new_duties()
        #: The routes that every turn starts with.
        self.given_routes: Routes = routes_of(setup.capabilities) + routed(setup.host)
        self.begin()

    # -- turns and messages ------------------------------------------------------------------

    def begin(self, *, goal_active: bool = False) -> None:
        """Begin a turn; call it when the ledger holds what the turn starts with."""
        #: Whether a goal turn is running.
        self.goal_active = goal_active or self.setup.goal_active
        self._guards = LoopGuards()
        if self._at_once:
            self._duties = self._new_duties()
        self.routes: Routes = self.given_routes
        self.reminded = False
        #: How many ends of this turn were asked, and the ledger length at the last of them.
        self.attempts = 0
        self.asked_at = 0
        self._claimed_unverified = False
        # What is still owed for a change was planned when the change was.
        planned = self._criteria and bool(self._changes) and not self._changes.unplanned
        self._criteria = planned or unfinished(self.run.tasks) or self.run.ledger.criteria
        if self.checkpoint is not None:
            self._criteria = self._criteria or self.checkpoint.criteria
        self._changes.new_turn()
        self.log = MessageLog(len(self.run.ledger))
        self._absorbed = 0
        self.absorb()

    def told(self, *, delivery: bool) -> None:
        """Take in what the prompt of a recording shows of the profile of its turn."""
        profile = "delivery" if delivery else "ordinary"
        if self.setup.profile != profile:
            self.setup = msgspec.structs.replace(self.setup, profile=profile)

    @property
    def closed_loop(self) -> bool:
        """Whether the strict rules are on (DL-01): read at the moment of each check."""
        if self.policy.end_of_turn is EndOfTurn.DUTIES:
            return (
                self.floor
                or self.goal_active
                or bool(self.setup.plan_criteria)
                or self.duties.strict
            )
        if self.setup.profile == "delivery":
            return True
        closes = self.policy.delivery.goal_closes_loop
        return closes and (self.goal_active or bool(self.setup.plan_criteria))

    @property
    def floor(self) -> bool:
        """Whether the policy floor asks for full delivery in every turn."""
        return self.setup.policy_floor == "delivery"

    def message_ended(self) -> None:
        """Close the message that was executed; the loop guards look at it as a whole."""
        receipts = self.run.ledger.receipts
        self.log.close(receipts, self.run.tasks)
        if len(receipts) - self._absorbed > MOST_WAITING:
            self.absorb()

    # -- before a call -----------------------------------------------------------------------

    def before(self, call: ToolCall, known: KnownCall) -> Verdict:
        """Ask whether a call may run."""
        attempt = known.attempt
        if not (attempt.shapely and self.unhindered(attempt)):
            return self._ask(call, attempt)
        if not attempt.repeatable:
            return known.passed[0]
        return decide(preflight.GATE, self._repeats(call, attempt), lambda: known.passed[0])

    @property
    def may_run(self) -> MayRun:
        """Which shapely calls may run, unless a failed change or repetition speaks against one."""
        if self.setup.plan_mode:
            return MayRun.NONE
        if not (self.policy.delivery.writers_are_guarded or self.closed_loop):
            return MayRun.ANY
        return MayRun.NONE if self._constrained else MayRun.INERT

    @property
    def may_pass_by(self) -> MayRun:
        """Which of them may be taken in without a look: none where each one moves something."""
        return MayRun.NONE if self._at_once or self.routes else self.may_run

    def repeats_well(self, call: ToolCall) -> bool:
        """Take in a repeatable write that ended well; False when its repetition must be judged."""
        return self._guards.repeats_well(call.name, call.args)

    def unhindered(self, attempt: Attempt) -> bool:
        """Whether nothing that happened, and no rule for writers, speaks against a shapely call."""
        message, may_run = self.run.message, self.may_run
        if message is not None and message.change_failed:
            return False
        return may_run is MayRun.ANY or (may_run is MayRun.INERT and attempt.inert)

    def _repeats(self, call: ToolCall, attempt: Attempt) -> Iterator[Refusal]:
        """Yield what the loop guards have against a call by itself."""
        if attempt.tool == "delete_range" or self._guards.failing:
            self.absorb()
        args = call.target_args
        # Paths are asked of this one tool only.
        paths: Sequence[str] = ()
        if attempt.tool == "delete_range":
            paths = [self.run.ledger.place(path) for path in self._paths(args)]
        return self._guards.before(attempt.tool, args, writing=attempt.repeatable, paths=paths)

    def _ask(self, call: ToolCall, attempt: Attempt) -> Verdict:
        """Ask every check in its order."""
        args = call.target_args
        command = command_in(args) if attempt.tool == "bash" else ""
        paths = self._paths(args)
        guards = self._repeats(call, attempt)
        writers: Iterator[Refusal] = iter(())
        if self.policy.delivery.writers_are_guarded:
            profile = self._profile(attempt.tool, command, paths, mutates=attempt.mutates)
            guards = chain(
                guards,
                constrained(self.constraints, profile, command=command, verifies=attempt.verifies),
            )
            writers = preconditions(
                profile,
                written=tuple(self.duties.written),
                has_list=self.has_list,
                interactive=self.setup.interactive,
            )
        return preflight.judge(
            attempt, self._situation(attempt), guards=guards, writer_guards=writers
        )

    def _situation(self, attempt: Attempt) -> Situation:
        delivery, message = self.policy.delivery, self.run.message
        free = attempt.tool in HOST_STATE_TOOLS and not delivery.host_state_needs_task
        return Situation(
            closed_loop=self.closed_loop,
            planning=self.setup.plan_mode,
            criteria=self.criteria,
            current_task=current(self.run.tasks) is not None,
            change_failed=message is not None and message.change_failed,
            memory_only=delivery.text_expects and "persistent" in self.setup.expectations,
            plans_tasks=delivery.changes_need_task and not free,
        )

    @property
    def has_list(self) -> bool:
        """Whether a task list exists: the carried one, or one of this turn."""
        return bool(self.run.tasks) or bool(self.run.ledger.todos)

    def _paths(self, args: Any) -> tuple[str, ...]:
        return paths_of(args, self.policy.ledger.paths)

    def _profile(self, tool: str, command: str, paths: Sequence[str], *, mutates: bool) -> Profile:
        rules = self.policy.ledger.commands
        return profile_of(tool, command, paths, mutates=mutates, rules=rules)

    # -- after a call ------------------------------------------------------------------------

    def ended(
        self,
        call: ToolCall,
        known: KnownCall,
        result: ToolResult,
        outcome: Outcome,
        verdict: Verdict | None,
        *,
        settled: bool = False,
    ) -> None:
        """Take in how a call ended; `verdict` is the one that refused it, if one did.

        Called after the receipts of the call stand in the ledger. `settled` says that the gate of
        the call has told the routes what came of it.
        """
        if self.routes and not settled:
            self._settle_route(call, outcome, result.text)
        self.log.ended.append(self._end_of(call, known, result, outcome, verdict))
        if self._at_once:
            self.absorb()

    def _end_of(
        self,
        call: ToolCall,
        known: KnownCall,
        result: ToolResult,
        outcome: Outcome,
        verdict: Verdict | None,
    ) -> Ended:
        """Take in how a call ended that failed, repeats itself, or may be a route."""
        attempt, ok = known.attempt, outcome == "ok"
        started = ok or outcome == "running"
        line = "" if started else _error_line(result, outcome, verdict)
        if outcome == "blocked" and verdict is not None and verdict.reason in PASS_GUARDS:
            self.guards.grant_pass(self.log.position)
        args = call.target_args
        if attempt.repeatable and outcome in ("ok", "error"):
            paths: tuple[str, ...] = ()
            if not ok:
                self.absorb()
                paths = self._paths(args)
            self._guards.after(attempt.tool, args, ok=ok, error=line, paths=paths)
        message = self.run.message
        if outcome in FAILED and attempt.raises_barrier and message and message.step == call.step:
            message.change_failed = True
        if ok:
            return known.ended
        if outcome == "running" or outcome in UNTOLD:
            doubts.note(self.run, call, attempt, running=outcome == "running")
        elif outcome in NEVER_RAN and verdict is None:
            rules = self.run.ledger.rules
            if doubts.only_words_tell(call, attempt, result, rules):
                doubts.note(self.run, call, attempt)
        return Ended(tool=call.name, ok=started, refused=outcome == "blocked", error=line)

    def note_route(self, capability: str, became: RouteOutcome, *, tool: str, args: Any) -> None:
        """Note what came of a capability, and of the one that its target uses by itself."""
        self.routes = note(self.routes, capability, became)
        own = capability_of(tool, args, self.routes)
        if own is not None:
            self.routes = settle(self.routes, own, became)

    def _settle_route(self, call: ToolCall, outcome: Outcome, told: str) -> None:
        if outcome in NEVER_RAN and not leads_nowhere(call.name, told):
            return
        capability = capability_of(call.name, call.args, self.routes)
        if capability is None:
            return
        became = outcome_of(call.name, call.args, succeeded=outcome == "ok", told=told)
        if became is not None:
            self.routes = settle(self.routes, capability, became)

    def absorb(self) -> None:
        """Take in the receipts that were added to the ledger since the last time."""
        ledger, start = self.run.ledger, self._absorbed
        receipts = ledger.receipts
        if start == len(receipts):
            return
        self._absorbed = len(receipts)
        changes = self.policy.end_of_turn is EndOfTurn.CHANGES
        for at, receipt in enumerate(receipts[start:], ledger.base + start):
            if changes:
                self._changes.record(receipt, at=at, criteria=self._criteria)
            elif self._at_once:
                self._take_duty(receipt, at)
            if receipt.success and (
                receipt.write
                or receipt.tool in _HEARD_BY_NAME
                or (receipt.mutation and self._guards.failing)
            ):
                self._take(receipt)

    def _take_duty(self, receipt: Receipt, at: int) -> None:
        profile = self._profile(
            receipt.tool, receipt.command, receipt.paths, mutates=receipt.mutation
        )
        self._duties.record(receipt, profile, at=at, has_list=self.has_list)

    def _take(self, receipt: Receipt) -> None:
        """Take in a successful receipt that the guards hear of, or that says something by itself.

        The guards hear of reads and writes of files; of other changes while a write has failed.
        """
        self._guards.receipt(receipt, self.run.ledger.place)
        if receipt.tool == "todo_write" and receipt.todos:
            self._criteria = True
        elif receipt.tool == "review_report":
            self._take_report(receipt)
        elif receipt.tool == "update_goal":
            claim = claim_of(receipt.args)
            self._claimed_unverified = claim is not None and bool(claim.unverified)

    def _take_report(self, receipt: Receipt) -> None:
        report = report_of(receipt.args, self.policy.reviews, self.policy.ledger.paths)
        if next(parse_refusals(report), None) is not None:
            return
        forbids = report.blocks
        found = [f.path for f in report.findings if f.blocks and f.path] if forbids else ()
        self._changes.report(report.kind, (*report.paths, *found), blocking=forbids)
        self._duties.report(report.kind, report.paths, blocking=forbids)

    # -- guards, changes, duties -------------------------------------------------------------

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
    def duties(self) -> DutyBook:
        """What the calls of the turn owe (rule sets with duties)."""
        self.absorb()
        return self._duties

    @property
    def guards(self) -> LoopGuards:
        """The memory of the loop guards, with every message that has ended."""
        self.absorb()
        for message in self.log.closed:
            self._guards.message_ended(
                message.calls,
                message.ledger[message.start : message.end],
                position=message.start,
                done=sum(not task.open for task in message.tasks),
                unfinished=unfinished(message.tasks),
            )
        self.log.closed.clear()
        return self._guards

    def guard_fired(self) -> None:
        """Take over that the host's own loop guard fired here."""
        self.message_ended()
        self.guards.grant_pass(len(self.run.ledger))

    @property
    def stands_down(self) -> bool:
        """Whether the pass of a loop guard holds."""
        counts = self.policy.delivery.host_state_needs_task
        may_hold = self._guards.pass_from is not None or self.log.may_grant_pass(
            self._guards.failed_in_a_row, host_state_counts=counts
        )
        # Asked last: nearly no turn has a pass, and the guards then look at every message.
        return may_hold and stands_down(
            self.guards, self.run.ledger.receipts, host_state_counts=counts
        )

    def _new_changes(self) -> ChangeSet:
        rules, ledger = self.policy.ledger, self.run.ledger
        changes = ChangeSet(
            rules.commands,
            checks=self.setup.project_checks,
            where=Workplace(
                key=ledger.key,
                fits=ledger.fits,
                places=ledger.places,
                inside=ledger.inside,
                holds=ledger.holds,
                is_new=partial(is_new, ledger),
                own_text=ledger.own_text,
            ),
            latest_only=self.policy.delivery.risk_scope is RiskScope.LATEST,
            inconclusive_exits=rules.inconclusive_exits,
            selection_outweighs=rules.selection_outweighs,
        )
        if self.checkpoint is not None and self.checkpoint.pending:
            changes.restore(EARLIER_RUN)
        return changes

    def _new_duties(self) -> DutyBook:
        return DutyBook(
            DutyRules(
                commands=self.policy.ledger.commands,
                checks=self.setup.project_checks,
                tests_forbidden=self.constraints.forbid_tests,
                always_full=self.floor or self.constraints.full_verification,
                fits=self.run.ledger.fits,
                covers=either_way,
            )
        )


def _error_line(result: ToolResult, outcome: Outcome, verdict: Verdict | None) -> str:
    """Return what a failed call answered first; refusals of one kind have one line (DL-10).

    A call that ran although we would have refused it answered for itself.
    """
    if verdict is None or verdict.accepted:
        return first_line(result)
    if verdict.gate != preflight.GATE:
        return verdict.message.partition("\n")[0]
    return verdict.reason or "" if outcome == "blocked" else first_line(result)
