"""The goal of a live session: what the user orders of it, and the turns that are taken for it.

The goal itself is in the state machine; here are the events that a live host tells it, and the loop
that begins the next turn with what the last one left open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from reasonix_runtime.gates.goal.sidecar import encode_goal
from reasonix_runtime.trace.events import Host
from reasonix_runtime.trace.host_events import (
    GOAL_ADMITTED,
    GOAL_RESTORED,
    GOAL_RESUMED,
    GOAL_SET,
)

if TYPE_CHECKING:
    from reasonix_runtime.agents.session import AgentSession
    from reasonix_runtime.agents.turn import TurnResult
    from reasonix_runtime.gates.goal.life import SetGoal
    from reasonix_runtime.gates.goal.state import GoalState
    from reasonix_runtime.gates.verdict import Verdict
    from reasonix_runtime.trace.events import TextOrigin


def _forget(_goal: GoalState) -> None:
    """Keep a goal nowhere."""


class Pursuit:
    """Orders about a goal, and the work on it.

    Args:
        session: the session that works; no turn of it has begun.
        keep: is given the goal whenever it may have changed.
    """

    def __init__(
        self, session: AgentSession, *, keep: Callable[[GoalState], None] = _forget
    ) -> None:
        self._session = session
        self._keep = keep

    @property
    def goal(self) -> GoalState:
        """The goal as it stands."""
        return self._session.journal.state.goals.goal

    def restore(self, goal: GoalState) -> None:
        """Begin with a goal that was stored."""
        self._tell(GOAL_RESTORED, sidecar=encode_goal(goal))

    def set(self, order: SetGoal, *, write_failed: bool = False) -> None:
        """Give the session a goal; one that could not be stored as it should be is none."""
        failed = {"write_failed": True} if write_failed else {}
        self._tell(
            GOAL_SET,
            text=order.text,
            scope=order.scope,
            research_mode=order.research_mode.value,
            strict=order.strict,
            **failed,
        )

    def resume(self) -> None:
        """Let the work on a goal that stands still go on."""
        self._tell(GOAL_RESUMED)

    @property
    def next_prompt(self) -> str | None:
        """What begins the next turn by itself, None where the work ends."""
        return self._session.journal.state.goals.next_prompt

    def turns(self, text: str) -> Iterator[TurnResult]:
        """Take a turn with what the user says, and go on for as long as the goal asks for it."""
        yield self._turn(text, origin="user")
        while (prompt := self.next_prompt) is not None:
            if not self._tell(GOAL_ADMITTED, epoch=self.goal.epoch).accepted:
                return
            yield self._turn(prompt, origin="host")

    def _turn(self, text: str, *, origin: TextOrigin) -> TurnResult:
        try:
            return self._session.turn(text, origin=origin)
        finally:
            # An interrupt stops the goal, and that is kept as well.
            self._keep(self.goal)

    def _tell(self, name: str, **data: object) -> Verdict:
        (verdict,) = self._session.journal.apply(Host(name=name, data=data))
        self._keep(self.goal)
        return verdict
