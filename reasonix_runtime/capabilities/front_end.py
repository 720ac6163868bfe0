"""The proxy of one agent: it decides by the pure functions, and does what they let it do.

Each front end has its own role and its own results; connections are shared. A clone for a child has
no results until the child has some of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any

import msgspec

from reasonix_runtime.capabilities.connections import Connections, Start
from reasonix_runtime.capabilities.session import CapabilityError
from reasonix_runtime.contract.surface import provider_visible
from reasonix_runtime.gates.capability import UNAVAILABLE, RouteOutcome
from reasonix_runtime.gates.proxy import answers
from reasonix_runtime.gates.proxy.arguments import Action
from reasonix_runtime.gates.proxy.course import GATE, Course
from reasonix_runtime.gates.proxy.pages import StoredResult, stored
from reasonix_runtime.gates.proxy.resolution import Kind, Resolution
from reasonix_runtime.gates.proxy.revalidation import (
    before_start,
    live_refusals,
    start_refusals,
)
from reasonix_runtime.gates.proxy.world import Changes, HostTool, Role, Server, World
from reasonix_runtime.gates.verdict import Refusal, Verdict, accept, decide
from reasonix_runtime.tools.context import Output
from reasonix_runtime.tools.errors import BlockedError, ToolError
from reasonix_runtime.tools.proxy_door import Passing, Target

if TYPE_CHECKING:
    from reasonix_runtime.gates.capability import Routes
    from reasonix_runtime.host.state import HostState
    from reasonix_runtime.tools.registry import Registry

_OF_THE_CALL = (
    "proxy.args", "proxy.action", "proxy.id_missing", "proxy.reason_missing", "proxy.require",
    "proxy.id_unknown", "proxy.id_bad", "proxy.self",
)  # fmt: skip
"""Reasons that are a fault of the call itself, told as an error and not as a refusal."""


@dataclass(kw_only=True)
class FrontEnd:
    """What stands behind `use_capability` for one agent.

    `deny` and `allowed_ids` are the rules that it is held to, `state` the host that judges its
    turn, `skills` are the names of those that there are, `results` what it may page through.
    """

    registry: Registry
    state: HostState
    connections: Connections | None = None
    role: Role = Role.EXECUTOR
    deny: Sequence[str] = ()
    allowed_ids: frozenset[str] | None = None
    skills: tuple[str, ...] = ()
    results: list[StoredResult] = field(default_factory=list)

    def __post_init__(self) -> None:
        names = self.registry.names
        visible = provider_visible(names)
        self._tools: Mapping[str, HostTool] = {
            entry.name: HostTool(
                read_only=bool(entry.read_only),
                visible=entry.name in visible,
                description=entry.description,
                input_schema=json.loads(entry.schema),
            )
            for entry in self.registry.entries()
        }

    # -- the door ----------------------------------------------------------------------------

    def keep(self, call_id: str, body: str) -> None:
        """Keep the complete body of a result."""
        self.results.append(stored(call_id, body.encode()))

    def enter(self, args: Any) -> Passage:
        """Resolve a call in the world as it is now."""
        # Asked before the world: what changes in between counts as a change since.
        revisions = {} if self.connections is None else self.connections.revisions()
        course = Course(args, self._world(), self._routes)
        revision = revisions.get(course.reached.server, 0)
        return Passage(course=course, front=self, revision=revision)

    # -- the world ---------------------------------------------------------------------------

    def _world(self) -> World:
        servers = {} if self.connections is None else self.connections.servers()
        return World(
            role=self.role,
            plan_mode=self.state.setup.plan_mode,
            deny=tuple(self.deny),
            allowed_ids=self.allowed_ids,
            servers=servers,
            tools=self._tools,
            skills=self.skills,
            results=tuple(self.results),
        )

    @property
    def _routes(self) -> Routes:
        return self.state.main.gates.routes


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One call, resolved; `revision` is that of its server's configuration then."""

    course: Course
    front: FrontEnd
    revision: int

    @property
    def target(self) -> Target | None:
        """What the call would reach."""
        course, reached = self.course, self.course.reached
        verdict = decide(GATE, course.opening(), course.accepted)
        if not (verdict.accepted and course.goes_on):
            return None
        return Target(reached.name, reached.arguments, reached.changes_nothing)

    def carry_out(self, passing: Passing) -> Output:
        """Carry the call out; raises ToolError for what stops it."""
        call = _Call(course=self.course, passing=passing, front=self.front, revision=self.revision)
        return call.carry_out()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """One call on its way."""

    course: Course
    passing: Passing
    front: FrontEnd
    revision: int

    def carry_out(self) -> Output:
        """Ask every check in its order, and do what is left."""
        course = self.course
        verdict = decide(GATE, course.opening(), course.accepted)
        if not verdict.accepted:
            return self._stopped(verdict)
        if not course.goes_on:
            return self._looked_up()
        self.passing.allowed()
        self._require(course.permission())
        reached = course.reached
        if reached.kind is Kind.RESULT:
            return self._page()
        if not reached.on_server:
            return self.passing.run(reached.name, reached.arguments)
        return self._on_server(reached)

    def _stopped(self, verdict: Verdict) -> Output:
        """Tell what stopped a call; what is unavailable is an answer of its own form."""
        self._note(verdict)
        if verdict.reason in _OF_THE_CALL:
            raise ToolError(verdict.message)
        if verdict.message.startswith(UNAVAILABLE):
            return Output(text=verdict.message, outcome="error")
        raise BlockedError(verdict.message)

    def _require(self, refusals: Iterable[Refusal], *, cause: str = "") -> None:
        """Raise for the first refusal that stands; `cause` is told with it."""
        verdict = decide(GATE, refusals, lambda: accept(GATE))
        if not verdict.accepted:
            self._note(verdict)
            raise BlockedError(f"{verdict.message} ({cause})" if cause else verdict.message)

    def _note(self, verdict: Verdict) -> None:
        became = verdict.facts.get("settles")
        if became is not None:
            self.passing.note(self.course.request.text, str(became))

    def _looked_up(self) -> Output:
        """Answer what needs no target."""
        course, request = self.course, self.course.request
        if request.action is Action.LIST:
            return _json(answers.listing(course.world))
        if request.action is Action.DECLINE:
            return Output(text=f"{request.text} is declined: {request.reason}")
        if request.calls:
            name = course.reached.server
            return _json(answers.directory(name, course.world.server(name)))
        if request.id is None:
            raise ToolError(f"no capability is called {request.text!r}")
        return _json(answers.inspected(request.id, course.world))

    def _page(self) -> Output:
        verdict = decide(GATE, self.course.page_refusals(), lambda: accept(GATE))
        page = self.course.page
        if not verdict.accepted or page is None:
            raise ToolError(verdict.message)
        return Output(text=page.text)

    # -- servers -----------------------------------------------------------------------------

    def _on_server(self, reached: Resolution) -> Output:
        """Start a server if need be, look once more, and call its tool or show its directory."""
        connections = self.front.connections
        if connections is None:
            raise BlockedError(f"{reached.name} cannot be reached: this host has no servers")
        with connections.calling():
            self._require(before_start(reached, self._since_resolved(connections)))
            if reached.deferred:
                self._start(reached, connections)
            if reached.kind is Kind.CONNECT:
                return _json(answers.directory(reached.server, _now(connections, reached)))
            self._look_again(reached, connections)
            return self._dispatch(reached, connections)

    def _since_resolved(self, connections: Connections) -> World:
        """Return the world as it was resolved, with what has changed since."""
        world, name = self.course.world, self.course.reached.server
        was, now = world.servers[name], connections.servers().get(name)
        changes = Changes(removed=True)
        if now is not None:
            same = (
                connections.revisions().get(name, 0) == self.revision
                and now.identity == was.identity
            )
            changes = Changes(
                enabled=now.enabled,
                authorized=now.authorized,
                identity=None if same else "changed",
            )
        return world.with_server(name, msgspec.structs.replace(was, after_resolve=changes))

    def _start(self, reached: Resolution, connections: Connections) -> None:
        started = connections.start(reached.server)
        told = Server(
            start_fails=started is Start.FAILED,
            start_seconds=inf if started is Start.SLOW else 0.0,
        )
        cause = connections.failure(reached.server) if told.start_fails else ""
        self._require(start_refusals(reached, told), cause=cause)

    def _look_again(self, reached: Resolution, connections: Connections) -> None:
        """Hold the call against what the server offers now; nothing is called before."""
        try:
            connections.refresh(reached.server)
        except CapabilityError as error:
            self.passing.note(self.course.request.text, RouteOutcome.FAILED)
            raise BlockedError(f"{error}; call it again to start the server") from error
        now = _now(connections, reached)
        self._require(live_refusals(reached, now, self.front.role))

    def _dispatch(self, reached: Resolution, connections: Connections) -> Output:
        try:
            answer = connections.call(reached.server, reached.tool, reached.arguments)
        except CapabilityError as error:
            raise ToolError(str(error)) from error
        if answer.failed:
            raise ToolError(answer.text)
        return Output(text=answer.text)


def _now(connections: Connections, reached: Resolution) -> Server:
    return connections.servers().get(reached.server, Server())


def _json(answer: Mapping[str, Any]) -> Output:
    return Output(text=json.dumps(answer, ensure_ascii=False))
