"""What the delegating tools do: they ask the gate, start children, and tell what came of them."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import msgspec

from reasonix_runtime.agents.children.child import Child, identity_of
from reasonix_runtime.agents.children.order import Order
from reasonix_runtime.agents.children.outcomes import answer, failure, finished, run_all, together
from reasonix_runtime.agents.children.outfit import workspace_root
from reasonix_runtime.agents.children.prompts import SKILLS
from reasonix_runtime.agents.errors import ScopeEndedError
from reasonix_runtime.agents.skills import Skill, pinned, skill_of
from reasonix_runtime.gates.delegation.items import (
    FleetItem,
    Task,
    read_fleet,
    read_parallel,
    read_single,
    read_task,
)
from reasonix_runtime.gates.delegation.judge import JUDGES
from reasonix_runtime.gates.delegation.launch import wanted_tools
from reasonix_runtime.gates.delegation.stored import continued, page_text, read_page_request
from reasonix_runtime.gates.delegation.world import DelegationWorld, Profile
from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.errors import ToolError
from reasonix_runtime.tools.support.cancellation import Cancellation
from reasonix_runtime.trace.events import Host, ToolCall
from reasonix_runtime.trace.host_events import JOB_ENDED

if TYPE_CHECKING:
    from reasonix_runtime.agents.children.agent import Agent, Crew
    from reasonix_runtime.agents.children.kept import Identity
    from reasonix_runtime.tools.context import Behaviour

DELEGATING: Final = (*JUDGES, *SKILLS)
"""The tools that start children here, or read what is kept of them."""

SKILLED: Final = ("read_only_skill", "read_skill", "run_skill")
"""The tools of skills from files; there are none without any."""

_PATTERN: Final = re.compile(r"[*?\[]")


def delegating(crew: Crew, agent: Agent) -> Mapping[str, Behaviour]:
    """Return the delegating tools of an agent."""
    own = _Delegating(crew, agent)
    return {
        "fleet": own.fleet,
        "parallel_tasks": own.parallel_tasks,
        "read_only_task": own.read_only_task,
        "read_subagent_result": own.read_subagent_result,
        "task": own.task,
        **{kind: own.skill(kind) for kind in SKILLS},
        **({} if not crew.skills else _skilled(own)),
    }


class _Delegating:
    """The delegating tools of one agent."""

    def __init__(self, crew: Crew, agent: Agent) -> None:
        self._crew = crew
        self._agent = agent

    # -- one child ---------------------------------------------------------------------------

    def task(self, arguments: Arguments, context: Context) -> Output:
        """Run one child, in the foreground or as a job."""
        given = self._resolved(arguments)
        return self._one("task", given, read_task(given), context)

    def skill(self, kind: str) -> Behaviour:
        """Return the tool of a skill, whose child only reads."""

        def run(arguments: Arguments, context: Context) -> Output:
            """Let a child do the task of the skill."""
            given = {
                "prompt": arguments["task"],
                "continue_from": arguments.get("continue_from"),
                "read_only": True,
            }
            return self._one(kind, given, read_task(given), context)

        return run

    def read_only_task(self, arguments: Arguments, context: Context) -> Output:
        """Run one child that only reads and is not kept."""
        return self._reader("read_only_task", dict(arguments), context)

    def _reader(
        self, kind: str, given: dict[str, Any], context: Context, skill: Skill | None = None
    ) -> Output:
        self._require("read_only_task", given, None)
        asked = read_single(given) or _undecodable()
        item = FleetItem(
            prompt=asked.prompt,
            tools=asked.tools,
            max_steps=asked.max_steps,
            model=asked.model,
            effort=asked.effort,
            read_only=True,
        )
        return self._foreground(Order(kind=kind, item=item, skill=skill), context)

    def _one(
        self,
        kind: str,
        given: dict[str, Any],
        asked: Task | None,
        context: Context,
        skill: Skill | None = None,
    ) -> Output:
        order = self._equipped(Order(kind=kind, item=asked or Task(), skill=skill))
        identity = identity_of(self._crew, order, self._agent)
        self._require("task", given, identity)
        asked = asked or _undecodable()
        ref, kept = continued(asked), self._crew.kept
        if ref and kept is not None:
            order = replace(order, continues=kept.of(ref))
        if asked.run_in_background:
            return self._background("task", [order], context)
        return self._foreground(order, context)

    def _foreground(self, order: Order, context: Context) -> Output:
        came = self._child(order, context, self._agent.cancellation).run()
        if came.status != "completed":
            raise ToolError(failure(came))
        return Output(text=answer(came))

    # -- skills from files -------------------------------------------------------------------

    def run_skill(self, arguments: Arguments, context: Context) -> Output:
        """Give the text of an inline skill, or let a child do what it says."""
        skill = skill_of(self._crew.skills, arguments["name"])
        goes_on = {name: arguments.get(name) for name in ("continue_from", "fork_from")}
        if all(goes_on.values()):
            raise ToolError("continue_from and fork_from exclude each other")
        if not skill.runs_apart:
            if any(goes_on.values()):
                raise ToolError(f"{skill.name} is inline: there is no run to carry on with")
            return Output(text=pinned(skill, arguments.get("arguments", "")))
        given = {**_asked_of(skill, arguments), **goes_on}
        return self._one("run_skill", given, read_task(given), context, skill)

    def read_only_skill(self, arguments: Arguments, context: Context) -> Output:
        """Do the same with a child that only reads and is not kept."""
        skill = skill_of(self._crew.skills, arguments["name"])
        if not skill.runs_apart:
            return Output(text=pinned(skill, arguments.get("arguments", "")))
        return self._reader("read_only_skill", _asked_of(skill, arguments), context, skill)

    def read_skill(self, arguments: Arguments, _context: Context) -> Output:
        """Give the text of an inline skill."""
        skill = skill_of(self._crew.skills, arguments["name"])
        if skill.runs_apart:
            raise ToolError(f"{skill.name} runs as a sub-agent: execute it with run_skill")
        return Output(text=pinned(skill, arguments.get("arguments", "")))

    def _equipped(self, order: Order) -> Order:
        """Return an order with what its profile says, where it names one that there is."""
        item = order.item
        skill = self._crew.skills.get(item.profile.strip())
        if skill is None or not skill.runs_apart:
            return order
        narrowed = msgspec.structs.replace(
            item,
            tools=wanted_tools(item, self._world(None)),
            model=item.model or skill.model,
            effort=item.effort or skill.effort,
        )
        return replace(order, item=narrowed, skill=skill)

    # -- several children --------------------------------------------------------------------

    def parallel_tasks(self, arguments: Arguments, context: Context) -> Output:
        """Run several children that only read, side by side."""
        given = dict(arguments)
        self._require("parallel_tasks", given, None)
        asked = read_parallel(given) or _undecodable()
        return self._group("parallel_tasks", asked.items, context)

    def fleet(self, arguments: Arguments, context: Context) -> Output:
        """Run several children that may write, side by side, or all of them as a job."""
        given = self._resolved(arguments)
        self._require("fleet", given, None)
        asked = read_fleet(given) or _undecodable()
        if asked.background:
            return self._background("fleet", self._orders("fleet", asked.items), context)
        return self._group("fleet", asked.items, context)

    def _group(self, kind: str, items: Sequence[FleetItem], context: Context) -> Output:
        cancellation = Cancellation()
        orders = self._orders(kind, items)
        children = [self._child(order, context, cancellation) for order in orders]
        try:
            came = run_all(children)
        except BaseException:
            # An interrupt does not wait for a model: what it still says is not heard any more.
            cancellation.cancel()
            for child in children:
                self._crew.journal.end_child(child.scope, "cancelled")
            raise
        return Output(text=together(kind, came, cancelled=False))

    def _orders(self, kind: str, items: Sequence[FleetItem]) -> list[Order]:
        return [
            self._equipped(Order(kind=kind, item=item, number=number))
            for number, item in enumerate(items)
        ]

    # -- in the background -------------------------------------------------------------------

    def _background(self, kind: str, orders: Sequence[Order], context: Context) -> Output:
        """Start children as one job; their evidence arrives with its end."""
        jobs, call = self._crew.jobs, _call_of(context)
        if jobs is None:
            raise ToolError("this session runs no background jobs")
        cancellation = Cancellation()
        self._crew.background.append(cancellation)
        children = [self._child(order, context, cancellation) for order in orders]
        label = orders[0].item.description or orders[0].item.prompt
        job = jobs.open(kind, label, owner=context.owner, stop=cancellation.cancel)
        for child in children:
            child.begin(background=True)

        def work() -> None:
            """Wait for the children and tell the end of their job."""
            outcome, text = finished(kind, children, cancellation)
            data = {"uid": call.uid, "outcome": outcome}
            with suppress(ScopeEndedError):  # nobody hears it once the session has ended
                self._crew.journal.apply(Host(name=JOB_ENDED, turn=call.turn, data=data))
            jobs.finish(job, "done" if outcome == "ok" else "failed", answer=text)

        threading.Thread(target=work, name=f"child job {job.id}", daemon=True).start()
        text = (
            f'Started background {kind} "{job.id}". Collect its answer with wait, stop it with '
            f'kill_shell, each with job id "{job.id}".'
        )
        return Output(text=text, outcome="running")

    # -- what is kept ------------------------------------------------------------------------

    def read_subagent_result(self, arguments: Arguments, _context: Context) -> Output:
        """Read a page of the answer of a child."""
        given = dict(arguments)
        world = self._require("read_subagent_result", given, None)
        asked = read_page_request(given) or _undecodable()
        stored = world.stored(asked.ref)
        if stored is None:
            raise ToolError(f"there is no stored run {asked.ref}")
        return Output(text=page_text(asked, stored))

    # -- the gate ----------------------------------------------------------------------------

    def _require(
        self, tool: str, given: dict[str, Any], identity: Identity | None
    ) -> DelegationWorld:
        """Ask the gate of a tool in the world as it is now; raises ToolError with its refusal."""
        world = self._world(identity)
        verdict = JUDGES[tool](given, world)
        if not verdict.accepted:
            raise ToolError(verdict.message)
        return world

    def _world(self, identity: Identity | None) -> DelegationWorld:
        crew, taken = self._crew, self._crew.slots.taken
        return DelegationWorld(
            active_total=taken.total,
            active_writers=taken.writers,
            claims=tuple(tuple(sorted(claim or ())) for claim in taken.claims),
            caller_depth=self._agent.depth,
            persisted=crew.kept is not None,
            storage=crew.kept is not None,
            jobs=crew.jobs is not None and self._agent.depth == 0,
            results=() if crew.kept is None else crew.kept.told(identity),
            profiles=tuple(
                Profile(name=skill.name, tools=skill.tools)
                for skill in crew.skills.values()
                if skill.runs_apart
            ),
            parent=self._agent.names,
            workspace=workspace_root(crew),
        )

    def _resolved(self, arguments: Arguments) -> dict[str, Any]:
        """Return arguments with the paths of writers free of links, as far as they are paths."""
        given = dict(arguments)
        if isinstance(given.get("write_paths"), list):
            given["write_paths"] = [self._real(path) for path in given["write_paths"]]
        if isinstance(given.get("tasks"), list):
            given["tasks"] = [
                self._resolved(item) if isinstance(item, dict) else item for item in given["tasks"]
            ]
        return given

    def _real(self, path: Any) -> Any:
        if not isinstance(path, str) or not path.strip() or _PATTERN.search(path) or "\0" in path:
            return path
        return os.path.realpath(Path(workspace_root(self._crew), path.strip()))

    def _child(self, order: Order, context: Context, cancellation: Cancellation) -> Child:
        return Child(self._crew, self._agent, _call_of(context), order, cancellation)


def _skilled(own: _Delegating) -> Mapping[str, Behaviour]:
    return {
        "read_only_skill": own.read_only_skill,
        "read_skill": own.read_skill,
        "run_skill": own.run_skill,
    }


def _asked_of(skill: Skill, arguments: Arguments) -> dict[str, Any]:
    """Return what is asked of the sub-agent of a skill; raises ToolError without a task."""
    task = arguments.get("arguments", "")
    if not task.strip():
        raise ToolError(f"{skill.name} runs as a sub-agent: its whole task goes into arguments")
    return {
        "prompt": task,
        "tools": list(skill.tools or ()),
        "model": skill.model,
        "effort": skill.effort,
    }


def _call_of(context: Context) -> ToolCall:
    if context.call is None:
        raise ToolError("a sub-agent needs a host that runs it; there is none here")
    return context.call


def _undecodable() -> NoReturn:
    raise ToolError("the arguments do not decode")
