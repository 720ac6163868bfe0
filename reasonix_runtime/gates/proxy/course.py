"""The course of one call of the proxy: every check in the order in which a call meets it.

The opening ends with the plan-mode checks of the real target; the delivery gates stand between it
and the rest, and belong to whoever knows what the turn did. Nothing is started before the closing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Final

import msgspec

from reasonix_runtime.gates.capability import RouteOutcome, Routes
from reasonix_runtime.gates.proxy import answers
from reasonix_runtime.gates.proxy.arguments import (
    Action,
    Request,
    argument_refusals,
    request_of,
)
from reasonix_runtime.gates.proxy.ids import CapabilityId, Family
from reasonix_runtime.gates.proxy.names import server_prefix
from reasonix_runtime.gates.proxy.pages import (
    Page,
    choose,
    page_of,
    page_refusals,
    page_request,
)
from reasonix_runtime.gates.proxy.permission import permission_refusals
from reasonix_runtime.gates.proxy.resolution import Kind, Resolution, resolve, unavailable
from reasonix_runtime.gates.proxy.revalidation import (
    START_SECONDS,
    before_start,
    live_refusals,
    start_refusals,
)
from reasonix_runtime.gates.proxy.roles import plan_refusals, role_refusals
from reasonix_runtime.gates.proxy.world import SAME, Server, World
from reasonix_runtime.gates.verdict import Refusal, Verdict, accept, decide, standing

GATE: Final = "proxy"


class Course:
    """One call in its world; `routes` is the ledger of capabilities before it."""

    def __init__(self, args: Any, world: World, routes: Routes) -> None:
        self.request: Request = request_of(args)
        self.reached: Resolution = resolve(self.request, world)
        self.world = world
        self._routes = routes

    def judge(self, delivery: Callable[[], Verdict | None]) -> Verdict:
        """Return the verdict; `delivery` asks the delivery gates about the real target."""
        verdict = decide(GATE, self.opening(), self.accepted)
        if verdict.accepted and self.goes_on:
            asked = delivery()
            if asked is not None and not asked.accepted:
                return asked
            verdict = decide(GATE, self._closing(), self.accepted)
        return self._with_state(verdict)

    @property
    def goes_on(self) -> bool:
        """Whether something is called; all else is answered by looking."""
        return self.request.calls and self.reached.kind is not Kind.DIRECTORY

    # -- the checks --------------------------------------------------------------------------

    def opening(self) -> Iterator[Refusal]:
        """Yield what speaks against the call before the delivery gates are asked."""
        request, world = self.request, self.world
        yield from argument_refusals(request, world, self._routes)
        if request.action is Action.INSPECT:
            yield from answers.inspect_refusals(request, world)
        yield from role_refusals(request, self.reached, self._gone, world)
        yield from self._gone
        if self.goes_on:
            yield from plan_refusals(self.reached, self._now)

    def _closing(self) -> Iterator[Refusal]:
        reached = self.reached
        yield from self.permission()
        if reached.kind is Kind.RESULT:
            yield from self.page_refusals()
        elif reached.on_server:
            server = self._now.server(reached.server)
            yield from before_start(reached, self.world)
            if reached.deferred:
                yield from start_refusals(reached, server)
            yield from live_refusals(reached, server, self.world.role)

    def permission(self) -> Iterator[Refusal]:
        """Yield what permission and the hooks before a call have against the target."""
        return permission_refusals(self.reached, self._now)

    def page_refusals(self) -> Iterator[Refusal]:
        """Yield why there is no page of a stored result."""
        results = self.world.results if self.world.session_reader else None
        return page_refusals(self.reached.arguments, results)

    @cached_property
    def _gone(self) -> tuple[Refusal, ...]:
        """Why there is nothing to call."""
        asked = unavailable(self.request.id, self.world) if self.request.calls else ()
        return tuple(standing(asked))

    @cached_property
    def _now(self) -> World:
        """The world after what changed since the call was resolved."""
        name = self.reached.server
        server = self.world.servers.get(name)
        return self.world if server is None else self.world.with_server(name, server.changed())

    # -- what comes of it --------------------------------------------------------------------

    def accepted(self) -> Verdict:
        """Tell what the call came to, where nothing spoke against it."""
        request = self.request
        if request.action is Action.INSPECT and request.id is not None:
            return self._inspected(request.id)
        if request.action is Action.DECLINE:
            return accept(GATE, reason="proxy.declined", settles=RouteOutcome.DECLINED)
        if request.calls:
            return self._called()
        servers = answers.listed_servers(self.world)
        return accept(GATE, reason="proxy.list", state_after={"servers": servers})

    def _inspected(self, asked: CapabilityId) -> Verdict:
        reason = answers.inspect_reason(asked, self.world)
        if not asked.on_server:
            return accept(GATE, reason=reason)
        server = self.world.server(asked.server)
        return accept(GATE, reason=reason, state_after={"tools": answers.raw_tools(asked, server)})

    def _called(self) -> Verdict:
        reached = self.reached
        if reached.kind is Kind.RESULT:
            return self._page_read()
        state: dict[str, Any] = {"dispatched": reached.kind in (Kind.HOST_TOOL, Kind.MCP_TOOL)}
        reason = "proxy.call"
        if reached.kind in (Kind.CONNECT, Kind.DIRECTORY):
            reason = "proxy.connect" if reached.deferred else "proxy.directory"
            state["tools"] = sorted(self.world.server(reached.server).live)
        return accept(
            GATE,
            reason=reason,
            state_after=state,
            started=reached.deferred,
            settles=RouteOutcome.SUCCEEDED,
        )

    def _page_read(self) -> Verdict:
        page = self.page
        if page is None:
            return accept(GATE)
        state = {"dispatched": True, "header": page.header}
        return accept(GATE, reason=page.reason, state_after=state)

    @property
    def page(self) -> Page | None:
        """The page that is asked for, where there is one."""
        asked = page_request(self.reached.arguments)
        chosen = asked and choose(asked, self.world.results)
        return page_of(asked, chosen) if asked and chosen else None

    def _with_state(self, verdict: Verdict) -> Verdict:
        """Add what the call reached to a verdict, and what it moved on the way."""
        facts = verdict.facts
        looked_up = self.request.calls and verdict.reason not in _NOTHING_REACHED
        state = {
            "target": self._target() if looked_up else None,
            "process_started": bool(facts.get("started")),
            "dispatched": False,
            **facts.get("state_after", {}),
        }
        return msgspec.structs.replace(verdict, facts={**facts, "state_after": state})

    def _target(self) -> str | None:
        """Return the name of what is called; an unavailable server goes by that of its tools."""
        asked = self.request.id
        if self._gone and asked is not None and asked.family is Family.SERVER:
            return server_prefix(asked.server)
        return self.reached.target

    def world_after(self, verdict: Verdict) -> World:
        """Return the world after the call: what changed meanwhile stays, and so does a start."""
        name = self.reached.server
        server = self.world.servers.get(name)
        if not self.request.calls or server is None:
            return self.world
        if server.after_resolve.removed:
            return self.world.without_server(name)
        after = server.changed()
        if not server.connected:
            after = msgspec.structs.replace(after, identity=SAME)
        return self.world.with_server(
            name, _started(after) if verdict.facts.get("started") else after
        )


_NOTHING_REACHED: Final = frozenset(
    {
        "proxy.args",
        "proxy.action",
        "proxy.id_missing",
        "proxy.id_bad",
        "proxy.self",
        "proxy.allowlist",
    }
)
"""Reasons of calls that are refused before anybody asks where their id leads."""


def _started(server: Server) -> Server:
    """Return a server after its start, which goes on when a call does not wait any longer."""
    if server.start_fails or server.start_seconds > START_SECONDS:
        return msgspec.structs.replace(server, failed=True)
    return msgspec.structs.replace(
        server, connected=True, identity=SAME, failed=False, cache=server.live
    )
