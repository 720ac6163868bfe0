"""What a setup tells beside the turn: the world of the proxy, the surfaces, delegation.

A session that somebody wrote tells its setup in full, so what it leaves out has its default, and a
call whose outcome nobody recorded is judged in it. Of a recording nothing of this is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import msgspec

from reasonix_runtime.gates import preflight, surfaces
from reasonix_runtime.gates.delegation.judge import JUDGES
from reasonix_runtime.gates.delegation.world import delegation_of
from reasonix_runtime.gates.proxy.course import Course
from reasonix_runtime.gates.surfaces import SurfaceSetup
from reasonix_runtime.gates.verdict import Verdict, accept
from reasonix_runtime.host.proxy import ProxyHost, proxy_of

if TYPE_CHECKING:
    from reasonix_runtime.host.setup import Setup
    from reasonix_runtime.trace.events import Host, ToolCall, ToolResult


class ToldWorld:
    """The world of one written session."""

    def __init__(self, setup: Setup) -> None:
        told = setup.host or {}
        self.proxy: ProxyHost = proxy_of(setup)
        self._surface = _surface_of(told, setup.role)
        self._delegation = delegation_of(told, workspace=setup.workspace)

    def judge(self, call: ToolCall, result: ToolResult, before: Verdict) -> Verdict | None:
        """Judge a call that nobody recorded an end of; `before` is what lets it run."""
        if result.outcome != "none" or call.resolved_name is not None:
            return None
        judge = JUDGES.get(call.name)
        if judge is not None:
            return judge(call.args, self._delegation)
        if not surfaces.hidden(self._surface, call.name):
            return None
        return accept(
            preflight.GATE,
            reason=surfaces.HIDDEN,
            message=before.told,
            state_after={"target": call.name, "dispatched": True},
        )

    def asked(self, event: Host) -> Verdict:
        """Answer what a host event asks of the surfaces."""
        return SURFACE_EVENTS[event.name](self, event.data)

    def _visible(self, _: Mapping[str, Any]) -> Verdict:
        return surfaces.provider_tools(self._surface)

    def _visible_after(self, data: Mapping[str, Any]) -> Verdict:
        return surfaces.provider_tools_after(self._surface, data.get("calls") or (), self._make)

    def _child(self, _: Mapping[str, Any]) -> Verdict:
        return surfaces.child_tools(self._surface)

    def _make(self, args: Any) -> None:
        """Make a call of the proxy for what it moves."""
        course = Course(args, self.proxy.world, ())
        self.proxy.world = course.world_after(course.judge(lambda: None))


def _surface_of(told: Mapping[str, Any], role: str) -> SurfaceSetup:
    names = SurfaceSetup.__struct_fields__
    fields = {name: told[name] for name in names if told.get(name) is not None}
    return msgspec.convert({"role": role, **fields}, SurfaceSetup)


SURFACE_EVENTS: Final[Mapping[str, Callable[[ToldWorld, Mapping[str, Any]], Verdict]]] = (
    MappingProxyType(
        {
            "provider_tools": ToldWorld._visible,
            "provider_tools_after": ToldWorld._visible_after,
            "child_tools": ToldWorld._child,
        }
    )
)
"""The host events that ask what is shown to whom."""
