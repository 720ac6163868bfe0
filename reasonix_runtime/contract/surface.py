"""Boot surfaces: which tools exist, and which agent sees which of them, as data.

Three things are kept apart: the *registry* is everything a host can dispatch, the *provider-visible
surface* is the `tools` array of a request (a lean core and one proxy, the same bytes for a whole
session), and an agent's *reachable set* is what it may dispatch at all. The functions here take
names and return names in wire order; none of them looks at a tool.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from reasonix_runtime.errors import ContractError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

BUILT_IN = (
    "bash",
    "bash_output",
    "code_index",
    "complete_step",
    "compress",
    "delete_range",
    "delete_symbol",
    "edit_file",
    "glob",
    "grep",
    "kill_shell",
    "ls",
    "move_file",
    "multi_edit",
    "notebook_edit",
    "read_file",
    "todo_write",
    "update_goal",
    "wait",
    "web_fetch",
    "write_file",
)
"""The tools that every host of this contract has compiled in."""

SESSION = (
    "ask",
    "docs",
    "explore",
    "fleet",
    "forget",
    "history",
    "install_skill",
    "install_source",
    "list_sessions",
    "lsp_definition",
    "lsp_diagnostics",
    "lsp_hover",
    "lsp_references",
    "memory",
    "parallel_tasks",
    "read_only_skill",
    "read_only_task",
    "read_session",
    "read_skill",
    "read_subagent_result",
    "remember",
    "research",
    "review",
    "run_skill",
    "security_review",
    "slash_command",
    "task",
)
"""The tools that a session adds at boot."""

PROXY = "use_capability"
"""The one tool through which everything is reached that is not provider-visible."""

REVIEW_REPORT = "review_report"
"""Exists inside reviewing sub-agents only."""

CORE = (
    "bash",
    "bash_output",
    "compress",
    "edit_file",
    "kill_shell",
    "read_file",
    PROXY,
    "wait",
    "write_file",
)
"""The lean core: provider-visible in every task."""

MCP_PREFIX = "mcp__"
"""What the names of tools of MCP servers begin with."""

HOST_CONTROL = ("ask", "complete_step", "todo_write", "update_goal")
"""The tools that talk to the host and not to the workspace; visible beside the core by default."""

BACKGROUND_JOBS = ("bash_output", "kill_shell", "wait")
"""Background jobs belong to the executor; a child has none."""

SKILLS = ("explore", "research", "review", "security_review")
"""The tools that are a skill each: its name is their own."""

DELEGATION = (*SKILLS, "read_only_skill", "read_only_task", "run_skill", "task")
"""The tools that start one child; hidden from a child at the depth limit."""

WRITING_DELEGATION = (*SKILLS, "run_skill", "task")
"""Delegation that may start a writer; hidden from a read-only child at any depth."""

GROUP_DELEGATION = ("fleet", "parallel_tasks")
"""The tools that start several children at once."""

EXECUTOR_ONLY = (*GROUP_DELEGATION, "install_skill", "install_source", "read_subagent_result")
"""Hidden from every child."""

PLANNER_HIDDEN = (
    *DELEGATION,
    *EXECUTOR_ONLY,
    *HOST_CONTROL,
    "bash_output",
    "read_skill",
    "slash_command",
    "wait",
)
"""Read-only tools that a planner does not get: delegation, authoring, and what is no research."""

RETIRED = ("connect_tool_source",)
"""Names that documents of the family still mention and no current host registers."""

READ_ONLY_HIDDEN = (*RETIRED, "slash_command")
"""Read-only tools that a read-only child does not get beside host control."""

PATH_WRITERS = (
    "delete_range",
    "delete_symbol",
    "edit_file",
    "move_file",
    "multi_edit",
    "notebook_edit",
    "write_file",
)
"""The writers whose paths a host can check per call."""

ROLES = (
    "planner",
    "subagent",
    "read_only_subagent",
    "path_bound_subagent",
    "review_subagent",
)
"""The agents beside the executor that have a registry of their own."""

DEFAULT_DEPTH_LIMIT = 2
"""How deep children may nest unless the host is configured otherwise; at least 1."""

FULL = tuple(sorted((*BUILT_IN, *SESSION, PROXY)))
"""The registry of a default boot, in wire order."""


class Surface(NamedTuple):
    """A named surface: its id in item names and reports, and the tool names in wire order."""

    id: str
    names: tuple[str, ...]


def wire_order(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names as a provider gets them: each once, bytewise ascending."""
    return tuple(sorted(set(names), key=str.encode))


def provider_visible(
    registered: Collection[str], *, host_control: bool = True, compress: bool = True
) -> tuple[str, ...]:
    """Return the provider-visible names of an executor.

    A name is visible only if it is registered, except the proxy, which every agent front end has.
    `host_control` puts the four host-control tools beside the core, `compress` keeps that tool in
    it.
    """
    wanted = {*CORE, *(HOST_CONTROL if host_control else ())}
    if not compress:
        wanted.discard("compress")
    return wire_order({PROXY} | (wanted & set(registered)))


def is_mcp_adapter(name: str) -> bool:
    """Whether a registry name is the adapter of an MCP tool."""
    return name.startswith(MCP_PREFIX)


def planner(registered: Iterable[str], *, read_only: Collection[str]) -> tuple[str, ...]:
    """Return the planner's registry: what is read-only and research, and a proxy of its own.

    `read_only` are the names that the host flags as read-only.
    """
    kept = (
        name
        for name in registered
        if name in read_only and name not in PLANNER_HIDDEN and not is_mcp_adapter(name)
    )
    return wire_order([*kept, PROXY])


def expand_allowlist(allowlist: Iterable[str], registered: Collection[str]) -> frozenset[str]:
    """Return the registered names that an allowlist means; `*` and `?` are patterns."""
    return frozenset(
        name for name in registered if any(fnmatchcase(name, pattern) for pattern in allowlist)
    )


def child_proxy(allowlist: Sequence[str] | None, registered: Iterable[str] = ()) -> str:
    """Return which proxy a child gets: `full`, `restricted` or `none`.

    Without an allowlist, or with one that names the proxy, it is full. An allowlist with at least
    one valid MCP entry (a capability id, or a pattern that expands to an adapter) restricts it to
    these; any other allowlist leaves no proxy at all.
    """
    if allowlist is None or expand_allowlist(allowlist, [PROXY]):
        return "full"
    if any(_names_mcp(entry) for entry in allowlist):
        return "restricted"
    adapters = [name for name in registered if is_mcp_adapter(name)]
    return "restricted" if expand_allowlist(allowlist, adapters) else "none"


def _names_mcp(entry: str) -> bool:
    """Whether an entry is the valid id or name of an MCP server or tool, not a pattern."""
    if {"*", "?"} & set(entry):
        return False
    family, _, rest = entry.partition(":")
    if family == "mcp-server":
        return bool(rest) and "/" not in rest
    if family == "mcp-tool":
        server, _, tool = rest.partition("/")
        return bool(server) and bool(tool)
    server, separator, tool = entry.removeprefix(MCP_PREFIX).partition("__")
    return is_mcp_adapter(entry) and bool(server and separator and tool)


def sub_agent(
    parent: Collection[str],
    *,
    allowlist: Sequence[str] | None = None,
    depth: int = 1,
    max_depth: int = DEFAULT_DEPTH_LIMIT,
    review: bool = False,
) -> tuple[str, ...]:
    """Return the registry of an ordinary child that runs at `depth` (the executor is at 0).

    A child at the depth limit cannot delegate; a limit below 1 acts like 1, because no child is
    above that. `review` adds `review_report`.
    """
    names = set(parent) if allowlist is None else set(expand_allowlist(allowlist, parent))
    names.difference_update(EXECUTOR_ONLY, BACKGROUND_JOBS, [PROXY, REVIEW_REPORT])
    if depth >= max_depth:
        names.difference_update(DELEGATION)
    names = {name for name in names if not is_mcp_adapter(name)}
    if child_proxy(allowlist, parent) != "none":
        names.add(PROXY)
    if review:
        names.add(REVIEW_REPORT)
    return wire_order(names)


def read_only_part(child: Iterable[str], *, read_only: Collection[str]) -> tuple[str, ...]:
    """Return what a read-only child keeps of the registry that an ordinary one would have.

    Writers go, and so do what talks to the host and delegation that may write. `bash` stays, as the
    variant that runs only what is known to be read-only.
    """
    hidden = {*HOST_CONTROL, *READ_ONLY_HIDDEN, *WRITING_DELEGATION}
    kept = {"bash", PROXY, REVIEW_REPORT, *read_only} - hidden
    return wire_order(kept.intersection(child))


def path_bound_part(
    child: Iterable[str], *, read_only: Collection[str], sandboxed_shell: bool
) -> tuple[str, ...]:
    """Return what a child keeps that may write under given paths only.

    The writers whose paths can be checked stay, and so do read-only tools; `bash` stays only if the
    sandbox confines it to the same roots.
    """
    kept = {PROXY, *PATH_WRITERS, *read_only, *(["bash"] if sandboxed_shell else [])}
    return wire_order(kept.intersection(child))


def child_registry(
    role: str,
    parent: Collection[str],
    *,
    read_only: Collection[str],
    allowlist: Sequence[str] | None = None,
    depth: int = 1,
    max_depth: int = DEFAULT_DEPTH_LIMIT,
    sandboxed_shell: bool = False,
) -> tuple[str, ...]:
    """Return the registry of an agent by its role: planner, subagent, and so on.

    Raises `ContractError` for a role that there is not; `ROLES` are the valid ones.
    """
    if role == "planner":
        return planner(parent, read_only=read_only)
    base = sub_agent(
        parent,
        allowlist=allowlist,
        depth=depth,
        max_depth=max_depth,
        review=role == "review_subagent",
    )
    if role in ("subagent", "review_subagent"):
        return base
    if role == "read_only_subagent":
        return read_only_part(base, read_only=read_only)
    if role == "path_bound_subagent":
        return path_bound_part(base, read_only=read_only, sandboxed_shell=sandboxed_shell)
    raise ContractError(f"unknown role {role!r}{did_you_mean(role, ROLES)}")


def boot_surfaces(
    registered: Collection[str], *, read_only: Collection[str]
) -> tuple[Surface, ...]:
    """Return every surface of a boot with these tools, by id.

    The children are shown below the depth limit and without an allowlist.
    """
    parent = wire_order(name for name in registered if name != REVIEW_REPORT)
    children = {role: child_registry(role, parent, read_only=read_only) for role in ROLES}
    return (
        Surface(id="core", names=provider_visible(parent, host_control=False)),
        Surface(id="visible", names=provider_visible(parent)),
        Surface(id="registry", names=parent),
        *(Surface(id=role.replace("_", "-"), names=names) for role, names in children.items()),
    )
