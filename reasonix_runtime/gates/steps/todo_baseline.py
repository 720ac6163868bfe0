"""A new list held against the one before it (TW-04, TW-05, TW-08, TW-09).

The current item survives, completed ones stay, and an item that is worded anew is still itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reasonix_runtime.evidence.masking import shown
from reasonix_runtime.evidence.tasks import CURRENT, DONE, Task, find, same, unfinished
from reasonix_runtime.gates import found
from reasonix_runtime.gates.steps.policy import TodoRules
from reasonix_runtime.gates.verdict import Refusal, refuse


def located(task: Task, tasks: Sequence[Task], rules: TodoRules) -> int | None:
    """Find an item of one list in another (TW-08; by id TW-09)."""
    if rules.step_ids and task.step_id:
        for index, other in enumerate(tasks):
            if other.step_id == task.step_id:
                return index
    return find(task, tasks)


def _stayed(tasks: Sequence[Task], index: int, baseline: Sequence[Task], rules: TodoRules) -> bool:
    """Whether the item at a position is the baseline's item at the same position (TW-05)."""
    if located(tasks[index], baseline, rules) == index:
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


def id_refusals(tasks: Sequence[Task], baseline: Sequence[Task]) -> Iterator[Refusal]:
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


def clearing_refusals(baseline: Sequence[Task]) -> Iterator[Refusal]:
    """Refuse to empty a list with open items (TW-09)."""
    if unfinished(baseline):
        yield refuse(
            "todo_write.active_list_cleared",
            "The list has open items and cannot be emptied: finish them first. "
            f"Items: {found.items(baseline)}.",
        )


def current_refusals(
    tasks: Sequence[Task], baseline: Sequence[Task], rules: TodoRules
) -> Iterator[Refusal]:
    """TW-04: the current item of the baseline survives and stays current or gets completed."""
    for position, old in enumerate(baseline):
        if old.status != CURRENT:
            continue
        index = located(old, tasks, rules)
        if index is None and kept_in_place(tasks, position, baseline, rules):
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


def kept_in_place(
    tasks: Sequence[Task], position: int, baseline: Sequence[Task], rules: TodoRules
) -> bool:
    """Whether another wording of an item stands where it stood, where that keeps its identity."""
    kept = rules.rewording_keeps_identity and position < len(tasks)
    return kept and _stayed(tasks, position, baseline, rules)


def history_refusals(
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
