"""One agent of a session, and what all agents of it share."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reasonix_runtime.agents.children.kept import Kept
from reasonix_runtime.agents.children.slots import Slots
from reasonix_runtime.agents.skills import Skill
from reasonix_runtime.tools.support.cancellation import Cancellation

if TYPE_CHECKING:
    from reasonix_runtime.agents.journal import Journal
    from reasonix_runtime.agents.model import Model
    from reasonix_runtime.capabilities.connections import Connections
    from reasonix_runtime.tools.context import Behaviour, ToolSettings
    from reasonix_runtime.tools.support.jobs import Jobs
    from reasonix_runtime.tools.support.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """Who calls: the main conversation at depth 0, or a child.

    `names` are the tools that it may call, `steps` is how many responses it may give.
    """

    scope: str
    depth: int
    names: tuple[str, ...]
    steps: int
    model: Model
    cancellation: Cancellation = field(default_factory=Cancellation)


@dataclass(frozen=True, slots=True, kw_only=True)
class Crew:
    """What the agents of a session share.

    `delegating` makes the delegating tools of an agent, `background` ends what runs there. `kept`
    is None where the session is not kept, and so are its children. `skills` are those from files.
    """

    journal: Journal
    workspace: Workspace
    tools: ToolSettings
    delegating: Callable[[Crew, Agent], Mapping[str, Behaviour]]
    jobs: Jobs | None = None
    connections: Connections | None = None
    kept: Kept | None = None
    skills: Mapping[str, Skill] = field(default_factory=dict)
    slots: Slots = field(default_factory=Slots)
    background: list[Cancellation] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
