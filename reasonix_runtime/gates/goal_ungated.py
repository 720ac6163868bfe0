"""The goal tools of hosts that name a goal by id and revision (goal format of the newest line).

`create_goal` makes the one goal of a session, `get_goal` answers with it, `update_goal` names the
exact id and revision that it means. A call that does not fit changes nothing: its result carries
an error code, whatever its text looks like.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from reasonix_runtime.gates.verdict import Refusal, Verdict, accept, decide, refuse

CREATE, GET, UPDATE = "create_goal", "get_goal", "update_goal"
GOAL_TOOLS = (CREATE, GET, UPDATE)

_UNCHANGED = "No goal state was changed."
_ORDERED = frozenset({"edit", "pause", "resume"})


class Phase(StrEnum):
    """Where a goal of this kind stands."""

    ACTIVE = "active"
    PAUSED = "paused"
    COMPLETE = "complete"
    BLOCKED = "blocked"


_PHASE_AFTER = {
    "pause": Phase.PAUSED,
    "resume": Phase.ACTIVE,
    "complete": Phase.COMPLETE,
    "blocked": Phase.BLOCKED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisedGoal:
    """The one goal of a session; `revision` grows with every change, from 1."""

    id: str
    revision: int = 1
    objective: str = ""
    phase: Phase = Phase.ACTIVE
    max_rounds: int | None = None
    blocked_reason: str = ""

    @property
    def open(self) -> bool:
        """Whether the goal still waits to be reached."""
        return self.phase is not Phase.COMPLETE


@dataclass(frozen=True, slots=True)
class _Field:
    """One argument of the schema: the words it may be, whether it must be there."""

    kind: str
    required: bool = False
    words: tuple[str, ...] = ()


_TEXT = _Field("text")
_ROUNDS = _Field("rounds")
_SCHEMAS: Mapping[str, Mapping[str, _Field]] = {
    CREATE: {"objective": _Field("text", required=True), "max_goal_rounds": _ROUNDS},
    GET: {},
    UPDATE: {
        "action": _Field(
            "word", required=True, words=("edit", "pause", "resume", "complete", "blocked")
        ),
        "goal_id": _Field("text", required=True),
        "revision": _Field("count", required=True),
        "blocked_reason": _TEXT,
        "max_goal_rounds": _ROUNDS,
        "objective": _TEXT,
    },
}


def judge_revised(
    tool: str, args: Any, *, goal: RevisedGoal | None, ordered: bool | None
) -> Verdict:
    """Judge one call of a goal tool.

    `ordered` tells whether the person spoke in this turn, None where that is not known: then it is
    not held against the call.
    """
    return decide(
        tool,
        _refusals(tool, args, goal, ordered=ordered),
        lambda: accept(tool, reason="goal_revision.taken", message=f"{tool} was carried out"),
    )


def apply_revised(
    tool: str, args: Mapping[str, Any], goal: RevisedGoal | None, *, fresh_id: str
) -> RevisedGoal | None:
    """Return the goal after a call that was taken."""
    if tool == CREATE:
        return RevisedGoal(
            id=fresh_id, objective=args.get("objective", ""), max_rounds=args.get("max_goal_rounds")
        )
    if tool == GET or goal is None:
        return goal
    action = args.get("action")
    changed = replace(
        goal,
        revision=goal.revision + 1,
        phase=_PHASE_AFTER.get(str(action), goal.phase),
        blocked_reason=args.get("blocked_reason", "") if action == "blocked" else "",
    )
    if action != "edit":
        return changed
    return replace(
        changed,
        objective=args.get("objective", goal.objective),
        max_rounds=args.get("max_goal_rounds", goal.max_rounds),
    )


def _refusals(
    tool: str, args: Any, goal: RevisedGoal | None, *, ordered: bool | None
) -> Iterator[Refusal]:
    """Arguments first, then whether the goal meant exists, then what the action needs."""
    wrong = next(_argument_faults(tool, args), None)
    if wrong:
        yield refuse("goal_revision.args", f"argument validation failed: {wrong}. {_UNCHANGED}")
        return
    if tool == CREATE and goal is not None and goal.open:
        yield refuse("goal_revision.exists", f"goal {goal.id} is not reached yet. {_UNCHANGED}")
    if tool == GET and goal is None:
        yield refuse("goal_revision.no_goal", f"There is no goal. {_UNCHANGED}")
    if tool == UPDATE:
        yield from _update_refusals(args, goal, ordered=ordered)


def _update_refusals(
    args: Mapping[str, Any], goal: RevisedGoal | None, *, ordered: bool | None
) -> Iterator[Refusal]:
    if goal is None:
        yield refuse("goal_revision.no_goal", f"There is no goal. {_UNCHANGED}")
        return
    if args["goal_id"] != goal.id:
        yield refuse(
            "goal_revision.other_goal",
            f"goal_id is {args['goal_id']!r}, the goal is {goal.id!r}. {_UNCHANGED}",
        )
    if args["revision"] != goal.revision:
        yield refuse(
            "goal_revision.stale",
            f"revision is {args['revision']}, the goal is at {goal.revision}. {_UNCHANGED}",
        )
    if args["action"] in _ORDERED and ordered is False:
        yield refuse(
            "goal_revision.no_order",
            f"{args['action']} needs an order of the person in this turn. {_UNCHANGED}",
        )
    if args["action"] == "blocked" and not args.get("blocked_reason", "").strip():
        yield refuse(
            "goal_revision.blocked_reason", f"blocked needs a blocked_reason. {_UNCHANGED}"
        )


def _argument_faults(tool: str, args: Any) -> Iterator[str]:
    """Yield what does not fit the schema: unknown, missing or wrong arguments."""
    if not isinstance(args, Mapping):
        yield "expected an object"
        return
    schema = _SCHEMAS[tool]
    yield from (f"{name}: unknown argument" for name in args if name not in schema)
    for name, wanted in schema.items():
        if name not in args:
            if wanted.required:
                yield f"{name}: missing"
        elif not _fits(args[name], wanted):
            yield f"{name}: {args[name]!r} does not fit"


def _fits(value: Any, wanted: _Field) -> bool:
    if wanted.kind == "rounds" and value is None:
        return True
    if wanted.kind in ("rounds", "count"):
        return isinstance(value, int) and not isinstance(value, bool) and value >= 1
    if not isinstance(value, str) or not value:
        return False
    return not wanted.words or value in wanted.words
