"""Capability routes of a turn: what the router asked for and what came of it (DL-09).

The router may tie capabilities to a turn: `require`, `prefer` or `suggest`. The host notes what
became of each; the end of the turn asks. A route is settled by its own id only: an ordinary read
never stands in for a required capability, and declining one is possible for a preference alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec

from reasonix_runtime.contract.surface import MCP_PREFIX, PROXY, SKILLS, is_mcp_adapter
from reasonix_runtime.evidence.arguments import text_member
from reasonix_runtime.gates.proxy.ids import RESULT_ID, SKILL_RUNNERS, direct_name
from reasonix_runtime.gates.verdict import Refusal, Verdict, accept, decide, refuse

GATE: Final = "capability_routes"
REMINDER: Final = "capability.prefer_reminder"
UNAVAILABLE: Final = "capability unavailable: "
"""Begins the result of a call of the proxy that leads nowhere."""


class RoutePolicy(StrEnum):
    """How much the router wants a capability to be used."""

    REQUIRE = "require"
    PREFER = "prefer"
    SUGGEST = "suggest"
    OFF = "off"


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
    """One capability of the turn: its id (`skill:deploy`), the wish and the outcome.

    `reminded` says that the reminder of a preference was given.
    """

    id: str
    policy: RoutePolicy = RoutePolicy.SUGGEST
    outcome: RouteOutcome = RouteOutcome.PENDING
    reminded: bool = False

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


def routed(host: Mapping[str, Any] | None) -> Routes:
    """Return the routes that the setup of a proxy names (`host.ledger`: id to wish and outcome).

    Raises:
        msgspec.ValidationError: an entry has another form, or an unknown wish or outcome.
    """
    ledger = msgspec.convert((host or {}).get("ledger") or {}, dict[str, dict[str, Any]])
    return routes_of({**entry, "id": name} for name, entry in ledger.items())


def note(routes: Routes, capability: str, outcome: RouteOutcome) -> Routes:
    """Return the ledger after something came of a capability; one without a route is added."""
    if all(route.id != capability for route in routes):
        routes = (*routes, Route(id=capability))
    return settle(routes, capability, outcome)


def outcomes(routes: Routes) -> dict[str, str]:
    """Return what became of each capability so far, by its id."""
    return {route.id: str(route.outcome) for route in routes}


def settle(routes: Routes, capability: str, outcome: RouteOutcome) -> Routes:
    """Return the routes after something came of one capability; others stay as they are."""
    return tuple(route.after(outcome) if route.id == capability else route for route in routes)


def capability_of(tool: str, args: Any, routes: Routes = ()) -> str | None:
    """Return the id of the capability that a call uses, or None when it uses none (DL-09).

    Names of tools carry hashes where an id has other characters, so `routes` are asked first.
    """
    if is_mcp_adapter(tool):
        named = (route.id for route in routes if direct_name(route.id) == tool)
        return next(named, None) or plain_id(tool)
    members = args if isinstance(args, dict) else {}
    if tool == PROXY:
        return text_member(members, "capability_id") or None
    if tool in SKILL_RUNNERS:
        name = text_member(members, "name")
        return f"skill:{name}" if name else None
    if tool in SKILLS:
        return f"skill:{text_member(members, 'name') or tool.replace('_', '-')}"
    return None


def plain_id(tool: str) -> str | None:
    """Return the id of a server's tool whose name is made of plain parts."""
    server, _, name = tool.removeprefix(MCP_PREFIX).partition("__")
    return f"mcp-tool:{server}/{name}" if server and name else None


def leads_nowhere(tool: str, told: str) -> bool:
    """Whether a result is that of a proxy call whose capability is not there."""
    return tool == PROXY and told.startswith(UNAVAILABLE)


def outcome_of(tool: str, args: Any, *, succeeded: bool, told: str) -> RouteOutcome | None:
    """Return what a finished call means for its capability, or None when it says nothing.

    Listing, inspecting and reading results through the proxy settle nothing, and a decline counts
    only when it gives a reason. What the proxy `told` says that the capability is not there.
    """
    if tool != PROXY:
        return RouteOutcome.SUCCEEDED if succeeded else RouteOutcome.FAILED
    members = args if isinstance(args, dict) else {}
    if text_member(members, "capability_id") == RESULT_ID:
        return None
    match text_member(members, "action").lower():
        case "call" if succeeded:
            return RouteOutcome.SUCCEEDED
        case "call":
            gone = leads_nowhere(tool, told)
            return RouteOutcome.UNAVAILABLE if gone else RouteOutcome.FAILED
        case "decline" if succeeded and text_member(members, "reason"):
            return RouteOutcome.DECLINED
        case _:
            return None


def open_routes(routes: Routes, *, changed: bool, reminded: bool) -> Iterator[Refusal]:
    """Yield what keeps the turn open; the first hit of K1 to K3 is all that is told (DL-09).

    Args:
        routes: the routes of the turn.
        changed: whether the turn changed something; then an unavailable requirement stays open,
            else it ends the check: it is reported, and no preference is asked for.
        reminded: whether preferences were already asked for at an earlier end of this turn.
    """
    missing = [route for route in required(routes) if route.outcome not in _FINAL]
    gone = _blockers(routes)
    if missing:
        yield refuse(
            "capability.required_missing",
            f"this turn has to use {_names(missing)}; reading instead does not replace it, "
            "and a required capability cannot be declined",
            **_facts(missing, gone),
        )
    elif gone:
        if changed:
            yield refuse(
                "capability.required_unavailable",
                f"{_names(gone)} is required but unavailable, and the turn changed something "
                "without it: make it available and use it in this turn",
                **_facts(gone, gone),
            )
    else:
        yield from _unused(routes, reminded=reminded)


def _unused(routes: Routes, *, reminded: bool) -> Iterator[Refusal]:
    """Yield the preferences that were neither used nor declined; the first time as a reminder."""
    unused = [
        route
        for route in routes
        if route.policy is RoutePolicy.PREFER and route.outcome not in _STICKY
    ]
    fresh = [] if reminded else [route for route in unused if not route.reminded]
    if unused:
        asked = fresh or unused
        yield refuse(
            REMINDER if fresh else "capability.prefer_unused",
            f"{_names(asked)} fits this turn: use it, or decline it with a reason "
            '(`use_capability` with action "decline")',
            **_facts(asked, ()),
        )


def required(routes: Routes) -> list[Route]:
    """Return the routes that the turn has to take."""
    return [route for route in routes if route.policy is RoutePolicy.REQUIRE]


def _blockers(routes: Routes) -> list[Route]:
    """Return what is required and unavailable: told of an answer that passes without it."""
    return [route for route in required(routes) if route.outcome is RouteOutcome.UNAVAILABLE]


def judge_answer(routes: Routes, *, changed: bool, reminded: bool) -> Verdict:
    """Judge a final answer by its routes alone; a blocker is reported, never taken for success."""
    gone = _blockers(routes)
    return decide(
        GATE,
        open_routes(routes, changed=changed, reminded=reminded),
        lambda: accept(
            GATE,
            reason="proxy.gate_pass",
            message=f"{_names(gone)} is required and unavailable: report it" if gone else "",
            state_after={"missing": [], "unavailable": [route.id for route in gone]},
        ),
    )


def _facts(routes: Sequence[Route], gone: Sequence[Route]) -> dict[str, Any]:
    """Return what is told of open routes: the category of the gap, and their ids."""
    state = {"missing": [route.id for route in routes], "unavailable": [r.id for r in gone]}
    return {"category": "capability", "state_after": state}


def _names(routes: Iterable[Route]) -> str:
    return ", ".join(f"`{route.id}`" for route in routes)
