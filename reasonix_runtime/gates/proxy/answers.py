"""What the proxy shows without going anywhere: its list, one capability, a server's tools.

Nothing here starts a process, opens a connection or asks for permission.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from reasonix_runtime.contract.surface import PROXY
from reasonix_runtime.gates.proxy.arguments import Request
from reasonix_runtime.gates.proxy.ids import (
    RESULT_ID,
    SKILL_RUNNERS,
    TASKS,
    CapabilityId,
    Family,
    parse_id,
)
from reasonix_runtime.gates.proxy.names import RESULT_NAME, connect_name, tool_name
from reasonix_runtime.gates.proxy.pages import DEFAULT_LIMIT, HIGHEST_LIMIT
from reasonix_runtime.gates.proxy.world import Flags, HostTool, Server, World
from reasonix_runtime.gates.verdict import Refusal, refuse

Answer = Mapping[str, Any]

LIST_NOTE: Final = (
    "Inspect a capability for its schema. A server that is not ready is started by calling its "
    "mcp-server: id; its tools are listed then."
)
NOTES: Final[Mapping[str, str]] = {
    "proxy.inspect_disabled": "This server is switched off in this session; its tools are not "
    "shown.",
    "proxy.inspect_live": "Tools of the connected server.",
    "proxy.inspect_cache": "Tools from the schema cache; the server is not started.",
    "proxy.inspect_nocache": "Nothing is known of its tools yet: call the mcp-server: id to start "
    "it and list them.",
}
RESULT_DESCRIPTION: Final = "Reads a result of this session that was cut, page by page."


# -- list ----------------------------------------------------------------------------------------


def listing(world: World) -> Answer:
    """Return the answer of `list`."""
    return {
        "capabilities": list(_capabilities(world)),
        "servers": [_server_row(name, server) for name, server in _listed(world)],
        "note": LIST_NOTE,
    }


def _capabilities(world: World) -> Iterator[Answer]:
    """Yield what is not provider-visible and no server's; a restricted proxy has results alone."""
    if world.allowed_ids is None:
        for name, tool in sorted(world.tools.items()):
            if name != PROXY and not tool.visible:
                yield {
                    "id": f"task:{name}" if name in TASKS.values() else f"tool:{name}",
                    "kind": "sub-agent" if name in TASKS.values() else "tool",
                    "name": name,
                    "read_only": tool.read_only,
                    "description": _first_sentence(tool.description),
                }
        if any(tool in world.tools for tool in SKILL_RUNNERS):
            for skill in sorted(world.skills):
                yield {"id": f"skill:{skill}", "kind": "skill", "name": skill}
    if world.session_reader:
        yield {
            "id": RESULT_ID,
            "kind": "session",
            "name": "tool_result",
            "status": "ready",
            "read_only": True,
            "description": RESULT_DESCRIPTION,
        }


def _first_sentence(text: str) -> str:
    """Return as much of a description as a list has room for; `inspect` shows the rest."""
    return text.partition(". ")[0].rstrip(".")


def _listed(world: World) -> Iterator[tuple[str, Server]]:
    """Yield the servers by name; of a restricted proxy those that its ids imply."""
    allowed = world.allowed_ids
    implied = (
        None if allowed is None else {found.server for found in map(parse_id, allowed) if found}
    )
    for name, server in sorted(world.servers.items()):
        if implied is None or name in implied:
            yield name, server


def _server_row(name: str, server: Server) -> Answer:
    status = _server_status(server)
    return {
        "name": name,
        "capability_id": f"{Family.SERVER}:{name}",
        "status": status,
        "authorized": server.authorized,
        "connected": status == "ready",
    }


def _server_status(server: Server) -> str:
    """Return how a server stands; a client of another configuration does not make it ready."""
    if not server.enabled:
        return "disabled"
    if server.authorized and server.current:
        return "ready"
    return "failed" if server.failed else "configured"


def listed_servers(world: World) -> list[Answer]:
    """Return what a list shows of servers, for comparison."""
    return [
        {key: row[key] for key in ("name", "status", "authorized", "connected")}
        for row in listing(world)["servers"]
    ]


# -- inspect -------------------------------------------------------------------------------------


def inspect_refusals(request: Request, world: World) -> Iterator[Refusal]:
    """Yield whether the catalogue does not know what is inspected."""
    if request.id is None or not _known(request.id, world):
        yield refuse("proxy.id_unknown", f"no capability is called {request.text!r}")


def _known(asked: CapabilityId, world: World) -> bool:
    if asked.family is Family.RESULT:
        return world.session_reader
    if asked.family is Family.SKILL:
        return asked.name in world.skills
    if not asked.on_server:
        return asked.name in world.tools and asked.name != PROXY
    server = world.servers.get(asked.server)
    if server is None or asked.family is Family.SERVER:
        return server is not None
    directory = _directory(server)
    return directory is None or asked.name in directory


def _directory(server: Server) -> Mapping[str, Flags] | None:
    """Return the tools that are known of a server without starting it; None shows none."""
    if not server.enabled:
        return None
    return server.live if server.current else server.cache


def inspect_reason(asked: CapabilityId, world: World) -> str:
    """Return which answer `inspect` gives."""
    if not asked.on_server:
        return "proxy.inspect_tool"
    server = world.server(asked.server)
    if not server.enabled:
        return "proxy.inspect_disabled"
    if server.current:
        return "proxy.inspect_live"
    return "proxy.inspect_nocache" if server.cache is None else "proxy.inspect_cache"


def inspected(asked: CapabilityId, world: World) -> Answer:
    """Return the answer of `inspect` for what the catalogue knows."""
    if asked.on_server:
        return _inspected_server(asked, world)
    if asked.family is Family.RESULT:
        return {
            **_entry(asked, "session", "tool_result", RESULT_DESCRIPTION, read_only=True),
            "tool_name": RESULT_NAME,
            "limit_default": DEFAULT_LIMIT,
            "limit_max": HIGHEST_LIMIT,
        }
    if asked.family is Family.SKILL:
        runner = next((tool for tool in SKILL_RUNNERS if tool in world.tools), SKILL_RUNNERS[0])
        return {**_entry(asked, "skill", asked.name, "", read_only=False), "tool_name": runner}
    tool = world.tools.get(asked.name, HostTool())
    kind = "sub-agent" if asked.family is Family.TASK else "tool"
    return {
        **_entry(asked, kind, asked.name, tool.description, read_only=tool.read_only),
        "input_schema": tool.input_schema,
    }


def _entry(
    asked: CapabilityId, kind: str, name: str, description: str, *, read_only: bool
) -> dict[str, Any]:
    return {
        "id": asked.text,
        "kind": kind,
        "name": name,
        "description": description,
        "status": "ready",
        "read_only": read_only,
        "auto_use": False,
        "requires": [],
        "profiles": [],
        "tool_name": name,
        "auto_start": False,
    }


def _inspected_server(asked: CapabilityId, world: World) -> Answer:
    server = world.server(asked.server)
    whole = asked.family is Family.SERVER
    flags = (_directory(server) or {}).get(asked.name, Flags())
    entry = _entry(
        asked,
        "mcp-server" if whole else "mcp-tool",
        asked.server if whole else asked.name,
        flags.description,
        read_only=not whole and flags.read_only,
    )
    name = connect_name(asked.server) if whole else tool_name(asked.server, asked.name)
    return {
        **entry,
        "status": _server_status(server),
        "tool_name": name,
        "tools": _shown_tools(asked, server),
        "note": NOTES[inspect_reason(asked, world)],
    }


def _shown_tools(asked: CapabilityId, server: Server) -> list[Answer]:
    """Return the directory of a server; of one tool that tool alone."""
    return [
        {
            "id": f"{Family.MCP_TOOL}:{asked.server}/{raw}",
            "name": tool_name(asked.server, raw),
            "description": flags.description,
            "read_only": flags.read_only,
            "input_schema": flags.input_schema,
        }
        for raw, flags in _shown(asked, server)
    ]


def raw_tools(asked: CapabilityId, server: Server) -> list[str]:
    """Return the raw names of the tools that a directory shows."""
    return [raw for raw, _ in _shown(asked, server)]


def _shown(asked: CapabilityId, server: Server) -> Iterator[tuple[str, Flags]]:
    for raw, flags in sorted((_directory(server) or {}).items()):
        if asked.family is Family.SERVER or raw == asked.name:
            yield raw, flags


def directory(server_name: str, server: Server) -> Answer:
    """Return the answer of a call of a server that is connected."""
    asked = CapabilityId(
        text=f"{Family.SERVER}:{server_name}", family=Family.SERVER, server=server_name
    )
    return {
        "id": asked.text,
        "status": _server_status(server),
        "tools": _shown_tools(asked, server),
    }
