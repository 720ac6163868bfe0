"""The policy points of the goal gate."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalRules:
    """In what hosts differ about goals; the values here are those of the contract.

    Attributes:
        upgrade_after_continue: a `complete` or `blocked` after a `continue` of the same turn
            replaces it; otherwise it comes too late.
        repeat_continue: an equal `continue` may be repeated and a different one is a conflict;
            otherwise both come too late.
        new_reads_are_progress: the first look at a path and a new search are visible progress.
        continue_is_progress: a `continue` report resets the stall counter, whatever the host saw.
        refused_completion_is_progress: a `complete` report resets the stall counter even when it
            was refused.
        evaluator_end_is_progress: a turn that the evaluator ends resets the stall counter like one
            that a report ends.
        continue_guides_next_prompt: a `continue` report chooses the next prompt and the stored
            reason; otherwise both are chosen as if there were no report.
        repeated_gap_accepted: a completion refused once for missing checks only is accepted when
            it is repeated and the preset allows partial completion.
        silent_turn_pauses: a turn without a report for which no evaluator could be asked pauses
            the goal; otherwise the loop goes on.
        exact_revision: the goal tools name the id and revision that they mean.
    """

    upgrade_after_continue: bool = True
    repeat_continue: bool = True
    new_reads_are_progress: bool = True
    continue_is_progress: bool = False
    refused_completion_is_progress: bool = False
    evaluator_end_is_progress: bool = True
    continue_guides_next_prompt: bool = True
    repeated_gap_accepted: bool = True
    silent_turn_pauses: bool = True
    exact_revision: bool = False


CONTRACT_GOAL = GoalRules()
CLASSIC_GOAL = GoalRules(
    upgrade_after_continue=False,
    repeat_continue=False,
    new_reads_are_progress=False,
    continue_is_progress=True,
    refused_completion_is_progress=True,
    evaluator_end_is_progress=False,
    continue_guides_next_prompt=False,
    repeated_gap_accepted=False,
    silent_turn_pauses=False,
)
UNGATED_GOAL = replace(CONTRACT_GOAL, exact_revision=True)
