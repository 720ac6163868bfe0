"""What the model is told of its goal: the block in a turn, and what begins the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reasonix_runtime.gates.goal.table import Prompt, Step

if TYPE_CHECKING:
    from reasonix_runtime.gates.goal.report import Report
    from reasonix_runtime.gates.goal.state import GoalState
    from reasonix_runtime.gates.goal.turn import Readiness

OPENING = (
    "Work on the active goal. Before you end the turn report with update_goal: continue, complete "
    "or blocked."
)
"""What the first turn of a goal says beside the goal."""

STANDING = (
    "Continue with the active goal. Do the next piece of work and report with update_goal: "
    "continue, complete or blocked."
)


def active_goal_block(goal: GoalState) -> str:
    """Return the block that tells the running goal inside a user turn; empty without one.

    It is part of the user's text, never of the system prompt or of a schema, so that the prefix of
    a request stays the same from turn to turn.
    """
    return f"<active-goal>\n{goal.text}\n</active-goal>" if goal.running else ""


def next_prompt(
    step: Step, *, goal: GoalState, report: Report | None, readiness: Readiness
) -> str | None:
    """Return the text that begins the next turn by itself, None where the loop ends."""
    match step.prompt:
        case None:
            return None
        case Prompt.NEXT_ACTION if report is not None:
            return report.next_action
        case Prompt.MISSING_LIST:
            return _missing_list(goal, readiness)
        case _:
            return STANDING


def _missing_list(goal: GoalState, readiness: Readiness) -> str:
    """List what stands against the completion: open tasks, then what the turn lacks."""
    lines = [f"- open task: {todo.content}" for todo in goal.open_todos]
    lines += [f"- missing: {name}" for name in readiness.missing]
    if readiness.reason.strip():
        lines.append(f"- {readiness.reason.strip()}")
    return "\n".join(["The goal is not reached yet. What is left:", *lines])
