"""How the dispatcher opens `use_capability`, which reaches more than a tool may know of.

What stands behind the door is a lower floor: connections, permission, the world of the proxy. The
dispatcher knows that a call has a target with a name of its own, and how one is run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from reasonix_runtime.tools.context import Output


class Target(NamedTuple):
    """What a call of the proxy reaches: its real name, arguments and flag, for the gates."""

    name: str
    arguments: Mapping[str, Any]
    read_only: bool


class Passing(NamedTuple):
    """What the dispatcher lends to a call that passes through.

    `allowed` asks the delivery gates and raises BlockedError, `run` runs a host tool by its name,
    `note` tells the host what became of a capability.
    """

    allowed: Callable[[], None]
    run: Callable[[str, Mapping[str, Any]], Output]
    note: Callable[[str, str], None]


class Crossing(Protocol):
    """One call of the proxy, resolved: what it was judged by is what it does."""

    @property
    def target(self) -> Target | None:
        """What it would reach; None for no target."""

    def carry_out(self, passing: Passing) -> Output:
        """Carry it out; raises ToolError."""


class Door(Protocol):
    """The front end of one agent."""

    def enter(self, args: Any) -> Crossing:
        """Resolve a call; nothing is started by that."""

    def keep(self, call_id: str, body: str) -> None:
        """Keep the complete body of a result, so that it can be read by pages."""
