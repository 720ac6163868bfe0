"""What a host knows when a capability is called: servers, tools, rules, stored results.

A transcript tells it under `setup.host`; a live host makes it of its own state. A missing flag is
false. Nothing here is looked up: the same world gives the same answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Final, Literal

import msgspec

from reasonix_runtime.gates.proxy.pages import StoredResult, stored_result


class Role(StrEnum):
    """Whose front end the proxy is."""

    EXECUTOR = "executor"
    PLANNER = "planner"
    SUBAGENT = "subagent"
    READ_ONLY_SUBAGENT = "read_only_subagent"
    PATH_BOUND_SUBAGENT = "path_bound_subagent"

    @property
    def reads_only(self) -> bool:
        """Whether the read-only boundary stands before everything that it calls."""
        return self in (Role.PLANNER, Role.READ_ONLY_SUBAGENT)


class Flags(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a tool: its hints, and what a directory shows of it."""

    read_only: bool = False
    destructive: bool = False
    description: str = ""
    input_schema: dict[str, Any] = {}
    output_schema: dict[str, Any] | None = None


UNKNOWN_TOOL = Flags()
"""A tool that nobody described: a writer, and not destructive."""

SAME = "same"
"""The identity of a connection that has exactly the current configuration."""


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """What changes between resolution and dispatch; None leaves it as it was."""

    removed: bool = False
    enabled: bool | None = None
    authorized: bool | None = None
    identity: str | None = None


class Server(msgspec.Struct, frozen=True, kw_only=True):
    """One configured server.

    Attributes:
        enabled: in this session.
        authorized: installed by the user, or approved by the user as it is.
        connected: whether a client of that name is connected, whoever started it.
        identity: of the configuration that this client has: "same" is the current one.
        cache: the schema cache, None without a valid one.
        live: the tools that a connected server reports.
        catalogue: what the host itself says of tools; only `destructive` is asked.
        failed: whether a start failed and none succeeded since.
        start_seconds: how long a start takes.
        start_fails: whether a start comes to nothing.
        after_resolve: what changes between resolution and dispatch.
    """

    enabled: bool = True
    authorized: bool = True
    connected: bool = False
    identity: str = SAME
    cache: dict[str, Flags] | None = None
    live: dict[str, Flags] = {}
    catalogue: dict[str, Flags] = {}
    failed: bool = False
    start_seconds: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    start_fails: bool = False
    after_resolve: Changes = Changes()

    @property
    def current(self) -> bool:
        """Whether the connected client has exactly the current configuration."""
        return self.connected and self.identity == SAME

    def changed(self) -> Server:
        """Return the server after what changed since it was resolved; a client keeps its own."""
        changes = self.after_resolve
        return msgspec.structs.replace(
            self,
            enabled=self.enabled if changes.enabled is None else changes.enabled,
            authorized=self.authorized if changes.authorized is None else changes.authorized,
            identity=changes.identity or self.identity,
            after_resolve=Changes(),
        )


class HostTool(msgspec.Struct, frozen=True, kw_only=True):
    """A registered tool; the provider-visible ones are left out of lists."""

    read_only: bool = False
    visible: bool = False
    description: str = ""
    input_schema: dict[str, Any] = {}


DEFAULT_TOOLS: Mapping[str, HostTool] = {
    "grep": HostTool(read_only=True),
    "multi_edit": HostTool(),
    "web_fetch": HostTool(read_only=True),
}
"""The tools of a transcript that names none."""


class World(msgspec.Struct, frozen=True, kw_only=True):
    """What one front end of the proxy stands in.

    Attributes:
        role: whose front end it is.
        plan_mode: whether the session only plans.
        session_reader: whether the stored results of the session can be read.
        ordinary_gate: what the ordinary permission gate says where no deny rule decides.
        hook_blocks: the names that a hook before the call blocks.
        deny: deny rules, `name` or `name(subject pattern)`.
        phase_opt_out: tools that refuse the planning phase.
        allowed_ids: the ids that a restricted proxy may name, None for an unrestricted one.
        servers: by name.
        tools: the registry, by name.
        skills: the names of the skills that there are.
        results: the stored results of the session, oldest first.
    """

    role: Role = Role.EXECUTOR
    plan_mode: bool = False
    session_reader: bool = True
    ordinary_gate: Literal["allow", "deny", "deny_writers"] = "allow"
    hook_blocks: frozenset[str] = frozenset()
    deny: tuple[str, ...] = ()
    phase_opt_out: frozenset[str] = frozenset()
    allowed_ids: frozenset[str] | None = None
    servers: dict[str, Server] = {}
    tools: Mapping[str, HostTool] = msgspec.field(default_factory=lambda: DEFAULT_TOOLS)
    skills: tuple[str, ...] = ()
    results: tuple[StoredResult, ...] = ()

    def server(self, name: str) -> Server:
        """Return a server; one that is not there has never been started."""
        return self.servers.get(name, Server())

    def with_server(self, name: str, server: Server) -> World:
        """Return the world with one server replaced."""
        return msgspec.structs.replace(self, servers={**self.servers, name: server})

    def without_server(self, name: str) -> World:
        """Return the world without one server."""
        left = {key: server for key, server in self.servers.items() if key != name}
        return msgspec.structs.replace(self, servers=left)


_REVIEWER: Final = "review"
"""A role of a session that is no front end of its own: to the proxy it is any sub-agent."""


def world_of(told: Mapping[str, Any], *, role: str, plan_mode: bool) -> World:
    """Read a world out of `setup.host`; `role` and `plan_mode` are those of the whole setup.

    Keys that belong to other gates are left alone.

    Raises:
        msgspec.ValidationError: a value has the wrong type, or a role is none.
    """
    fields = {name: told[name] for name in World.__struct_fields__ if told.get(name) is not None}
    results = msgspec.convert(fields.pop("results", ()), tuple[dict[str, Any], ...])
    stored = [item for item in results if "tool_call_id" in item]
    own = fields.get("role", role)
    fields["role"] = Role.SUBAGENT if own == _REVIEWER else own
    fields.setdefault("plan_mode", plan_mode)
    world = msgspec.convert(fields, World)
    return msgspec.structs.replace(world, results=tuple(map(stored_result, stored)))
