"""What counts as visible progress of a goal turn.

A turn makes progress when it leaves a fact that no earlier turn of the goal left: a change, a
command or how it ended, a new state of the task list, a sign-off, a review. Text is no fact. Where
the rules say so, the first look at a path and a new search are facts too, repeats are not.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from reasonix_runtime.evidence.receipts import Receipt
    from reasonix_runtime.evidence.tasks import Task
    from reasonix_runtime.gates.goal.policy import GoalRules

Fact: TypeAlias = tuple[str, ...]
"""The kind of a fact and what it is about."""

_NO_WORK = frozenset({"ask", "bash_output", "job_output", "todo_write", "update_goal", "wait"})


def progress_facts(
    receipts: Iterable[Receipt], tasks: Iterable[Task], rules: GoalRules
) -> frozenset[Fact]:
    """Return the facts that receipts and the task list leave."""
    return frozenset((*_facts(receipts, rules), *_list_state(tasks)))


def _facts(receipts: Iterable[Receipt], rules: GoalRules) -> Iterator[Fact]:
    for receipt in receipts:
        if receipt.command:
            yield ("command", receipt.command, str(receipt.success))
        elif not receipt.success or receipt.tool in _NO_WORK:
            continue
        elif not receipt.read:
            yield ("call", receipt.tool, _text(receipt.args))
        elif receipt.tool == "review_report":
            yield ("review", _text(receipt.args))
        elif rules.new_reads_are_progress:
            yield from _looks(receipt)


def _looks(receipt: Receipt) -> Iterator[Fact]:
    """Yield each path that was looked at; a search is told apart by its arguments."""
    if receipt.tool == "read_file" and receipt.paths:
        yield from (("read", path) for path in receipt.paths)
    else:
        yield ("search", receipt.tool, _text(receipt.args))


def _list_state(tasks: Iterable[Task]) -> Iterator[Fact]:
    state = tuple(f"{task.status}:{task.content}" for task in tasks)
    if state:
        yield ("tasks", *state)


def _text(args: object) -> str:
    return json.dumps(args, sort_keys=True, ensure_ascii=False, default=str)
