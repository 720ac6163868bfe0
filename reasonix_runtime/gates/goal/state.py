"""The goal record and the words it is written in.

One frozen record holds everything that the goal machine of `gates/goal/machine.py` reads and
writes. It is also what `sessions/goal_file.py` keeps on disk; field names are those of the format
in snake case.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from reasonix_runtime.evidence.tasks import Task

CLIP = 400
"""Characters kept of a stored reason; a longer one ends in `...`."""

NOTICE_CLIP = 160
"""Characters kept of the goal text in a one-line notice."""

_EDGE = r"[\s:：,，.。;；!！?？\-—_\[\]()（）]+"
_BLOCK_EDGES = re.compile(rf"\A{_EDGE}|{_EDGE}\Z")
"""What a block reason loses at both ends: white space and loose punctuation."""


class GoalStatus(StrEnum):
    """The four states of a goal; a file without a status means `stopped`."""

    RUNNING = "running"
    COMPLETE = "complete"
    BLOCKED = "blocked"
    STOPPED = "stopped"


class StopCause(StrEnum):
    """Why a blocked goal is only paused; `NONE` is a genuine block that only the user lifts."""

    NONE = ""
    BUDGET_TURNS = "budget_turns"
    NO_PROGRESS = "no_progress"
    EVALUATOR = "evaluator_unavailable"
    MANUAL = "manual"
    BUDGET_TOKENS = "budget_tokens"


class BudgetClass(StrEnum):
    """The kind of work a goal asks for; it selects the turn quota and nothing else."""

    NONE = ""
    SIMPLE = "simple"
    WRITE = "write"
    RESEARCH = "research"


class ResearchMode(StrEnum):
    """Whether a goal runs as research: by its text, always, never."""

    AUTOMATIC = "automatic"
    ON = "on"
    OFF = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalState:
    """Everything known of the goal of one session.

    An empty `text` means that there is no goal. `epoch` is memory only: it grows with every
    change of the goal's life, so that what was prepared for an older goal can be told apart.
    `stop_cause` is text because newer hosts write causes that this one does not know.
    """

    text: str = ""
    status: GoalStatus = GoalStatus.STOPPED
    stop_cause: str = StopCause.NONE
    block: str = ""
    scope: str = ""
    checkpoint: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    epoch: int = 0
    budget_class: BudgetClass = BudgetClass.NONE
    turns_used: int = 0
    turns_limit: int = 0
    budget_extensions: int = 0
    tokens_used: int = 0
    no_progress_turns: int = 0
    no_progress_limit: int = 0
    last_continuation_reason: str = ""
    last_evaluator_reason: str = ""
    research_mode: ResearchMode = ResearchMode.AUTOMATIC
    research_task: str = ""
    strict: bool = False
    todos: tuple[Task, ...] = ()
    carried: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """Fields of a stored goal that only other hosts know; they are written back as they came."""

    @property
    def running(self) -> bool:
        """Whether there is a goal and the host works on it."""
        return bool(self.text) and self.status is GoalStatus.RUNNING

    @property
    def open_todos(self) -> tuple[Task, ...]:
        """The items that are not completed, in their order."""
        return tuple(todo for todo in self.todos if todo.open)


NO_GOAL = GoalState()
"""A session without a goal."""

Binding: TypeAlias = tuple[str, int]
"""Scope id and epoch: what a turn, a report and a continuation prompt belong to."""


def binding(goal: GoalState) -> Binding:
    """Return the pair that tells this goal and this moment of its life apart from others."""
    return goal.scope, goal.epoch


def clip(text: str, length: int = CLIP) -> str:
    """Trim a text that is stored, and cut it to `length` characters and `...`."""
    text = text.strip()
    return text if len(text) <= length else text[:length] + "..."


def clean_block(reason: str) -> str:
    """Return a block reason without the punctuation around it; nothing left reads `blocked`."""
    return _BLOCK_EDGES.sub("", reason) or "blocked"


def notice_text(text: str) -> str:
    """Return the goal text for a notice: one line, white space collapsed, clipped."""
    return clip(" ".join(text.split()), NOTICE_CLIP)


def new_scope(seed: str) -> str:
    """Return a scope id for a new goal: `goal-` and 32 hex digits, the same for the same seed."""
    return f"goal-{hashlib.sha256(seed.encode()).hexdigest()[:32]}"
