"""What a child is given: its registry, what its tools do, and its proxy.

Which names it has follows from `contract/surface.py`; here they become tools that keep to it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from reasonix_runtime.capabilities.front_end import FrontEnd
from reasonix_runtime.contract import surface
from reasonix_runtime.evidence.arguments import paths_of
from reasonix_runtime.evidence.command_kinds import is_permission_readonly
from reasonix_runtime.evidence.tool_kinds import READ_ONLY_TOOLS
from reasonix_runtime.gates.capability import plain_id
from reasonix_runtime.gates.delegation.claims import Claim, claim_of, covers, inside
from reasonix_runtime.gates.proxy.world import Role
from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.bash import DECLARATION as BASH
from reasonix_runtime.tools.behaviours import built_in_behaviours
from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.errors import BlockedError, ToolError
from reasonix_runtime.tools.judged import judged
from reasonix_runtime.tools.registry import Registry, default_registry

if TYPE_CHECKING:
    from reasonix_runtime.agents.children.agent import Agent, Crew
    from reasonix_runtime.evidence.command_rules import CommandRules
    from reasonix_runtime.gates.delegation.items import FleetItem
    from reasonix_runtime.tools.context import Behaviour

FOREGROUND = replace(
    BASH,
    description="Run one shell command to its end and return its output; a non-zero exit status is "
    "reported as an error together with the output. Every call is a new process that starts in the "
    "workspace directory. Nothing runs in the background here.",
    arguments=s.record(
        {"command": s.string("The command line, as the shell reads it.")}, required=["command"]
    ),
)
"""The shell of a child."""

CANNOT: Final = "this sub-agent cannot"
"""Begins what is refused for what a child is, not by a gate of the rules."""


class Outfit(NamedTuple):
    """The tools of a child, what they do, and its proxy, None without one."""

    registry: Registry
    behaviours: Mapping[str, Behaviour]
    door: FrontEnd | None


def names_of(item: FleetItem, caller: Agent, *, reads: bool, reviews: bool) -> tuple[str, ...]:
    """Return the registry of a child, in wire order."""
    names = surface.child_registry(
        "review_subagent" if reviews else "subagent",
        caller.names,
        read_only=READ_ONLY_TOOLS,
        allowlist=item.tools or None,
        depth=caller.depth + 1,
    )
    if reads:
        return surface.read_only_part(names, read_only=READ_ONLY_TOOLS)
    if item.write_paths:
        # No sandbox of ours confines a shell to single paths of the workspace.
        return surface.path_bound_part(names, read_only=READ_ONLY_TOOLS, sandboxed_shell=False)
    return names


def registry_of(names: Sequence[str]) -> Registry:
    """Return the registry of a child, its shell without a background."""
    registry = default_registry(review=True).select(names)
    if BASH.name in registry:
        registry.register(FOREGROUND)
    return registry


def outfit(crew: Crew, agent: Agent, item: FleetItem, *, reads: bool) -> Outfit:
    """Return what a child is given; `agent` is the child."""
    registry = registry_of(agent.names)
    state = crew.journal.state
    behaviours: dict[str, Behaviour] = {
        **built_in_behaviours(),
        **crew.delegating(crew, agent),
        surface.REVIEW_REPORT: _report,
        BASH.name: _shell(state.policy.ledger.commands, reads=reads),
    }
    if item.write_paths:
        claim = claim_of(item.write_paths, workspace_root(crew))
        for name in surface.PATH_WRITERS:
            behaviours[name] = _bound(behaviours[name], claim)
    works = registry.select(name for name in agent.names if name != surface.PROXY)
    door = None
    if surface.PROXY in agent.names:
        door = FrontEnd(
            registry=works,
            state=state,
            connections=crew.connections,
            role=_role(item, reads=reads),
            allowed_ids=_allowed_ids(item.tools or None),
            skills=tuple(crew.skills),
        )
    return Outfit(registry, behaviours, door)


def workspace_root(crew: Crew) -> str:
    """Return the folder that claims are relative to, free of links."""
    return os.path.realpath(crew.workspace.directory)


def _role(item: FleetItem, *, reads: bool) -> Role:
    if reads:
        return Role.READ_ONLY_SUBAGENT
    return Role.PATH_BOUND_SUBAGENT if item.write_paths else Role.SUBAGENT


def _allowed_ids(tools: Sequence[str] | None) -> frozenset[str] | None:
    """Return the capability ids that a restricted proxy may name, None for a full one."""
    if surface.child_proxy(tools) == "full":
        return None
    return frozenset(_capability_id(entry) for entry in tools or ())


def _capability_id(entry: str) -> str:
    """Return the id that an entry means; the adapter of a server's tool is named after both."""
    meant = plain_id(entry) if surface.is_mcp_adapter(entry) else None
    return meant or entry


def _report(_arguments: Arguments, context: Context) -> Output:
    return judged(surface.REVIEW_REPORT, context)


def _shell(rules: CommandRules, *, reads: bool) -> Behaviour:
    """Return the shell of a child; one that only reads runs what is known to read only."""

    def run(arguments: Arguments, context: Context) -> Output:
        """Run a command, or say that the child may not."""
        command = arguments["command"]
        if arguments.get("run_in_background"):
            raise ToolError("a sub-agent runs nothing in the background; call it without")
        if reads and not is_permission_readonly(command, rules):
            text = f"blocked: {CANNOT} run a command that is not known to only read"
            # No error of a tool, and yet no evidence: nothing ran.
            return Output(text=text, outcome="blocked")
        return built_in_behaviours()[BASH.name]({"command": command}, context)

    return run


def _bound(run: Behaviour, claim: Claim) -> Behaviour:
    """Return a writer that stays under the paths of its child."""

    def bound(arguments: Arguments, context: Context) -> Output:
        """Write, or say which path is not the child's."""
        for path in paths_of(arguments):
            place = context.workspace.locate(path)
            below = inside(place.real, os.path.realpath(context.workspace.directory))
            if below is None or not covers(claim, below):
                allowed = ", ".join(sorted(claim or ()))
                raise BlockedError(f"{CANNOT} write {path}: it has {allowed} alone")
        return run(arguments, context)

    return bound


def giving_way(crew: Crew, behaviours: Mapping[str, Behaviour]) -> dict[str, Behaviour]:
    """Return tools whose writers fail where a running child holds their paths."""
    found: dict[str, Any] = dict(behaviours)
    for name in surface.PATH_WRITERS:
        found[name] = _giving_way(crew, behaviours[name])
    return found


def _giving_way(crew: Crew, run: Behaviour) -> Behaviour:
    def unless_held(arguments: Arguments, context: Context) -> Output:
        """Write, or say that a child holds the path."""
        real = [context.workspace.locate(path).real for path in paths_of(arguments)]
        if crew.slots.in_the_way(claim_of(real, workspace_root(crew))):
            raise ToolError("a sub-agent that runs holds that path; wait for its end")
        return run(arguments, context)

    return unless_held
