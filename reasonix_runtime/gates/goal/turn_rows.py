"""The rows that end a goal turn, in the order in which they are asked.

A block beats everything, an accepted completion beats a spent budget, a spent budget beats a stall.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from reasonix_runtime.gates.goal.state import (
    GoalState,
    GoalStatus,
    StopCause,
    binding,
    clean_block,
    clip,
)
from reasonix_runtime.gates.goal.table import ANYWHERE, Place, Prompt, Row
from reasonix_runtime.gates.goal.turn import CHECKS_ONLY, Opinion, TurnCase, readiness_gap

_row = partial(Row, on=(TurnCase,), at=(Place.RUNNING,))


def _is_outdated(goal: GoalState, case: TurnCase) -> bool:
    return case.end.bound is not None and case.end.bound != binding(goal)


def _is_idle(goal: GoalState, case: TurnCase) -> bool:
    return case.end.bound is None or not goal.running


def _reports_block(goal: GoalState, case: TurnCase) -> bool:
    return case.report is not None and case.report.status is GoalStatus.BLOCKED


def _evaluator_blocks(goal: GoalState, case: TurnCase) -> bool:
    return case.says(Opinion.BLOCKED)


def _is_complete(goal: GoalState, case: TurnCase) -> bool:
    return case.claimed and not case.counted.open_todos and not case.end.readiness.reason.strip()


def _repeats_gap(goal: GoalState, case: TurnCase) -> bool:
    """Whether the model was told of this very gap and only checks are missing."""
    missing = frozenset(case.end.readiness.missing)
    return (
        case.rules.repeated_gap_accepted
        and case.claimed
        and not case.counted.open_todos
        and case.end.preset.partial_completion
        and bool(missing)
        and missing <= CHECKS_ONLY
        and goal.last_continuation_reason == readiness_gap(case.end.readiness)
    )


def _evaluator_is_down(goal: GoalState, case: TurnCase) -> bool:
    return case.says(Opinion.FAILED, Opinion.UNCERTAIN)


def _turns_are_spent(goal: GoalState, case: TurnCase) -> bool:
    return 0 < case.counted.turns_limit <= case.counted.turns_used


def _is_stalled(goal: GoalState, case: TurnCase) -> bool:
    return 0 < case.counted.no_progress_limit <= case.counted.no_progress_turns


def _is_claimed(goal: GoalState, case: TurnCase) -> bool:
    return case.claimed


def _reports_continue(goal: GoalState, case: TurnCase) -> bool:
    return case.report is not None and case.rules.continue_guides_next_prompt


def _reports_next_action(goal: GoalState, case: TurnCase) -> bool:
    return (
        _reports_continue(goal, case) and case.report is not None and bool(case.report.next_action)
    )


def _lists_missing(goal: GoalState, case: TurnCase) -> bool:
    return bool(case.end.readiness.missing)


def _stalled_at_end(case: TurnCase) -> int:
    """Return the stall counter of a turn that ended the goal: ending it is progress."""
    if case.report is None and not case.rules.evaluator_end_is_progress:
        return case.counted.no_progress_turns
    return 0


def _block(goal: GoalState, case: TurnCase) -> GoalState:
    reason = case.report.reason if case.report else ""
    return replace(
        case.counted,
        status=GoalStatus.BLOCKED,
        stop_cause=StopCause.NONE,
        block=clean_block(reason),
        last_continuation_reason=clip(reason),
        no_progress_turns=0,
    )


def _block_by_evaluator(goal: GoalState, case: TurnCase) -> GoalState:
    reason = case.evaluation.reason if case.evaluation else ""
    return replace(
        case.counted,
        status=GoalStatus.BLOCKED,
        stop_cause=StopCause.NONE,
        block=clean_block(reason),
        last_evaluator_reason=clip(reason),
        no_progress_turns=_stalled_at_end(case),
    )


def _complete(goal: GoalState, case: TurnCase) -> GoalState:
    return replace(
        case.counted,
        text="",
        status=GoalStatus.COMPLETE,
        stop_cause=StopCause.NONE,
        block="",
        last_continuation_reason="",
        last_evaluator_reason="",
        no_progress_turns=_stalled_at_end(case),
    )


def _pause(case: TurnCase, cause: StopCause, block: str) -> GoalState:
    return replace(case.counted, status=GoalStatus.BLOCKED, stop_cause=cause, block=block)


def _pause_unjudged(goal: GoalState, case: TurnCase) -> GoalState:
    reason = (case.evaluation.reason if case.evaluation else "").strip()
    text = f"the evaluator could not judge: {clip(reason)}" if reason else "no evaluator judged"
    return _pause(case, StopCause.EVALUATOR, text)


def _pause_spent(goal: GoalState, case: TurnCase) -> GoalState:
    used, limit = case.counted.turns_used, case.counted.turns_limit
    return _pause(case, StopCause.BUDGET_TURNS, f"turn budget used up ({used} of {limit} turns)")


def _pause_stalled(goal: GoalState, case: TurnCase) -> GoalState:
    count = case.counted.no_progress_turns
    return _pause(case, StopCause.NO_PROGRESS, f"no visible progress in {count} turns")


def _refuse_completion(goal: GoalState, case: TurnCase) -> GoalState:
    """Remember the gap, and what the evaluator said when the claim was its own."""
    told = replace(case.counted, last_continuation_reason=readiness_gap(case.end.readiness))
    if case.says(Opinion.COMPLETE) and case.evaluation is not None:
        return replace(told, last_evaluator_reason=clip(case.evaluation.reason))
    return told


def _continue(goal: GoalState, case: TurnCase) -> GoalState:
    reason = case.report.reason if case.report else ""
    return replace(case.counted, last_continuation_reason=clip(reason))


def _continue_by_evaluator(goal: GoalState, case: TurnCase) -> GoalState:
    if case.evaluation is None:
        return case.counted
    return replace(case.counted, last_evaluator_reason=clip(case.evaluation.reason))


def _is_heard(goal: GoalState, case: TurnCase) -> bool:
    return case.report is not None


def _count(goal: GoalState, case: TurnCase) -> GoalState:
    return case.counted


def _goes_on(goal: GoalState, case: TurnCase) -> bool:
    return case.says(Opinion.CONTINUE) or case.evaluation is None


TURN_ROWS: tuple[Row, ...] = (
    _row(key="epoch", reason="goal_turn.epoch", at=ANYWHERE, when=_is_outdated, accepts=False),
    _row(key="idle", reason="goal_turn.idle", at=ANYWHERE, when=_is_idle, accepts=False),
    _row(key="1", reason="goal_turn.blocked", to=Place.BLOCKED, when=_reports_block, then=_block),
    _row(
        key="2",
        reason="goal_turn.blocked_eval",
        to=Place.BLOCKED,
        when=_evaluator_blocks,
        then=_block_by_evaluator,
    ),
    _row(
        key="3", reason="goal_turn.complete", to=Place.COMPLETE, when=_is_complete, then=_complete
    ),
    _row(
        key="3r",
        reason="goal_turn.complete_repeat",
        to=Place.COMPLETE,
        when=_repeats_gap,
        then=_complete,
    ),
    _row(
        key="4",
        reason="goal_turn.eval_down",
        to=Place.BLOCKED,
        when=_evaluator_is_down,
        then=_pause_unjudged,
        accepts=False,
    ),
    _row(
        key="5",
        reason="goal_turn.turns",
        to=Place.BLOCKED,
        when=_turns_are_spent,
        then=_pause_spent,
        accepts=False,
    ),
    _row(
        key="6",
        reason="goal_turn.stall",
        to=Place.BLOCKED,
        when=_is_stalled,
        then=_pause_stalled,
        accepts=False,
    ),
    _row(
        key="7a",
        reason="goal_turn.not_ready",
        to=Place.RUNNING,
        when=_is_claimed,
        then=_refuse_completion,
        accepts=False,
        prompt=Prompt.MISSING_LIST,
    ),
    _row(
        key="7b",
        reason="goal_turn.continue",
        to=Place.RUNNING,
        when=_reports_next_action,
        then=_continue,
        prompt=Prompt.NEXT_ACTION,
    ),
    _row(
        key="7b-standing",
        reason="goal_turn.continue",
        to=Place.RUNNING,
        when=_reports_continue,
        then=_continue,
        prompt=Prompt.STANDING,
    ),
    _row(
        key="7c",
        reason="goal_turn.not_ready",
        to=Place.RUNNING,
        when=_lists_missing,
        then=_refuse_completion,
        accepts=False,
        prompt=Prompt.MISSING_LIST,
    ),
    _row(
        key="7b-unheard",
        reason="goal_turn.continue",
        to=Place.RUNNING,
        when=_is_heard,
        then=_count,
        prompt=Prompt.STANDING,
    ),
    _row(
        key="7d",
        reason="goal_turn.continue_eval",
        to=Place.RUNNING,
        when=_goes_on,
        then=_continue_by_evaluator,
        prompt=Prompt.STANDING,
    ),
)
"""Every way in which the end of a turn may leave a goal; the first row that holds decides."""
