"""The task list: identity of items, matching, legality, repair and advance.

Rules CS-05, CS-15 (matching and advance), TW-02 (serial shape), TW-08 (identity), EL-18 (repair)
of `docs/GATES.md`. Everything here is a pure function of lists; indices count from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from reasonix_runtime.evidence.memo import memoised

PENDING = "pending"
CURRENT = "in_progress"
DONE = "completed"
STATUSES = (PENDING, CURRENT, DONE)

SHORTEST_OVERLAP = 6
"""Fewest characters of the shorter text for which containment says anything (CS-05 N3)."""

_SPACES = (*range(9, 14), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B))
_WIDE_SPACES = (0x2028, 0x2029, 0x202F, 0x205F, 0x3000)
_FOLD: dict[int, int | None] = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_FOLD.update(dict.fromkeys(_SPACES + _WIDE_SPACES))
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}\Z")
_NUMBER_STARTS = frozenset("+-0123456789")


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One item; `level` 0 is a phase or a plain item, 1 a sub-step of the phase above it."""

    content: str
    status: str = ""
    active_form: str = ""
    level: int = 0
    step_id: str = ""

    @property
    def open(self) -> bool:
        """Whether something is left to do here."""
        return self.status != DONE

    @property
    def waiting(self) -> bool:
        """Whether it is pending; an empty status counts as pending."""
        return self.status in (PENDING, "")


class TaskMatch(msgspec.Struct, frozen=True):
    """A cited step found in a list: its index (from 0) and the item as it was then."""

    index: int
    task: Task


class Problem(msgspec.Struct, frozen=True):
    """Why a list is not serial: a reason code of `todo_write.*` and the item at fault."""

    reason: str
    index: int


def task_of(value: Any) -> Task:
    """Read one item of a recorded list; members of a wrong type count as absent."""
    if not isinstance(value, dict):
        return Task(content="")
    get = value.get
    level = get("level")
    return Task(
        content=_text(get("content")),
        status=_text(get("status")),
        active_form=_text(get("activeForm")),
        level=level if isinstance(level, int) and not isinstance(level, bool) else 0,
        step_id=_text(get("step_id")),
    )


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


@memoised(4096)
def fold(text: str) -> str:
    """Return the normal form of CS-05: half-width, without white space, lower case."""
    return text.translate(_FOLD).lower()


def overlap(one: str, other: str) -> bool:
    """Whether one normal form contains the other and the shorter is long enough (N3)."""
    if min(len(one), len(other)) < SHORTEST_OVERLAP:
        return False
    return one in other or other in one


def match(step: str, tasks: Sequence[Task]) -> int | None:
    """Find the item that a cited title or number means (CS-05): number, equality, containment."""
    wanted = fold(step)
    if not wanted:
        return None
    if wanted[0] in _NUMBER_STARTS:
        number = wanted.removesuffix(".")
        if _NUMBER.match(number) and 1 <= int(number) <= len(tasks):
            return int(number) - 1
    for index, task in enumerate(tasks):
        if wanted == fold(task.content) or wanted == fold(task.active_form):
            return index
    return _only(
        index
        for index, task in enumerate(tasks)
        if overlap(wanted, fold(task.content)) or overlap(wanted, fold(task.active_form))
    )


def candidates(step: str, tasks: Sequence[Task]) -> tuple[int, ...]:
    """Return every item that containment would allow; more than one is ambiguous (N3)."""
    wanted = fold(step)
    return tuple(
        index
        for index, task in enumerate(tasks)
        if overlap(wanted, fold(task.content)) or overlap(wanted, fold(task.active_form))
    )


def same(one: Task, other: Task) -> bool:
    """Whether two items are the same by exact identity: equal titles or equal active forms."""
    return _equal(one.content, other.content) or _equal(one.active_form, other.active_form)


def _equal(one: str, other: str) -> bool:
    folded = fold(one)
    return bool(folded) and folded == fold(other)


def alike(one: Task, other: Task) -> bool:
    """Whether two items overlap by containment, title with title, active form with the same."""
    return overlap(fold(one.content), fold(other.content)) or overlap(
        fold(one.active_form), fold(other.active_form)
    )


def find(task: Task, tasks: Sequence[Task]) -> int | None:
    """Find an item of one list in another (TW-08): exact identity, else the only one alike."""
    for index, other in enumerate(tasks):
        if same(task, other):
            return index
    return _only(index for index, other in enumerate(tasks) if alike(task, other))


def _only(found: Iterator[int]) -> int | None:
    """Return the single element, or None for none or several."""
    first = next(found, None)
    return first if first is not None and next(found, None) is None else None


def units(tasks: Sequence[Task]) -> Iterator[range]:
    """Yield the units of a list: an item with the sub-steps right after it, or a lone item.

    Sub-steps before the first phase are units of their own.
    """
    start = 0
    while start < len(tasks):
        end = start + 1
        if tasks[start].level == 0:
            while end < len(tasks) and tasks[end].level == 1:
                end += 1
        yield range(start, end)
        start = end


def substeps(tasks: Sequence[Task], index: int) -> range:
    """Return the indices of the sub-steps of a phase; empty for a plain item or a sub-step."""
    if tasks[index].level != 0:
        return range(index + 1, index + 1)
    end = index + 1
    while end < len(tasks) and tasks[end].level == 1:
        end += 1
    return range(index + 1, end)


def open_substep(tasks: Sequence[Task], index: int) -> int | None:
    """Return the first sub-step of a phase that is not completed."""
    for step in substeps(tasks, index):
        if tasks[step].status != DONE:
            return step
    return None


def current(tasks: Sequence[Task]) -> int | None:
    """Return the first item that is in progress."""
    for index, task in enumerate(tasks):
        if task.status == CURRENT:
            return index
    return None


def unfinished(tasks: Sequence[Task]) -> bool:
    """Whether some item is not completed."""
    for task in tasks:  # noqa: SIM110 - lists are short, and a generator costs more than the loop
        if task.status != DONE:
            return True
    return False


def legality(tasks: Sequence[Task]) -> Iterator[Problem]:
    """Yield what makes a list illegal: items first (TW-01), then the serial shape (TW-02)."""
    if _is_plain(tasks):
        return
    for index, task in enumerate(tasks):
        if not task.content:
            yield Problem("todo_write.content_missing", index)
        if task.level not in (0, 1):
            yield Problem("todo_write.level_invalid", index)
        if task.status not in ("", *STATUSES):
            yield Problem("todo_write.status_invalid", index)
    yield from _shape_problems(tasks)


def _is_plain(tasks: Sequence[Task]) -> bool:
    """Whether a list is what most lists are, and legal: titles without phases, in serial order."""
    wanted = DONE
    for task in tasks:
        status = task.status
        if not task.content or task.level != 0:
            return False
        if wanted == DONE:
            if status == CURRENT:
                wanted = PENDING
            elif status != DONE:
                return False
        elif status != PENDING and status != "":
            return False
    return True


def _shape_problems(tasks: Sequence[Task]) -> Iterator[Problem]:
    """Yield what keeps a list from being serial (TW-02), in the order of the rules."""
    now = [i for i, task in enumerate(tasks) if task.status == CURRENT]
    if len(now) > 1:
        yield Problem("todo_write.two_current", now[1])
    if tasks and tasks[0].level == 1:
        yield Problem("todo_write.orphan_substep", 0)
    before, worked = DONE, False
    for unit in units(tasks):
        yield from _phase_problems(tasks, unit)
        state = _unit_state(tasks, unit)
        if (state == DONE and before != DONE) or (state == _STALE and worked):
            yield Problem("todo_write.completed_not_prefix", unit.start)
        elif state == CURRENT and before != DONE:
            yield Problem("todo_write.current_not_first", unit.start)
        before = _later(before, state)
        worked = worked or state == CURRENT
    if not now and unfinished(tasks):
        yield Problem("todo_write.no_current", next(i for i, t in enumerate(tasks) if t.open))


_STALE = "stale"


def _later(before: str, state: str) -> str:
    """Return the state that the units read so far have reached: completed, current, pending."""
    if state == DONE:
        return before
    if state == CURRENT:
        return CURRENT if before == DONE else before
    return PENDING


def _phase_problems(tasks: Sequence[Task], unit: range) -> Iterator[Problem]:
    """Yield what is wrong inside one phase (rules 3 to 5)."""
    before = DONE
    for index in unit[1:]:
        status = tasks[index].status
        if status == DONE and before != DONE:
            yield Problem("todo_write.completed_not_prefix", index)
        if status == CURRENT and before != DONE:
            yield Problem("todo_write.current_not_first", index)
        if status != DONE:
            before = status or PENDING
    if any(tasks[i].open for i in unit[1:]):
        if tasks[unit.start].status == DONE:
            yield Problem("todo_write.phase_done_early", unit.start)
        if tasks[unit.start].status == CURRENT:
            yield Problem("todo_write.phase_current_early", unit.start)


def _unit_state(tasks: Sequence[Task], unit: range) -> str:
    statuses = [tasks[i].status for i in unit]
    if all(status == DONE for status in statuses):
        return DONE
    if CURRENT in statuses:
        return CURRENT
    return _STALE if DONE in statuses else PENDING


def repair(tasks: Sequence[Task]) -> tuple[Task, ...]:
    """Bring an inherited list into the serial shape (EL-18).

    The unit of the first open item becomes current; units before it stay, those after it wait.
    """
    for index, task in enumerate(tasks):
        if task.status != DONE:
            unit = _unit_of(tasks, index)
            return (
                *tasks[: unit.start],
                *_made_current(tasks[unit.start : unit.stop]),
                *[_with_status(later, PENDING) for later in tasks[unit.stop :]],
            )
    return tuple(tasks)


def _unit_of(tasks: Sequence[Task], index: int) -> range:
    """Return the unit of an item: see :func:`units`."""
    head = index
    while head > 0 and tasks[head].level == 1:
        head -= 1
    start = head if tasks[head].level == 0 else index
    return range(start, substeps(tasks, start).stop)


def _made_current(part: Sequence[Task]) -> Sequence[Task]:
    """Make the first open sub-step of a phase current, or the head when none is open."""
    head, *steps = part
    at = next((i for i, task in enumerate(steps) if task.open), None) if steps else None
    if at is None:
        return (_with_status(head, CURRENT), *steps)
    return (
        _with_status(head, PENDING),
        *steps[:at],
        _with_status(steps[at], CURRENT),
        *[_with_status(task, PENDING) for task in steps[at + 1 :]],
    )


def _with_status(task: Task, status: str) -> Task:
    return task if task.status == status else msgspec.structs.replace(task, status=status)


def advance(tasks: Sequence[Task], index: int) -> tuple[Task, ...] | None:
    """Complete the current item and make the next one current (CS-15).

    Returns None when nothing happens: the item is not in progress, or has an open sub-step.
    """
    if tasks[index].status != CURRENT or open_substep(tasks, index) is not None:
        return None
    after = list(tasks)
    after[index] = msgspec.structs.replace(after[index], status=DONE)
    following = _next_current(after, index)
    if following is not None:
        after[following] = msgspec.structs.replace(after[following], status=CURRENT)
    return tuple(after)


def _next_current(tasks: Sequence[Task], index: int) -> int | None:
    """Return the item that becomes current after `index` was completed (A2 to A4)."""
    if tasks[index].level == 1:
        for sibling in range(index + 1, len(tasks)):
            if tasks[sibling].level != 1:
                break
            if tasks[sibling].waiting:
                return sibling
        phase = next((i for i in range(index - 1, -1, -1) if tasks[i].level == 0), None)
        if phase is not None:
            return phase if tasks[phase].open else None
    if current(tasks) is not None:
        return None
    first = next((i for i, task in enumerate(tasks) if task.waiting), None)
    if first is None:
        return None
    step = open_substep(tasks, first)
    return first if step is None else step
