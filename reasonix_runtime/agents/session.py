"""A live session: a model, a workspace, the tools in it, and the state machine that judges both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from reasonix_runtime.agents.children.agent import Agent, Crew
from reasonix_runtime.agents.children.delegating import DELEGATING, SKILLED, delegating
from reasonix_runtime.agents.children.kept import Kept
from reasonix_runtime.agents.children.outfit import giving_way
from reasonix_runtime.agents.evaluator import evaluator_by
from reasonix_runtime.agents.journal import Journal
from reasonix_runtime.agents.model import Message
from reasonix_runtime.agents.prompts import system_prompt
from reasonix_runtime.agents.skills import Skill
from reasonix_runtime.agents.talk import Talk
from reasonix_runtime.agents.turn import Limits, Turn, TurnResult
from reasonix_runtime.capabilities.front_end import FrontEnd
from reasonix_runtime.contract.surface import PROXY, provider_visible
from reasonix_runtime.gates.goal.prompts import active_goal_block
from reasonix_runtime.gates.policy import CONTRACT, Policy
from reasonix_runtime.host.setup import Setup
from reasonix_runtime.host.state import HostState
from reasonix_runtime.tools.behaviours import built_in_behaviours
from reasonix_runtime.tools.context import Context, ToolSettings
from reasonix_runtime.tools.dispatch import Toolbox
from reasonix_runtime.tools.registry import Registry, default_registry
from reasonix_runtime.trace.events import MAIN, Host, Session
from reasonix_runtime.trace.host_events import SETUP
from reasonix_runtime.trace.neutral import FORMAT

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from reasonix_runtime.agents.journal import Listener
    from reasonix_runtime.agents.model import Model
    from reasonix_runtime.capabilities.connections import Connections
    from reasonix_runtime.tools.support.jobs import Jobs
    from reasonix_runtime.tools.support.workspace import Workspace
    from reasonix_runtime.trace.events import TextOrigin

NOT_OFFERED = frozenset({"compress"})
"""Built-in tools that a run has no use for: nobody folds its conversation."""

DEPTH = 0
"""How deep the main conversation runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings:
    """How a session is judged and bounded; the keys of a transcript's setup have the same names.

    `tasks` is the task list that it begins with, `skills` are those from files.
    """

    policy: Policy = CONTRACT
    profile: Literal["ordinary", "delivery"] = "ordinary"
    preset: Literal["light", "balanced", "delivery"] = "balanced"
    tasks: tuple[Mapping[str, Any], ...] = ()
    skills: Mapping[str, Skill] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    tools: ToolSettings = field(default_factory=ToolSettings)


class AgentSession:
    """A session, open until it is closed; whoever made its jobs and connections ends them.

    Args:
        model: who answers.
        workspace: where the tools work.
        settings: how the session is judged and bounded.
        sid: the name of the session.
        clock: the time of an event.
        jobs: the background jobs of the session.
        connections: the servers that `use_capability` reaches.
        child_ids: makes the 12 hexadecimal digits in the reference of a child; without it children
            are not kept.
        listeners: who is told every event.
        state: the state machine; by default a new one of the rule set.
    """

    def __init__(
        self,
        model: Model,
        workspace: Workspace,
        settings: RunSettings,
        *,
        sid: str,
        clock: Callable[[], datetime],
        jobs: Jobs | None = None,
        connections: Connections | None = None,
        child_ids: Callable[[], str] | None = None,
        listeners: Sequence[Listener] = (),
        state: HostState | None = None,
    ) -> None:
        self._settings = settings
        self._works = working_registry(skilled=bool(settings.skills))
        state = state or HostState(settings.policy)
        self.journal = Journal(state, clock=clock, listeners=listeners)
        self._open(sid, model, workspace)
        self._crew = Crew(
            journal=self.journal,
            workspace=workspace,
            tools=settings.tools,
            delegating=delegating,
            jobs=jobs,
            connections=connections,
            skills=settings.skills,
            kept=None if child_ids is None else Kept(clock=clock, ids=child_ids),
        )
        self._talk = self._main_talk(model)
        self._evaluator = evaluator_by(model, spend=self.journal.spend)

    def _main_talk(self, model: Model) -> Talk:
        """Return the conversation of the main agent, with its tools and its proxy."""
        crew, journal, steps = self._crew, self.journal, self._settings.limits.steps
        registry = default_registry().select([*self._works.names, PROXY])
        main = Agent(scope=MAIN, depth=DEPTH, names=registry.names, steps=steps, model=model)
        toolbox = Toolbox(
            Context(workspace=crew.workspace, settings=crew.tools, jobs=crew.jobs),
            state=journal.state,
            registry=registry,
            behaviours=giving_way(crew, {**built_in_behaviours(), **delegating(crew, main)}),
            listener=journal.tell,
            door=FrontEnd(
                registry=self._works,
                state=journal.state,
                connections=crew.connections,
                skills=tuple(crew.skills),
            ),
            lock=journal.lock,
        )
        visible = provider_visible(registry.names)
        return Talk(
            model=model,
            toolbox=toolbox,
            tools=[entry for entry in registry.entries() if entry.name in visible],
            journal=journal,
            begin=[
                Message(role="system", text=system_prompt(crew.workspace.directory, crew.skills))
            ],
        )

    def turn(self, text: str, *, origin: TextOrigin = "user") -> TurnResult:
        """Take a turn with what the user says, or what the host goes on with by itself."""
        limits, evaluator = self._settings.limits, self._evaluator
        # The goal stands in the turn and not before it: the prefix of a request stays the same.
        told = [active_goal_block(self.journal.state.goals.goal), text]
        turn = Turn(self._talk, self.journal, limits, evaluator=evaluator)
        return turn.take("\n\n".join(filter(None, told)), origin=origin)

    @property
    def unfinished(self) -> tuple[str, ...]:
        """The background jobs that still run, by their ids."""
        jobs = self._crew.jobs
        return () if jobs is None else tuple(job.id for job in jobs.of(MAIN, running=True))

    def close(self) -> None:
        """End the children that still run; nothing is told after that."""
        for cancellation in self._crew.background:
            cancellation.cancel()
        self.journal.close()

    def _open(self, sid: str, model: Model, workspace: Workspace) -> None:
        """Tell the session, and what holds before its first turn."""
        settings, folder = self._settings, workspace.directory
        self.journal.apply(
            Session(
                sid=sid,
                format=FORMAT,
                profile=settings.policy.name,
                cwd=folder,
                model=model.name,
                started_at=self.journal.time(),
            )
        )
        setup = Setup(
            workspace=folder,
            profile=settings.profile,
            preset=settings.preset,
            tasks=tuple(map(dict, settings.tasks)),
            tools=self._works.names,
        )
        self.journal.apply(Host(name=SETUP, data=msgspec.to_builtins(setup)))


def working_registry(*, skilled: bool = False) -> Registry:
    """Return the tools that work in a run, beside the proxy; a model is offered no other.

    `skilled` says that there are skills from files.
    """
    names = (*built_in_behaviours(), *DELEGATING, *(SKILLED if skilled else ()))
    return default_registry().select(name for name in names if name not in NOT_OFFERED)
