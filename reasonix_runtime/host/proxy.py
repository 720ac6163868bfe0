"""The capability proxy inside the state machine: its world, and what a call through it moves.

Everything that is decided here is decided by the pure functions of `gates/proxy/`. This module
holds the world between calls, and puts the real target of a call where receipts are left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from reasonix_runtime.gates.capability import RouteOutcome, outcomes
from reasonix_runtime.gates.proxy.course import Course
from reasonix_runtime.gates.proxy.world import World, world_of
from reasonix_runtime.trace.events import NEVER_RAN

if TYPE_CHECKING:
    from collections.abc import Callable

    from reasonix_runtime.gates.verdict import Verdict
    from reasonix_runtime.host.setup import Setup
    from reasonix_runtime.host.turn import TurnGates
    from reasonix_runtime.trace.events import Outcome, ToolCall, ToolResult

NEVER_REACHED = NEVER_RAN | {"none", "error"}
"""Outcomes of a call of the proxy that do not tell that its target ran."""


class ProxyHost:
    """The world of one session; `told` says that somebody described it.

    In a world that nobody described only a call is judged whose outcome nobody recorded.
    """

    def __init__(self, world: World, *, told: bool) -> None:
        self.world = world
        self.told = told

    def judges(self, call: ToolCall, result: ToolResult) -> bool:
        """Whether a call of the proxy is judged here: its target was not told with it."""
        return call.resolved_name is None and (self.told or result.outcome == "none")

    def passage(self, call: ToolCall, gates: TurnGates) -> Passage:
        """Begin one call."""
        return Passage(self, call, gates)


def proxy_of(setup: Setup) -> ProxyHost:
    """Return the proxy of a written session."""
    told = setup.host or {}
    world = world_of(told, role=setup.role, plan_mode=setup.plan_mode)
    return ProxyHost(world, told=setup.host is not None)


class Passage:
    """One call of the proxy, from its arguments to what it leaves."""

    def __init__(self, host: ProxyHost, call: ToolCall, gates: TurnGates) -> None:
        self._host = host
        self._gates = gates
        self._course = Course(call.args, host.world, gates.routes)
        self.call = call

    @property
    def meant(self) -> ToolCall:
        """The call with its real target: what the delivery gates, receipts and guards look at."""
        reached = self._course.reached
        if not self._course.goes_on:
            return self.call
        return msgspec.structs.replace(
            self.call,
            resolved_name=reached.name,
            resolved_args=dict(reached.arguments),
            resolved_read_only=reached.changes_nothing,
        )

    def judge(self, delivery: Callable[[], Verdict | None]) -> Verdict:
        """Return the verdict; the world moves on as it says."""
        verdict = self._course.judge(delivery)
        self._host.world = self._course.world_after(verdict)
        return verdict

    def left(self, verdict: Verdict, outcome: Outcome) -> ToolCall:
        """Return the call as receipts tell it: with its target only if that ran."""
        ran = verdict.accepted or outcome not in NEVER_REACHED
        return self.meant if ran else self.call

    def settle(self, verdict: Verdict, outcome: Outcome) -> Verdict:
        """Note in the routes what came of the call, and tell them with the verdict."""
        facts, gates = verdict.facts, self._gates
        became = facts.get("settles")
        if became is not None:
            if became is RouteOutcome.SUCCEEDED and outcome == "error":
                became = RouteOutcome.FAILED
            reached = self._course.reached
            gates.note_route(
                self._course.request.text, became, tool=reached.name, args=reached.arguments
            )
        state: dict[str, Any] = {
            **facts.get("state_after", {}),
            "ledger": outcomes(gates.routes),
            "unchanged": gates.routes == gates.given_routes,
        }
        return msgspec.structs.replace(verdict, facts={**facts, "state_after": state})
