"""The last look before a server is started and before each of its tools is called.

Whatever changed since the call was resolved stops it, so that the next attempt is judged by what is
so then. A changed input schema alone stops nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from reasonix_runtime.gates.capability import RouteOutcome
from reasonix_runtime.gates.proxy.resolution import Kind, Resolution
from reasonix_runtime.gates.proxy.world import SAME, UNKNOWN_TOOL, Role, Server, World
from reasonix_runtime.gates.verdict import Refusal, refuse

WAIT_SECONDS: Final = 5.0
"""How long a call waits for a server that it started."""
START_SECONDS: Final = 30.0
"""How long a start goes on in the background."""


def before_start(reached: Resolution, world: World) -> Iterator[Refusal]:
    """Yield what changed since the call was resolved, up to what only a live server can tell."""
    server = world.servers.get(reached.server)
    if server is None or server.after_resolve.removed:
        yield _stop(reached, "proxy.no_server", "is not configured any more")
    now = (server or Server()).changed()
    if not now.enabled:
        yield _stop(reached, "proxy.off", "was switched off in this session")
    if not now.authorized:
        yield _stop(reached, "proxy.unauth", "is not authorized any more")
    if now.identity != SAME:
        if reached.deferred:
            yield _stop(reached, "proxy.changed", "was configured anew")
        else:
            yield _stop(reached, "proxy.identity", "has a connection of another configuration")


def start_refusals(reached: Resolution, server: Server) -> Iterator[Refusal]:
    """Yield what comes of a start that does not end in time, or not well."""
    if server.start_fails:
        yield _stop(reached, "proxy.start_failed", "could not be started", started=True)
    if server.start_seconds > WAIT_SECONDS:
        yield _stop(reached, "proxy.slow", "is still initializing", started=True)


def live_refusals(reached: Resolution, server: Server, role: Role) -> Iterator[Refusal]:
    """Yield where the live tool is not what the call was judged by."""
    if reached.kind is not Kind.MCP_TOOL:
        return
    started = reached.deferred
    if reached.tool not in server.live:
        yield _stop(reached, "proxy.no_tool", f"has no tool {reached.tool}", started=started)
    flags = server.live.get(reached.tool, UNKNOWN_TOOL)
    if reached.known and reached.read_only and not flags.read_only:
        yield _stop(
            reached,
            "proxy.live_not_readonly",
            f"does not declare {reached.tool} read-only any more",
            started=started,
        )
    if reached.known and not reached.destructive and flags.destructive:
        yield _stop(
            reached,
            "proxy.live_destructive",
            f"declares {reached.tool} destructive now",
            started=started,
        )
    if role is Role.PLANNER and (flags.destructive or not server.authorized):
        yield _stop(
            reached,
            "proxy.live_planner",
            f"offers {reached.tool} as something that a planner leaves to the executor",
            started=started,
        )


_NEXT: Final = {
    "proxy.no_server": "list shows those there are",
    "proxy.off": "it has to be switched on first",
    "proxy.unauth": "the user has to approve it first",
    "proxy.start_failed": "run its command by hand to see why, and mend it or its settings",
    "proxy.no_tool": "list and inspect show those there are",
}
"""What to do where the same call would be stopped again."""

_FAILS: Final = frozenset({"proxy.changed", "proxy.identity"})


def _stop(reached: Resolution, reason: str, why: str, *, started: bool = False) -> Refusal:
    """Make the refusal of a call that is stopped before its dispatch."""
    facts: dict[str, Any] = {"started": started} if started else {}
    after = _NEXT.get(reason, "call it again to be judged by what is so now")
    return refuse(
        reason,
        f"{reached.name} was not called: the server {reached.server} {why}; {after}",
        settles=_settles(reached, reason),
        **facts,
    )


def _settles(reached: Resolution, reason: str) -> RouteOutcome:
    """Return what the ledger notes of a call that was stopped."""
    failed = not reached.deferred or reason in _FAILS or reason.startswith("proxy.live_")
    return RouteOutcome.FAILED if failed else RouteOutcome.UNAVAILABLE
