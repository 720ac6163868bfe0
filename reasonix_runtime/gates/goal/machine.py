"""The goal machine: one pure step, and the diagram that its table draws.

`advance` takes the goal and an event and returns the goal after it and what was decided. It reads
no clock, no file and asks no model; persistence and the evaluator stand outside and come in as
values. `TABLE` is everything it can do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from reasonix_runtime.gates.goal.life import (
    LIFE_ROWS,
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
from reasonix_runtime.gates.goal.state import GoalState
from reasonix_runtime.gates.goal.table import Place, Row, Step, decide_row
from reasonix_runtime.gates.goal.turn import GoalTurnEnd, turn_case
from reasonix_runtime.gates.goal.turn_rows import TURN_ROWS

if TYPE_CHECKING:
    from reasonix_runtime.gates.goal.policy import GoalRules

GoalEvent: TypeAlias = (
    SetGoal
    | ClearGoal
    | StopGoal
    | PauseGoal
    | ResumeGoal
    | RestoreGoal
    | NewSession
    | Usage
    | Admit
    | GoalTurnEnd
)

TABLE: tuple[Row, ...] = (*LIFE_ROWS, *TURN_ROWS)
"""All rows of the machine; rows of one event stand in the order in which they are asked."""


def advance(goal: GoalState, event: GoalEvent, rules: GoalRules) -> tuple[GoalState, Step]:
    """Take one event and return the goal after it and what was decided."""
    asked = turn_case(goal, event, rules) if isinstance(event, GoalTurnEnd) else event
    return decide_row(TABLE, goal, asked)


def mermaid() -> str:
    """Return the state diagram of the table in Mermaid's notation; edges carry reason codes.

    Rows that leave the goal where it is draw no edge, except where the loop goes on.
    """
    edges: dict[tuple[Place, Place], list[str]] = {}
    for row in TABLE:
        if row.to is None:
            continue
        for place in row.at:
            codes = edges.setdefault((place, row.to), [])
            if row.reason not in codes:
                codes.append(row.reason)
    lines = ["stateDiagram-v2", f"    [*] --> {Place.NO_GOAL}"]
    for source in Place:
        for target in Place:
            codes = edges.get((source, target), [])
            lines += [f"    {source} --> {target} : {code}" for code in codes]
    return "\n".join(lines)
