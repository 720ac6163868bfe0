"""A goal that is worked for, as tests have it."""

from __future__ import annotations

from reasonix_runtime.gates.goal.state import BudgetClass, GoalState, GoalStatus

RUNNING = GoalState(
    text="Ship it",
    status=GoalStatus.RUNNING,
    scope="goal-aa",
    epoch=7,
    budget_class=BudgetClass.SIMPLE,
    turns_limit=10,
    no_progress_limit=4,
)
