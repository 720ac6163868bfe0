"""What the changes and the ends of a goal leave of it, field by field."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from goal_states import RUNNING

from reasonix_runtime.evidence.tasks import Task
from reasonix_runtime.gates.goal.life import (
    Admit,
    ClearGoal,
    NewSession,
    PauseGoal,
    RestoreGoal,
    ResumeGoal,
    SetGoal,
)
from reasonix_runtime.gates.goal.machine import GoalEvent, advance
from reasonix_runtime.gates.goal.policy import CONTRACT_GOAL
from reasonix_runtime.gates.goal.report import Report
from reasonix_runtime.gates.goal.state import (
    NO_GOAL,
    BudgetClass,
    GoalState,
    GoalStatus,
    StopCause,
    binding,
)
from reasonix_runtime.gates.goal.table import Place, place_of
from reasonix_runtime.gates.goal.turn import Evaluation, GoalTurnEnd, Opinion

ITEMS = (Task(content="Build it", status="pending"),)
LISTED = replace(RUNNING, todos=ITEMS, strict=True)


@pytest.mark.parametrize(
    ("goal", "event", "reason", "kept"),
    [
        (
            LISTED,
            SetGoal(text="Other", scope="goal-bb", research_task="r1", strict=True),
            "goal_life.set",
            {"todos": ITEMS, "strict": True, "research_task": "r1"},
        ),
        (LISTED, ClearGoal(), "goal_life.clear", {"todos": ITEMS, "strict": True, "text": ""}),
        (
            replace(RUNNING, block="wait"),
            PauseGoal(text=" "),
            "goal_life.pause",
            {"block": "wait"},
        ),
        (RUNNING, Admit(epoch=7, continues=False), "goal_life.admit_stale", {"epoch": 7}),
        (
            replace(RUNNING, turns_limit=0, turns_used=5),
            ResumeGoal(),
            "goal_life.resume",
            {"turns_limit": 0},
        ),
        (
            replace(RUNNING, turns_limit=1, turns_used=1),
            ResumeGoal(),
            "goal_life.resume_extend",
            {"turns_limit": 11, "budget_extensions": 1},
        ),
        (
            replace(RUNNING, turns_used=10, budget_class=BudgetClass.NONE),
            ResumeGoal(),
            "goal_life.resume_extend",
            {"turns_limit": 10},
        ),
        (RUNNING, NewSession(), "goal_life.new_session", {"epoch": 8, "text": ""}),
    ],
)
def test_what_a_change_of_the_life_of_a_goal_leaves(
    goal: GoalState, event: GoalEvent, reason: str, kept: dict[str, object]
) -> None:
    """Beside what it is about; a limit of 0 is none, and is never used up."""
    after, outcome = advance(goal, event, CONTRACT_GOAL)

    assert reason == outcome.reason
    assert kept == {name: getattr(after, name) for name in kept}


TOKENS = replace(RUNNING, status=GoalStatus.BLOCKED, stop_cause=StopCause.BUDGET_TOKENS)


@pytest.mark.parametrize(
    ("stored", "migrated"),
    [
        (TOKENS, True),
        (replace(TOKENS, text=""), False),
        (replace(TOKENS, status=GoalStatus.STOPPED), False),
        (replace(TOKENS, stop_cause=StopCause.BUDGET_TURNS), False),
        (replace(TOKENS, stop_cause=StopCause.NONE), False),
    ],
)
def test_only_a_pause_over_tokens_is_lifted_by_loading(
    stored: GoalState, *, migrated: bool
) -> None:
    """The ceiling is gone; whatever else stopped a goal still does."""
    after, outcome = advance(NO_GOAL, RestoreGoal(stored=stored, scope="a"), CONTRACT_GOAL)

    assert migrated is after.running is (outcome.reason == "goal_life.restore_migrate")
    assert (stored.status, stored.stop_cause) == (after.status, after.stop_cause) or migrated


def test_what_a_file_tells_of_class_and_limits_is_not_derived_again() -> None:
    """Another host may have chosen otherwise, and a text may have been edited."""
    stored = replace(RUNNING, budget_class=BudgetClass.RESEARCH, no_progress_limit=9)

    after, _ = advance(NO_GOAL, RestoreGoal(stored=stored, scope="a"), CONTRACT_GOAL)

    assert (BudgetClass.RESEARCH, 9) == (after.budget_class, after.no_progress_limit)


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        ({"turns_limit": 0}, "goal_turn.continue"),
        ({"turns_limit": 1}, "goal_turn.turns"),
        ({"no_progress_limit": 0}, "goal_turn.continue"),
        ({"no_progress_limit": 1}, "goal_turn.stall"),
    ],
)
def test_a_limit_counts_from_one(limits: dict[str, int], reason: str) -> None:
    """And 0 is no limit."""
    goal = replace(RUNNING, **limits)
    more = Report(status=GoalStatus.RUNNING, reason="half")
    end = GoalTurnEnd(bound=binding(goal), report=more, host_progress=False)

    assert reason == advance(goal, end, CONTRACT_GOAL)[1].reason


def test_a_turn_with_a_report_is_nobody_else_s_to_judge() -> None:
    """What an evaluator said of it is dropped; what the host saw done is progress all the same."""
    goal = replace(RUNNING, no_progress_turns=2)
    more = Report(status=GoalStatus.RUNNING, reason="half")
    blocked = Evaluation(opinion=Opinion.BLOCKED, reason="A key.")

    after, outcome = advance(
        goal, GoalTurnEnd(bound=binding(goal), report=more, evaluation=blocked), CONTRACT_GOAL
    )

    assert ("goal_turn.continue", 0) == (outcome.reason, after.no_progress_turns)


def test_a_goal_that_is_reached_has_a_place_of_its_own() -> None:
    """Its text is gone, and still it is not as if there had been none."""
    end = GoalTurnEnd(bound=binding(RUNNING), report=Report(status=GoalStatus.COMPLETE))

    assert Place.COMPLETE is place_of(advance(RUNNING, end, CONTRACT_GOAL)[0])


STALE = replace(
    LISTED, stop_cause="manual", block="wait", last_evaluator_reason="half", no_progress_turns=2
)


@pytest.mark.parametrize(
    ("end", "left"),
    [
        (
            {"report": Report(status=GoalStatus.BLOCKED, reason="A key.")},
            {"stop_cause": "", "block": "A key", "no_progress_turns": 0},
        ),
        (
            {"evaluation": Evaluation(opinion=Opinion.BLOCKED, reason="A key.")},
            {"stop_cause": "", "block": "A key", "no_progress_turns": 0},
        ),
        (
            {"report": Report(status=GoalStatus.COMPLETE), "todos": ()},
            {"stop_cause": "", "block": "", "last_evaluator_reason": "", "no_progress_turns": 0},
        ),
    ],
)
def test_an_end_clears_what_was_told_before(end: dict[str, Any], left: dict[str, object]) -> None:
    """An older pause would make a block look like one, and a reason of another turn misleads."""
    bound = binding(STALE)

    after, _ = advance(STALE, GoalTurnEnd(bound=bound, host_progress=False, **end), CONTRACT_GOAL)

    assert left == {name: getattr(after, name) for name in left}
