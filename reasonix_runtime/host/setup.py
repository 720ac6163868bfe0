"""What held before the first turn: the `setup` of transcript format 1 as a record."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias, get_args

import msgspec

RunProfile: TypeAlias = Literal["ordinary", "delivery"]
"""The mode of a run; "delivery" is the closed loop."""
RUN_PROFILES: Final[tuple[str, ...]] = get_args(RunProfile)


class Setup(msgspec.Struct, frozen=True, omit_defaults=True):
    """Facts that a run starts from (keys of the transcript schema).

    `tasks` is the list carried from earlier turns,
    `tools` names the optional tools that are registered (None: all of them). `goal` and `host`
    keep the keys of their own gates.
    """

    workspace: str = ""
    profile: RunProfile = "ordinary"
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


def delegated_setup(setup: Setup) -> Setup:
    """Return what a delegated run starts from: the session's switches, none of its work."""
    return msgspec.structs.replace(
        setup,
        tasks=(),
        expectations=(),
        capabilities=(),
        goal_checkpoint=None,
        plan_mode=False,
        subagent_depth=0,
    )


_BY_NAME: Final = frozenset({"cache", "catalogue", "ledger", "live", "servers", "tools"})
"""Keys of `host` below which names stand that the writer chose."""


def setup_of(data: dict[str, Any]) -> Setup:
    """Read the data of a `setup` host event; a wrong type raises `msgspec.ValidationError`."""
    setup = msgspec.convert(data, Setup)
    return msgspec.structs.replace(setup, host=_without_null(setup.host))


def _without_null(value: Any, *, by_name: bool = False) -> Any:
    """Return a description without what is null: it is not given, and an entry by name is empty."""
    if isinstance(value, dict):
        return {
            key: {} if inner is None else _without_null(inner, by_name=_names(key, by_name))
            for key, inner in value.items()
            if by_name or inner is not None
        }
    return [*map(_without_null, value)] if isinstance(value, list) else value


def _names(key: str, by_name: bool) -> bool:
    """Whether names stand below a key; one that is such a name itself is no key."""
    return key in _BY_NAME and not by_name
