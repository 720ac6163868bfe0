"""Which tools who sees: the provider's array, a child's registry, and what is hidden and runs.

The surface is fixed at boot. Nothing that a session does later changes it, and that a tool is not
shown never keeps it from being dispatched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

import msgspec

from reasonix_runtime.contract import surface
from reasonix_runtime.evidence.tool_kinds import READ_ONLY_TOOLS
from reasonix_runtime.gates.verdict import Verdict, accept

GATE: Final = "surface"
HIDDEN: Final = "surface.hidden_dispatch"


class SurfaceSetup(msgspec.Struct, frozen=True, kw_only=True):
    """What a boot decides (`setup.host`).

    Attributes:
        role: whose registry is asked for.
        registration_order: the registered tools, in the order in which they were.
        host_control: whether the tools that talk to the host stand beside the core.
        compress: whether `compress` is in the core.
        parent: the registry of the parent, where it is not that of a default boot.
        allowlist: the tools that a child was given, None where it was given none.
        child_depth: how deep the child runs; the executor is at 0.
        max_subagent_depth: how deep children may nest.
    """

    role: str = "executor"
    registration_order: tuple[str, ...] = surface.FULL
    host_control: bool = True
    compress: bool = True
    parent: tuple[str, ...] | None = None
    allowlist: tuple[str, ...] | None = None
    child_depth: int = 1
    max_subagent_depth: int = surface.DEFAULT_DEPTH_LIMIT

    @property
    def visible(self) -> tuple[str, ...]:
        """The names of the provider's array, in wire order."""
        return surface.provider_visible(
            self.registration_order, host_control=self.host_control, compress=self.compress
        )


def surface_of(told: Mapping[str, Any], *, role: str) -> SurfaceSetup:
    """Read what a boot decided out of `setup.host`; keys of other gates are left alone.

    Raises:
        msgspec.ValidationError: a value has the wrong type.
    """
    names = SurfaceSetup.__struct_fields__
    fields = {name: told[name] for name in names if told.get(name) is not None}
    return msgspec.convert({"role": role, **fields}, SurfaceSetup)


def provider_tools(setup: SurfaceSetup) -> Verdict:
    """Tell the array of a request: by name, whatever was registered first."""
    return accept(GATE, reason="surface.order", state_after={"names": list(setup.visible)})


def provider_tools_after(
    setup: SurfaceSetup, calls: Iterable[Any], run: Callable[[Any], None]
) -> Verdict:
    """Whether the array is the same after calls of the proxy; `run` makes one of them."""
    before = setup.visible
    for call in calls:
        run(call)
    after = setup.visible
    state = {
        "tools_bytes": "same" if before == after else "changed",
        "mcp_tools_visible": sum(map(surface.is_mcp_adapter, after)),
    }
    return accept(GATE, reason="surface.stable", state_after=state)


_ROLES: Mapping[str, str] = MappingProxyType({"executor": "subagent", "review": "review_subagent"})
"""Roles of a session whose children are asked for, as roles of children."""


def child_tools(setup: SurfaceSetup) -> Verdict:
    """Tell the registry of a child or planner, and which proxy it has."""
    parent = surface.FULL if setup.parent is None else setup.parent
    planner = setup.role == "planner"
    names = surface.child_registry(
        _ROLES.get(setup.role, setup.role),
        parent,
        read_only=READ_ONLY_TOOLS,
        allowlist=setup.allowlist,
        depth=setup.child_depth,
        max_depth=max(1, setup.max_subagent_depth),
    )
    proxy = "full" if planner else surface.child_proxy(setup.allowlist, parent)
    return accept(
        GATE,
        reason="surface.planner" if planner else "surface.child",
        state_after={"names": list(names), "proxy": proxy},
    )


def hidden(setup: SurfaceSetup, tool: str) -> bool:
    """Whether a tool is registered and not shown."""
    return tool in setup.registration_order and tool not in setup.visible
