"""What held before the first turn: the `setup` of transcript format 1 as a record."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class Setup(msgspec.Struct, frozen=True, omit_defaults=True):
    """Facts that a run starts from (keys of the transcript schema).

    `profile` "delivery" is the closed loop. `tasks` is the list carried from earlier turns,
    `tools` names the optional tools that are registered (None: all of them). `goal` and `host`
    keep the keys of their own gates.
    """

    workspace: str = ""
    profile: Literal["ordinary", "delivery"] = "ordinary"
    preset: Literal["light", "balanced", "delivery"] = "balanced"
    role: Literal[
        "executor", "planner", "subagent", "read_only_subagent", "path_bound_subagent", "review"
    ] = "executor"
    tasks: tuple[dict[str, Any], ...] = ()
    project_checks: tuple[str, ...] = ()
    tools: tuple[str, ...] | None = None
    expectations: tuple[Literal["evidence", "mutation", "persistent"], ...] = ()
    capabilities: tuple[dict[str, Any], ...] = ()
    plan_mode: bool = False
    subagent_depth: int = 0
    no_ledger: bool = False
    goal_checkpoint: dict[str, Any] | None = None
    constraints: dict[str, Any] | None = None
    goal_active: bool = False
    plan_criteria: tuple[str, ...] = ()
    policy_floor: str | None = None
    unverified_claim: bool = False
    interactive: bool = False
    goal: dict[str, Any] | None = None
    host: dict[str, Any] | None = None


def setup_of(data: dict[str, Any]) -> Setup:
    """Read the data of a `setup` host event; a wrong type raises `msgspec.ValidationError`."""
    return msgspec.convert(data, Setup)
