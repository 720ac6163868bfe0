"""The goal of a transcript's setup: where it stands, and what the host is said to have found.

What is absent is as in the goal of a fresh turn. Facts that a live host derives (readiness,
progress, gaps) are given here, never derived from the calls.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal

import msgspec

from reasonix_runtime.evidence.tasks import task_of
from reasonix_runtime.gates.completion import Gap, GapKind, WorkContract
from reasonix_runtime.gates.goal.evaluator import ANSWERS
from reasonix_runtime.gates.goal.state import (
    Binding,
    BudgetClass,
    GoalState,
    GoalStatus,
    ResearchMode,
)
from reasonix_runtime.gates.goal.turn import Evaluation, Opinion, Readiness
from reasonix_runtime.gates.presets import DEFAULT_PRESET, Preset, preset_of
from reasonix_runtime.host.goal_event_data import research_mode_of


class ReadinessFact(msgspec.Struct, frozen=True):
    """What the end-of-turn gate is said to find."""

    missing: tuple[str, ...] = ()
    reason: str = ""

    def value(self) -> Readiness:
        """Return it as the machine takes it."""
        return Readiness(missing=self.missing, reason=self.reason)


class EvaluatorFact(msgspec.Struct, frozen=True):
    """What the evaluator is said to answer, or why it fails."""

    outcome: str = ""
    reason: str = ""
    error: str | None = None

    def value(self) -> Evaluation:
        """Return the answer; an unknown outcome is a failure like any other."""
        if self.error is not None:
            return Evaluation(opinion=Opinion.FAILED, reason=self.error)
        if self.outcome in ANSWERS:
            return Evaluation(opinion=Opinion(self.outcome), reason=self.reason)
        return Evaluation(opinion=Opinion.FAILED, reason=f"unknown outcome {self.outcome!r}")


class GapFact(msgspec.Struct, frozen=True):
    """One gap that the host is said to find."""

    kind: GapKind
    subject: str = ""
    why: str = ""

    def value(self) -> Gap:
        """Return it as the account takes it."""
        return Gap(kind=self.kind, subject=self.subject, why=self.why)


class GoalFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What the host found; a host event may carry any of them for itself."""

    readiness: ReadinessFact = ReadinessFact()
    host_progress: bool | Literal["observed"] = True
    evaluator: EvaluatorFact | None = None
    host_gaps: tuple[GapFact, ...] = ()
    contract: WorkContract = WorkContract.NONE
    forbid_tests: bool = False
    preset: str = DEFAULT_PRESET

    @property
    def completion_preset(self) -> Preset:
        """The preset by its name."""
        return preset_of(self.preset)


class GoalSetup(GoalFacts, frozen=True, kw_only=True):
    """`setup.goal`: the goal record and the facts around it."""

    text: str = "Ship the parser"
    status: GoalStatus = GoalStatus.RUNNING
    scope: str = "goal-aa"
    epoch: int = 7
    budget_class: BudgetClass = BudgetClass.SIMPLE
    turns_used: int = 0
    turns_limit: int = 10
    budget_extensions: int = 0
    tokens_used: int = 0
    no_progress_turns: int = 0
    no_progress_limit: int = 4
    stop_cause: str = ""
    block: str = ""
    last_continuation_reason: str = ""
    last_evaluator_reason: str = ""
    research_mode: str | int = ResearchMode.AUTOMATIC.value
    research_task: str = msgspec.field(default="", name="auto_research_task_id")
    strict: bool = False
    todos: tuple[dict[str, Any], ...] = ()
    checkpoint: dict[str, Any] = msgspec.field(default_factory=dict, name="delivery_checkpoint")
    turn_bound: bool = True
    turn_scope: str | None = None
    turn_epoch: int | None = None

    def goal(self) -> GoalState:
        """Return the goal record."""
        return GoalState(
            text=self.text,
            status=self.status,
            stop_cause=self.stop_cause,
            block=self.block,
            scope=self.scope,
            checkpoint=MappingProxyType(self.checkpoint),
            epoch=self.epoch,
            budget_class=self.budget_class,
            turns_used=self.turns_used,
            turns_limit=self.turns_limit,
            budget_extensions=self.budget_extensions,
            tokens_used=self.tokens_used,
            no_progress_turns=self.no_progress_turns,
            no_progress_limit=self.no_progress_limit,
            last_continuation_reason=self.last_continuation_reason,
            last_evaluator_reason=self.last_evaluator_reason,
            research_mode=research_mode_of(self.research_mode),
            research_task=self.research_task,
            strict=self.strict,
            todos=tuple(map(task_of, self.todos)),
        )

    def first_turn(self) -> Binding | None:
        """Return what the first turn is bound to; None when it is no goal turn."""
        if not self.turn_bound:
            return None
        scope = self.scope if self.turn_scope is None else self.turn_scope
        return scope, self.epoch if self.turn_epoch is None else self.turn_epoch


def facts_of(data: Mapping[str, Any], given: GoalFacts) -> GoalFacts:
    """Return the facts around a host event: its own where it has them, else the given ones."""
    own = {key: value for key, value in data.items() if key in GoalFacts.__struct_fields__}
    if not own:
        return given
    base = {name: getattr(given, name) for name in GoalFacts.__struct_fields__}
    converted = msgspec.convert(own, GoalFacts)
    return GoalFacts(**(base | {name: getattr(converted, name) for name in own}))


def goal_setup_of(data: Mapping[str, Any]) -> GoalSetup:
    """Read `setup.goal`; an empty status means stopped, and the class may be called `class`.

    Raises:
        msgspec.ValidationError: a key has a wrong type or an unknown word.
    """
    told = dict(data)
    if told.get("status") == "":
        told["status"] = GoalStatus.STOPPED.value
    if "class" in told:
        told.setdefault("budget_class", told["class"])
    given = msgspec.convert(told, GoalSetup)
    research_mode_of(given.research_mode)
    return given
