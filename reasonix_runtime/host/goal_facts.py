"""The goal's records as facts of verdicts, and verdicts and stored data as records of the goal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reasonix_runtime.gates.goal.sidecar import MalformedGoalError
from reasonix_runtime.gates.goal.turn import READY, Readiness
from reasonix_runtime.gates.rules import RULES, rule_of
from reasonix_runtime.gates.verdict import Decision, Verdict
from reasonix_runtime.host.goal_setup import GoalSetup, goal_setup_of

if TYPE_CHECKING:
    from reasonix_runtime.gates.goal.state import GoalState
    from reasonix_runtime.gates.goal.table import Step
    from reasonix_runtime.host.setup import Setup


def goal_facts(goal: GoalState) -> dict[str, Any]:
    """Return the fields of a goal under their names in snake case."""
    return {
        "text": goal.text,
        "status": goal.status.value,
        "stop_cause": str(goal.stop_cause),
        "block": goal.block,
        "scope": goal.scope,
        "delivery_checkpoint": dict(goal.checkpoint),
        "epoch": goal.epoch,
        "budget_class": goal.budget_class.value,
        "turns_used": goal.turns_used,
        "turns_limit": goal.turns_limit,
        "budget_extensions": goal.budget_extensions,
        "tokens_used": goal.tokens_used,
        "tokens_limit": 0,
        "no_progress_turns": goal.no_progress_turns,
        "no_progress_limit": goal.no_progress_limit,
        "last_continuation_reason": goal.last_continuation_reason,
        "last_evaluator_reason": goal.last_evaluator_reason,
        "research_mode": goal.research_mode.value,
        "auto_research_task_id": goal.research_task,
        "strict": goal.strict,
        "todos": [{"content": todo.content, "status": todo.status} for todo in goal.todos],
    }


def given_goal(setup: Setup) -> GoalSetup | None:
    """Return the goal of a setup: its own record, or the default one of an active goal."""
    if setup.goal is not None:
        return goal_setup_of({"preset": setup.preset, **setup.goal})
    return GoalSetup(preset=setup.preset) if setup.goal_active else None


def step_verdict(gate: str, step: Step, state_after: Mapping[str, Any]) -> Verdict:
    """Return what the machine decided as a verdict; the rule says in words what holds."""
    rule = rule_of(step.reason)
    return Verdict(
        gate=gate,
        decision=Decision.ACCEPT if step.accepted else Decision.REJECT,
        reason=step.reason,
        rule=rule,
        told=RULES[rule].sentence if rule else "",
        facts={"state_after": state_after},
    )


def going_on(step: Step) -> dict[str, Any]:
    """Return whether and how the host goes on by itself, as a transcript compares it."""
    prompt = step.prompt.value if step.prompt else "none"
    return {"auto_continue": step.auto_continue, "next_prompt": prompt}


def readiness_of(verdict: Verdict) -> Readiness | None:
    """Return what the end-of-turn gate found, None when it could not tell."""
    if verdict.decision is Decision.NOT_ASSESSABLE:
        return None
    if verdict.accepted:
        return READY
    missing = tuple(verdict.facts.get("missing", ()))
    return Readiness(missing=missing, reason=verdict.message or str(verdict.reason))


def loaded_sidecar(sidecar: Any) -> Any:
    """Return a stored goal as data; text is read as the file would be.

    Raises MalformedGoalError for a text that is no JSON.
    """
    if not isinstance(sidecar, str):
        return sidecar
    try:
        return json.loads(sidecar)
    except (ValueError, RecursionError) as error:
        raise MalformedGoalError(f"no JSON: {error}") from error
