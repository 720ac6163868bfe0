"""Capability routes of a turn: what the router asked for and what came of it (DL-09).

The router may tie capabilities to a turn: `require`, `prefer` or `suggest`. The host notes what
became of each; the end of the turn asks. A route is settled by its own id only: an ordinary read
never stands in for a required capability, and declining one is possible for a preference alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec

from reasonix_runtime.gates.verdict import Refusal, refuse


class RoutePolicy(StrEnum):
    """How much the router wants a capability to be used."""

    REQUIRE = "require"
    PREFER = "prefer"
    SUGGEST = "suggest"


class RouteOutcome(StrEnum):
    """What became of a routed capability so far."""

    PENDING = "pending"
    INVOKED = "invoked"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    UNAVAILABLE = "unavailable"
    DECLINED = "declined"


_STICKY = frozenset({RouteOutcome.SUCCEEDED, RouteOutcome.UNAVAILABLE, RouteOutcome.DECLINED})
_FINAL = frozenset({RouteOutcome.SUCCEEDED, RouteOutcome.UNAVAILABLE})


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """One capability of the turn: its id (`skill:deploy`), the wish and the outcome."""

    id: str
    policy: RoutePolicy = RoutePolicy.SUGGEST
    outcome: RouteOutcome = RouteOutcome.PENDING

    def after(self, outcome: RouteOutcome) -> Route:
        """Return the route with a new outcome; a settled one yields only to a final one."""
        if self.outcome in _STICKY and outcome not in _FINAL:
            return self
        return msgspec.structs.replace(self, outcome=outcome)


Routes = tuple[Route, ...]


def routes_of(data: Iterable[Mapping[str, Any]]) -> Routes:
    """Read the routes of a setup.

    Raises:
        msgspec.ValidationError: a route has no id, or an unknown wish or outcome.
    """
    return tuple(msgspec.convert(item, Route) for item in data)


def settle(routes: Routes, capability: str, outcome: RouteOutcome) -> Routes:
    """Return the routes after something came of one capability; others stay as they are."""
    return tuple(route.after(outcome) if route.id == capability else route for route in routes)


_SKILL_RUNNERS = frozenset({"read_only_skill", "read_skill", "run_skill"})
_SKILL_TOOLS = frozenset({"explore", "research", "review", "security_review"})


def capability_of(tool: str, args: Any) -> str | None:
    """Return the id of the capability that a call uses, or None when it uses none (DL-09)."""
    members = args if isinstance(args, dict) else {}
    if tool == "use_capability":
        return _text(members, "capability_id") or None
    if tool in _SKILL_RUNNERS:
        name = _text(members, "name")
        return f"skill:{name}" if name else None
    if tool in _SKILL_TOOLS:
        return f"skill:{_text(members, 'name') or tool.replace('_', '-')}"
    if tool.startswith("mcp__"):
        server, _, name = tool.removeprefix("mcp__").partition("__")
        return f"mcp-tool:{server}/{name}" if server and name else None
    return None


def outcome_of(tool: str, args: Any, *, succeeded: bool) -> RouteOutcome | None:
    """Return what a finished call means for its capability, or None when it says nothing.

    Listing and inspecting through the proxy settle nothing, and a decline counts only when it gives
    a reason.
    """
    if tool != "use_capability":
        return RouteOutcome.SUCCEEDED if succeeded else RouteOutcome.FAILED
    members = args if isinstance(args, dict) else {}
    match _text(members, "action"):
        case "call":
            return RouteOutcome.SUCCEEDED if succeeded else RouteOutcome.FAILED
        case "decline" if succeeded and _text(members, "reason"):
            return RouteOutcome.DECLINED
        case _:
            return None


def open_routes(routes: Routes, *, changed: bool, reminded: bool) -> Iterator[Refusal]:
    """Yield what keeps the turn open; the first hit of K1 to K3 is all that is told (DL-09).

    Args:
        routes: the routes of the turn.
        changed: whether the turn changed something; then an unavailable requirement stays open.
        reminded: whether a preference was already asked for at an earlier end of this turn.
    """
    required = [route for route in routes if route.policy is RoutePolicy.REQUIRE]
    missing = [route for route in required if route.outcome not in _FINAL]
    if missing:
        yield refuse(
            "capability.required_missing",
            f"this turn has to use {_names(missing)}; reading instead does not replace it, "
            "and a required capability cannot be declined",
            **_facts(missing),
        )
        return
    gone = [route for route in required if route.outcome is RouteOutcome.UNAVAILABLE]
    if gone and changed:
        yield refuse(
            "capability.required_unavailable",
            f"{_names(gone)} is required but unavailable, and the turn changed something "
            "without it: make it available or take the change back",
            **_facts(gone),
        )
        return
    unused = [
        route
        for route in routes
        if route.policy is RoutePolicy.PREFER and route.outcome not in _STICKY
    ]
    if unused:
        yield refuse(
            "capability.prefer_unused" if reminded else "capability.prefer_reminder",
            f"{_names(unused)} fits this turn: use it, or decline it with a reason "
            '(`use_capability` with action "decline")',
            **_facts(unused),
        )


def _facts(routes: Sequence[Route]) -> dict[str, Any]:
    """Return what is told of open routes: the category of the gap, and their ids."""
    ids = [route.id for route in routes]
    return {"category": "capability", "state_after": {"missing": ids}}


def _names(routes: Iterable[Route]) -> str:
    return ", ".join(f"`{route.id}`" for route in routes)


def _text(members: Mapping[str, Any], key: str) -> str:
    value = members.get(key)
    return value.strip() if isinstance(value, str) else ""
