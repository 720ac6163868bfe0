"""May this turn end? What the judges of the end of a turn share.

There are three judges, and a policy point chooses: by profile and the latest change
(`by_loop.py`), by everything that changed since the last end that passed (`by_changes.py`), and by
the duties that the calls created (`by_duties.py`). All of them collect what is open as refusals
with a `category`, and the verdict tells the whole list in the order in which it can be repaired.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any

from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.masking import shown, shown_all
from reasonix_runtime.evidence.owed.bearings import Bearing, Role
from reasonix_runtime.evidence.owed.changed_paths import SomePaths
from reasonix_runtime.evidence.tasks import Task
from reasonix_runtime.gates.rules import rule_of
from reasonix_runtime.gates.verdict import (
    Decision,
    Later,
    Refusal,
    Told,
    Verdict,
    refuse,
    text_of,
)

GATE = "turn_end"
PARTIAL = "finish.partial"
"""The code of an accept that leaves open items in the open (FC-11)."""
STOPPED = "finish.loop_guard"
"""The code of a run that a loop guard stopped (DL-10)."""
UNCHANGED = "nothing was changed, so nothing is owed for a change"
"""What an accept says of a turn to which the rules about changes did not apply."""

CATEGORIES = (
    "project_check",
    "todo",
    "criteria",
    "verification",
    "review",
    "signoff",
    "action",
    "mutation",
    "capability",
)
"""What can be missing, in the order in which a host lists it (goal readiness)."""

REPAIR_ORDER = (
    "criteria",
    "capability",
    "action",
    "mutation",
    "inspection",
    "verification",
    "project_check",
    "review",
    "signoff",
    "todo",
)
"""The working order: a repair never undoes what an earlier one of the list achieved."""


_OF_CHANGES = frozenset({"verification", "project_check", "review", "signoff"})


def open_item(reason: str, category: str, message: Told, *, step: str = "") -> Refusal:
    """Make the refusal of one open item; `step` is its place in the working order."""
    return refuse(reason, message, category=category, step=step or category)


def open_tasks(tasks: Sequence[Task]) -> Iterator[Refusal]:
    """Yield the refusal of a list with open items; it names the first of them."""
    left = [(number, task) for number, task in enumerate(tasks, 1) if task.open]
    if not left:
        return
    number, task = next(((n, t) for n, t in left if t.status == "in_progress"), left[0])
    yield open_item(
        "finish.todos_incomplete",
        "todo",
        f"open tasks: {len(left)} of {len(tasks)}; next is task {number} ({task.content!r}): do "
        "it, then sign it off with `complete_step`",
    )


def bearing_list(ledger: Ledger, tasks: Sequence[Task]) -> Iterator[Bearing]:
    """Yield the receipt of a list with open items, if this turn wrote it."""
    latest = ledger.latest_list
    if latest is not None and any(task.open for task in tasks):
        yield Bearing(ledger.base + latest, Role.LIST)


def open_project_check(check: str, came: str = "") -> Refusal:
    """Make the item of a check that the project declares and that did not pass.

    `came` says what came of it, where something did.
    """
    return open_item(
        "finish.project_check_missing",
        "project_check",
        f"the project wants `{shown(check)}` to pass after a change: run it"
        + (f" ({came})" if came else ""),
    )


def missing_criteria() -> Refusal:
    """Make the item of work that began without acceptance criteria."""
    return open_item(
        "finish.criteria_missing",
        "criteria",
        "no acceptance criteria: `todo_write` what has to hold in the end",
    )


def missing_signoff() -> Refusal:
    """Make the item of a change that no sign-off came after."""
    return open_item(
        "finish.signoff_missing",
        "signoff",
        "no step was signed off after the latest change: `complete_step`, citing the check",
    )


def stopped_item() -> Refusal:
    """Make the item of a run that a loop guard stopped; it belongs to no category."""
    return open_item(
        STOPPED,
        "",
        "the latest calls repeated a failure or led nowhere, at which a loop guard stops a run: "
        "report what blocks it; the turn is marked incomplete",
    )


def empty_answer(answer: str | None) -> Iterator[Refusal]:
    """Yield the refusal of an answer that shows nothing; None is one that is not known or asked.

    Characters that nobody sees, such as spaces of no width, say nothing either.
    """
    if answer is not None and not any(map(str.isprintable, "".join(answer.split()))):
        yield open_item("finish.answer_missing", "", "the answer is empty: say what was done")


def open_expectations(
    expects: Set[str], *, worked: bool, saved: bool, changed: bool
) -> Iterator[Refusal]:
    """Yield what the user's text asks for and did not get (DL-08 T1 to T3).

    Args:
        expects: a subset of `evidence`, `mutation`, `persistent`; next to `persistent`, `mutation`
            means the memory itself.
        worked: whether anything but questions and bookkeeping succeeded.
        saved: whether `remember` succeeded.
        changed: whether anything changed.
    """
    if "persistent" in expects:
        if not saved:
            yield open_item(
                "finish.memory_not_saved",
                "mutation",
                "the user asked to keep this for later sessions: call `remember`",
            )
        return
    if "evidence" in expects and not worked:
        yield open_item(
            "finish.no_action",
            "action",
            "the request asks for something observable and no tool was used: look at the files or "
            "run something before answering",
        )
    if "mutation" in expects and not changed:
        yield open_item(
            "finish.mutation_missing",
            "mutation",
            "the request asks for a change and nothing was changed",
        )


def summarise(found: tuple[Refusal, ...], *, since: int = 0, **facts: Any) -> Verdict:
    """Put the open items together: the first one decides, all of them are told.

    `missing` holds the categories in the order of `CATEGORIES`; the message lists the items in
    working order. `since` is the earlier turn that made the first change that is owed for.
    """
    first = found[0]
    return Verdict(
        gate=GATE,
        decision=Decision.REJECT,
        reason=first.reason,
        rule=rule_of(first.reason),
        told=Later(_repair_list, (found, since)),
        facts={
            **facts,
            "missing": categories(found),
            "reasons": tuple(item.reason for item in found),
        },
        grounds=tuple(sorted({ground for item in found for ground in item.grounds})),
    )


def categories(found: Iterable[Refusal]) -> tuple[str, ...]:
    """Return the categories of open items without repetition, in the order of `CATEGORIES`."""
    present = {item.facts.get("category") for item in found}
    return tuple(category for category in CATEGORIES if category in present)


def _repair_list(found: Sequence[Refusal], since: int) -> str:
    """Return the open items as numbered lines in working order; one item needs no number."""
    ordered = sorted(found, key=_place)
    lead = "the turn cannot end yet"
    if since and not _OF_CHANGES.isdisjoint(item.facts.get("category") for item in found):
        lead += f" (changes are owed for since turn {since})"
    if len(ordered) == 1:
        return f"{lead}: {text_of(ordered[0].message)}"
    lines = (f"{number}. {text_of(item.message)}" for number, item in enumerate(ordered, 1))
    return f"{lead}; in this order:\n" + "\n".join(lines)


def _place(item: Refusal) -> int:
    step = item.facts.get("step", item.facts.get("category"))
    return REPAIR_ORDER.index(step) if step in REPAIR_ORDER else len(REPAIR_ORDER)


def listed(paths: SomePaths) -> str:
    """Return paths as messages name them: the first few, and how many there are besides."""
    names = shown_all(paths.first)
    more = paths.count - len(paths.first)
    return f"{names} and {more} more" if more > 0 else names
