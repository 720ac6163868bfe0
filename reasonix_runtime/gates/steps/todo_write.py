"""The gate of the task list: whether a new list may replace the old one (TW-01 to TW-09).

A list replaces the whole list. It is held against a baseline: the latest list of this turn, else
the canonical one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from reasonix_runtime.evidence.arguments import Fields
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.masking import shown
from reasonix_runtime.evidence.receipts import Receipt
from reasonix_runtime.evidence.tasks import (
    CURRENT,
    DONE,
    STATUSES,
    Problem,
    Task,
    alike,
    find,
    fold,
    legality,
    match,
    repair,
    same,
    unfinished,
)
from reasonix_runtime.gates import found
from reasonix_runtime.gates.policy import Policy
from reasonix_runtime.gates.steps.policy import TodoRules
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
        yield from _id_refusals(tasks, baseline)
    if rules.active_list_kept and not tasks:
        yield from _clearing_refusals(baseline)
    if baseline:
        if not context.plan_replacement:
            yield from _current_refusals(tasks, baseline, rules)
        yield from _history_refusals(tasks, baseline, rules)
    if context.ledger is not None and rules.completion_is_signed:
        yield from _completion_refusals(tasks, context, context.ledger)


DISPROOFS = frozenset(
    {
        "project_check.not_run",
        "verification.command_failed",
        "verification.exit_masked",
        "verification.inconclusive",
        "verification.stale",
    }
)
"""Why a sign-off was refused when what it cites ran, and does not show what it claims."""

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


# -- against the baseline ------------------------------------------------------------------------


def _located(task: Task, tasks: Sequence[Task], rules: TodoRules) -> int | None:
    """Find an item of one list in another (TW-08; by id TW-09)."""
    if rules.step_ids and task.step_id:
        for index, other in enumerate(tasks):
            if other.step_id == task.step_id:
                return index
    return find(task, tasks)


def _stayed(tasks: Sequence[Task], index: int, baseline: Sequence[Task], rules: TodoRules) -> bool:
    """Whether the item at a position is the baseline's item at the same position (TW-05)."""
    if _located(tasks[index], baseline, rules) == index:
        return True
    return (
        rules.rewording_keeps_identity
        and index < len(baseline)
        and reworded(tasks[index].content, baseline[index].content)
    )


def reworded(one: str, other: str) -> bool:
    """Whether the words of one title, at least two, all stand in the other (TODO-3)."""
    words, others = (set(re.findall(r"\w+", text.lower())) for text in (one, other))
    return min(len(words), len(others)) > 1 and (words <= others or others <= words)


def _id_refusals(tasks: Sequence[Task], baseline: Sequence[Task]) -> Iterator[Refusal]:
    """Stable ids are unique and kept by items that keep their wording (TW-09)."""
    ids = [task.step_id for task in tasks if task.step_id]
    twice = next((step_id for step_id in ids if ids.count(step_id) > 1), None)
    if twice is not None:
        yield refuse(
            "todo_write.step_id_duplicate",
            f'`step_id` "{shown(twice)}" stands at more than one item; ids are unique.',
        )
    for old in baseline:
        if not old.step_id:
            continue
        index = next((i for i, task in enumerate(tasks) if same(task, old)), None)
        if index is not None and not tasks[index].step_id:
            yield refuse(
                "todo_write.step_id_dropped",
                f"Item {found.task(tasks, index)} lost its `step_id`; send it again with "
                f'"{shown(old.step_id)}".',
            )


def _clearing_refusals(baseline: Sequence[Task]) -> Iterator[Refusal]:
    """Refuse to empty a list with open items (TW-09)."""
    if unfinished(baseline):
        yield refuse(
            "todo_write.active_list_cleared",
            "The list has open items and cannot be emptied: finish them first. "
            f"Items: {found.items(baseline)}.",
        )


def _current_refusals(
    tasks: Sequence[Task], baseline: Sequence[Task], rules: TodoRules
) -> Iterator[Refusal]:
    """TW-04: the current item of the baseline survives and stays current or gets completed."""
    for position, old in enumerate(baseline):
        if old.status != CURRENT:
            continue
        index = _located(old, tasks, rules)
        if index is None and _kept_in_place(tasks, position, baseline, rules):
            index = position
        if index is None:
            yield refuse(
                "todo_write.current_dropped",
                f"The current item {found.task(baseline, position)} is missing in the new list; "
                f"keep it. {_host_list(baseline)}",
            )
        elif tasks[index].waiting:
            yield refuse(
                "todo_write.current_demoted",
                f"The current item {found.task(baseline, position)} went back to pending; keep "
                "it in_progress until it is signed off with complete_step.",
            )


def _kept_in_place(
    tasks: Sequence[Task], position: int, baseline: Sequence[Task], rules: TodoRules
) -> bool:
    """Whether another wording of an item stands where it stood, where that keeps its identity."""
    kept = rules.rewording_keeps_identity and position < len(tasks)
    return kept and _stayed(tasks, position, baseline, rules)


def _history_refusals(
    tasks: Sequence[Task], baseline: Sequence[Task], rules: TodoRules
) -> Iterator[Refusal]:
    """TW-05: completed items stay where they are."""
    for index, task in enumerate(tasks):
        if task.status == DONE and not _stayed(tasks, index, baseline, rules):
            yield refuse(
                "todo_write.completed_moved",
                f"Completed item {found.task(tasks, index)} is not the item that stood at "
                f"position {index + 1}; completed items keep place and wording. "
                f"{_host_list(baseline)}",
            )
    if not unfinished(baseline):
        return
    for index, old in enumerate(baseline):
        kept = index < len(tasks) and tasks[index].status == DONE
        if old.status == DONE and not kept:
            yield refuse(
                "todo_write.history_changed",
                f"Item {found.task(baseline, index)} was completed and must stay completed at "
                f"position {index + 1} while the list has open items. {_host_list(baseline)}",
            )


def _host_list(baseline: Sequence[Task]) -> str:
    return f"The host's list: {found.items(baseline)}."


# -- who may complete ----------------------------------------------------------------------------


def _completion_refusals(
    tasks: Sequence[Task], context: TodoContext, ledger: Ledger
) -> Iterator[Refusal]:
    """TW-06: an item is completed by a sign-off."""
    done = [index for index, task in enumerate(tasks) if task.status == DONE]
    if not done:
        return
    turn = ledger.todos
    for index in done:
        if turn is not None:
            if not _was_done(tasks, index, turn, context.rules) and not _signed(
                tasks, index, ledger, context.rules
            ):
                yield _unsigned(tasks, index, context)
        elif context.tasks:
            if not _canonical_done(tasks, index, context) and not (
                context.rules.carried_list_recovers and _signed(tasks, index, ledger, context.rules)
            ):
                yield _unsigned(tasks, index, context)
        else:
            yield refuse(
                "todo_write.initial_completed",
                f"Item {found.task(tasks, index)} of a first list is completed already; a first "
                "list starts with open items. Leave out what is done before it.",
            )


def _was_done(tasks: Sequence[Task], index: int, turn: Sequence[Task], rules: TodoRules) -> bool:
    """Whether the item was completed in the turn's list, by exact identity."""
    if any(old.status == DONE and _identical(tasks[index], old, rules) for old in turn):
        return True
    if not rules.rewording_keeps_identity or index >= len(turn):
        return False
    return turn[index].status == DONE and reworded(tasks[index].content, turn[index].content)


def _identical(one: Task, other: Task, rules: TodoRules) -> bool:
    if rules.step_ids and one.step_id and other.step_id:
        return one.step_id == other.step_id
    return same(one, other)


def _canonical_done(tasks: Sequence[Task], index: int, context: TodoContext) -> bool:
    at = _located(tasks[index], context.tasks, context.rules)
    if at is None and _kept_in_place(tasks, index, context.tasks, context.rules):
        at = index
    return at is not None and context.tasks[at].status == DONE


def _unsigned(tasks: Sequence[Task], index: int, context: TodoContext) -> Refusal:
    item = found.task(tasks, index)
    if context.planning:
        return refuse(
            "todo_write.completed_unsigned",
            f"Item {item} cannot be completed while planning: keep it in_progress; it is signed "
            "off once the plan is carried out, and nothing asks for it before.",
        )
    return refuse(
        "todo_write.completed_unsigned",
        f"Item {item} is completed without a sign-off: keep it in_progress and call "
        f"complete_step with step_index {index + 1} and evidence; the host then advances the "
        "list.",
    )


def _signed(tasks: Sequence[Task], index: int, ledger: Ledger, rules: TodoRules) -> bool:
    """Whether a sign-off of this turn, or a recovery from a refused one, is for this item."""
    start = _reopened(tasks[index], ledger, rules) if rules.reopened_needs_signoff else -1
    return any(
        receipt.tool == "complete_step"
        and (receipt.success or _recovers(position, receipt, ledger, rules))
        and _belongs(receipt, index, tasks, rules)
        for position, receipt in ledger.after(start)
    )


def _reopened(task: Task, ledger: Ledger, rules: TodoRules) -> int:
    """Return the latest list that has an item open which the list before it had completed."""
    opened, done = -1, False
    for position, receipt in ledger.successes():
        if receipt.tool != "todo_write":
            continue
        known = [old for old in receipt.todos if _identical(task, old, rules)]
        if done and any(old.open for old in known):
            opened = position
        done = any(not old.open for old in known) or (done and not known)
    return opened


def _recovers(position: int, receipt: Receipt, ledger: Ledger, rules: TodoRules) -> bool:
    """TW-07: a refused sign-off that had the shape of a proof, after real progress."""
    baseline = ledger.latest_list
    if baseline is None and rules.carried_list_recovers:
        baseline = -1
    if not receipt.step or not receipt.step_proof or baseline is None or position < baseline:
        return False
    if receipt.refused_for in DISPROOFS and not rules.disproof_recovers:
        return False
    return any(
        work.success and not work.read and work.tool not in ("complete_step", "todo_write")
        for _, work in ledger.after(baseline, position)
    )


def _belongs(receipt: Receipt, index: int, tasks: Sequence[Task], rules: TodoRules) -> bool:
    """Whether a sign-off was for the item at this position of the new list (TW-06)."""
    task, stored = tasks[index], receipt.todo_step
    if stored is not None:
        if _identical(task, stored.task, rules):
            return True
        in_place = rules.rewording_keeps_identity and stored.index == index
        if in_place and reworded(task.content, stored.task.content):
            return True
        if not alike(task, stored.task):
            return False
    return bool(fold(receipt.step)) and match(receipt.step, tasks) == index
