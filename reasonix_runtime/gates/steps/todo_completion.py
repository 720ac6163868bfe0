"""Who completes an item: a sign-off (TW-06), or recovery from one that was refused (TW-07)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.receipts import Receipt
from reasonix_runtime.evidence.tasks import DONE, Task, alike, fold, match, same
from reasonix_runtime.gates import found
from reasonix_runtime.gates.steps.policy import TodoRules
from reasonix_runtime.gates.steps.todo_baseline import kept_in_place, located, reworded
from reasonix_runtime.gates.verdict import Refusal, refuse

if TYPE_CHECKING:
    from reasonix_runtime.gates.steps.todo_write import TodoContext


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


def completion_refusals(
    tasks: Sequence[Task], context: TodoContext, ledger: Ledger
) -> Iterator[Refusal]:
    """TW-06: an item is completed by a sign-off."""
    done = [index for index, task in enumerate(tasks) if task.status == DONE]
    if not done:
        return
    turn = ledger.todos
    listed = context.tasks if turn is None else turn
    for index in done:
        if turn is not None:
            was = _earlier(tasks, index, turn, context.rules)
            if all(old.open for old in was) and not _signed(
                tasks, index, listed, ledger, context.rules
            ):
                yield _unsigned(tasks, index, context)
        elif listed:
            if not _canonical_done(tasks, index, context) and not (
                context.rules.carried_list_recovers
                and _signed(tasks, index, listed, ledger, context.rules)
            ):
                yield _unsigned(tasks, index, context)
        else:
            yield refuse(
                "todo_write.initial_completed",
                f"Item {found.task(tasks, index)} of a first list is completed already; a first "
                "list starts with open items. Leave out what is done before it.",
            )


def _earlier(
    tasks: Sequence[Task], index: int, before: Sequence[Task], rules: TodoRules
) -> list[Task]:
    """Return what an item was in an earlier list: the same one, else its other wording in place."""
    known = [old for old in before if _identical(tasks[index], old, rules)]
    if known or not rules.rewording_keeps_identity:
        return known
    return [old for old in before[index : index + 1] if reworded(tasks[index].content, old.content)]


def _identical(one: Task, other: Task, rules: TodoRules) -> bool:
    if rules.step_ids and one.step_id and other.step_id:
        return one.step_id == other.step_id
    return same(one, other)


def _canonical_done(tasks: Sequence[Task], index: int, context: TodoContext) -> bool:
    at = located(tasks[index], context.tasks, context.rules)
    if at is None and kept_in_place(tasks, index, context.tasks, context.rules):
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


def _signed(
    tasks: Sequence[Task], index: int, listed: Sequence[Task], ledger: Ledger, rules: TodoRules
) -> bool:
    """Whether a sign-off of this turn, or a recovery from a refused one, is for this item."""
    start = _reopened(tasks, index, ledger, rules) if rules.reopened_needs_signoff else -1
    return any(
        receipt.tool == "complete_step"
        and (receipt.success or _recovers(position, receipt, ledger, rules))
        and _belongs(receipt, index, tasks, listed, rules)
        for position, receipt in ledger.after(start)
    )


def _reopened(tasks: Sequence[Task], index: int, ledger: Ledger, rules: TodoRules) -> int:
    """Return the latest list with an item open that was completed when a list last had it."""
    opened, done = -1, False
    for position, receipt in ledger.successes():
        if known := _earlier(tasks, index, receipt.todos, rules):
            if done and any(old.open for old in known):
                opened = position
            done = not all(old.open for old in known)
    return opened


def _recovers(position: int, receipt: Receipt, ledger: Ledger, rules: TodoRules) -> bool:
    """TW-07: a refused sign-off that had the shape of a proof, after real progress."""
    baseline = ledger.latest.latest_todos  # a list that was emptied is begun anew
    if not receipt.step or not receipt.step_proof:
        return False
    if receipt.refused_for in DISPROOFS and not rules.disproof_recovers:
        return False
    return any(
        work.success and not work.read and work.tool not in ("complete_step", "todo_write")
        for _, work in ledger.after(baseline, position)
    )


def _belongs(
    receipt: Receipt,
    index: int,
    tasks: Sequence[Task],
    listed: Sequence[Task],
    rules: TodoRules,
) -> bool:
    """Whether a sign-off was for the item at this position of the new list (TW-06)."""
    task, stored = tasks[index], receipt.todo_step
    if stored is not None:
        if _identical(task, stored.task, rules):
            return True
        if rules.rewording_keeps_identity:
            if any(_identical(task, old, rules) for old in listed):
                return False  # it is another item of the list, however much alike
            if stored.index == index and reworded(task.content, stored.task.content):
                return True
        if not alike(task, stored.task):
            return False
    return bool(fold(receipt.step)) and match(receipt.step, tasks) == index
