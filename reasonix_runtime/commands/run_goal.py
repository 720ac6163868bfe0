"""The goal of a run: `/goal` commands, the file that it is kept in, what is told of it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reasonix_runtime.agents.pursuit import Pursuit
from reasonix_runtime.gates.goal.command import GoalAction, GoalCommand, parse_goal_command
from reasonix_runtime.gates.goal.life import ClearGoal, PauseGoal, ResumeGoal, SetGoal
from reasonix_runtime.gates.goal.machine import advance
from reasonix_runtime.gates.goal.prompts import OPENING
from reasonix_runtime.gates.goal.sidecar import encode_goal
from reasonix_runtime.gates.goal.state import NO_GOAL, GoalState, GoalStatus, new_scope, notice_text
from reasonix_runtime.plain import readable
from reasonix_runtime.sessions.goal_file import GoalFileError, GoalStore
from reasonix_runtime.sessions.hold import held
from reasonix_runtime.usage import UsageError

if TYPE_CHECKING:
    from reasonix_runtime.agents.session import AgentSession
    from reasonix_runtime.gates.goal.machine import GoalEvent
    from reasonix_runtime.gates.goal.policy import GoalRules
    from reasonix_runtime.gates.policy import Policy

COMMAND = "/goal"

WITHOUT_A_RUN = frozenset({GoalAction.STATUS, GoalAction.CLEAR, GoalAction.PAUSE})
"""What is asked of a goal without anybody working on it."""


def goal_command(text: str) -> GoalCommand | None:
    """Return the command that a user's text is; None for a text that is none."""
    word, *rest = text.split(maxsplit=1)
    return parse_goal_command("".join(rest)) if word == COMMAND else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand:
    """What a run is to do about a goal.

    `stored` is the goal that the file held, `order` what changes it, `text` what the first turn
    begins with, `tasks` the list that the session begins with. `store` is None where the goal is
    not kept.
    """

    text: str
    stored: GoalState = NO_GOAL
    order: SetGoal | ResumeGoal | None = None
    tasks: tuple[Mapping[str, Any], ...] = ()
    store: GoalStore | None = None

    @property
    def problems(self) -> Sequence[str]:
        """What could not be stored."""
        return () if self.store is None else self.store.problems

    def begin(self, session: AgentSession) -> Pursuit:
        """Tell the session of its goal; raises GoalFileError where a new one cannot be stored."""
        store, order = self.store, self.order
        pursuit = Pursuit(session) if store is None else Pursuit(session, keep=store.keep)
        if self.stored.text:
            pursuit.restore(self.stored)
        if isinstance(order, SetGoal):
            try:
                if store is not None:
                    store.apply(order)
            except GoalFileError:
                pursuit.set(order, write_failed=True)
                raise
            pursuit.set(order)
        elif order is not None:
            pursuit.resume()
        return pursuit


def errand_of(
    text: str, command: GoalCommand | None, store: GoalStore | None, rules: GoalRules
) -> Errand:
    """Return what a run is to do; raises UsageError where there is no goal to go on with."""
    stored = NO_GOAL if store is None else store.goal
    if command is None:
        tasks = _tasks(stored) if stored.running else ()
        return Errand(text=text, stored=stored, tasks=tasks, store=store)
    order = _order(command)
    after, step = advance(stored, order, rules)
    if not step.accepted:
        raise UsageError("there is no goal to go on with")
    tasks = _tasks(stored) if after.scope == stored.scope else ()
    return Errand(text=OPENING, stored=stored, order=order, tasks=tasks, store=store)


def _order(command: GoalCommand) -> SetGoal | ResumeGoal:
    if command.action is GoalAction.RESUME:
        return ResumeGoal()
    return SetGoal(
        text=command.text,
        scope=new_scope(os.urandom(16).hex()),
        research_mode=command.research_mode,
        strict=command.strict,
    )


def _tasks(goal: GoalState) -> tuple[Mapping[str, Any], ...]:
    """Return the task list of a goal; a new one has none yet."""
    return tuple(encode_goal(goal)["todos"])


def open_store(file: str | None, policy: Policy, command: GoalCommand | None) -> GoalStore | None:
    """Return the store of a file with the goal that is in it; None where none was asked for.

    Raises UsageError where a command needs one, and where the file holds none that can be read.
    """
    if (file is not None or command is not None) and policy.goal.exact_revision:
        raise UsageError(
            f"--rules {policy.name}: its goal tools are others, so a run has no goal there"
        )
    if file is None:
        if command is not None and command.action is not GoalAction.SET:
            asked = f"{COMMAND} {command.action}"
            raise UsageError(f"{asked}: name the file that the goal is kept in with --goal-file")
        return None
    store = GoalStore(Path(file), rules=policy.goal)
    store.load(seed=os.urandom(16).hex())
    if store.problems:
        raise UsageError(f"--goal-file {store.problems[0]}; nothing was changed")
    return store


def kept_apart(file: str | None, command: GoalCommand | None) -> AbstractContextManager[None]:
    """Return what keeps other runs from a goal file; to see how a goal stands disturbs nobody.

    Entering it raises HeldError where another run works on the goal.
    """
    asks = command is not None and command.action is GoalAction.STATUS
    return nullcontext() if file is None or asks else held(Path(file))


def tend(action: GoalAction, store: GoalStore) -> None:
    """Show, pause or take away the goal of a file; nobody works on it by that."""
    changes: dict[GoalAction, GoalEvent] = {
        GoalAction.CLEAR: ClearGoal(),
        GoalAction.PAUSE: PauseGoal(),
    }
    if action in changes:
        store.apply(changes[action], durable=True)
    print(readable(standing(store.goal), lines=True), flush=True)


def standing(goal: GoalState) -> str:
    """Return how a goal stands, in one line."""
    if goal.status is GoalStatus.COMPLETE:
        return f"goal reached (turn {goal.turns_used} of {goal.turns_limit})"
    if not goal.text:
        return "no goal"
    paused = goal.status is GoalStatus.BLOCKED and goal.stop_cause
    how = f"paused ({goal.stop_cause})" if paused else goal.status.value
    why = f" because {notice_text(goal.block)}" if goal.block else ""
    tokens = f", {goal.tokens_used} tokens" if goal.tokens_used else ""
    used = f"turn {goal.turns_used} of {goal.turns_limit}{tokens}"
    return f"goal {how}{why} ({used}): {notice_text(goal.text)}"
