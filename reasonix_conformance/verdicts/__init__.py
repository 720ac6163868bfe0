"""Recorded verdicts of a host, recomputed: how often both decide alike, and where not.

`KINDS` is the registry: kind of a recorded line -> the adapter that recomputes its `out`. A kind
that is missing here is reported as not assessable, never as agreeing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from reasonix_conformance.verdicts import commands, goal, reviews, schemas, steps, turn
from reasonix_conformance.verdicts.inputs import Kind
from reasonix_runtime.gates.policy import Policy

Adapter: TypeAlias = Callable[[Mapping[str, Any], Policy], dict[str, Any]]
"""Recompute the `out` of a recorded line from its `in`, under the given policy."""

KINDS: Final[Mapping[str, Kind[Any]]] = MappingProxyType(
    {
        "command_class": commands.command_class,
        "command_match": commands.command_match,
        "complete_step": steps.complete_step,
        "goal_advance": goal.goal_advance,
        "path_risk": commands.path_risk,
        "receipt": steps.receipt,
        "review_gate": reviews.review_gate,
        "review_report": reviews.review_report,
        "schema_canon": schemas.schema_canon,
        "todo_advance": steps.todo_advance,
        "todo_identity": steps.todo_identity,
        "todo_match": steps.todo_match,
        "todo_write": steps.todo_write,
        "turn": turn.turn,
        "update_goal": goal.update_goal,
    }
)
