"""The end of a goal turn: whether the goal ends, pauses, or goes on by itself.

The host brings what it saw: the report that was taken, what its end-of-turn gate finds missing,
what an evaluator said where one was asked, whether anything visible was done. What follows from
that is the table of `gates/goal/turn_rows.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from reasonix_runtime.gates.goal.state import (
    Binding,
    GoalState,
    GoalStatus,
    clip,
)
from reasonix_runtime.gates.presets import BALANCED, Preset

if TYPE_CHECKING:
    from reasonix_runtime.evidence.tasks import Task
    from reasonix_runtime.gates.goal.policy import GoalRules
    from reasonix_runtime.gates.goal.report import Report

CHECKS_ONLY = frozenset({"project_check", "verification"})
"""Missing ids that a repeated completion or a declared gap may waive, and no others."""


class Opinion(StrEnum):
    """What an evaluator says; `FAILED` stands for every way of not answering."""

    COMPLETE = "complete"
    CONTINUE = "continue"
    BLOCKED = "blocked"
    UNCERTAIN = "uncertain"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """The answer of an evaluator, or why there is none."""

    opinion: Opinion
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """What the end-of-turn gate found: ids of what is missing, and one sentence for the model."""

    missing: tuple[str, ...] = ()
    reason: str = ""


READY = Readiness()


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalTurnEnd:
    """A turn has ended.

    `bound` is the scope and epoch it began with, None when it was no goal turn. `evaluation` is
    None where no evaluator was asked (see :func:`needs_evaluator`). `todos` is the task list of the
    host, None where the goal's own list still stands.
    """

    bound: Binding | None
    report: Report | None = None
    readiness: Readiness = READY
    evaluation: Evaluation | None = None
    host_progress: bool = True
    todos: tuple[Task, ...] | None = None
    preset: Preset = BALANCED


def needs_evaluator(goal: GoalState, report: Report | None, readiness: Readiness) -> bool:
    """Whether the end of this turn is a question for the evaluator."""
    spent = 0 < goal.turns_limit <= goal.turns_used
    return goal.running and report is None and not readiness.missing and not spent


def readiness_gap(readiness: Readiness) -> str:
    """Return the text under which a refused completion is remembered."""
    return clip(f"readiness missing: {readiness.reason}")


@dataclass(frozen=True, slots=True)
class TurnCase:
    """One end of turn, read once: the goal with the turn counted, and who claims what."""

    end: GoalTurnEnd
    rules: GoalRules
    counted: GoalState
    report: Report | None
    evaluation: Evaluation | None

    @property
    def claimed(self) -> bool:
        """Whether the report or the evaluator says that the goal is reached."""
        if self.report is not None:
            return self.report.status is GoalStatus.COMPLETE
        return self.says(Opinion.COMPLETE)

    def says(self, *opinions: Opinion) -> bool:
        """Whether the evaluator gave one of these answers."""
        return self.evaluation is not None and self.evaluation.opinion in opinions


def turn_case(goal: GoalState, end: GoalTurnEnd, rules: GoalRules) -> TurnCase:
    """Read an end of turn: count the turn, keep the stall counter, drop what was not asked for."""
    asked = needs_evaluator(goal, end.report, end.readiness)
    stalled = 0 if _progress(end, rules) else goal.no_progress_turns + 1
    counted = replace(
        goal,
        epoch=goal.epoch + 1,
        turns_used=goal.turns_used + 1,
        no_progress_turns=stalled,
        todos=goal.todos if end.todos is None else end.todos,
    )
    evaluation = end.evaluation if asked else None
    if asked and evaluation is None and rules.silent_turn_pauses:
        evaluation = Evaluation(opinion=Opinion.FAILED, reason="no evaluator was asked")
    return TurnCase(end, rules, counted, end.report, evaluation)


def _progress(end: GoalTurnEnd, rules: GoalRules) -> bool:
    """Whether the turn moved something; a terminal report that holds resets the counter itself."""
    if end.host_progress or end.report is None:
        return end.host_progress
    if end.report.status is GoalStatus.RUNNING:
        return rules.continue_is_progress
    return rules.refused_completion_is_progress
