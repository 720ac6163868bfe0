"""The goal tools of hosts that name a goal by id and revision, as the newest ones do.

`create_goal` makes the one goal of a session, `get_goal` answers with it, `update_goal` names the
exact id and revision that it means. A call that does not fit changes nothing: its result carries
an error code, whatever its text looks like.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import msgspec

from reasonix_runtime.gates.goal.report import UNCHANGED
from reasonix_runtime.gates.verdict import Refusal, Verdict, accept, decide, refuse

CREATE, GET, UPDATE = "create_goal", "get_goal", "update_goal"
GOAL_TOOLS = (CREATE, GET, UPDATE)

ROUNDS_BEFORE_BLOCK = 3
"""Rounds of the host that must have begun before a round may report that it is blocked."""

_ORDERED = frozenset({"edit", "pause", "resume"})
_EDIT_FIELDS = ("objective", "max_goal_rounds")


class Phase(StrEnum):
    """Where a goal of this kind stands."""

    ACTIVE = "active"
    PAUSED = "paused"
    COMPLETE = "complete"
    BLOCKED = "blocked"


_PHASE_BEFORE = {
    "pause": (Phase.ACTIVE,),
    "complete": (Phase.ACTIVE,),
    "blocked": (Phase.ACTIVE,),
    "resume": (Phase.PAUSED, Phase.BLOCKED),
    "edit": (Phase.ACTIVE, Phase.PAUSED, Phase.BLOCKED),
}
"""The phases in which an action may be asked for."""

_PHASE_AFTER = {
    "pause": Phase.PAUSED,
    "resume": Phase.ACTIVE,
    "complete": Phase.COMPLETE,
    "blocked": Phase.BLOCKED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisedGoal:
    """The one goal of a session; `revision` grows with every change, from 1.

    `rounds` counts the turns that the host began by itself. A goal that was paused by the person
    (`user_paused`) is resumed by the person, never by the tool.
    """

    id: str
    revision: int = 1
    objective: str = ""
    phase: Phase = Phase.ACTIVE
    max_rounds: int | None = None
    blocked_reason: str = ""
    rounds: int = 0
    user_paused: bool = False

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


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the turn that a call stands in.

    `ordered` tells whether the person spoke in it, None where that is not known: then it is not
    held against the call. `attested` is false where the host says that goals are not in use.
    """

    ordered: bool | None = None
    attested: bool = True


def judge_revised(tool: str, args: Any, *, goal: RevisedGoal | None, turn: Turn) -> Verdict:
    """Judge one call of a goal tool."""
    return decide(
        tool,
        _refusals(tool, args, goal, turn),
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
        user_paused=action == "pause" or (action == "edit" and goal.user_paused),
    )
    if action != "edit":
        return changed
    return replace(
        changed,
        objective=args.get("objective", goal.objective),
        max_rounds=args.get("max_goal_rounds", goal.max_rounds),
    )


def _refusals(tool: str, args: Any, goal: RevisedGoal | None, turn: Turn) -> Iterator[Refusal]:
    """Ask for arguments first, then whether the goal meant exists, then what the action needs."""
    wrong = _argument_fault(tool, args)
    if wrong:
        yield refuse("goal_revision.args", f"argument validation failed: {wrong}. {UNCHANGED}")
        return
    if not turn.attested:
        yield refuse("goal_revision.no_context", f"Goals are not in use here. {UNCHANGED}")
    if not str(args.get("objective", "x")).strip():
        yield refuse("goal_revision.objective", f"An objective has words. {UNCHANGED}")
    if tool == CREATE and goal is not None and goal.open:
        yield refuse("goal_revision.exists", f"goal {goal.id} is not reached yet. {UNCHANGED}")
    if tool == UPDATE:
        yield from _field_refusals(args)
        yield from _update_refusals(args, goal, turn)


def _field_refusals(args: Mapping[str, Any]) -> Iterator[Refusal]:
    """Ask for what an action needs beside the schema, and what it does not go with."""
    action, edits = args["action"], any(name in args for name in _EDIT_FIELDS)
    if action not in ("edit", "blocked") and (edits or "blocked_reason" in args):
        yield refuse(
            "goal_revision.other_fields",
            f"{action} goes with no objective, max_goal_rounds or blocked_reason. {UNCHANGED}",
        )
    if action == "blocked" and (edits or not args.get("blocked_reason", "").strip()):
        yield refuse(
            "goal_revision.blocked_reason",
            f"blocked needs a blocked_reason and goes with no edit. {UNCHANGED}",
        )
    if action == "edit" and (not edits or "blocked_reason" in args):
        yield refuse(
            "goal_revision.nothing_edited",
            f"edit needs an objective or max_goal_rounds, and no blocked_reason. {UNCHANGED}",
        )


def _update_refusals(
    args: Mapping[str, Any], goal: RevisedGoal | None, turn: Turn
) -> Iterator[Refusal]:
    if goal is None:
        yield refuse("goal_revision.no_goal", f"There is no goal. {UNCHANGED}")
        return
    if args["goal_id"] != goal.id:
        yield refuse(
            "goal_revision.other_goal",
            f"goal_id is {args['goal_id']!r}, the goal is {goal.id!r}. {UNCHANGED}",
        )
    if args["revision"] != goal.revision:
        yield refuse(
            "goal_revision.stale",
            f"revision is {args['revision']}, the goal is at {goal.revision}. {UNCHANGED}",
        )
    action = args["action"]
    if goal.phase not in _PHASE_BEFORE[action]:
        yield refuse(
            "goal_revision.transition",
            f"a goal that is {goal.phase} takes no {action}. {UNCHANGED}",
        )
    yield from _authority_refusals(action, goal, turn)


def _authority_refusals(action: str, goal: RevisedGoal, turn: Turn) -> Iterator[Refusal]:
    """Ask for what only the person may do, and what a round of the host may not do yet."""
    if action in _ORDERED and turn.ordered is False:
        yield refuse(
            "goal_revision.no_order",
            f"{action} needs an order of the person in this turn. {UNCHANGED}",
        )
    if action == "resume" and goal.user_paused:
        yield refuse(
            "goal_revision.user_paused",
            f"the person paused this goal and has to resume it. {UNCHANGED}",
        )
    if action == "blocked" and turn.ordered is False and goal.rounds < ROUNDS_BEFORE_BLOCK:
        yield refuse(
            "goal_revision.too_early",
            f"a round may be blocked after {ROUNDS_BEFORE_BLOCK} rounds, this is round "
            f"{goal.rounds}. {UNCHANGED}",
        )


def _argument_fault(tool: str, args: Any) -> str:
    """Return what does not fit the schema first: an argument that is unknown, missing or wrong."""
    if not isinstance(args, Mapping):
        return "expected an object"
    schema = _SCHEMAS[tool]
    for name in args:
        if name not in schema:
            return f"{name}: unknown argument"
    for name, wanted in schema.items():
        if name in args and not _fits(args[name], wanted):
            return f"{name}: {args[name]!r} does not fit"
        if name not in args and wanted.required:
            return f"{name}: missing"
    return ""


def _fits(value: Any, wanted: _Field) -> bool:
    if wanted.kind == "rounds" and value is None:
        return True
    if wanted.kind in ("rounds", "count"):
        return isinstance(value, int) and not isinstance(value, bool) and value >= 1
    if not isinstance(value, str) or not value:
        return False
    return not wanted.words or value in wanted.words
