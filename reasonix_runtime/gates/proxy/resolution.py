"""Where a capability id leads: to a target, to a server that has to be started, or nowhere.

Resolution is pure: it starts nothing and asks for nothing. Why a target is unavailable is told by
:func:`unavailable`; :func:`resolve` says what would be called all the same, so that whoever asks
for permission or leaves evidence has its real name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

import msgspec

from reasonix_runtime.gates.capability import UNAVAILABLE, RouteOutcome
from reasonix_runtime.gates.proxy.arguments import Request
from reasonix_runtime.gates.proxy.ids import SKILL_RUNNERS, CapabilityId, Family
from reasonix_runtime.gates.proxy.names import (
    RESULT_NAME,
    connect_name,
    server_prefix,
    tool_name,
)
from reasonix_runtime.gates.proxy.world import UNKNOWN_TOOL, HostTool, Server, World
from reasonix_runtime.gates.verdict import Refusal, refuse


class Kind(Enum):
    """What kind of thing a call reaches."""

    HOST_TOOL = "host tool"
    RESULT = "result"
    MCP_TOOL = "MCP tool"
    CONNECT = "connect"
    DIRECTORY = "directory"
    """A connected server's tools: answered by looking, without a target."""


class Resolution(msgspec.Struct, frozen=True, kw_only=True):
    """What a call would reach.

    Attributes:
        kind: what it is.
        name: what permission, hooks and evidence call it.
        arguments: what it is called with.
        read_only: its own hint, from the live list, the cache or the registry.
        destructive: the same.
        deferred: whether a server has to be started first.
        known: whether its flags come from the schema cache or from the connected server.
        server: the server that it is on, empty for the host's own.
        tool: its raw name there.
    """

    kind: Kind
    name: str
    arguments: Mapping[str, Any] = {}
    read_only: bool = False
    destructive: bool = False
    deferred: bool = False
    known: bool = False
    server: str = ""
    tool: str = ""

    @property
    def on_server(self) -> bool:
        """Whether a server runs it, or is started by it."""
        return self.server != ""

    @property
    def target(self) -> str | None:
        """The name of what is called; a directory has none."""
        return None if self.kind is Kind.DIRECTORY else self.name

    @property
    def harmless(self) -> bool:
        """Whether it is known to read only and to destroy nothing."""
        return self.read_only and not self.destructive

    @property
    def changes_nothing(self) -> bool:
        """Whether delivery gates and receipts see a read.

        A start changes what the host holds and never the workspace.
        """
        return self.read_only or self.kind is Kind.CONNECT


def resolve(request: Request, world: World) -> Resolution:
    """Return what a call reaches; its id is well formed."""
    asked = request.id
    if asked is None:
        return Resolution(kind=Kind.HOST_TOOL, name=request.text)
    if asked.family is Family.RESULT:
        return Resolution(
            kind=Kind.RESULT, name=RESULT_NAME, arguments=request.arguments, read_only=True
        )
    if asked.family is Family.SERVER:
        return _server(asked, world.server(asked.server))
    if asked.family is Family.MCP_TOOL:
        return _mcp_tool(asked, world.server(asked.server), request.arguments)
    return _host_tool(asked, world, request.arguments)


def _host_tool(asked: CapabilityId, world: World, arguments: Mapping[str, Any]) -> Resolution:
    name = asked.name
    if asked.family is Family.SKILL:
        name = next((tool for tool in SKILL_RUNNERS if tool in world.tools), SKILL_RUNNERS[0])
        arguments = {**arguments, "name": asked.name}
    tool = world.tools.get(name, HostTool())
    return Resolution(kind=Kind.HOST_TOOL, name=name, arguments=arguments, read_only=tool.read_only)


def _server(asked: CapabilityId, server: Server) -> Resolution:
    """Return the directory of a connected server, or the start of another one."""
    if server.connected:
        return Resolution(
            kind=Kind.DIRECTORY,
            name=server_prefix(asked.server),
            read_only=True,
            server=asked.server,
        )
    return Resolution(
        kind=Kind.CONNECT, name=connect_name(asked.server), deferred=True, server=asked.server
    )


def _mcp_tool(asked: CapabilityId, server: Server, arguments: Mapping[str, Any]) -> Resolution:
    """Return a tool with the flags that are known of it before it is called."""
    raw = _raw_name(asked, server)
    known = (server.live if server.connected else server.cache or {}).get(raw)
    flags = known or UNKNOWN_TOOL
    told = server.catalogue.get(raw, UNKNOWN_TOOL)
    return Resolution(
        kind=Kind.MCP_TOOL,
        name=tool_name(asked.server, raw),
        arguments=arguments,
        read_only=flags.read_only,
        destructive=flags.destructive or (not server.connected and told.destructive),
        deferred=not server.connected,
        known=known is not None,
        server=asked.server,
        tool=raw,
    )


def _raw_name(asked: CapabilityId, server: Server) -> str:
    """Return the raw name of a tool; on a connected server it may be asked for by either name."""
    if server.connected and asked.name not in server.live:
        for raw in server.live:
            if tool_name(asked.server, raw) == asked.name:
                return raw
    return asked.name


def unavailable(asked: CapabilityId | None, world: World) -> Iterator[Refusal]:
    """Yield why there is nothing to call."""
    if asked is None or asked.family is Family.RESULT:
        return
    if asked.on_server:
        yield from _server_unavailable(asked, world)
    elif not _registered(asked, world):
        yield _gone("proxy.no_tool", f"no tool of this host serves {asked.text}")


def _registered(asked: CapabilityId, world: World) -> bool:
    if asked.family is Family.SKILL:
        return any(tool in world.tools for tool in SKILL_RUNNERS)
    return asked.name in world.tools


def _server_unavailable(asked: CapabilityId, world: World) -> Iterator[Refusal]:
    server = world.servers.get(asked.server)
    if server is None:
        yield _gone("proxy.off", f"there is no server {asked.server} in this session")
    elif not server.enabled:
        yield _gone("proxy.off", f"the server {asked.server} is not enabled in this session")
    server = server or Server()
    if not server.authorized:
        yield _gone("proxy.unauth", f"the server {asked.server} is not authorized by the user")
    if not server.connected:
        return
    if server.identity != Server().identity:
        yield _gone(
            "proxy.identity",
            f"the connection named {asked.server} belongs to another configuration",
        )
    if asked.family is Family.MCP_TOOL and _raw_name(asked, server) not in server.live:
        yield _gone("proxy.no_tool", f"the server {asked.server} has no tool {asked.name}")


def _gone(reason: str, why: str) -> Refusal:
    return refuse(reason, f"{UNAVAILABLE}{why}", settles=RouteOutcome.UNAVAILABLE)
