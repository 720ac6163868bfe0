"""The goal record as it stands in a session's file: reading what older hosts wrote, and writing.

Reading is strict about types and about the status, because an unknown status must never default
to something that runs. It is lenient about age: fields of older editions are moved, fields that
are missing are left at zero, and what is derived from others is derived by the machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from reasonix_runtime.evidence.tasks import Task, task_of
from reasonix_runtime.gates.goal.state import (
    BudgetClass,
    GoalState,
    GoalStatus,
    ResearchMode,
)

_MODES = tuple(ResearchMode)
_NAMES = """
    goal text turns status stopCause block scopeID deliveryCheckpoint budgetClass turnsUsed
    turnsLimit budgetExtensions tokensUsed tokensLimit noProgressTurns noProgressLimit
    lastContinuationReason lastEvaluatorReason researchMode autoResearchTaskID strict todos
"""
_KNOWN = frozenset(_NAMES.split())
"""Fields that this host reads or moves; the rest is carried."""


class MalformedGoalError(ValueError):
    """A stored goal cannot be read; the text names the field and what was expected."""


def decode_goal(stored: Any) -> GoalState:
    """Read a stored goal.

    Raises:
        MalformedGoalError: it is no object, a field has a wrong type, or a word is unknown.
    """
    fields = _Fields(stored)
    turns = fields.count("turnsUsed") or fields.count("turns")
    return GoalState(
        text=(fields.text("text") or fields.text("goal")).strip(),
        status=GoalStatus(fields.word("status", GoalStatus) or GoalStatus.STOPPED),
        stop_cause=fields.text("stopCause"),
        block=fields.text("block"),
        scope=fields.text("scopeID"),
        checkpoint=MappingProxyType(dict(fields.mapping("deliveryCheckpoint"))),
        budget_class=BudgetClass(fields.word("budgetClass", BudgetClass)),
        turns_used=turns,
        turns_limit=fields.count("turnsLimit"),
        budget_extensions=fields.count("budgetExtensions"),
        tokens_used=fields.count("tokensUsed"),
        no_progress_turns=fields.count("noProgressTurns"),
        no_progress_limit=fields.count("noProgressLimit"),
        last_continuation_reason=fields.text("lastContinuationReason"),
        last_evaluator_reason=fields.text("lastEvaluatorReason"),
        research_mode=fields.mode("researchMode"),
        research_task=fields.text("autoResearchTaskID"),
        strict=fields.flag("strict"),
        todos=fields.todos("todos"),
        carried=MappingProxyType({k: v for k, v in stored.items() if k not in _KNOWN}),
    )


def encode_goal(goal: GoalState) -> dict[str, Any]:
    """Return the goal as the file holds it; the epoch is memory only."""
    return {
        **goal.carried,
        "text": goal.text,
        "status": goal.status.value,
        "stopCause": str(goal.stop_cause),
        "block": goal.block,
        "scopeID": goal.scope,
        "deliveryCheckpoint": dict(goal.checkpoint),
        "budgetClass": goal.budget_class.value,
        "turnsUsed": goal.turns_used,
        "turnsLimit": goal.turns_limit,
        "budgetExtensions": goal.budget_extensions,
        "tokensUsed": goal.tokens_used,
        "tokensLimit": 0,
        "noProgressTurns": goal.no_progress_turns,
        "noProgressLimit": goal.no_progress_limit,
        "lastContinuationReason": goal.last_continuation_reason,
        "lastEvaluatorReason": goal.last_evaluator_reason,
        "researchMode": goal.research_mode.value,
        "autoResearchTaskID": goal.research_task,
        "strict": goal.strict,
        "todos": [_stored_todo(todo) for todo in goal.todos],
    }


def _stored_todo(todo: Task) -> dict[str, Any]:
    stored: dict[str, Any] = {"content": todo.content, "status": todo.status}
    if todo.active_form:
        stored["activeForm"] = todo.active_form
    if todo.level:
        stored["level"] = todo.level
    if todo.step_id:
        stored["step_id"] = todo.step_id
    return stored


class _Fields:
    """The fields of a stored goal, each asked for by its type; absent and null are zero.

    Whatever cannot be read as that type raises MalformedGoalError, naming the field.
    """

    def __init__(self, stored: Any) -> None:
        if not isinstance(stored, Mapping):
            raise MalformedGoalError(f"expected an object, got {type(stored).__name__}")
        self._stored = stored

    def text(self, name: str) -> str:
        """Return a text, empty where there is none."""
        return str(self._typed(name, str, "text", ""))

    def flag(self, name: str) -> bool:
        """Whether a flag is set; it is not where there is none."""
        return bool(self._typed(name, bool, "true or false", False))

    def mapping(self, name: str) -> Mapping[str, Any]:
        """Return an object, empty where there is none."""
        found: Mapping[str, Any] = self._typed(name, Mapping, "an object", {})
        return found

    def count(self, name: str) -> int:
        """Return a whole number from 0; `true` is none."""
        value = self._typed(name, int, "a whole number", 0)
        if isinstance(value, bool) or value < 0:
            raise MalformedGoalError(f"{name}: expected a whole number from 0, got {value!r}")
        return int(value)

    def word(self, name: str, words: type[GoalStatus | BudgetClass | ResearchMode]) -> str:
        """Return a text that is one of the values of `words`, trimmed, or empty."""
        value = self.text(name).strip()
        known = [word.value for word in words]
        if value and value not in known:
            raise MalformedGoalError(
                f"{name}: expected one of {', '.join(filter(None, known))}, got {value!r}"
            )
        return value

    def mode(self, name: str) -> ResearchMode:
        """Read a research mode; older files hold its number."""
        value = self._stored.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(_MODES):
            return _MODES[value]
        return ResearchMode(self.word(name, ResearchMode) or ResearchMode.AUTOMATIC)

    def todos(self, name: str) -> tuple[Task, ...]:
        """Return the task list, each task read whole."""
        items = self._typed(name, list, "a list", [])
        if not all(isinstance(item, Mapping) for item in items):
            raise MalformedGoalError(f"{name}: expected a list of objects")
        for item in items:
            # A task that is read in parts would be written back without the rest.
            fields = _Fields(item)
            fields.count("level")
            for member in ("content", "status", "activeForm", "step_id"):
                fields.text(member)
        return tuple(task_of(dict(item)) for item in items)

    def _typed(self, name: str, kind: Any, told: str, absent: Any) -> Any:
        value = self._stored.get(name)
        if value is None:
            return absent
        if not isinstance(value, kind):
            raise MalformedGoalError(f"{name}: expected {told}, got {value!r}")
        return value
