"""Who may do what through the proxy: the read-only boundary, bound paths and plan mode.

The boundary stands before everything that a call would move. It is asked about the real target, and
it never reads a missing hint as read-only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reasonix_runtime.gates.proxy.arguments import Action, Request
from reasonix_runtime.gates.proxy.resolution import Kind, Resolution
from reasonix_runtime.gates.proxy.world import Role, World
from reasonix_runtime.gates.verdict import Refusal, refuse


def role_refusals(
    request: Request, reached: Resolution, gone: Sequence[Refusal], world: World
) -> Iterator[Refusal]:
    """Yield what an agent's role keeps from it; `gone` says why the target is unavailable."""
    if world.role.reads_only:
        if request.action is Action.DECLINE:
            yield refuse("proxy.ro_decline", "an agent that only reads declines nothing")
        elif request.calls:
            yield from _read_only(reached, gone, world.role)
    elif world.role is Role.PATH_BOUND_SUBAGENT and request.calls:
        if gone or reached.harmless:
            return
        yield refuse(
            "proxy.path_bound",
            f"{reached.name} is not known to be read-only and harmless, "
            "and this agent writes under its own paths alone",
        )


def _read_only(reached: Resolution, gone: Sequence[Refusal], role: Role) -> Iterator[Refusal]:
    """Yield what a planner or a strict read-only sub-agent may not call."""
    if gone:
        yield refuse(
            "proxy.ro_unresolved", f"{reached.name} leads nowhere that is known to be read-only"
        )
    if role is not Role.PLANNER:
        yield from _strict(reached)
    elif reached.kind is Kind.HOST_TOOL and not reached.read_only:
        yield refuse("proxy.ro_writer", f"{reached.name} may write, and a planner only reads")
    elif reached.destructive:
        yield refuse(
            "proxy.planner_destructive",
            f"{reached.name} is destructive: put the operation into the handoff for the executor; "
            "nothing has to be configured",
        )


def _strict(reached: Resolution) -> Iterator[Refusal]:
    if reached.kind is Kind.DIRECTORY:
        yield refuse("proxy.ro_unresolved", f"{reached.name} is no single tool that only reads")
    elif reached.kind is Kind.CONNECT:
        yield refuse("proxy.ro_connect", "a read-only sub-agent starts no server by itself")
    elif not reached.read_only:
        yield refuse("proxy.ro_writer", f"{reached.name} is not declared read-only")
    elif reached.destructive:
        yield refuse("proxy.ro_destructive", f"{reached.name} is declared destructive")


def plan_refusals(reached: Resolution, world: World) -> Iterator[Refusal]:
    """Yield what plan mode has against the real target."""
    if not world.plan_mode:
        return
    if reached.name in world.phase_opt_out:
        yield refuse("proxy.plan_phase", f"{reached.name} does not take part in planning")
    if reached.kind is not Kind.MCP_TOOL or world.role is Role.PLANNER:
        return
    if not reached.harmless or not world.server(reached.server).authorized:
        yield refuse(
            "proxy.plan_mcp",
            "while planning, only a reader of an authorized server is called, "
            f"and {reached.name} is none",
        )
