"""Capability ids: which family an id belongs to, and what it names there."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

import msgspec

from reasonix_runtime.gates.proxy.names import tool_name

RESULT_ID: Final = "session:tool_result"


class Family(StrEnum):
    """What an id leads to."""

    TOOL = "tool"
    SKILL = "skill"
    TASK = "task"
    SERVER = "mcp-server"
    MCP_TOOL = "mcp-tool"
    RESULT = "session"


TOOL_PREFIXES: Final = frozenset({"tool", "web", "lsp", "session", "memory", "workflow"})
"""Prefixes that stand before the name of a registered tool."""

TASKS: Mapping[str, str] = MappingProxyType(
    {
        "task": "task",
        "subagent": "task",
        "read_only_task": "read_only_task",
        "read_only_subagent": "read_only_task",
        "research": "read_only_task",
        "parallel_tasks": "parallel_tasks",
        "parallel": "parallel_tasks",
        "fleet": "fleet",
    }
)
"""The tool behind each id of a sub-agent."""

SKILL_RUNNERS: Final = ("run_skill", "read_only_skill", "read_skill")
"""The tools that can carry a skill out; the first one that is registered does."""


class CapabilityId(msgspec.Struct, frozen=True, kw_only=True):
    """An id that is well formed.

    `name` is the registry name of a tool, the name of a skill or the raw name of a server's tool;
    `server` is set for the ids of servers alone.
    """

    text: str
    family: Family
    name: str = ""
    server: str = ""

    @property
    def on_server(self) -> bool:
        """Whether the id belongs to a server."""
        return self.family in (Family.SERVER, Family.MCP_TOOL)


def parse_id(text: str) -> CapabilityId | None:
    """Return what an id names, or None for one of no family or without a name."""
    if text == RESULT_ID:
        return CapabilityId(text=text, family=Family.RESULT)
    prefix, _, rest = text.partition(":")
    if not rest.strip():
        return None
    if prefix in TOOL_PREFIXES:
        return CapabilityId(text=text, family=Family.TOOL, name=rest)
    if prefix == Family.SKILL:
        return CapabilityId(text=text, family=Family.SKILL, name=rest)
    if prefix == Family.TASK:
        tool = TASKS.get(rest)
        return None if tool is None else CapabilityId(text=text, family=Family.TASK, name=tool)
    return _server_id(text, prefix, rest)


def _server_id(text: str, prefix: str, rest: str) -> CapabilityId | None:
    server, slash, tool = rest.partition("/")
    if prefix == Family.SERVER and not slash:
        return CapabilityId(text=text, family=Family.SERVER, server=server)
    if prefix == Family.MCP_TOOL and server.strip() and tool.strip():
        return CapabilityId(text=text, family=Family.MCP_TOOL, server=server, name=tool)
    return None


def direct_name(text: str) -> str | None:
    """Return the name by which a call reaches the tool of an id directly; None for other ids."""
    found = parse_id(text)
    if found is None or found.family is not Family.MCP_TOOL:
        return None
    return tool_name(found.server, found.name)
