"""End of a turn by everything that changed since the last end that passed (rule set `contract`).

What is owed comes from what the tools did, never from the user's text:

==================  =====================================  =================================
owed                ordinary turn                          closed loop
==================  =====================================  =================================
criteria            nothing                                before the first change or check
task list           done, once there was progress          the same
inspection          each changed path, after its change    the same
verification        medium and high risk; may be declared  always
review              by risk                                by risk; see `reviews.py`
sign-off            nothing                                after the latest change
project checks      after the latest change                the same
routes              always                                 always
==================  =====================================  =================================
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.masking import shown, shown_all
from reasonix_runtime.evidence.owed.bearings import Bearing
from reasonix_runtime.evidence.owed.changed_paths import SomePaths
from reasonix_runtime.evidence.owed.changes import ChangeSet
from reasonix_runtime.evidence.tasks import Task
from reasonix_runtime.gates.capability import Routes, open_routes
from reasonix_runtime.gates.delivery.policy import GuardRelease
from reasonix_runtime.gates.delivery.reviews import owed_reviews
from reasonix_runtime.gates.delivery.turn_end import (
    GATE,
    PARTIAL,
    STOPPED,
    UNCHANGED,
    bearing_list,
    categories,
    empty_answer,
    listed,
    missing_criteria,
    missing_signoff,
    open_expectations,
    open_item,
    open_project_check,
    open_tasks,
    stopped_item,
    summarise,
)
from reasonix_runtime.gates.delivery.unverified import unverified
from reasonix_runtime.gates.delivery.without_paths import WithoutPaths
from reasonix_runtime.gates.found_checks import found_of
from reasonix_runtime.gates.presets import BALANCED, Preset
from reasonix_runtime.gates.review import ALL_TOOLS, ReviewTools
from reasonix_runtime.gates.rules import rule_of
from reasonix_runtime.gates.verdict import (
    Decision,
    Later,
    Refusal,
    Verdict,
    accept,
    decide_all,
    is_on,
    not_assessable,
    standing,
)

# What is open until a call that changes nothing has ended well.
_CLOSED_BY_CALLS = frozenset(
    {
        "finish.inspection_missing",
        "finish.project_check_missing",
        "finish.verification_missing",
        "review.medium_unproven",
    }
)
NUDGES = 3
"""How often a refused end is sent back to the model, whatever it does (GATE-5)."""
MOST_NUDGES = 6
"""The bound while each try brings new receipts."""
PLANNED = (
    "something was changed, and while a plan is made nothing is asked of it: it is owed for at the "
    "first end outside of the plan mode"
)


class ChangeTurn(msgspec.Struct, frozen=True, kw_only=True):
    """What is known when the model answers without calls.

    Attributes:
        ledger: the receipts of this turn.
        changes: what changed since the last end that passed.
        risk: `none` without a change, else `low`, `medium`, `high`.
        tasks: the task list in force; empty when there is none.
        progress: whether anything but reads and lists succeeded in this turn.
        closed_loop: profile `delivery`, an active goal, or an approved plan being carried out.
        planning: whether the run only makes a plan.
        depth: nesting of the run; a sub-agent leaves reviews to its parent.
        expects: what the user's text asks for, where that counts (a policy point).
        worked: whether anything but questions and bookkeeping succeeded.
        saved: whether `remember` succeeded.
        preset: the completion preset.
        criteria: whether acceptance criteria are established.
        project_checks: commands that the project wants to see after a change.
        routes: the capability routes that are asked in a turn like this.
        reminded: whether a preferred capability was already asked for.
        unanswered: calls that may have changed something and have no result.
        unfinished: delegated jobs that changed something and still run.
        declared: whether the missing verification was declared.
        tests_forbidden: whether the user forbade running tests.
        tools: which review tools are registered.
        stands_down: whether the pass of a loop guard holds.
        guard_release: what that pass is worth (a policy point).
        answer: the final answer, None where it is not known or not asked (a policy point).
        attempt: how many ends of this turn were asked before.
        moved: whether receipts came since the last of them.
    """

    ledger: Ledger
    changes: ChangeSet
    risk: str = "none"
    tasks: tuple[Task, ...] = ()
    progress: bool = False
    closed_loop: bool = False
    planning: bool = False
    depth: int = 0
    expects: frozenset[str] = frozenset()
    worked: bool = False
    saved: bool = False
    preset: Preset = BALANCED
    criteria: bool = False
    project_checks: tuple[str, ...] = ()
    routes: Routes = ()
    reminded: bool = False
    unanswered: tuple[str, ...] = ()
    unfinished: tuple[str, ...] = ()
    declared: bool = False
    tests_forbidden: bool = False
    tools: ReviewTools = ALL_TOOLS
    stands_down: bool = False
    guard_release: GuardRelease = GuardRelease.STOP
    answer: str | None = None
    attempt: int = 0
    moved: bool = False


def judge(turn: ChangeTurn) -> Verdict:
    """Decide whether the turn may end, fully or with checks left out in the open."""
    if turn.planning:
        return (
            not_assessable(GATE, PLANNED) if turn.changes else accept(GATE, missing=(), risk="none")
        )
    forgiven = turn.stands_down and turn.guard_release is GuardRelease.FORGIVE
    if forgiven and is_on(STOPPED):
        return accept(GATE, missing=(), risk=turn.risk, stood_down=True)
    items = tuple(standing(open_items(turn)))
    partly = waived(turn, items)
    doubtful = turn.changes.doubts or turn.unanswered or turn.unfinished
    if doubtful and (partly or not items):
        return _doubtful(turn)
    if partly:
        return accept(
            GATE,
            reason=PARTIAL,
            message=_declared(turn),
            missing=(),
            risk=turn.risk,
            partial=True,
            waived=categories(items),
            stop="partial",
        )
    if turn.stands_down and {item.reason for item in items} == {STOPPED}:
        return _stopped(turn, items[0])
    return decide_all(
        items,
        lambda: accept(
            GATE,
            message=UNCHANGED if turn.risk == "none" else "",
            missing=(),
            risk=turn.risk,
            partial=False,
            stop="ready",
        ),
        lambda left: summarise(
            left,
            since=turn.changes.earlier_turn,
            risk=turn.risk,
            partial=False,
            **_untold(turn, left),
            **_next(turn),
        ),
    )


def _declared(turn: ChangeTurn) -> str:
    """Say that the turn ends without its check, and what became of that where it ran."""
    failed = turn.changes.checks.failed
    known = f"; `{shown(failed)}` failed last" if failed else ""
    return f"the turn may end with its check declared unverified{known}"


def _untold(turn: ChangeTurn, items: Sequence[Refusal]) -> dict[str, Any]:
    """Tell what is not known, if the turn could end in the best case of it.

    `untold` are the calls whose ends nobody knows: they may have been the checks and looks that are
    missing. `placeless` are the changed files that may have been looked at by a relative name, from
    a folder that nobody knows.
    """
    if not {item.reason for item in items} <= _CLOSED_BY_CALLS:
        return {}
    changes = turn.changes
    calls = changes.untold.calls if changes.untold else ()
    seen = () if turn.ledger.workspace else changes.may_be_seen()
    if not (calls or seen):
        return {}
    supposed = msgspec.structs.replace(turn, changes=changes.supposing(seen))
    if any(standing(open_items(supposed))):
        return {}
    return {name: said for name, said in (("untold", calls), ("placeless", seen)) if said}


def _doubtful(turn: ChangeTurn) -> Verdict:
    """Say which calls may have changed something that nobody can be held to."""
    parts = []
    if doubts := (*turn.changes.doubts, *turn.unanswered):
        parts.append(
            f"nobody knows what came of {shown_all(doubts)}: it may have changed something, or "
            "still may"
        )
    if turn.unfinished:
        parts.append(
            f"{shown_all(turn.unfinished)} still runs and changed something already: wait for its "
            "end, then look at what it left"
        )
    return not_assessable(GATE, "; ".join(parts))


def _stopped(turn: ChangeTurn, stop: Refusal) -> Verdict:
    """Say of a run that was stopped and owes nothing that nobody knows whether it is complete."""
    return Verdict(
        gate=GATE,
        decision=Decision.NOT_ASSESSABLE,
        reason=STOPPED,
        rule=rule_of(STOPPED),
        told=stop.message,
        facts={"missing": (), "risk": turn.risk, **_next(turn)},
    )


def open_items(turn: ChangeTurn) -> Iterator[Refusal]:
    """Yield everything that is open."""
    if turn.progress:
        yield from open_tasks(turn.tasks)
    if turn.routes:
        yield from open_routes(turn.routes, changed=bool(turn.changes), reminded=turn.reminded)
    if turn.closed_loop:
        yield from open_expectations(
            turn.expects, worked=turn.worked, saved=turn.saved, changed=bool(turn.changes)
        )
        yield from _criteria(turn)
    if turn.changes:
        if turn.closed_loop and not turn.changes.signed_off:
            yield missing_signoff()
        if turn.closed_loop or turn.risk in ("medium", "high"):
            yield from _verification(turn)
        yield from _inspection(turn)
        yield from _reviews(turn)
        yield from _project_checks(turn)
    yield from empty_answer(turn.answer)
    if turn.stands_down:
        yield stopped_item()


def bearings(turn: ChangeTurn) -> Iterator[Bearing]:
    """Yield the receipts that the end rests on, whatever it comes to."""
    if turn.progress:
        yield from bearing_list(turn.ledger, turn.tasks)
    yield from turn.changes.bearings()


def waived(turn: ChangeTurn, items: Sequence[Refusal]) -> bool:
    """Whether all that is open are checks that were left out in the open.

    A declaration covers the verification of an ordinary turn where the preset allows partial
    completion. The user's own ban on tests covers the project checks too, and any turn.
    """
    declared = turn.declared and turn.preset.partial_completion and not turn.closed_loop
    if not items or not (declared or turn.tests_forbidden) or not is_on(PARTIAL):
        return False
    open_categories = {item.facts["category"] for item in items}
    if turn.tests_forbidden:
        return open_categories <= {"verification", "project_check"}
    return open_categories == {"verification"}


def _criteria(turn: ChangeTurn) -> Iterator[Refusal]:
    changes = turn.changes
    if not (changes or changes.checked):
        return
    if not turn.criteria:
        yield missing_criteria()
    elif changes.unplanned:
        yield open_item(
            "finish.criteria_missing",
            "criteria",
            "the criteria came after the first change or check of the turn; they hold from the "
            "next turn on, where the list is carried",
        )


def _verification(turn: ChangeTurn) -> Iterator[Refusal]:
    if not turn.changes.checks.verified:
        why = unverified(turn.changes, turn.ledger)
        yield open_item("finish.verification_missing", "verification", why)


def _inspection(turn: ChangeTurn) -> Iterator[Refusal]:
    changes, inspection = turn.changes, turn.changes.inspection
    unseen = changes.unseen
    if not (inspection.opaque_unseen or unseen.count):
        return
    if inspection.opaque_unseen:
        without = WithoutPaths.of(changes, turn.ledger.rules.commands)
        why = Later(without.unseen, (unseen,))
    else:
        why = Later(_not_looked_at, (unseen,))
    yield open_item("finish.inspection_missing", "review", why, step="inspection")


def _reviews(turn: ChangeTurn) -> Iterator[Refusal]:
    """Yield what a review by risk still owes (DL-07); a sub-agent leaves it to its parent."""
    if turn.depth > 0:
        return
    preset = turn.preset
    yield from owed_reviews(
        turn.changes,
        turn.risk,
        medium=preset.medium_review_closed if turn.closed_loop else preset.medium_review,
        tools=turn.tools,
        rules=turn.ledger.rules.commands,
    )


def _project_checks(turn: ChangeTurn) -> Iterator[Refusal]:
    for check in turn.project_checks:
        if not turn.changes.checks.declared_passed(check):
            since = turn.changes.latest_at - turn.ledger.base
            yield open_project_check(check, found_of(turn.ledger, check, since))


def _next(turn: ChangeTurn) -> dict[str, Any]:
    """Tell what a host does after a refusal: send it back, or stop and mark it incomplete."""
    bound = MOST_NUDGES if turn.moved else NUDGES
    left = 0 if turn.stands_down else max(0, bound - turn.attempt)
    return {"stop": "continue" if left else "incomplete", "continuations": left}


def _not_looked_at(paths: SomePaths) -> str:
    return (
        f"nobody looked at {listed(paths)} since the last change: read what changed, or run "
        "`git diff` (after `git add -N PATH` for a file that git does not track)"
    )
