"""The goal of a host that names goals by id and revision, as a recording shows it.

The id and the revision are the host's own. They are read from the results of the goal tools; where
a result does not tell them, a later call cannot be judged, and that is said.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from reasonix_runtime.gates.goal_ungated import (
    GET,
    GOAL_TOOLS,
    UPDATE,
    RevisedGoal,
    apply_revised,
    judge_revised,
)
from reasonix_runtime.gates.verdict import Verdict, not_assessable
from reasonix_runtime.trace.events import ToolCall, ToolResult

__all__ = ["GOAL_TOOLS", "RevisedGoals"]

_UNKNOWN = ""


class RevisedGoals:
    """The one goal of a session, its id empty while the recording has not told it.

    Args:
        complete: whether the recording starts with the session, so that there is no goal before
            the first one that it shows.
    """

    def __init__(self, *, complete: bool = True) -> None:
        self.goal: RevisedGoal | None = None if complete else RevisedGoal(id=_UNKNOWN)
        self._ordered: bool | None = None

    def turn_starts(self) -> None:
        """Forget the orders of the last turn."""
        self._ordered = False

    def user_spoke(self) -> None:
        """Note that the person said something in this turn."""
        self._ordered = True

    def judge(self, call: ToolCall, result: ToolResult) -> Verdict:
        """Judge a call of a goal tool and move the goal as the recording says."""
        verdict = self._verdict(call)
        before = self.goal
        taken = verdict.accepted if result.outcome == "none" else result.outcome == "ok"
        if taken and isinstance(call.args, Mapping):
            self._take(call, result)
        facts = {"unchanged": self.goal == before, **goal_facts(self.goal)}
        return replace(verdict, facts={"state_after": facts})

    def _verdict(self, call: ToolCall) -> Verdict:
        goal = self.goal
        if goal is not None and goal.id == _UNKNOWN and call.name != GET:
            return not_assessable(
                call.name, "The recording does not tell the id of the goal that this call means."
            )
        return judge_revised(call.name, call.args, goal=goal, ordered=self._ordered)

    def _take(self, call: ToolCall, result: ToolResult) -> None:
        told = _told(result.text)
        if call.name == UPDATE and (self.goal is None or self.goal.id == _UNKNOWN):
            named = call.args.get("goal_id"), call.args.get("revision")
            if isinstance(named[0], str) and isinstance(named[1], int):
                self.goal = RevisedGoal(id=named[0], revision=named[1])
        self.goal = apply_revised(call.name, call.args, self.goal, fresh_id=_UNKNOWN)
        if told and self.goal is None and call.name == GET:
            self.goal = RevisedGoal(id=_UNKNOWN)
        if told and self.goal is not None:
            self.goal = replace(self.goal, id=told[0], revision=told[1])


def goal_facts(goal: RevisedGoal | None) -> dict[str, Any]:
    """Return the goal as a transcript compares it."""
    if goal is None:
        return {"goal": None}
    return {
        "id": goal.id,
        "revision": goal.revision,
        "text": goal.objective,
        "phase": goal.phase.value,
        "max_goal_rounds": goal.max_rounds,
        "block": goal.blocked_reason,
    }


def _told(text: str) -> tuple[str, int] | None:
    """Return the id and revision that a result tells, at its top or in its `goal`."""
    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError):
        return None
    for found in (loaded, loaded.get("goal") if isinstance(loaded, dict) else None):
        if isinstance(found, dict):
            name = found.get("goal_id", found.get("id"))
            revision = found.get("revision")
            if isinstance(name, str) and name and isinstance(revision, int):
                return name, revision
    return None
