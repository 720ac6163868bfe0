"""Recorded goal verdicts: `update_goal` (one turn) and `goal_advance` (the machine over turns)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec

from reasonix_conformance.verdicts.inputs import reads
from reasonix_runtime.evidence.tasks import task_of
from reasonix_runtime.gates.goal.life import ResumeGoal, SetGoal, StopGoal
from reasonix_runtime.gates.goal.machine import GoalEvent, advance
from reasonix_runtime.gates.goal.report import Recorder, judge_report, read_report, record
from reasonix_runtime.gates.goal.state import (
    NO_GOAL,
    GoalState,
    GoalStatus,
    ResearchMode,
    binding,
)
from reasonix_runtime.gates.goal.table import Prompt
from reasonix_runtime.gates.goal.turn import Evaluation, GoalTurnEnd, Opinion, Readiness
from reasonix_runtime.gates.policy import Policy
from reasonix_runtime.gates.verdict import Verdict

_MODES = (ResearchMode.AUTOMATIC, ResearchMode.ON, ResearchMode.OFF)
_INTERCEPTS = {Prompt.NEXT_ACTION: "next_action", Prompt.MISSING_LIST: "missing_requirements"}
_BEFORE: Mapping[str, GoalEvent] = {
    "replace_goal": SetGoal(text="another goal", scope="goal-other"),
    "stop_goal": StopGoal(),
}


class _Told(msgspec.Struct, frozen=True):
    args: Any = None
    before: Literal["", "replace_goal", "stop_goal"] | None = None


class _Reports(msgspec.Struct, frozen=True):
    goal: str = ""
    active: bool | None = None
    reports: tuple[_Told, ...] | None = None


class _Turn(msgspec.Struct, frozen=True):
    reports: tuple[Any, ...] | None = None
    todos: tuple[Any, ...] | None = None
    ready: bool | None = None
    missing: tuple[str, ...] | None = None
    evaluator: Literal["", "complete", "continue", "blocked", "uncertain", "failed"] | None = None
    evaluator_failed: bool | None = None
    progress_before: str | None = None
    progress_after: str | None = None
    resume: bool | None = None
    repeat: Annotated[int, msgspec.Meta(ge=0, le=10_000)] | None = None


class _Turns(msgspec.Struct, frozen=True):
    goal: str = ""
    mode: Annotated[int, msgspec.Meta(ge=0, lt=len(_MODES))] | None = None
    turns: tuple[_Turn, ...] | None = None


@reads(_Reports)
def update_goal(given: _Reports, policy: Policy) -> dict[str, Any]:
    """Play the reports of one turn and tell what was taken and what is held at its end."""
    goal = _started(given.goal, ResearchMode.AUTOMATIC, policy)
    recorder = Recorder(bound=binding(goal)) if given.active else None
    reports = []
    for report in given.reports or ():
        if change := _BEFORE.get(report.before or ""):
            goal, _ = advance(goal, change, policy.goal)
        verdict, recorder = _report(report.args, goal, recorder, policy)
        # Recorded verdicts have reasons for refusals only.
        reason = None if verdict.accepted else verdict.reason
        reports.append({"accept": verdict.accepted, "reason": reason})
    last = reports[-1] if reports else {"accept": False, "reason": None}
    out: dict[str, Any] = {**last, "reports": reports}
    if recorder is not None:
        out["recorded"] = _held(recorder, goal)
    return out


@reads(_Turns)
def goal_advance(given: _Turns, policy: Policy) -> dict[str, Any]:
    """Play the turns of a goal and tell where each of them left it."""
    goal = _started(given.goal, _MODES[given.mode or 0], policy)
    kind = goal.budget_class.value
    steps = []
    for turn in given.turns or ():
        if turn.resume:
            goal, step = _resume(goal, policy)
            steps.append(step)
            continue
        for _ in range(1 if turn.repeat is None else turn.repeat):
            goal, step = _play(goal, turn, policy)
            steps.append(step)
    return {"accept": goal.status is GoalStatus.COMPLETE, "budget_class": kind, "steps": steps}


def _started(text: str, mode: ResearchMode, policy: Policy) -> GoalState:
    start = SetGoal(text=text, scope="goal-recorded", research_mode=mode)
    return advance(NO_GOAL, start, policy.goal)[0]


def _report(
    args: Any, goal: GoalState, recorder: Recorder | None, policy: Policy
) -> tuple[Verdict, Recorder | None]:
    """Judge one report, and record it if it is taken."""
    verdict = judge_report(args, goal=goal, recorder=recorder, rules=policy.goal)
    report = read_report(args)
    if verdict.accepted and recorder is not None and report is not None:
        recorder = record(recorder, report)
    return verdict, recorder


def _held(recorder: Recorder, goal: GoalState) -> dict[str, Any]:
    report = recorder.readable(goal)
    if report is None:
        return {"recorded": False, "status": "", "reason": "", "next_action": ""}
    return {
        "recorded": True,
        "status": report.word,
        "reason": report.reason,
        "next_action": report.next_action,
    }


def _resume(goal: GoalState, policy: Policy) -> tuple[GoalState, dict[str, Any]]:
    after, outcome = advance(goal, ResumeGoal(), policy.goal)
    extended = after.budget_extensions > goal.budget_extensions
    return after, {"resumed": outcome.accepted, "extended": extended, **_counters(after)}


def _play(goal: GoalState, turn: _Turn, policy: Policy) -> tuple[GoalState, dict[str, Any]]:
    """Play one turn; of a goal that has ended it changes nothing."""
    recorder: Recorder | None = Recorder(bound=binding(goal)) if goal.running else None
    taken = []
    for args in turn.reports or ():
        verdict, recorder = _report(args, goal, recorder, policy)
        taken.append(verdict.accepted)
    goal, outcome = advance(_with_todos(goal, turn), _end(turn, recorder), policy.goal)
    step = {
        "reports_accepted": taken,
        "continue": outcome.auto_continue,
        "intercept": _INTERCEPTS.get(outcome.prompt, "none") if outcome.prompt else "none",
        **_counters(goal),
    }
    return goal, step


def _with_todos(goal: GoalState, turn: _Turn) -> GoalState:
    return replace(goal, todos=tuple(task_of(todo) for todo in turn.todos or ()))


def _end(turn: _Turn, recorder: Recorder | None) -> GoalTurnEnd:
    before, after = turn.progress_before or "", turn.progress_after or ""
    return GoalTurnEnd(
        bound=recorder.bound if recorder else None,
        report=recorder.report if recorder else None,
        readiness=Readiness(
            missing=turn.missing or (),
            reason="" if turn.ready else "not ready",
        ),
        evaluation=next(_evaluations(turn), None),
        host_progress=not before or before != after,
    )


def _evaluations(turn: _Turn) -> Iterator[Evaluation]:
    if turn.evaluator_failed:
        yield Evaluation(opinion=Opinion.FAILED)
    if turn.evaluator:
        yield Evaluation(opinion=Opinion(turn.evaluator))


def _counters(goal: GoalState) -> dict[str, Any]:
    return {
        "status": goal.status.value,
        "stop_cause": str(goal.stop_cause),
        "turns_used": goal.turns_used,
        "turns_limit": goal.turns_limit,
        "no_progress": goal.no_progress_turns,
    }
