"""What a sign-off with evidence of kind review rests on, where all that its step changed counts.

The changes since the last sign-off belong to the step. Each changed path has to be covered, after
its last change, by a report that does not forbid delivery, or by a review that itself saw the
content. A report that forbids delivery holds until what it covers was changed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import msgspec

from reasonix_runtime.evidence.content_seen import shows, shows_whole
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.owed.risk import is_production
from reasonix_runtime.evidence.receipts import left_paths
from reasonix_runtime.evidence.tool_kinds import NAMELESS
from reasonix_runtime.gates.review import covers, is_review_call, reports
from reasonix_runtime.gates.steps.policy import ReviewRules


class _Change(NamedTuple):
    """A changed path as it was named last, and the index of its last change."""

    path: str
    at: int


class StepReview(msgspec.Struct, frozen=True, kw_only=True):
    """How the review of a step stands.

    Attributes:
        missing: changed paths that no review covers since their last change.
        opaque: the index of a change without a known path that no review came after, else -1.
        blocked: the index of a report that forbids delivery, else -1.
        absent: whether nothing changed and no review looked at anything either.
    """

    missing: tuple[str, ...] = ()
    opaque: int = -1
    blocked: int = -1
    absent: bool = False

    @property
    def complete(self) -> bool:
        """Whether the step was reviewed."""
        return not (self.missing or self.absent) and self.opaque < 0 and self.blocked < 0


def review_of_step(ledger: Ledger, rules: ReviewRules) -> StepReview:
    """Return how the changes since the last sign-off were reviewed."""
    changed = _changed(ledger)
    if not changed:
        since = ledger.latest_mutation
        return StepReview(absent=not any(_reviews(ledger, since, None, rules)))
    opaque = changed.pop("", _Change("", -1)).at
    return StepReview(
        missing=tuple(
            path
            for path, at in _to_review(ledger, changed.values())
            if not any(_reviews(ledger, at, path, rules))
        ),
        opaque=opaque if opaque >= 0 and not any(_reviews(ledger, opaque, None, rules)) else -1,
        blocked=next(_forbidding(ledger, changed.values(), rules), -1),
    )


def _changed(ledger: Ledger) -> dict[str, _Change]:
    """Return the last change of each file of the step; without a known path under the empty name.

    A path that was moved away is no longer there.
    """
    start = max((at for at, r in ledger.successes() if r.tool == "complete_step"), default=-1)
    changed: dict[str, _Change] = {}
    for at, receipt in ledger.after(start):
        if not receipt.changed:
            continue
        for path in receipt.paths:
            changed.pop(ledger.key(path), None)
        for path in left_paths(receipt) or ("",):
            changed[ledger.key(path) if path else ""] = _Change(path, at)
    return changed


def _to_review(ledger: Ledger, changed: Collection[_Change]) -> Collection[_Change]:
    """Return what a review has to cover: no Go tests and documents, unless that is all (DL-07)."""
    return [one for one in changed if is_production(f"/{ledger.place(one.path)}")] or changed


def _reviews(ledger: Ledger, after: int, path: str | None, rules: ReviewRules) -> Iterator[int]:
    """Yield the reviews after an index that cover a path; None asks for a look at anything."""
    wanted = () if path is None else (path,)
    for at, report in reports(ledger, after, rules):
        if report.kind == "review" and covers(report, wanted, ledger, rules):
            yield at
    for at, receipt in ledger.successes(after):
        if is_review_call(receipt.tool, receipt.profile, receipt.args):
            start = max(ledger.handed.get(at, at), after + 1)
            if any(_saw(ledger, seen, path) for seen in range(start, at)):
                yield at


def _saw(ledger: Ledger, index: int, path: str | None) -> bool:
    if path is not None:
        return shows_whole(ledger, index, (path,)) or shows(ledger, index, path)
    receipt = ledger[index]
    # A page of the web, or a note, shows nothing of the workspace.
    read = receipt.read and receipt.tool not in NAMELESS
    return receipt.success and (receipt.has_output if receipt.command else read)


def _forbidding(ledger: Ledger, changed: Collection[_Change], rules: ReviewRules) -> Iterator[int]:
    """Yield the reports that forbid to deliver something as it still is."""
    for at, report in reports(ledger, -1, rules):
        if report.blocks and any(
            change < at and covers(report, (path,), ledger, rules) for path, change in changed
        ):
            yield at
