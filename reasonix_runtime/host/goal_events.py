"""The part of the state machine about host events that the goal answers: one function each."""

from __future__ import annotations

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
    PauseGoal,
    RestoreGoal,
    ResumeGoal,
    SetGoal,
    StopGoal,
    Usage,
)
from reasonix_runtime.gates.goal.sidecar import MalformedGoalError, decode_goal
from reasonix_runtime.gates.goal.state import BudgetClass, GoalState
from reasonix_runtime.gates.goal.table import Step
from reasonix_runtime.gates.goal.turn import Evaluation, GoalTurnEnd, needs_evaluator
from reasonix_runtime.gates.host_gaps import host_gaps
from reasonix_runtime.gates.verdict import Verdict, is_on
from reasonix_runtime.host.goal_event_data import (
    AdmitData,
    PauseData,
    SetData,
    UsageData,
    read,
    research_mode_of,
)
from reasonix_runtime.host.goal_facts import going_on, loaded_sidecar, step_verdict
from reasonix_runtime.host.goal_setup import GoalFacts, ReadinessFact, facts_of
from reasonix_runtime.host.goals import TURN_GATE
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
    from reasonix_runtime.host.goals import Goals
    from reasonix_runtime.trace.events import Host

LIFE_GATE = "goal_life"
ROLLBACK = "goal_life.save_rollback"


def answer(goals: Goals, event: Host) -> Verdict:
    """Carry out one of `GOAL_EVENTS`."""
    goals.work.follow(goals.goal)
    if event.name in _SETS_GOAL:
        goals.by_text = False
    return _HANDLERS[event.name](goals, event.data)


def _set(goals: Goals, data: Mapping[str, Any]) -> Verdict:
    told = read(data, SetData)
    before = goals.goal
    event = SetGoal(
        text=told.text,
        scope=told.scope or goals.fresh_scope(told.text),
        budget_class=told.budget_class or (BudgetClass.SIMPLE if goals.given else None),
        research_mode=research_mode_of(told.research_mode),
        research_task=told.research_task,
        strict=told.strict,
    )
    step = goals.move(event)
    if told.write_failed and goals.goal != before and is_on(ROLLBACK):
        goals.goal = before
        step = replace(step, key="save_rollback", reason=ROLLBACK, accepted=False)
    return _life(goals, step)


def _clear(goals: Goals, data: Mapping[str, Any]) -> Verdict:
    return _life(goals, goals.move(ClearGoal()))


def _stop(goals: Goals, data: Mapping[str, Any]) -> Verdict:
    return _life(goals, goals.move(StopGoal()))


def _pause(goals: Goals, data: Mapping[str, Any]) -> Verdict:
    told = read(data, PauseData)
    return _life(goals, goals.move(PauseGoal(cause=told.cause, text=told.shown)))


def _resume(goals: Goals, data: Mapping[str, Any]) -> Verdict:
    return _life(goals, goals.move(ResumeGoal()))


def _restore(goals: Goals, data: Mapping[str, Any]) -> Verdict:
    problem = ""
    stored: GoalState | None = None
    try:
        stored = decode_goal(loaded_sidecar(data.get("sidecar")))
    except MalformedGoalError as error:
        problem = f"the stored goal is malformed and changes nothing: {error}"
    step = goals.move(RestoreGoal(stored=stored, scope=goals.fresh_scope("restored")))
    verdict = _life(goals, step)
    return msgspec.structs.replace(verdict, told=problem) if problem else verdict


def _usage(goals: Goals, data: Mapping[str, Any]) -> Verdict:
    told = read(data, UsageData)
    event = Usage(
        scope=goals.goal.scope if told.scope is None else told.scope,
        epoch=goals.goal.epoch if told.epoch is None else told.epoch,
        tokens=told.counted,
    )
    return _life(goals, goals.move(event))


def _admit(goals: Goals, data: Mapping[str, Any]) -> Verdict:
    told = read(data, AdmitData)
    epoch = goals.goal.epoch if told.epoch is None else told.epoch
    return _life(goals, goals.move(Admit(epoch=epoch, continues=told.continues)))


def _turn_end(goals: Goals, data: Mapping[str, Any]) -> Verdict:
    """End the goal turn with the facts given, and let the turn's recorder go."""
    facts = facts_of(data, goals.facts)
    recorder, report = goals.recorder, None
    if recorder is not None:
        report = recorder.readable(goals.goal)
    readiness = facts.readiness.value()
    evaluation = None
    if needs_evaluator(goals.goal, report, readiness):
        evaluation = _evaluation(goals, facts)
    end = GoalTurnEnd(
        bound=recorder.bound if recorder else None,
        report=report,
        readiness=readiness,
        evaluation=evaluation,
        host_progress=_progress(goals, facts),
        todos=_todos(goals),
        preset=facts.completion_preset,
    )
    step = goals.end_turn(end)
    after = goals.state_after(**going_on(step))
    goals.recorder = None
    ended = step_verdict(TURN_GATE, step, after)
    if ended.accepted or not readiness.missing:
        return ended
    missing = f"missing: {', '.join(readiness.missing)}; {readiness.reason}".rstrip("; ")
    return msgspec.structs.replace(ended, told=f"{ended.message} ({missing})")


def _readiness(goals: Goals, data: Mapping[str, Any]) -> Verdict:
    """Ask whether missing checks are waived; a waiver makes the turn ready."""
    facts = facts_of(data, goals.facts)
    verdict = judge_waiver(
        facts.readiness.value(),
        preset=facts.completion_preset,
        claim=latest_claim(goals.work.ledger.receipts),
        tests_forbidden=facts.forbid_tests,
    )
    if verdict.accepted:
        goals.facts = msgspec.structs.replace(goals.facts, readiness=_READY_FACT)
    after = goals.state_after(missing=verdict.facts["missing"])
    return msgspec.structs.replace(verdict, facts={"state_after": after})


def _reconcile(goals: Goals, data: Mapping[str, Any]) -> Verdict:
    facts = facts_of(data, goals.facts)
    account, verdict = reconcile(
        goals.work.ledger,
        host_gaps=_gaps(goals, facts, told="host_gaps" in data),
        contract=facts.contract,
    )
    after = goals.state_after(**account_facts(account))
    return msgspec.structs.replace(verdict, facts={"state_after": after})


def _life(goals: Goals, step: Step) -> Verdict:
    return step_verdict(LIFE_GATE, step, goals.state_after())


def _evaluation(goals: Goals, facts: GoalFacts) -> Evaluation | None:
    if facts.evaluator is not None:
        return facts.evaluator.value()
    return NO_EVALUATOR if goals.policy.goal.silent_turn_pauses else None


def _gaps(goals: Goals, facts: GoalFacts, *, told: bool) -> Sequence[Gap]:
    """Return the gaps that the host told, or else those that the goal's receipts leave.

    A setup that gives the goal tells its gaps too: without any, there are none.
    """
    if told or goals.given:
        return [gap.value() for gap in facts.host_gaps]
    return host_gaps(goals.work.ledger, checks=goals.run.gates.setup.project_checks)


def _todos(goals: Goals) -> tuple[Task, ...] | None:
    """Return the host's task list; a setup may give the goal a list of its own."""
    return goals.run.tasks if goals.run.tasks or not goals.given else None


def _progress(goals: Goals, facts: GoalFacts) -> bool:
    """Return the given fact, or what was observed."""
    if isinstance(facts.host_progress, bool):
        return facts.host_progress
    return goals.work.is_new()


_READY_FACT = ReadinessFact()
_SETS_GOAL = frozenset({GOAL_SET, GOAL_RESTORED})
_HANDLERS: Mapping[str, Callable[[Goals, Mapping[str, Any]], Verdict]] = {
    GOAL_SET: _set,
    GOAL_CLEARED: _clear,
    GOAL_STOPPED: _stop,
    GOAL_PAUSED: _pause,
    GOAL_RESUMED: _resume,
    GOAL_RESTORED: _restore,
    GOAL_USAGE: _usage,
    GOAL_ADMITTED: _admit,
    GOAL_TURN_ENDED: _turn_end,
    GOAL_READINESS: _readiness,
    GOAL_RECONCILED: _reconcile,
}

GOAL_EVENTS = frozenset(_HANDLERS)
"""Names of the host events that the goal answers."""
