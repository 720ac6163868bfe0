"""What a written setup tells of the world around a turn: of the proxy, the surfaces, delegation.

The setup of a transcript is complete: what it leaves out has its default, and a call without a
recorded outcome is judged in that world. Of a recording nothing of this is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from reasonix_runtime.errors import HostDataError
from reasonix_runtime.gates import preflight, surfaces
from reasonix_runtime.gates.delegation.judge import JUDGES
from reasonix_runtime.gates.delegation.world import DelegationWorld, delegation_of
from reasonix_runtime.gates.proxy.course import Course
from reasonix_runtime.gates.surfaces import SurfaceSetup, surface_of
from reasonix_runtime.gates.verdict import Verdict, accept
from reasonix_runtime.host.proxy import ProxyHost, proxy_of

if TYPE_CHECKING:
    from reasonix_runtime.host.setup import Setup
    from reasonix_runtime.trace.events import Host, ToolCall, ToolResult

T = TypeVar("T")


class ToldWorld:
    """The world of one written session, each part of it read when it is asked for."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup

    @cached_property
    def proxy(self) -> ProxyHost:
        """The proxy in this world."""
        return self._read(proxy_of)

    @cached_property
    def _surface(self) -> SurfaceSetup:
        return self._read(lambda setup: surface_of(setup.host or {}, role=setup.role))

    @cached_property
    def _delegation(self) -> DelegationWorld:
        return self._read(lambda setup: delegation_of(setup.host or {}, workspace=setup.workspace))

    def _read(self, part: Callable[[Setup], T]) -> T:
        """Read a part of the setup; a wrong type is a mistake of who wrote it."""
        try:
            return part(self._setup)
        except msgspec.ValidationError as error:
            raise HostDataError("setup", f"host: {error}", where="") from None

    def judge(self, call: ToolCall, result: ToolResult, before: Verdict) -> Verdict | None:
        """Judge a call without a recorded outcome; `before` is the verdict that lets it run."""
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
        calls = msgspec.convert(data.get("calls") or (), tuple[Any, ...])
        return surfaces.provider_tools_after(self._surface, calls, self._make)

    def _child(self, _: Mapping[str, Any]) -> Verdict:
        return surfaces.child_tools(self._surface)

    def _make(self, args: Any) -> None:
        """Make a call of the proxy for its effect on the world; its verdict is dropped."""
        course = Course(args, self.proxy.world, ())
        self.proxy.world = course.world_after(course.judge(lambda: None))


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
