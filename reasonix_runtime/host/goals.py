"""The goal of a session inside the host: the goal tool, goal turns and goal events.

Everything that is decided here is decided by the pure gates; this module holds the goal and the
recorder of the running goal turn, and turns events into verdicts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from reasonix_runtime.gates.completion import (
    Gap,
    account_facts,
    judge_waiver,
    latest_claim,
    reconcile,
)
from reasonix_runtime.gates.goal.evaluator import NO_EVALUATOR
from reasonix_runtime.gates.goal.life import (
    Admit,
    ClearGoal,
    NewSession,
    PauseGoal,
    RestoreGoal,
    ResumeGoal,
    SetGoal,
    StopGoal,
    Usage,
)
from reasonix_runtime.gates.goal.machine import GoalEvent, advance
from reasonix_runtime.gates.goal.prompts import active_goal_block, next_prompt
from reasonix_runtime.gates.goal.report import GATE, Recorder, judge_report, read_report, record
from reasonix_runtime.gates.goal.sidecar import MalformedGoalError, decode_goal
from reasonix_runtime.gates.goal.state import (
    NO_GOAL,
    BudgetClass,
    GoalState,
    GoalStatus,
    binding,
    new_scope,
)
from reasonix_runtime.gates.goal.table import Step
from reasonix_runtime.gates.goal.turn import (
    Evaluation,
    GoalTurnEnd,
    needs_evaluator,
)
from reasonix_runtime.gates.goal.ungated import UPDATE
from reasonix_runtime.gates.host_gaps import host_gaps
from reasonix_runtime.gates.verdict import Verdict, is_on, not_assessable
from reasonix_runtime.host.goal_event_data import (
    AdmitData,
    PauseData,
    SetData,
    UsageData,
    read,
    research_mode_of,
)
from reasonix_runtime.host.goal_facts import (
    given_goal,
    goal_facts,
    going_on,
    loaded_sidecar,
    readiness_of,
    step_verdict,
)
from reasonix_runtime.host.goal_setup import (
    GoalFacts,
    ReadinessFact,
    facts_of,
)
from reasonix_runtime.host.goal_work import GoalWork
from reasonix_runtime.host.prompt_blocks import blocks_around
from reasonix_runtime.host.revised_goals import RevisedGoals
from reasonix_runtime.trace.events import (
    MAIN,
    Host,
    Outcome,
    Session,
    ToolCall,
    ToolResult,
    TurnEnd,
    User,
    scope_of,
)
from reasonix_runtime.trace.host_events import (
    GOAL_ADMITTED,
    GOAL_CLEARED,
    GOAL_PAUSED,
    GOAL_READINESS,
    GOAL_RECONCILED,
    GOAL_RESTORED,
    GOAL_RESUMED,
    GOAL_SET,
    GOAL_STOPPED,
    GOAL_TURN_ENDED,
    GOAL_USAGE,
)

if TYPE_CHECKING:
    from reasonix_runtime.evidence.tasks import Task
    from reasonix_runtime.gates.policy import Policy
    from reasonix_runtime.host.run import Run
    from reasonix_runtime.host.setup import Setup

LIFE_GATE = "goal_life"
ROLLBACK = "goal_life.save_rollback"
TURN_GATE = "goal_turn"

_BLOCK = re.compile(r"<active-goal>(.*?)</active-goal>", re.DOTALL)
_REPLACED = "active goal changed during this turn"


class Goals:
    """The goal of one session.

    A goal turn is bound when a turn starts while the goal is running. In a recording that does not
    tell goal events, the `<active-goal>` block of the user text says that a goal turn is running.
    """

    def __init__(self, policy: Policy, setup: Setup, run: Run) -> None:
        self.policy = policy
        self._run = run
        given = given_goal(setup)
        self.facts: GoalFacts = given or GoalFacts(preset=setup.preset)
        self.goal: GoalState = given.goal() if given else NO_GOAL
        self.recorder: Recorder | None = None
        self._work = GoalWork(policy, run, workspace=setup.workspace, given=given is not None)
        self._initial = self.goal
        self._first = given
        self._given = given is not None
        self._by_text = given is None
        self.revised = RevisedGoals()
        self._session: str | None = None
        self._continued = False
        self._ended: tuple[Step, GoalTurnEnd] | None = None

    def turn_starts(self) -> None:
        """Bind the turn to the goal when one is running; a setup says so for the first turn.

        Called before the ledger of the last turn is emptied.
        """
        self._work.follow(self.goal)
        self._ended = None
        self.revised.turn_starts()
        if self._first is not None:
            bound = self._first.first_turn()
            self._first = None
        else:
            bound = binding(self.goal) if self.goal.running and not self._by_text else None
        self.recorder = Recorder(bound=bound) if bound else None

    def user_spoke(self, event: User) -> None:
        """Read the running goal out of a user's text; a setup tells it by itself."""
        self.revised.user_spoke(event)
        spoken = event.raw_text or event.text
        found = None if self._given else _BLOCK.search(blocks_around("active-goal", spoken))
        if found is None:
            return
        # A goal that is known may hold anything, blank lines and the end of a block included.
        if not (self.goal.running and active_goal_block(self.goal) in spoken):
            self._set_by_text(found[1].strip().partition("\n\n")[0])
        self.recorder = Recorder(bound=binding(self.goal)) if self.goal.running else None

    def _set_by_text(self, text: str) -> None:
        if self.goal.text != text:
            self._advance(SetGoal(text=text, scope=self._fresh_scope(text)))
        elif not self.goal.running:
            self._advance(ResumeGoal())

    def asks_evaluator(self, verdict: Verdict) -> bool:
        """Whether the end of this turn is a question for an evaluator; a live host asks it then.

        `verdict` is that of the end-of-turn gate.
        """
        recorder, readiness = self.recorder, readiness_of(verdict)
        if recorder is None or readiness is None:
            return False
        return needs_evaluator(self.goal, recorder.readable(self.goal), readiness)

    def turn_ended(self, verdict: Verdict) -> Verdict | None:
        """End a goal turn by what the end-of-turn gate found.

        None where no goal turn of this goal is running, where a host event ended it, or where an
        evaluator would have been asked: a recording does not tell its answer.
        """
        recorder, self.recorder = self.recorder, None
        if self._given or recorder is None or recorder.bound != binding(self.goal):
            return None
        self._work.follow(self.goal)
        readiness = readiness_of(verdict)
        report = recorder.readable(self.goal)
        if readiness is None or needs_evaluator(self.goal, report, readiness):
            return None
        end = GoalTurnEnd(
            bound=recorder.bound,
            report=report,
            readiness=readiness,
            host_progress=self._work.is_new(),
            todos=self._run.tasks,
            preset=self.facts.completion_preset,
        )
        step = self._end_turn(end)
        ended = step_verdict(TURN_GATE, step, self._state_after(**going_on(step)))
        told = f"{ended.message}\n{verdict.message}".strip()
        return msgspec.structs.replace(ended, told=told, facts={**verdict.facts, **ended.facts})

    @property
    def next_prompt(self) -> str | None:
        """What begins the next turn by itself, None where the host does not go on."""
        if self._ended is None:
            return None
        step, end = self._ended
        return next_prompt(step, goal=self.goal, report=end.report, readiness=end.readiness)

    def turn_broke(self, event: TurnEnd) -> None:
        """Let a turn go that did not end: a cancel stops the goal, a failure leaves it running."""
        self.recorder = None
        if event.status == "interrupted" and not self._given and self.goal.running:
            self._advance(StopGoal())

    def judge(self, call: ToolCall, result: ToolResult) -> Verdict:
        """Judge a call of a goal tool; what was recorded stands, else our verdict decides."""
        if self.policy.goal.exact_revision:
            return self.revised.judge(call, result)
        if call.name != UPDATE:
            return not_assessable(call.name, "This rule set knows no goal tool of that name.")
        if not self._given:
            self._learn(result)
        if self._continued and self.recorder is None and not self.goal.text:
            return not_assessable(
                GATE, "The recording continues a session and does not tell of a goal before it."
            )
        return self._report(call, result.outcome)

    def _learn(self, result: ToolResult) -> None:
        """Take in what only the result of a report tells of the goal.

        A goal can be replaced, stopped or resumed beside the recording. That it was replaced is
        known from the host's refusal; that it was resumed, from a report that was taken.
        """
        if result.outcome == "error" and _REPLACED in result.text:
            self.goal = replace(self.goal, epoch=self.goal.epoch + 1)
        elif result.outcome == "ok" and self.recorder is None and self._resumable():
            self._advance(ResumeGoal())
            self.recorder = Recorder(bound=binding(self.goal))

    def _resumable(self) -> bool:
        return bool(self.goal.text) and self.goal.status in (GoalStatus.BLOCKED, GoalStatus.STOPPED)

    def _report(self, call: ToolCall, recorded: Outcome) -> Verdict:
        """Judge a report and take it when it stands; only the main conversation has goal turns."""
        recorder = self.recorder if scope_of(call.uid) == MAIN else None
        given, rules = call.given, self.policy.goal
        verdict = judge_report(given, goal=self.goal, recorder=recorder, rules=rules)
        taken = verdict.accepted if recorded == "none" else recorded == "ok"
        report = read_report(given)
        if taken and recorder is not None and report is not None:
            self.recorder = record(recorder, report)
        return msgspec.structs.replace(verdict, facts={"state_after": self._state_after()})

    def host_event(self, event: Host) -> Verdict:
        """Carry out one of `GOAL_EVENTS`."""
        self._work.follow(self.goal)
        if event.name in _SETS_GOAL:
            self._by_text = False
        return _HANDLERS[event.name](self, event.data)

    def session_starts(self, event: Session) -> None:
        """Leave the goal of another session behind; a resumed one may have a goal from before."""
        if self._session not in (None, event.sid):
            self._advance(NewSession())
            self.recorder = None
        self._session = event.sid
        self._continued = event.resumed_from is not None
        self.revised = RevisedGoals(complete=event.resumed_from is None)

    # -- events of the host ------------------------------------------------------------------

    def _on_set(self, data: Mapping[str, Any]) -> Verdict:
        told = read(data, SetData)
        before = self.goal
        event = SetGoal(
            text=told.text,
            scope=told.scope or self._fresh_scope(told.text),
            budget_class=told.budget_class or (BudgetClass.SIMPLE if self._given else None),
            research_mode=research_mode_of(told.research_mode),
            research_task=told.research_task,
            strict=told.strict,
        )
        step = self._advance(event)
        if told.write_failed and self.goal != before and is_on(ROLLBACK):
            self.goal = before
            step = replace(step, key="save_rollback", reason=ROLLBACK, accepted=False)
        return self._life(step)

    def _on_clear(self, data: Mapping[str, Any]) -> Verdict:
        return self._life(self._advance(ClearGoal()))

    def _on_stop(self, data: Mapping[str, Any]) -> Verdict:
        return self._life(self._advance(StopGoal()))

    def _on_pause(self, data: Mapping[str, Any]) -> Verdict:
        told = read(data, PauseData)
        return self._life(self._advance(PauseGoal(cause=told.cause, text=told.shown)))

    def _on_resume(self, data: Mapping[str, Any]) -> Verdict:
        return self._life(self._advance(ResumeGoal()))

    def _on_restore(self, data: Mapping[str, Any]) -> Verdict:
        problem = ""
        stored: GoalState | None = None
        try:
            stored = decode_goal(loaded_sidecar(data.get("sidecar")))
        except MalformedGoalError as error:
            problem = f"the stored goal is malformed and changes nothing: {error}"
        step = self._advance(RestoreGoal(stored=stored, scope=self._fresh_scope("restored")))
        verdict = self._life(step)
        return msgspec.structs.replace(verdict, told=problem) if problem else verdict

    def _on_usage(self, data: Mapping[str, Any]) -> Verdict:
        told = read(data, UsageData)
        event = Usage(
            scope=self.goal.scope if told.scope is None else told.scope,
            epoch=self.goal.epoch if told.epoch is None else told.epoch,
            tokens=told.counted,
        )
        return self._life(self._advance(event))

    def _on_admit(self, data: Mapping[str, Any]) -> Verdict:
        told = read(data, AdmitData)
        epoch = self.goal.epoch if told.epoch is None else told.epoch
        return self._life(self._advance(Admit(epoch=epoch, continues=told.continues)))

    def _on_turn_end(self, data: Mapping[str, Any]) -> Verdict:
        """End the goal turn with the facts given, and let the turn's recorder go."""
        facts = facts_of(data, self.facts)
        recorder, report = self.recorder, None
        if recorder is not None:
            report = recorder.readable(self.goal)
        readiness = facts.readiness.value()
        evaluation = None
        if needs_evaluator(self.goal, report, readiness):
            evaluation = self._evaluation(facts)
        end = GoalTurnEnd(
            bound=recorder.bound if recorder else None,
            report=report,
            readiness=readiness,
            evaluation=evaluation,
            host_progress=self._progress(facts),
            todos=self._todos(),
            preset=facts.completion_preset,
        )
        step = self._end_turn(end)
        after = self._state_after(**going_on(step))
        self.recorder = None
        return step_verdict(TURN_GATE, step, after)

    def _on_readiness(self, data: Mapping[str, Any]) -> Verdict:
        """Ask whether missing checks are waived; a waiver makes the turn ready."""
        facts = facts_of(data, self.facts)
        verdict = judge_waiver(
            facts.readiness.value(),
            preset=facts.completion_preset,
            claim=latest_claim(self._work.ledger.receipts),
            tests_forbidden=facts.forbid_tests,
        )
        if verdict.accepted:
            self.facts = msgspec.structs.replace(self.facts, readiness=_READY_FACT)
        after = self._state_after(missing=verdict.facts["missing"])
        return msgspec.structs.replace(verdict, facts={"state_after": after})

    def _on_reconcile(self, data: Mapping[str, Any]) -> Verdict:
        facts = facts_of(data, self.facts)
        account, verdict = reconcile(
            self._work.ledger,
            host_gaps=self._gaps(facts, told="host_gaps" in data),
            contract=facts.contract,
        )
        after = self._state_after(**account_facts(account))
        return msgspec.structs.replace(verdict, facts={"state_after": after})

    def _end_turn(self, end: GoalTurnEnd) -> Step:
        step = self._advance(end)
        self._ended = (step, end)
        return step

    # -- inside ------------------------------------------------------------------------------

    def _advance(self, event: GoalEvent) -> Step:
        scope = self.goal.scope
        self.goal, step = advance(self.goal, event, self.policy.goal)
        if self.goal.scope != scope:
            self._work.begin()
        return step

    def _life(self, step: Step) -> Verdict:
        return step_verdict(LIFE_GATE, step, self._state_after())

    def _evaluation(self, facts: GoalFacts) -> Evaluation | None:
        if facts.evaluator is not None:
            return facts.evaluator.value()
        return NO_EVALUATOR if self.policy.goal.silent_turn_pauses else None

    def _gaps(self, facts: GoalFacts, *, told: bool) -> Sequence[Gap]:
        """Return the gaps that the host told, or else those that the goal's receipts leave.

        A setup that gives the goal tells its gaps too: without any, there are none.
        """
        if told or self._given:
            return [gap.value() for gap in facts.host_gaps]
        return host_gaps(self._work.ledger, checks=self._run.gates.setup.project_checks)

    def _todos(self) -> tuple[Task, ...] | None:
        """Return the host's task list; a setup may give the goal a list of its own."""
        return self._run.tasks if self._run.tasks or not self._given else None

    def _progress(self, facts: GoalFacts) -> bool:
        """Return the given fact, or what was observed."""
        if isinstance(facts.host_progress, bool):
            return facts.host_progress
        return self._work.is_new()

    def _fresh_scope(self, text: str) -> str:
        return new_scope(f"{self.goal.scope}:{self.goal.epoch}:{text}")

    def _state_after(self, **more: Any) -> dict[str, Any]:
        """Return everything that `state_after` of a transcript may name."""
        report = self.recorder.report if self.recorder else None
        return {
            **goal_facts(self.goal),
            "unchanged": self.goal == self._initial,
            "candidate": report.word if report else "none",
            **more,
        }


_READY_FACT = ReadinessFact()
_SETS_GOAL = frozenset({GOAL_SET, GOAL_RESTORED})
_HANDLERS: Mapping[str, Callable[[Goals, Mapping[str, Any]], Verdict]] = {
    GOAL_SET: Goals._on_set,
    GOAL_CLEARED: Goals._on_clear,
    GOAL_STOPPED: Goals._on_stop,
    GOAL_PAUSED: Goals._on_pause,
    GOAL_RESUMED: Goals._on_resume,
    GOAL_RESTORED: Goals._on_restore,
    GOAL_USAGE: Goals._on_usage,
    GOAL_ADMITTED: Goals._on_admit,
    GOAL_TURN_ENDED: Goals._on_turn_end,
    GOAL_READINESS: Goals._on_readiness,
    GOAL_RECONCILED: Goals._on_reconcile,
}

GOAL_EVENTS = frozenset(_HANDLERS)
"""Names of the host events that the goal answers."""
