"""The gate of the task list: whether a new list may replace the old one (TW-01 to TW-09).

A list replaces the whole list. It is held against a baseline: the latest list of this turn, else
the canonical one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from reasonix_runtime.evidence.arguments import Fields
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.masking import shown
from reasonix_runtime.evidence.tasks import STATUSES, Problem, Task, legality, repair
from reasonix_runtime.gates import found
from reasonix_runtime.gates.policy import Policy
from reasonix_runtime.gates.steps.policy import TodoRules
from reasonix_runtime.gates.steps.todo_baseline import (
    clearing_refusals,
    current_refusals,
    history_refusals,
    id_refusals,
)
from reasonix_runtime.gates.steps.todo_completion import completion_refusals
from reasonix_runtime.gates.verdict import Later, Refusal, Verdict, accept, decide, refuse

GATE = "todo_write"


class TodoContext(msgspec.Struct, frozen=True, kw_only=True):
    """What a new list is judged by.

    Attributes:
        policy: the rule set.
        ledger: receipts of this turn; None outside a turn, then completion is not checked.
        tasks: the canonical list.
        plan_replacement: the user allowed replacing the plan (TW-04).
        planning: signing off is not possible now; only the wording of a refusal depends on it.
    """

    policy: Policy
    ledger: Ledger | None
    tasks: Sequence[Task] = ()
    plan_replacement: bool = False
    planning: bool = False

    @property
    def rules(self) -> TodoRules:
        """The policy points of the task list."""
        return self.policy.todo

    @property
    def baseline(self) -> Sequence[Task]:
        """The list that the new one is held against (TW-03)."""
        latest = None if self.ledger is None else self.ledger.latest_list
        if self.ledger is None or latest is None:
            return self.tasks
        return self.ledger[latest].todos


def judge(args: Any, context: TodoContext) -> Verdict:
    """Decide one new list.

    Facts: `tasks` (the new list as the host stores it, repaired), `todo_after` (the statuses of
    the canonical list afterwards).
    """
    tasks, problems = list_of(args, context.rules)
    verdict = decide(GATE, refusals(tasks, problems, context), lambda: _accepted(tasks))
    if verdict.accepted:
        return verdict
    facts = {**verdict.facts, "todo_after": [task.status for task in context.tasks]}
    return msgspec.structs.replace(verdict, facts=facts)


def _accepted(tasks: Sequence[Task]) -> Verdict:
    stored = repair(tasks)
    return accept(
        GATE,
        message=Later(_success, (stored,)),
        tasks=stored,
        todo_after=[task.status for task in stored],
    )


class _Item(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An item that holds what the contract lists, each of its type."""

    content: str = ""
    status: str = ""
    active_form: str = msgspec.field(default="", name="activeForm")
    level: int = 0
    step_id: str = ""


class _Sent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Arguments that hold a list of such items and nothing else."""

    todos: tuple[_Item, ...] = ()


_List = tuple[tuple[Task, ...], Sequence[str]]
"""A list that was sent, and what is wrong with the types of its members."""


def list_of(args: Any, rules: TodoRules) -> _List:
    """Decode a list (TW-01).

    Nearly all are as the contract lists them and are decoded in one go. Others are read member by
    member, so that every fault is named and the rest is looked at.
    """
    try:
        sent = msgspec.convert(args, _Sent)
    except msgspec.ValidationError:
        return read_list(args, rules)
    tasks = [
        Task(
            content=item.content,
            status=item.status,
            active_form=item.active_form,
            level=item.level,
            step_id=item.step_id if rules.step_ids else "",
        )
        for item in sent.todos
    ]
    return tuple(tasks), ()


def read_list(args: Any, rules: TodoRules) -> _List:
    """Read a list member by member, whatever it is."""
    fields = Fields(args)
    tasks = tuple([_task(item, rules) for item in fields.objects("todos")])
    return tasks, fields.problems


def _task(fields: Fields, rules: TodoRules) -> Task:
    return Task(
        content=fields.text("content"),
        status=fields.text("status"),
        active_form=fields.text("activeForm"),
        level=fields.integer("level"),
        step_id=fields.text("step_id") if rules.step_ids else "",
    )


def _success(tasks: Sequence[Task]) -> str:
    if not tasks:
        return "The list is cleared."
    done = sum(not task.open for task in tasks)
    if done == len(tasks):
        return f"The list is stored: all {done} steps are completed, none is left."
    return f"The list is stored: {done} of {len(tasks)} completed; {found.current_item(tasks)}."


def refusals(
    tasks: Sequence[Task], problems: Sequence[str], context: TodoContext
) -> Iterator[Refusal]:
    """Yield everything that speaks against a list, in the order of the rules."""
    if problems:
        yield refuse("args.invalid", f"The arguments do not fit: {'; '.join(problems)}.")
    for problem in legality(tasks):
        yield _illegal(problem, tasks)
    baseline, rules = context.baseline, context.rules
    if rules.step_ids:
        yield from id_refusals(tasks, baseline)
    if rules.active_list_kept and not tasks:
        yield from clearing_refusals(baseline)
    if baseline:
        if not context.plan_replacement:
            yield from current_refusals(tasks, baseline, rules)
        yield from history_refusals(tasks, baseline, rules)
    if context.ledger is not None and rules.completion_is_signed:
        yield from completion_refusals(tasks, context, context.ledger)


_SHAPE = (
    "Legal: completed items first, then one in_progress item, then pending ones; in a phase the "
    "same holds for its sub-steps, and the phase stays pending until they are all completed."
)
_ILLEGAL = {
    "todo_write.content_missing": "has no `content`.",
    "todo_write.level_invalid": "has the `level` {level}, which is neither 0 (phase or plain "
    "item) nor 1 (sub-step of the phase above).",
    "todo_write.status_invalid": 'has the status "{status}", which is none of '
    f"{', '.join(STATUSES)}.",
    "todo_write.two_current": "is in_progress beside another one; only one item may be.",
    "todo_write.orphan_substep": "is a sub-step without a phase above it.",
    "todo_write.completed_not_prefix": "is completed after unfinished work.",
    "todo_write.current_not_first": "is in_progress after a pending item.",
    "todo_write.phase_done_early": "is a completed phase with an open sub-step.",
    "todo_write.phase_current_early": "is a phase that is in_progress with an open sub-step: the "
    "sub-step is the current item.",
    "todo_write.no_current": "is the first open item, and no item is in_progress: make it so.",
}


def _illegal(problem: Problem, tasks: Sequence[Task]) -> Refusal:
    """Name the item at fault, what is wrong with it, and the legal shape (TODO-8)."""
    item, task = found.task(tasks, problem.index), tasks[problem.index]
    wrong = _ILLEGAL[problem.reason].format(status=shown(task.status), level=task.level)
    return refuse(problem.reason, f"Item {item} {wrong} {_SHAPE}")
