"""The policy points of the goal gate."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalRules:
    """In what hosts differ about goals; the values here are those of the contract."""

    upgrade_after_continue: bool = True
    """A `complete` or `blocked` after a `continue` of the same turn replaces it."""
    repeat_continue: bool = True
    """An equal `continue` may be repeated and a different one is a conflict; else both are late."""
    new_reads_are_progress: bool = True
    """The first look at a path and a new search are visible progress; repeats never are."""
    continue_is_progress: bool = False
    """A `continue` report resets the stall counter, whatever the host saw."""
    refused_completion_is_progress: bool = False
    """A `complete` report resets the stall counter even when it was refused."""
    evaluator_end_is_progress: bool = True
    """A turn that the evaluator ends resets the stall counter like one that a report ends."""
    continue_guides_next_prompt: bool = True
    """A `continue` report chooses the next prompt and the stored reason."""
    repeated_gap_accepted: bool = True
    """A completion refused once for missing checks only is accepted when it is repeated."""
    silent_turn_pauses: bool = True
    """A turn without a report for which no evaluator could be asked pauses the goal."""
    exact_revision: bool = False
    """The goal tools name the id and revision that they mean (`gates/goal_ungated.py`)."""


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
