"""End of a turn by duties (rule set `facts`): FC-07 to FC-09, FC-11, FC-12.

There is no profile switch and no risk level. What the calls did created duties (`duties.py`); what
is open of them, and of list, routes, checks and plan, either holds the turn back or is waived.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from reasonix_runtime.evidence.masking import shown, shown_all
from reasonix_runtime.evidence.tasks import Task
from reasonix_runtime.gates.capability import Routes, open_routes
from reasonix_runtime.gates.delivery.turn_end import (
    GATE,
    PARTIAL,
    categories,
    empty_answer,
    open_item,
    open_project_check,
    open_tasks,
    summarise,
)
from reasonix_runtime.gates.duties import REVIEWS, VERIFICATIONS, Duty, DutyBook, Kind, Strength
from reasonix_runtime.gates.verdict import Refusal, Verdict, accept, decide_all, is_on, standing

NEVER_WAIVED = frozenset({"action", "capability", "mutation", "todo"})
NEVER_WAIVED_CLOSED = frozenset({"criteria", "review", "signoff"})
"""Categories that hold every answer back, and those that do in a closed loop as well (FC-11)."""
NO_CONTINUATION = frozenset({"action", "capability"})
"""Categories of which the host starts no further turn (FC-12)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DutyTurn:
    """What is known when the model answers without calls.

    Attributes:
        book: the duties of the run.
        tasks: the task list in force; empty when there is none.
        planning: whether the run only makes a plan.
        goal_active: whether a goal is running.
        plan_criteria: criteria of an approved plan that is being carried out.
        delivery_floor: whether the policy floor is "delivery".
        project_checks: declared commands.
        routes: the capability routes that are asked in a turn like this.
        reminded: whether a preferred capability was already asked for.
        declared: whether the answer honestly says that its check is unverified.
        tests_forbidden: whether the user forbade running tests.
        guarded: whether a loop guard fired, or the environment cannot run the checks.
        answer: the final answer, None where it is not known or not asked (a policy point).
        attempt: how many ends of this turn were asked before.
    """

    book: DutyBook
    tasks: tuple[Task, ...] = ()
    planning: bool = False
    goal_active: bool = False
    plan_criteria: tuple[str, ...] = ()
    delivery_floor: bool = False
    project_checks: tuple[str, ...] = ()
    routes: Routes = ()
    reminded: bool = False
    declared: bool = False
    tests_forbidden: bool = False
    guarded: bool = False
    answer: str | None = None
    attempt: int = 0


def _is_closed(turn: DutyTurn) -> bool:
    """Whether the loop counts as closed (FC-09)."""
    return turn.goal_active or bool(turn.plan_criteria) or turn.delivery_floor or turn.book.strict


def judge(turn: DutyTurn) -> Verdict:
    """Decide whether the turn may end, fully or partly, and how many tries are left.

    What only advises is told with the rest and after it, for it never decides.
    """
    if turn.planning:
        return accept(GATE, missing=(), stop="ready", continuations=0)
    found = tuple(sorted(standing(open_items(turn)), key=_only_advises))
    binding = tuple(item for item in found if not _only_advises(item))
    stop = _stop_of(turn, binding)
    if binding and waived(turn, found):
        return accept(
            GATE,
            reason=PARTIAL,
            message="the turn may end in part: what is open is said, not hidden",
            missing=(),
            partial=True,
            waived=categories(found),
            stop="partial",
            continuations=0,
        )
    return decide_all(
        found if binding else (),
        lambda: accept(GATE, missing=(), stop=stop, partial=False, continuations=0),
        lambda items: summarise(
            items, stop=stop, partial=False, continuations=continuations(turn, items, stop)
        ),
    )


def open_items(turn: DutyTurn) -> Iterator[Refusal]:
    """Yield everything that is open, in the order of FC-08; also what only advises."""
    closed = _is_closed(turn)
    if closed and turn.book.wrote:
        yield from open_tasks(turn.tasks)
    yield from open_routes(turn.routes, changed=turn.book.wrote, reminded=turn.reminded)
    if turn.book.content_changed:
        for check in turn.project_checks:
            if check not in turn.book.checks_passed:
                yield open_project_check(check)
    for criterion in turn.plan_criteria:
        if criterion not in turn.book.proven_criteria:
            yield open_item(
                "finish.criterion_unproven",
                "criteria",
                f"criterion `{shown(criterion)}` of the plan is not proven: cite it in a "
                "`complete_step`",
            )
    for duty in turn.book.unsettled():
        yield _duty_item(duty)
    yield from empty_answer(turn.answer)


def _only_advises(item: Refusal) -> bool:
    return bool(item.facts.get("strength") == Strength.ADVISORY)


def _stop_of(turn: DutyTurn, binding: Sequence[Refusal]) -> str:
    """Return what open items mean for the loop (FC-07): ready, continue, blocked, partial."""
    duties = list(turn.book.open())
    strict = [duty for duty in duties if duty.strength is Strength.STRICT]
    if strict:
        tried = any(duty.tries for duty in strict)
        return "blocked" if tried and turn.guarded else "continue"
    if duties:
        tried = any(duty.tries for duty in duties)
        return "partial" if tried or turn.guarded else "continue"
    return "continue" if binding else "ready"


def waived(turn: DutyTurn, found: Sequence[Refusal]) -> bool:
    """Whether what is open does not hold the answer back (FC-11)."""
    closed = _is_closed(turn)
    if any(duty.strength is Strength.STRICT for duty in turn.book.open()):
        return False
    if not (turn.tests_forbidden or not closed or turn.declared):
        return False
    kept = NEVER_WAIVED | (NEVER_WAIVED_CLOSED if closed else frozenset())
    if not (turn.tests_forbidden or (not closed and turn.declared)):
        kept |= {"project_check"}
    return is_on(PARTIAL) and _keeps_nothing(kept, found)


def _keeps_nothing(kept: frozenset[str], found: Sequence[Refusal]) -> bool:
    """Whether no open item is of a category that is never waived; one without is none."""
    present = {item.facts["category"] for item in found}
    return "" not in present and kept.isdisjoint(present)


def continuations(turn: DutyTurn, found: Sequence[Refusal], stop: str) -> int:
    """Return how many synthetic turns may still follow (FC-12)."""
    present = set(categories(found))
    if turn.tests_forbidden or stop == "blocked" or present & NO_CONTINUATION:
        return 0
    only_recoverable = all(
        item.facts.get("strength", Strength.STRICT) < Strength.STRICT for item in found
    )
    return max(0, (1 if only_recoverable else 2) - turn.attempt)


_HELP = {
    Kind.TARGETED: "run a check of what was changed",
    Kind.FULL: "run all checks, not a part of them, with nothing behind them that hides how they "
    "ended",
    Kind.DIFF: "look at the change: read it or run `git diff`",
    Kind.INDEPENDENT: "have it reviewed: call `review`",
    Kind.SECURITY: "have its security reviewed: call `security_review`",
    Kind.SIGNOFF: "sign the step off with `complete_step`",
    Kind.ACTION: "do the action",
    Kind.CRITERIA: "write down what has to hold with `todo_write`",
}
_ADVICE = {Strength.ADVISORY: "; this is advice, and holds nothing back by itself"}


def _duty_item(duty: Duty) -> Refusal:
    over = shown_all(duty.targets or ())
    item = open_item(
        f"obligation.{duty.kind}",
        _category(duty.kind),
        _against(duty)
        + _HELP[duty.kind]
        + (f" ({over})" if over else "")
        + _ADVICE.get(duty.strength, ""),
        step="inspection" if duty.kind is Kind.DIFF else "",
    )
    facts: dict[str, Any] = {**item.facts, "strength": duty.strength}
    return Refusal(item.reason, item.message, facts, item.grounds)


def _against(duty: Duty) -> str:
    """Tell what spoke against a duty since it arose: it was done, and done in vain."""
    if duty.by < 0:
        return ""
    what = "a check failed" if duty.kind in VERIFICATIONS else "a report forbids delivery"
    return f"{what}; mend what it found, then "


def _category(kind: Kind) -> str:
    if kind in VERIFICATIONS:
        return "verification"
    if kind in REVIEWS:
        return "review"
    return {Kind.SIGNOFF: "signoff", Kind.ACTION: "action"}.get(kind, "criteria")
