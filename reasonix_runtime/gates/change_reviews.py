"""Which reviews outstanding changes owe, by risk and by completion preset (DL-07).

High risk owes a `review` and a `security` report, medium risk what the preset says, low risk
nothing. Only the first problem is told at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from reasonix_runtime.evidence.changes import ChangeSet
from reasonix_runtime.gates.review import ReviewTools
from reasonix_runtime.gates.turn_end import listed, open_item
from reasonix_runtime.gates.verdict import Refusal


class MediumReview(StrEnum):
    """What a medium-risk change owes (goal presets)."""

    NONE = "none"
    CONDITIONAL = "conditional"
    """A report, or the content of every changed path seen after the change."""
    FORCED = "forced"
    """A report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """What a completion preset asks at the end of a turn.

    `medium` and `medium_closed` are what a medium-risk change owes in an ordinary turn and in a
    closed loop; `partial` says that a missing verification may be declared instead.
    """

    medium: MediumReview
    medium_closed: MediumReview
    partial: bool


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        "light": Preset(medium=MediumReview.NONE, medium_closed=MediumReview.NONE, partial=True),
        "balanced": Preset(
            medium=MediumReview.CONDITIONAL, medium_closed=MediumReview.CONDITIONAL, partial=True
        ),
        "delivery": Preset(
            medium=MediumReview.CONDITIONAL, medium_closed=MediumReview.FORCED, partial=False
        ),
    }
)


def owed_reviews(
    changes: ChangeSet,
    *,
    risk: str,
    required: Sequence[str],
    medium: MediumReview,
    tools: ReviewTools,
) -> Iterator[Refusal]:
    """Yield what the reviews of outstanding changes still owe.

    Args:
        changes: what changed since the last end that passed.
        risk: `none`, `low`, `medium` or `high` of all of it.
        required: the changed paths that a review has to cover.
        medium: what a medium risk owes here.
        tools: which review tools are registered.
    """
    if risk == "high":
        yield from _high(changes, required, tools)
    elif risk == "medium":
        yield from _medium(changes, required, medium, tools)


def _high(changes: ChangeSet, required: Sequence[str], tools: ReviewTools) -> Iterator[Refusal]:
    if not (tools.review or tools.security):
        yield open_item(
            "review.tools_missing",
            "review",
            "a high-risk change needs a review and a security review, and neither tool is "
            "registered: offer them, or take the change back",
        )
    elif changes.blocked("review"):
        yield _blocking("review")
    elif (missing := changes.unreviewed("review", required)) is not None:
        yield open_item(
            "review.high_missing_review",
            "review",
            f"a high-risk change needs a `review` report after it{_over(missing)}",
        )
    elif changes.blocked("security"):
        yield _blocking("security")
    elif (missing := changes.unreviewed("security", required)) is not None:
        yield open_item(
            "review.high_missing_security",
            "review",
            f"a high-risk change needs a `security_review` report after it{_over(missing)}",
        )


def _medium(
    changes: ChangeSet, required: Sequence[str], wanted: MediumReview, tools: ReviewTools
) -> Iterator[Refusal]:
    if wanted is MediumReview.NONE:
        return
    if not tools.review:  # no gate asks for a tool that is not there
        wanted = MediumReview.CONDITIONAL
    if changes.blocked("review"):
        yield _blocking("review")
        return
    missing = changes.unreviewed("review", required)
    if missing is None:
        return
    if wanted is MediumReview.CONDITIONAL and changes.content_seen(required):
        return
    instead = "" if wanted is MediumReview.FORCED else ", or see the content of each after it"
    yield open_item(
        "review.medium_unproven",
        "review",
        f"a medium-risk change needs a `review` report after it{_over(missing)}{instead}",
    )


def _blocking(kind: str) -> Refusal:
    return open_item(
        f"{kind}.blocking",
        "review",
        f"the {kind} report forbids delivery: mend what it found, then have it reviewed again",
    )


def _over(paths: Sequence[str]) -> str:
    return f" that covers {listed(paths)}" if paths else ""
