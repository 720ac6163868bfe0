"""The shape of the goal machine's transition table.

A table is a tuple of rows, asked from top to bottom; the first row whose place and condition hold
decides. Nothing else moves a goal, so the table is at once the program, the rule catalogue's
ground, and what the diagram of `docs/GATES.md` is drawn from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from reasonix_runtime.gates.goal.state import GoalState, GoalStatus
from reasonix_runtime.gates.verdict import is_on


class Place(StrEnum):
    """A node of the diagram: the four states, and having no goal at all."""

    NO_GOAL = "no_goal"
    RUNNING = "running"
    BLOCKED = "blocked"
    STOPPED = "stopped"
    COMPLETE = "complete"


ANYWHERE = tuple(Place)


class Prompt(StrEnum):
    """What the next turn is started with."""

    NEXT_ACTION = "next_action"
    STANDING = "standing"
    MISSING_LIST = "missing_list"


def place_of(goal: GoalState) -> Place:
    """Return the node that a goal stands on; without a text there is no goal, unless it is done."""
    if goal.status is GoalStatus.COMPLETE:
        return Place.COMPLETE
    return Place(goal.status.value) if goal.text else Place.NO_GOAL


def _always(goal: GoalState, event: Any) -> bool:
    return True


def _unchanged(goal: GoalState, event: Any) -> GoalState:
    return goal


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One transition; it says what is particular about it.

    `key` is unique in the table, `reason` the code of the verdict (two rows may share one).
    `on` are the events it answers, `at` the places it leaves, `to` the place it leads to (None:
    where it came from), `when` the condition, `then` what becomes of the goal. `accepts` tells
    whether the event took effect as it claimed. Rows that end a turn say by `prompt` what the next
    turn starts with; without one the loop ends.
    """

    key: str
    reason: str
    on: tuple[type, ...]
    at: tuple[Place, ...] = ANYWHERE
    to: Place | None = None
    when: Callable[[GoalState, Any], bool] = _always
    then: Callable[[GoalState, Any], GoalState] = _unchanged
    accepts: bool = True
    prompt: Prompt | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What an event did: the row that decided, and whether the host goes on by itself."""

    key: str
    reason: str | None
    accepted: bool
    auto_continue: bool = False
    prompt: Prompt | None = None


REFUSED = Step(key="", reason=None, accepted=False)
"""An event that no row answers: it changes nothing."""


def decide_row(rows: Iterable[Row], goal: GoalState, event: Any) -> tuple[GoalState, Step]:
    """Apply the first row that answers the event where the goal stands."""
    here = place_of(goal)
    for row in rows:
        if not isinstance(event, row.on) or here not in row.at or not is_on(row.reason):
            continue
        if row.when(goal, event):
            step = Step(
                key=row.key,
                reason=row.reason,
                accepted=row.accepts,
                auto_continue=row.prompt is not None,
                prompt=row.prompt,
            )
            return row.then(goal, event), step
    return goal, REFUSED
