"""The goal of a host that names goals by id and revision, as a recording shows it.

The id and the revision are the host's own. They are read from the results of the goal tools; where
a result does not tell them, a later call cannot be judged, and that is said.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec

from reasonix_runtime.gates.goal.ungated import (
    GET,
    UPDATE,
    Phase,
    RevisedGoal,
    Turn,
    apply_revised,
    judge_revised,
)
from reasonix_runtime.gates.verdict import Verdict, not_assessable
from reasonix_runtime.host.prompt_blocks import inside
from reasonix_runtime.trace.events import ToolCall, ToolResult, User

_UNKNOWN = ""
_USER_PAUSED = "user-paused"
_NOT_ATTESTED = "goal tools require the current top-level host-attested goal context"


class RevisedGoals:
    """The one goal of a session, its id empty while the recording has not told it.

    Args:
        complete: whether the recording starts with the session, so that there is no goal before
            the first one that it shows.
    """

    def __init__(self, *, complete: bool = True) -> None:
        self.goal: RevisedGoal | None = None if complete else RevisedGoal(id=_UNKNOWN)
        self._turn = Turn()

    def turn_starts(self) -> None:
        """Forget the orders of the last turn."""
        self._turn = Turn(ordered=False)

    def user_spoke(self, event: User) -> None:
        """Note that the person said something, or that the host began a round of the goal."""
        spoken = event.raw_text or event.text
        found = inside("goal-round", spoken) if "<goal-round>" in spoken else None
        told = None if found is None else _object(found)
        if told is not None:
            self.goal = _goal_of(told, self.goal) or self.goal
        elif event.origin == "user":
            self._turn = msgspec.structs.replace(self._turn, ordered=True)

    def judge(self, call: ToolCall, result: ToolResult) -> Verdict:
        """Judge a call of a goal tool and move the goal as the recording says."""
        if _NOT_ATTESTED in result.text:
            self._turn = msgspec.structs.replace(self._turn, attested=False)
        verdict = self._verdict(call)
        before = self.goal
        taken = verdict.accepted if result.outcome == "none" else result.outcome == "ok"
        if taken and isinstance(call.args, Mapping):
            self._take(call, result)
        facts = {"unchanged": self.goal == before, **revised_goal_facts(self.goal)}
        return msgspec.structs.replace(verdict, facts={"state_after": facts})

    def _verdict(self, call: ToolCall) -> Verdict:
        goal = self.goal
        if goal is not None and goal.id == _UNKNOWN and call.name != GET and self._turn.attested:
            return not_assessable(
                call.name, "The recording does not tell the id of the goal that this call means."
            )
        return judge_revised(call.name, call.given, goal=goal, turn=self._turn)

    def _take(self, call: ToolCall, result: ToolResult) -> None:
        """Move the goal: by what the result tells, else by what the call asked for."""
        told = _object(result.text)
        if told is not None and "goal" in told and told["goal"] is None:
            self.goal = None
            return
        if call.name == UPDATE and (self.goal is None or self.goal.id == _UNKNOWN):
            self.goal = _goal_of(call.args, None)
        self.goal = apply_revised(call.name, call.args, self.goal, fresh_id=_UNKNOWN)
        if told is not None:
            inner = told.get("goal")
            fields = inner if isinstance(inner, dict) else told
            self.goal = _goal_of({**fields, "stopReason": told.get("stopReason")}, self.goal)


def revised_goal_facts(goal: RevisedGoal | None) -> dict[str, Any]:
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


def _object(text: str) -> dict[str, Any] | None:
    """Return the JSON object that a text is."""
    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return loaded if isinstance(loaded, dict) else None


def _goal_of(told: Mapping[str, Any], known: RevisedGoal | None) -> RevisedGoal | None:
    """Return the goal that a host's words tell, on top of what is known of it."""
    name = next((told[key] for key in ("goalId", "goal_id", "id") if key in told), None)
    revision = told.get("revision")
    if not isinstance(name, str) or not name or not isinstance(revision, int):
        return known
    base = known or RevisedGoal(id=name)
    phase, rounds = told.get("phase"), told.get("roundsStarted", told.get("round"))
    in_round = "round" in told
    return replace(
        base,
        id=name,
        revision=revision,
        objective=str(told.get("objective", base.objective)),
        phase=Phase(phase) if phase in list(Phase) else Phase.ACTIVE if in_round else base.phase,
        rounds=rounds if isinstance(rounds, int) else base.rounds,
        user_paused=not in_round and (told.get("stopReason") == _USER_PAUSED or base.user_paused),
    )
