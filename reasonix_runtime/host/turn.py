"""The part of the state machine about running calls, within one turn.

:class:`TurnGates` asks the pure gates before a call and is told what came of it; it decides nothing
itself. What receipts and messages left by then is in `host/turn_memory.py`, the end of the turn in
`host/turn_end.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import msgspec

from reasonix_runtime.evidence.arguments import command_in, paths_of
from reasonix_runtime.evidence.effects.profile import Profile, profile_of
from reasonix_runtime.evidence.tasks import current
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
from reasonix_runtime.gates.loop_guards import (
    PASS_GUARDS,
    Ended,
)
from reasonix_runtime.gates.policy import EndOfTurn, Policy
from reasonix_runtime.gates.preflight import Attempt, MayRun, Situation
from reasonix_runtime.gates.verdict import Refusal, Verdict, decide
from reasonix_runtime.gates.writer_guards import (
    Constraints,
    constrained,
    constraints_of,
    preconditions,
)
from reasonix_runtime.host import doubts
from reasonix_runtime.host.message_log import first_line
from reasonix_runtime.host.turn_memory import MemorySetup, TurnMemory
from reasonix_runtime.trace.events import NEVER_RAN, UNTOLD

if TYPE_CHECKING:
    from reasonix_runtime.host.known_calls import KnownCall
    from reasonix_runtime.host.run import Run
    from reasonix_runtime.host.setup import RunProfile, Setup
    from reasonix_runtime.trace.events import Outcome, ToolCall, ToolResult

FAILED: frozenset[str] = NEVER_RAN | {"cancelled", "error"}
"""Outcomes that are known not to have done what the call wanted."""


class TurnGates:
    """What is asked of the delivery gates about the calls of one run, and what is told them.

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
        #: Whether the policy floor asks for full delivery in every turn; no later setup changes it.
        self.floor = setup.policy_floor == "delivery"
        self._constrained = self.constraints != Constraints()
        self.checkpoint: Checkpoint | None = checkpoint_of(setup.goal_checkpoint)
        #: What receipts and messages left.
        self.memory = TurnMemory(policy, run, self._told())
        if self.checkpoint is not None and self.checkpoint.pending:
            self.memory.restore_change()
        #: The routes that every turn starts with.
        self.given_routes: Routes = routes_of(setup.capabilities) + routed(setup.host)
        self.begin()

    # -- turns and messages ------------------------------------------------------------------

    def begin(self, *, goal_active: bool = False, turn: int = 0) -> None:
        """Begin a turn, by its number; call it when the ledger holds what the turn starts with."""
        #: Whether a goal turn is running.
        self.goal_active = goal_active or self.setup.goal_active
        self.routes: Routes = self.given_routes
        self.reminded = False
        #: How many ends of this turn were asked, and the ledger length at the last of them.
        self.attempts = 0
        self.asked_at = 0
        earlier = self.checkpoint is not None and self.checkpoint.criteria
        if self.memory.at_once:
            self.memory.begin_duties(self._told())
        self.memory.begin(criteria=earlier, turn=turn)

    def _told(self) -> MemorySetup:
        """Return what the setup tells the memory of the turn."""
        return MemorySetup(
            project_checks=self.setup.project_checks,
            tests_forbidden=self.constraints.forbid_tests,
            always_full=self.floor or self.constraints.full_verification,
        )

    def set_profile(self, profile: RunProfile) -> None:
        """Change the profile; every check reads it at its moment."""
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
                or self.memory.duties.strict
            )
        if self.setup.profile == "delivery":
            return True
        closes = self.policy.delivery.goal_closes_loop
        return closes and (self.floor or self.goal_active or bool(self.setup.plan_criteria))

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
        return MayRun.NONE if self.memory.at_once or self.routes else self.may_run

    def repeats_well(self, call: ToolCall) -> bool:
        """Take in a repeatable write that ended well; False when its repetition must be judged."""
        return self.memory.latest_guards.repeats_well(call.name, call.args)

    def unhindered(self, attempt: Attempt) -> bool:
        """Whether nothing that happened, and no rule for writers, speaks against a shapely call."""
        message, may_run = self.run.message, self.may_run
        if message is not None and message.change_failed:
            return False
        return may_run is MayRun.ANY or (may_run is MayRun.INERT and attempt.inert)

    def _repeats(self, call: ToolCall, attempt: Attempt) -> Iterator[Refusal]:
        """Yield what the loop guards have against a call by itself."""
        memory = self.memory
        if attempt.tool == "delete_range" or memory.latest_guards.failing:
            memory.absorb()
        args = call.target_args
        # Paths are asked of this one tool only.
        paths: Sequence[str] = ()
        if attempt.tool == "delete_range":
            paths = [self.run.ledger.place(path) for path in self._paths(args)]
        guards = memory.latest_guards
        return guards.before(attempt.tool, args, writing=attempt.repeatable, paths=paths)

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
                written=tuple(self.memory.duties.written),
                has_list=self.memory.has_list,
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
            criteria=self.memory.criteria,
            current_task=current(self.run.tasks) is not None,
            change_failed=message is not None and message.change_failed,
            memory_only=delivery.text_expects and "persistent" in self.setup.expectations,
            plans_tasks=delivery.changes_need_task and not free,
        )

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
        memory = self.memory
        memory.log.ended.append(self._end_of(call, known, result, outcome, verdict))
        if memory.at_once:
            memory.absorb()

    def _end_of(
        self,
        call: ToolCall,
        known: KnownCall,
        result: ToolResult,
        outcome: Outcome,
        verdict: Verdict | None,
    ) -> Ended:
        """Tell guards, doubts and message how a call ended; return it as the turn keeps it."""
        attempt, ok = known.attempt, outcome == "ok"
        started = ok or outcome == "running"
        line = "" if started else _error_line(result, outcome, verdict)
        if outcome == "blocked" and verdict is not None and verdict.reason in PASS_GUARDS:
            self.memory.guards.grant_pass(self.memory.log.position)
        args = call.target_args
        if attempt.repeatable and outcome in ("ok", "error"):
            paths: tuple[str, ...] = ()
            if not ok:
                self.memory.absorb()
                paths = self._paths(args)
            self.memory.latest_guards.after(attempt.tool, args, ok=ok, error=line, paths=paths)
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


def _error_line(result: ToolResult, outcome: Outcome, verdict: Verdict | None) -> str:
    """Return what a failed call answered first; refusals of one kind have one line (DL-10).

    A call that ran although we would have refused it answered for itself.
    """
    if verdict is None or verdict.accepted:
        return first_line(result)
    if verdict.gate != preflight.GATE:
        return verdict.message.partition("\n")[0]
    return verdict.reason or "" if outcome == "blocked" else first_line(result)
