"""The life of a goal outside a turn's end: set, clear, stop, pause, resume, restore, usage.

Events carry what is not known here: a fresh scope id, the class of the text, what a file held.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType

from reasonix_runtime.gates.goal.budget import QUOTA, STALL_LIMIT, budget_class
from reasonix_runtime.gates.goal.state import (
    NO_GOAL,
    BudgetClass,
    GoalState,
    GoalStatus,
    ResearchMode,
    StopCause,
    binding,
)
from reasonix_runtime.gates.goal.table import Place, Row

_HAS_GOAL = (Place.RUNNING, Place.BLOCKED, Place.STOPPED)
_NOT_RUNNING = tuple(place for place in Place if place is not Place.RUNNING)
_BUDGET_CAUSES = (StopCause.BUDGET_TURNS, StopCause.BUDGET_TOKENS, StopCause.NO_PROGRESS)


@dataclass(frozen=True, slots=True, kw_only=True)
class SetGoal:
    """The user gives a goal; `scope` is a fresh id, a blank text clears."""

    text: str
    scope: str
    budget_class: BudgetClass | None = None
    research_mode: ResearchMode = ResearchMode.AUTOMATIC
    research_task: str = ""
    strict: bool = False


@dataclass(frozen=True, slots=True)
class ClearGoal:
    """The user takes the goal away."""


@dataclass(frozen=True, slots=True)
class StopGoal:
    """The user stops or cancels the work; the goal stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PauseGoal:
    """The goal is paused for a cause; `text` is shown to the user when there is one."""

    cause: str = StopCause.MANUAL
    text: str = ""


@dataclass(frozen=True, slots=True)
class ResumeGoal:
    """The user lets the work go on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreGoal:
    """A session file was read; `stored` is None when it was unreadable or malformed."""

    stored: GoalState | None
    scope: str


@dataclass(frozen=True, slots=True)
class NewSession:
    """The session was replaced by a new or an empty one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens were spent for the goal of that scope and epoch."""

    scope: str
    epoch: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Admit:
    """A continuation prompt that was prepared at that epoch is about to be sent."""

    epoch: int
    continues: bool = True


def quota_of(kind: BudgetClass) -> int:
    """Return the turns of a class; a goal without a class has none."""
    return QUOTA.get(kind, 0)


def _is_same_goal(goal: GoalState, event: SetGoal) -> bool:
    mine = (goal.text, goal.research_mode, goal.research_task)
    return mine == (event.text.strip(), event.research_mode, event.research_task)


def _has_text(goal: GoalState, event: SetGoal) -> bool:
    return bool(event.text.strip())


def _clears(goal: GoalState, event: SetGoal | ClearGoal) -> bool:
    return isinstance(event, ClearGoal) or not event.text.strip()


def _set(goal: GoalState, event: SetGoal) -> GoalState:
    text = event.text.strip()
    kind = event.budget_class or budget_class(text, event.research_mode)
    return GoalState(
        text=text,
        status=GoalStatus.RUNNING,
        scope=event.scope,
        epoch=goal.epoch + 1,
        budget_class=kind,
        turns_limit=quota_of(kind),
        no_progress_limit=STALL_LIMIT,
        research_mode=event.research_mode,
        research_task=event.research_task,
        strict=event.strict,
        todos=goal.todos,
    )


def _clear(goal: GoalState, event: object) -> GoalState:
    """Take goal, scope, counters and checkpoint away; class and limits say nothing without them."""
    return replace(
        NO_GOAL,
        epoch=goal.epoch + 1,
        budget_class=goal.budget_class,
        turns_limit=goal.turns_limit,
        no_progress_limit=goal.no_progress_limit,
        strict=goal.strict,
        todos=goal.todos,
    )


def _stop(goal: GoalState, event: StopGoal) -> GoalState:
    return replace(_stop_idle(goal, event), status=GoalStatus.STOPPED)


def _stop_idle(goal: GoalState, event: StopGoal) -> GoalState:
    return replace(goal, epoch=goal.epoch + 1, stop_cause=StopCause.NONE, no_progress_turns=0)


def _pause(goal: GoalState, event: PauseGoal) -> GoalState:
    return replace(
        goal,
        epoch=goal.epoch + 1,
        status=GoalStatus.BLOCKED,
        stop_cause=event.cause,
        block=event.text.strip() or goal.block,
    )


def _spent(goal: GoalState, event: ResumeGoal) -> bool:
    over = goal.turns_limit > 0 and goal.turns_used >= goal.turns_limit
    return over or goal.stop_cause in _BUDGET_CAUSES


def _resume(goal: GoalState, event: ResumeGoal) -> GoalState:
    return replace(
        goal,
        epoch=goal.epoch + 1,
        status=GoalStatus.RUNNING,
        stop_cause=StopCause.NONE,
        block="",
        no_progress_turns=0,
    )


def _resume_extend(goal: GoalState, event: ResumeGoal) -> GoalState:
    return replace(
        _resume(goal, event),
        turns_limit=goal.turns_limit + quota_of(goal.budget_class),
        budget_extensions=goal.budget_extensions + 1,
    )


def _is_unreadable(goal: GoalState, event: RestoreGoal) -> bool:
    return event.stored is None


def _is_token_pause(goal: GoalState, event: RestoreGoal) -> bool:
    stored = event.stored
    return (
        stored is not None
        and bool(stored.text)
        and stored.status is GoalStatus.BLOCKED
        and stored.stop_cause == StopCause.BUDGET_TOKENS
    )


def _restore(goal: GoalState, event: RestoreGoal) -> GoalState:
    """Take what the file held; what it lacks is derived again."""
    stored = event.stored or NO_GOAL
    if not stored.text:
        return replace(stored, epoch=goal.epoch + 1)
    scope = stored.scope or event.scope
    kind = stored.budget_class or budget_class(stored.text, stored.research_mode)
    own = stored.checkpoint.get("scopeID") == scope
    return replace(
        stored,
        epoch=goal.epoch + 1,
        scope=scope,
        checkpoint=stored.checkpoint if own else MappingProxyType({}),
        budget_class=kind,
        turns_limit=stored.turns_limit or quota_of(kind) * (1 + stored.budget_extensions),
        no_progress_limit=stored.no_progress_limit or STALL_LIMIT,
    )


def _restore_migrate(goal: GoalState, event: RestoreGoal) -> GoalState:
    restored = _restore(goal, event)
    return replace(restored, status=GoalStatus.RUNNING, stop_cause=StopCause.NONE, block="")


def _leave(goal: GoalState, event: NewSession) -> GoalState:
    return replace(NO_GOAL, epoch=goal.epoch + 1)


def _is_own_usage(goal: GoalState, event: Usage) -> bool:
    return event.tokens > 0 and (event.scope, event.epoch) == binding(goal)


def _use(goal: GoalState, event: Usage) -> GoalState:
    return replace(goal, tokens_used=goal.tokens_used + event.tokens)


def _is_current(goal: GoalState, event: Admit) -> bool:
    return event.continues and event.epoch == goal.epoch


LIFE_ROWS: tuple[Row, ...] = (
    Row(
        key="set_noop",
        reason="goal_life.set_noop",
        on=(SetGoal,),
        at=(Place.RUNNING,),
        when=_is_same_goal,
    ),
    Row(
        key="set",
        reason="goal_life.set",
        on=(SetGoal,),
        to=Place.RUNNING,
        when=_has_text,
        then=_set,
    ),
    Row(
        key="clear",
        reason="goal_life.clear",
        on=(ClearGoal, SetGoal),
        to=Place.NO_GOAL,
        when=_clears,
        then=_clear,
    ),
    Row(
        key="stop",
        reason="goal_life.stop",
        on=(StopGoal,),
        at=(Place.RUNNING,),
        to=Place.STOPPED,
        then=_stop,
    ),
    Row(
        key="stop_idle",
        reason="goal_life.stop_idle",
        on=(StopGoal,),
        at=_NOT_RUNNING,
        then=_stop_idle,
    ),
    Row(
        key="pause",
        reason="goal_life.pause",
        on=(PauseGoal,),
        at=(Place.RUNNING,),
        to=Place.BLOCKED,
        then=_pause,
    ),
    Row(key="pause_idle", reason="goal_life.pause_idle", on=(PauseGoal,), at=_NOT_RUNNING),
    Row(
        key="resume_refused",
        reason="goal_life.resume_refused",
        on=(ResumeGoal,),
        at=(Place.NO_GOAL, Place.COMPLETE),
        accepts=False,
    ),
    Row(
        key="resume_extend",
        reason="goal_life.resume_extend",
        on=(ResumeGoal,),
        at=_HAS_GOAL,
        to=Place.RUNNING,
        when=_spent,
        then=_resume_extend,
    ),
    Row(
        key="resume",
        reason="goal_life.resume",
        on=(ResumeGoal,),
        at=_HAS_GOAL,
        to=Place.RUNNING,
        then=_resume,
    ),
    Row(
        key="restore_unreadable", reason="goal_life.restore", on=(RestoreGoal,), when=_is_unreadable
    ),
    Row(
        key="restore_migrate",
        reason="goal_life.restore_migrate",
        on=(RestoreGoal,),
        to=Place.RUNNING,
        when=_is_token_pause,
        then=_restore_migrate,
    ),
    Row(key="restore", reason="goal_life.restore", on=(RestoreGoal,), then=_restore),
    Row(
        key="new_session",
        reason="goal_life.new_session",
        on=(NewSession,),
        to=Place.NO_GOAL,
        then=_leave,
    ),
    Row(key="usage", reason="goal_life.usage", on=(Usage,), when=_is_own_usage, then=_use),
    Row(key="usage_stale", reason="goal_life.usage_stale", on=(Usage,), accepts=False),
    Row(key="admit", reason="goal_life.admit", on=(Admit,), at=(Place.RUNNING,), when=_is_current),
    Row(key="admit_stale", reason="goal_life.admit_stale", on=(Admit,), accepts=False),
)
"""Every way in which a goal changes between the ends of its turns."""
