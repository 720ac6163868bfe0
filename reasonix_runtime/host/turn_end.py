"""The part of the state machine about the end of a turn: what the judges are told, and after."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from reasonix_runtime.evidence.owed.bearings import MOST_NAMED, Bearings, in_order
from reasonix_runtime.evidence.owed.changes import MOST_DOUBTS, ChangeSet
from reasonix_runtime.evidence.tasks import Task
from reasonix_runtime.gates import capability
from reasonix_runtime.gates.capability import REMINDER, Routes
from reasonix_runtime.gates.checkpoint import RunEvidence, advance
from reasonix_runtime.gates.delivery import by_changes, by_duties, by_loop
from reasonix_runtime.gates.delivery.by_changes import ChangeTurn
from reasonix_runtime.gates.delivery.by_duties import DutyTurn
from reasonix_runtime.gates.delivery.by_loop import NO_CHECKPOINT, LoopTurn
from reasonix_runtime.gates.delivery.turn_end import GATE
from reasonix_runtime.gates.policy import EndOfTurn
from reasonix_runtime.gates.presets import PRESETS
from reasonix_runtime.gates.review import ALL_TOOLS, ReviewTools
from reasonix_runtime.gates.verdict import Verdict, accept, not_assessable
from reasonix_runtime.host import doubts
from reasonix_runtime.trace.events import TurnEnd

if TYPE_CHECKING:
    from reasonix_runtime.host.setup import Setup
    from reasonix_runtime.host.turn import TurnGates

NO_WISHES: frozenset[str] = frozenset()


def judge_end(gates: TurnGates, event: TurnEnd) -> Verdict:
    """Judge the end of a turn; it counts as often as the model tried, and the last try decides."""
    gates.memory.message_ended()
    verdict = _ask(gates, event)
    for _ in range(1, event.attempts):
        verdict = _ask(gates, event)
    return verdict


def would_end(gates: TurnGates, event: TurnEnd) -> Verdict:
    """Judge whether a turn may end now, without counting it as a try."""
    gates.memory.message_ended()
    return _judge(gates, event)


def unexcused_end(gates: TurnGates, event: TurnEnd) -> Verdict | None:
    """Judge an end by what changed since something unseen may have seen to what was owed before.

    None without such an excuse, and under rule sets that do not ask what changed.
    """
    changes = gates.memory.unexcused
    asked = gates.policy.end_of_turn is EndOfTurn.CHANGES and not gates.setup.no_ledger
    if changes is None or not asked:
        return None
    gates.memory.message_ended()
    return by_changes.judge(_change_turn(gates, event, changes))


def bearings(gates: TurnGates) -> Bearings:
    """Return the receipts that an end would rest on now; nothing is kept for it beforehand."""
    ends = gates.policy.end_of_turn
    if ends is EndOfTurn.NONE or gates.setup.no_ledger or gates.setup.plan_mode:
        return Bearings()
    if ends is EndOfTurn.LOOP:
        return in_order(by_loop.bearings(_loop_turn(gates)))
    if ends is EndOfTurn.DUTIES:
        return in_order(gates.memory.duties.bearings())
    unnamed = max(0, gates.memory.changes.paths.count - MOST_NAMED)
    turn = _change_turn(gates, TurnEnd(turn=0), gates.memory.changes)
    found = by_changes.bearings(turn)
    return in_order(found, more=unnamed)


def judge_answer(gates: TurnGates) -> Verdict:
    """Judge a final answer by the capability routes alone, as the host's own route gate does."""
    changed = gates.run.ledger.latest_mutation >= 0
    verdict = capability.judge_answer(gates.routes, changed=changed, reminded=gates.reminded)
    if verdict.reason == REMINDER:
        gates.reminded = True
    return verdict


def finish(gates: TurnGates, *, passed: bool) -> None:
    """Move what a finished turn moves; `passed` is what was recorded, else the verdict."""
    if gates.checkpoint is not None:
        turn = _loop_turn(gates)
        mutation = gates.run.ledger.latest_mutation >= 0
        gates.checkpoint = advance(
            gates.checkpoint,
            RunEvidence(
                criteria=gates.memory.criteria,
                work=gates.run.ledger.work,
                mutation=mutation,
                memory_only=turn.memory_only and passed and mutation,
                settled=passed and by_loop.settled(turn),
            ),
        )
    planned = gates.setup.plan_mode  # nothing is asked then, so nothing is settled either
    if passed and not planned and gates.policy.end_of_turn is EndOfTurn.CHANGES:
        gates.memory.settle()


def _ask(gates: TurnGates, event: TurnEnd) -> Verdict:
    verdict = _judge(gates, event)
    gates.reminded = gates.reminded or REMINDER in verdict.facts.get("reasons", ())
    if gates.policy.end_of_turn is EndOfTurn.DUTIES:
        for duty in gates.memory.duties.open():
            duty.tries += 1
    gates.attempts += 1
    gates.asked_at = len(gates.run.ledger)
    return verdict


def _judge(gates: TurnGates, event: TurnEnd) -> Verdict:
    ends = gates.policy.end_of_turn
    if ends is EndOfTurn.NONE:
        return not_assessable(GATE, "this rule set has no gate at the end of a turn")
    if gates.setup.no_ledger:
        if gates.policy.delivery.no_ledger_passes:
            return accept(GATE, missing=())
        return not_assessable(GATE, "no ledger is kept, so nobody knows what the turn did")
    if ends is EndOfTurn.LOOP:
        return by_loop.judge(_loop_turn(gates, _asked_answer(gates, event)))
    if ends is EndOfTurn.DUTIES:
        return by_duties.judge(_duty_turn(gates, _asked_answer(gates, event)))
    return by_changes.judge(_change_turn(gates, event, gates.memory.changes))


def _loop_turn(gates: TurnGates, answer: str | None = None) -> LoopTurn:
    setup, policy, run = gates.setup, gates.policy, gates.run
    return LoopTurn(
        ledger=run.ledger,
        reviews=policy.reviews,
        risk=policy.risk,
        tasks=run.tasks,
        closed_loop=gates.closed_loop,
        planning=setup.plan_mode,
        depth=run.depth,
        expects=_expects(gates),
        project_checks=setup.project_checks,
        criteria=gates.memory.criteria,
        checkpoint=gates.checkpoint or NO_CHECKPOINT,
        routes=_asked_routes(gates),
        reminded=gates.reminded,
        stands_down=gates.memory.stands_down,
        guard_release=policy.delivery.guard_release,
        risk_scope=policy.delivery.risk_scope,
        answer=answer,
        tools=review_tools(setup),
    )


def _change_turn(gates: TurnGates, event: TurnEnd, changes: ChangeSet) -> ChangeTurn:
    setup, policy, run, memory = gates.setup, gates.policy, gates.run, gates.memory
    ledger, expects = run.ledger, _expects(gates)
    return ChangeTurn(
        ledger=ledger,
        changes=changes,
        risk=changes.risk() or "none",
        tasks=_list_in_force(gates),
        progress=ledger.progress,
        closed_loop=gates.closed_loop,
        planning=setup.plan_mode,
        depth=run.depth,
        expects=expects,
        worked=ledger.work,
        saved=bool(expects) and ledger.saved,
        preset=PRESETS[setup.preset],
        criteria=gates.memory.criteria,
        project_checks=setup.project_checks,
        routes=_asked_routes(gates),
        reminded=gates.reminded,
        unfinished=tuple(islice(chain(run.jobs.changing(), run.still_changing()), MOST_DOUBTS)),
        unanswered=doubts.told_of(run),
        declared=setup.unverified_claim or changes.declared_manual or memory.claimed_unverified,
        tests_forbidden=gates.constraints.forbid_tests,
        tools=review_tools(setup),
        stands_down=gates.memory.stands_down,
        guard_release=policy.delivery.guard_release,
        answer=_asked_answer(gates, event),
        attempt=gates.attempts,
        moved=gates.attempts > 0 and len(ledger) > gates.asked_at,
    )


def _duty_turn(gates: TurnGates, answer: str | None) -> DutyTurn:
    setup = gates.setup
    return DutyTurn(
        book=gates.memory.duties,
        tasks=_list_in_force(gates),
        planning=setup.plan_mode,
        goal_active=gates.goal_active,
        plan_criteria=setup.plan_criteria,
        delivery_floor=gates.floor,
        project_checks=setup.project_checks,
        routes=_asked_routes(gates),
        reminded=gates.reminded,
        declared=setup.unverified_claim or gates.memory.claimed_unverified,
        tests_forbidden=gates.constraints.forbid_tests,
        guarded=gates.memory.guards.pass_from is not None,
        answer=answer,
        attempt=gates.attempts,
    )


def _expects(gates: TurnGates) -> frozenset[str]:
    """Return what the user's text asks for, where the rule set reads it."""
    asked = gates.setup.expectations
    return frozenset(asked) if asked and gates.policy.delivery.text_expects else NO_WISHES


def _asked_answer(gates: TurnGates, event: TurnEnd) -> str | None:
    """Return the final answer where the rule set looks at it."""
    return event.answer if gates.policy.delivery.empty_answer_refused else None


def _asked_routes(gates: TurnGates) -> Routes:
    asked = gates.closed_loop or gates.policy.delivery.routes_every_turn
    return gates.routes if asked else ()


def _list_in_force(gates: TurnGates) -> tuple[Task, ...]:
    """Return the turn's own list, else the carried one."""
    own = gates.run.ledger.todos
    return own if own is not None else gates.run.tasks


def review_tools(setup: Setup) -> ReviewTools:
    """Return which review tools the host registers; without a statement all of them (DL-07)."""
    if setup.tools is None:
        return ALL_TOOLS
    skills = "run_skill" in setup.tools
    return ReviewTools(
        review=skills or "review" in setup.tools,
        security=skills or "security_review" in setup.tools,
    )
