"""Policy points of step sign-off, task list and reviews; `gates/policy.py` collects them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRules:
    """What `complete_step` asks beyond the ledger.

    Attributes:
        stale_verification_refused: a run that is older than the latest change proves nothing.
        sources_mix: the paths of one item may be proved partly by this turn and partly by earlier
            ones; otherwise one source has to prove them all (CS-10, CS-11).
        step_ids: an item may be named by its `step_id`, which wins over number and title (CS-20).
        plan_criteria: evidence may name the criteria of an approved plan (CS-20).
        current_of_equals: of items with equal titles the current one is signed off; otherwise the
            first one, also when it is completed.
    """

    stale_verification_refused: bool
    sources_mix: bool
    step_ids: bool
    plan_criteria: bool
    current_of_equals: bool


CLASSIC_STEPS = StepRules(
    stale_verification_refused=False,
    sources_mix=False,
    step_ids=False,
    plan_criteria=False,
    current_of_equals=False,
)
FACTS_STEPS = replace(CLASSIC_STEPS, step_ids=True, plan_criteria=True)
CONTRACT_STEPS = StepRules(
    stale_verification_refused=True,
    sources_mix=True,
    step_ids=True,
    plan_criteria=True,
    current_of_equals=True,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TodoRules:
    """What `todo_write` asks of a new list.

    Attributes:
        completion_is_signed: an item is completed by a sign-off, not by the model (TW-06).
        active_list_kept: a list with open items may not be emptied (TW-09).
        step_ids: items may carry stable ids; they are unique, kept, and decide identity (TW-09).
        carried_list_recovers: the recovery after a refused sign-off (TW-07) is open to a list that
            was carried from an earlier turn as well; otherwise this turn has to have sent one.
        rewording_keeps_identity: at its own position an item stays the same when the words of one
            wording all stand in the other; a sign-off or a completion goes over to it only where
            the earlier list has no item of just these words.
        disproof_recovers: the recovery is open to a sign-off whose own evidence speaks against it
            (its check failed, is old, or does not tell); otherwise only to one that named it badly.
        reopened_needs_signoff: a sign-off completes no item that a later list opened anew.
        told_list_agrees: what a result tells of the list has to agree with the list that was
            stored (TW-10).
    """

    completion_is_signed: bool
    active_list_kept: bool
    step_ids: bool
    carried_list_recovers: bool
    rewording_keeps_identity: bool
    disproof_recovers: bool
    reopened_needs_signoff: bool
    told_list_agrees: bool


CLASSIC_TODO = TodoRules(
    completion_is_signed=True,
    active_list_kept=False,
    step_ids=False,
    carried_list_recovers=False,
    rewording_keeps_identity=False,
    disproof_recovers=True,
    reopened_needs_signoff=False,
    told_list_agrees=False,
)
FACTS_TODO = replace(CLASSIC_TODO, completion_is_signed=False, active_list_kept=True, step_ids=True)
CONTRACT_TODO = replace(
    CLASSIC_TODO,
    step_ids=True,
    carried_list_recovers=True,
    rewording_keeps_identity=True,
    disproof_recovers=False,
    reopened_needs_signoff=True,
    told_list_agrees=True,
)


class Coverage(StrEnum):
    """When a reported path covers a required one (RV-07, RV-12)."""

    BASE_NAME = "base_name"
    """Equal, or an equal base name anywhere."""
    SUFFIX = "suffix"
    """Equal, or one ends with the other; a shorter reported path needs a folder."""
    EXACT = "exact"
    """Equal under the workspace's path rules."""


class ReviewEvidence(StrEnum):
    """What evidence of kind review rests on (RV-09)."""

    LATEST_CHANGE = "latest_change"
    """On a report that covers the latest change, or on a review after a glance at it."""
    WHOLE_STEP = "whole_step"
    """On everything changed since the last sign-off: reported on and not forbidden, or read by the
    review itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRules:
    """What reports say and which of them count.

    Attributes:
        finding_lists: `blocking_findings`, `non_blocking` and `required_changes` are read beside
            `findings` (RV-12).
        coverage: when a report covers a required path.
        evidence: what evidence of kind review rests on.
        reviewers_only: a report counts only in a run that was started to review (RV-01).
    """

    finding_lists: bool
    coverage: Coverage
    evidence: ReviewEvidence
    reviewers_only: bool


CLASSIC_REVIEWS = ReviewRules(
    finding_lists=False,
    coverage=Coverage.BASE_NAME,
    evidence=ReviewEvidence.LATEST_CHANGE,
    reviewers_only=False,
)
FACTS_REVIEWS = replace(CLASSIC_REVIEWS, finding_lists=True, coverage=Coverage.SUFFIX)
CONTRACT_REVIEWS = ReviewRules(
    finding_lists=True,
    coverage=Coverage.EXACT,
    evidence=ReviewEvidence.WHOLE_STEP,
    reviewers_only=True,
)
