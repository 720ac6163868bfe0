"""End of a turn by profile and by the latest change (DL-05 to DL-08).

An ordinary turn owes its open task list and the declared project checks. A closed loop also owes
what the user's text asked for, the routes, and for its latest change criteria, a sign-off, a
verification, an inspection and a review by risk. Items are collected in the order F1 to F11; the
turn may end when none is open.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from reasonix_runtime.evidence.commands import classify
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.looked_after import (
    inspections,
    light_inspection,
    verified_signoff,
    verified_signoffs,
)
from reasonix_runtime.evidence.masking import shown_all
from reasonix_runtime.evidence.owed.bearings import Bearing, Role
from reasonix_runtime.evidence.owed.review import REVIEW_KINDS
from reasonix_runtime.evidence.owed.risk import RiskRules, production_paths, risk_of_all
from reasonix_runtime.evidence.tasks import Task
from reasonix_runtime.gates import found
from reasonix_runtime.gates.capability import Routes, open_routes
from reasonix_runtime.gates.checkpoint import Checkpoint
from reasonix_runtime.gates.delivery.policy import GuardRelease, RiskScope
from reasonix_runtime.gates.delivery.turn_end import (
    GATE,
    STOPPED,
    UNCHANGED,
    bearing_list,
    empty_answer,
    missing_criteria,
    missing_signoff,
    open_expectations,
    open_item,
    open_project_check,
    open_tasks,
    stopped_item,
    summarise,
)
from reasonix_runtime.gates.review import (
    ALL_TOOLS,
    ReviewTools,
    deciding_report,
    structured_review,
)
from reasonix_runtime.gates.steps.policy import ReviewRules
from reasonix_runtime.gates.verdict import (
    Refusal,
    Verdict,
    accept,
    decide_all,
    is_on,
    refuse,
    standing,
)

NO_CHECKPOINT = Checkpoint()


class LoopTurn(msgspec.Struct, frozen=True, kw_only=True):
    """What is known when the model answers without calls.

    Attributes:
        ledger: the receipts of the turn.
        tasks: the canonical list.
        closed_loop: whether the delivery switch is on for this run.
        planning: whether the run only makes a plan.
        depth: nesting of the run; a sub-agent leaves reviews to its parent.
        expects: what the user's text asks for: `evidence`, `mutation`, `persistent` (DL-08).
        project_checks: commands that the project wants to see after a change.
        criteria: whether acceptance criteria are established, here or by an earlier run of the
            goal (EL-17).
        checkpoint: evidence of earlier runs of the same goal.
        routes: the capability routes that are asked in a turn like this.
        reminded: whether a preferred capability was already asked for.
        stands_down: whether the pass of a loop guard holds (DL-10).
        guard_release: what that pass is worth (a policy point).
        risk_scope: which changes are rated and reviewed (a policy point).
        answer: the final answer, None where it is not known or not asked (a policy point).
        tools: which review tools are registered.
        reviews: the policy points of reviews.
        risk: how paths are rated.
    """

    ledger: Ledger
    reviews: ReviewRules
    risk: RiskRules
    tasks: tuple[Task, ...] = ()
    closed_loop: bool = False
    planning: bool = False
    depth: int = 0
    expects: frozenset[str] = frozenset()
    project_checks: tuple[str, ...] = ()
    criteria: bool = False
    checkpoint: Checkpoint = NO_CHECKPOINT
    routes: Routes = ()
    reminded: bool = False
    stands_down: bool = False
    guard_release: GuardRelease = GuardRelease.FORGIVE
    risk_scope: RiskScope = RiskScope.LATEST
    answer: str | None = None
    tools: ReviewTools = ALL_TOOLS

    @property
    def memory_only(self) -> bool:
        """Whether the user asked for durable memory and for no change (DL-08 T2 without T3)."""
        return "persistent" in self.expects


class Baseline(msgspec.Struct, frozen=True):
    """What the obligations count from: a ledger index, -1 for the start, None for nothing.

    `changed` says that something changed, `check_only` that only a verification ran (F6).
    """

    index: int | None
    changed: bool = False
    check_only: bool = False


def judge(turn: LoopTurn) -> Verdict:
    """Decide whether the turn may end."""
    if turn.planning:
        return accept(GATE, missing=())
    facts: dict[str, Any] = {"risk": _risk_of(turn) or "none"}
    if _forgiven(turn):
        return accept(
            GATE,
            message="a loop guard stopped the run and nothing was done since: it may report what "
            "blocks it",
            missing=(),
            stood_down=True,
            **facts,
        )
    return decide_all(
        open_items(turn),
        lambda: accept(
            GATE, message=UNCHANGED if facts["risk"] == "none" else "", missing=(), **facts
        ),
        lambda items: summarise(items, **facts),
    )


def open_items(turn: LoopTurn) -> Iterator[Refusal]:
    """Yield everything that is open, in the order F2 to F10."""
    yield from _open_list(turn)
    if turn.closed_loop:
        yield from _expected(turn)
    if turn.routes:
        changed = turn.ledger.latest_mutation >= 0
        yield from open_routes(turn.routes, changed=changed, reminded=turn.reminded)
    base = baseline(turn)
    if base.index is not None and not _memory_turn(turn):
        if turn.closed_loop:
            yield from _obligations(turn, base)
        if turn.project_checks and not base.check_only:
            yield from _project_checks(turn, base.index)
    yield from empty_answer(turn.answer)
    if turn.stands_down and turn.guard_release is GuardRelease.STOP:
        yield stopped_item()


def bearings(turn: LoopTurn) -> Iterator[Bearing]:
    """Yield the receipts that the end rests on: the latest change, and what came after it."""
    ledger = turn.ledger
    if ledger.progress:
        yield from bearing_list(ledger, _list_in_force(turn))
    change = ledger.latest_mutation
    if change < 0:
        return
    found = [(change, Role.CHANGE)]
    found += [(index, Role.LOOK) for index in list(inspections(ledger, change))[-1:]]
    signed = list(verified_signoffs(ledger, change))[-1:]
    found += [(index, Role.SIGN_OFF) for index, _ in signed]
    found += [(index, Role.CHECK) for _, index in signed] or _checks_after(ledger, change)
    found += [
        (run.index, Role.CHECK)
        for check in turn.project_checks
        for run in ledger.runs(check, after=change)
    ]
    for kind in REVIEW_KINDS:
        decided = deciding_report(ledger, kind, change, _required_paths(turn), turn.reviews)
        if decided.index is not None:
            found.append((decided.index, Role.REVIEW))
    yield from (Bearing(ledger.base + index, role) for index, role in found)


def _checks_after(ledger: Ledger, change: int) -> list[tuple[int, Role]]:
    """Return the latest check that passed after a change, for a change that nobody signed off."""
    rules = ledger.rules.commands
    ran = [
        (index, Role.CHECK)
        for index, receipt in ledger.successes(change)
        if receipt.settled and receipt.command and classify(receipt.command, rules).verification
    ]
    return ran[-1:]


def baseline(turn: LoopTurn) -> Baseline:
    """Return what the obligations count from (F3, F6)."""
    ledger = turn.ledger
    index = ledger.latest_write if ledger.latest_write >= 0 else None
    if not turn.closed_loop:
        return Baseline(index)
    if ledger.latest_mutation >= 0:
        return Baseline(ledger.latest_mutation, changed=True)
    if turn.checkpoint.pending:
        return Baseline(-1, changed=True)
    if index is None and ledger.verification_ran:
        return Baseline(-1, changed=turn.checkpoint.mutation, check_only=True)
    return Baseline(index, changed=turn.checkpoint.mutation)


def settled(turn: LoopTurn) -> bool:
    """Whether the latest change of a goal's run is done with (DL-12, last row).

    Criteria stand, and after the change (or from the start) there are a sign-off, a verified
    sign-off and a light inspection, and the review gate is content.
    """
    base = turn.ledger.latest_mutation
    return (
        turn.criteria
        and verified_signoff(turn.ledger, base)
        and light_inspection(turn.ledger, base)
        and next(_review(turn), None) is None
    )


def _forgiven(turn: LoopTurn) -> bool:
    """F11: whether the pass of a loop guard lets the turn end whatever is open."""
    releases = turn.guard_release is GuardRelease.FORGIVE and is_on(STOPPED)
    return releases and turn.stands_down and not _memory_turn(turn)


def _rated_from(turn: LoopTurn) -> int:
    """Return the ledger index before the first change that is rated and reviewed (DL-04 R0)."""
    everything = turn.risk_scope is RiskScope.SINCE_PASSED_END
    return -1 if everything else max(-1, turn.ledger.latest_mutation - 1)


def _risk_of(turn: LoopTurn) -> str | None:
    """Return the risk of what is rated, None when nothing changed (DL-04)."""
    changes = turn.ledger.receipts[_rated_from(turn) + 1 :]
    made = [(change.tool, change.paths) for change in changes if change.success and change.mutation]
    return risk_of_all(made, turn.risk)


def _required_paths(turn: LoopTurn) -> tuple[str, ...]:
    """Return the paths that a review of it has to cover (DL-07)."""
    return production_paths(
        path
        for _, receipt in turn.ledger.successes(_rated_from(turn))
        if receipt.mutation or receipt.write
        for path in receipt.paths
    )


def _memory_turn(turn: LoopTurn) -> bool:
    """F7: a closed-loop turn that was asked for memory only and changed nothing else."""
    if not (turn.closed_loop and turn.memory_only):
        return False
    changes = (receipt for _, receipt in turn.ledger.successes() if receipt.mutation)
    return all(receipt.tool == "remember" for receipt in changes)


def _open_list(turn: LoopTurn) -> Iterator[Refusal]:
    """F2: the list in force, once something succeeded that is no read and no list."""
    if turn.ledger.progress:
        yield from open_tasks(_list_in_force(turn))


def _list_in_force(turn: LoopTurn) -> tuple[Task, ...]:
    """Return the turn's own list, else the carried one."""
    own = turn.ledger.todos
    return own if own is not None else turn.tasks


def _expected(turn: LoopTurn) -> Iterator[Refusal]:
    """F4: what the user's text asks for (DL-08 T1 to T3)."""
    ledger, before = turn.ledger, turn.checkpoint
    return open_expectations(
        turn.expects,
        worked=ledger.work or before.work,
        saved=ledger.saved,
        changed=ledger.latest_mutation >= 0 or before.mutation,
    )


def _obligations(turn: LoopTurn, base: Baseline) -> Iterator[Refusal]:
    """O1 to O5: what a closed loop owes for its baseline (DL-06)."""
    ledger, index = turn.ledger, base.index if base.index is not None else -1
    if not turn.criteria:
        yield missing_criteria()
    if not any(receipt.tool == "complete_step" for _, receipt in ledger.successes(index)):
        yield missing_signoff()
    if not verified_signoff(ledger, index):
        yield open_item(
            "finish.verification_missing",
            "verification",
            "no sign-off rests on a check of the latest change: look at the change, run a check "
            f"such as `{found.example(ledger)}`, then `complete_step` citing it, in this order. "
            f"{_ran_since(ledger, index)}",
        )
    if base.changed and not light_inspection(ledger, index):
        yield open_item(
            "finish.inspection_missing",
            "review",
            f"nobody looked at {_what(ledger)} after the change: read it or run `git diff`",
            step="inspection",
        )
    yield from _review(turn)


def _review(turn: LoopTurn) -> Iterator[Refusal]:
    """O5: the structured review of the latest change; only its first problem is told (DL-07)."""
    ledger = turn.ledger
    if turn.depth > 0:
        return
    problems = structured_review(
        ledger,
        risk=_risk_of(turn) or "none",
        required=_required_paths(turn),
        tools=turn.tools,
        rules=turn.reviews,
    )
    for problem in standing(problems):
        yield refuse(problem.reason, problem.message, grounds=problem.grounds, category="review")
        return


def _project_checks(turn: LoopTurn, index: int) -> Iterator[Refusal]:
    """F10: every declared check has run since the baseline."""
    for check in turn.project_checks:
        if not turn.ledger.command_ran(check, after=index):
            yield open_project_check(check)


def _ran_since(ledger: Ledger, index: int) -> str:
    """Say which commands succeeded after the baseline, for a message."""
    commands = dict.fromkeys(receipt.command for _, receipt in ledger.successes(index))
    ran = found.quoted((command for command in commands if command), found.MOST_OF_TURN)
    return f"What ran since: {ran}." if ran else "No command ran since."


def _what(ledger: Ledger) -> str:
    """Name the latest change for a message."""
    if ledger.latest_mutation < 0:
        return "the pending change"
    receipt = ledger[ledger.latest_mutation]
    return shown_all(receipt.paths) or f"what `{receipt.tool}` changed"
