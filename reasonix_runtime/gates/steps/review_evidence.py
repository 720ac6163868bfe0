"""Evidence of kind review: a completed review has to cover the latest change, or the whole step."""

from __future__ import annotations

from collections.abc import Iterator

from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.masking import shown, shown_all
from reasonix_runtime.gates import found
from reasonix_runtime.gates.review import completed_review, report_of
from reasonix_runtime.gates.steps.claim import Item
from reasonix_runtime.gates.steps.inquiry import Inquiry, named
from reasonix_runtime.gates.steps.policy import ReviewEvidence
from reasonix_runtime.gates.steps.review import StepReview, review_of_step
from reasonix_runtime.gates.verdict import Refusal, refuse

_REVIEWS = frozenset({"review", "review_report"})


def review_refusals(_item: Item, inquiry: Inquiry) -> Iterator[Refusal]:
    """Yield why no review speaks for the step; what else the item names is ignored (CS-12)."""
    ledger = inquiry.ledger
    if inquiry.policy.reviews.evidence is ReviewEvidence.WHOLE_STEP:
        yield from _review_of_step(ledger, inquiry)
    elif not completed_review(ledger, inquiry.policy.reviews):
        change = ledger.latest_mutation
        when = "" if change < 0 else f" after the latest change ({named(ledger[change])})"
        yield refuse(
            "review.not_completed",
            f"No review was completed{when}.{_earlier_review(ledger)} Let `review` look at the "
            "changed files now, then sign off; or give another kind of evidence.",
            grounds=() if change < 0 else (change,),
        )


def _review_of_step(ledger: Ledger, inquiry: Inquiry) -> Iterator[Refusal]:
    review = review_of_step(ledger, inquiry.policy.reviews)
    if review.complete:
        return
    if review.blocked >= 0:
        yield refuse(
            "review.blocking",
            "A report on what this step changed forbids delivery"
            f"{_finding(ledger, review, inquiry)}. Mend what it found, have it reviewed again, "
            "then sign off.",
            grounds=(review.blocked,),
        )
    elif review.absent:
        yield refuse(
            "review.not_completed",
            f"No review was completed that looked at anything.{_earlier_review(ledger)} Let "
            "`review` read the files it is about, then sign off; or give another kind of evidence.",
        )
    else:
        yield refuse(
            "review.not_completed",
            f"No review covers {_unreviewed(review, ledger)} since its last change: a report that "
            f"names the path, or a `review` that read it.{_earlier_review(ledger)} Let `review` "
            "look at it now, then sign off; or give another kind of evidence.",
            grounds=() if review.opaque < 0 else (review.opaque,),
        )


def _finding(ledger: Ledger, review: StepReview, inquiry: Inquiry) -> str:
    """Tell the first finding of the report that forbids delivery, where it has one."""
    rules = inquiry.policy.reviews
    report = report_of(ledger[review.blocked].args, rules, ledger.rules.paths)
    first = next((f.summary for f in report.findings if f.blocks), "")
    return f": {shown(first, found.ITEM_LENGTH)}" if first else ""


def _unreviewed(review: StepReview, ledger: Ledger) -> str:
    paths = shown_all(review.missing[: found.MOST_OF_TURN])
    return paths or f"what {named(ledger[review.opaque])} changed"


def _earlier_review(ledger: Ledger) -> str:
    """Tell of the latest review before the latest change."""
    for receipt in reversed(ledger.receipts[: max(0, ledger.latest_mutation)]):
        if receipt.tool in _REVIEWS and receipt.success:
            return f" The one by `{receipt.tool}` came before that change."
    return ""
