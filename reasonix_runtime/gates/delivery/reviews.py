"""Reviews that the end of a turn owes by risk, for what changed (DL-07, rule set `contract`)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from reasonix_runtime.evidence.commands import CommandRules
from reasonix_runtime.evidence.owed.changed_paths import SomePaths
from reasonix_runtime.evidence.owed.changes import ChangeSet
from reasonix_runtime.evidence.owed.review import REVIEW_KINDS
from reasonix_runtime.gates.delivery.turn_end import listed, open_item
from reasonix_runtime.gates.delivery.without_paths import WithoutPaths
from reasonix_runtime.gates.presets import MediumReview
from reasonix_runtime.gates.review import ReviewTools
from reasonix_runtime.gates.verdict import Later, Refusal


def owed_reviews(
    changes: ChangeSet,
    risk: str,
    *,
    medium: MediumReview,
    tools: ReviewTools,
    rules: CommandRules,
) -> Iterator[Refusal]:
    """Yield what reviews are still owed by risk (DL-07); only the first problem is told.

    `medium` is what a change of medium risk owes, `tools` which tools of review are registered,
    `rules` how commands are read.
    """
    owed: Iterator[Refusal] = iter(())
    if risk == "high":
        owed = _high_review(changes, rules, offered=tools.review or tools.security)
    elif risk == "medium":
        # No gate asks for a tool that is not there.
        forced = medium is MediumReview.FORCED and not tools.review
        owed = _medium_review(changes, MediumReview.CONDITIONAL if forced else medium)
    yield from islice(chain(owed, _forbidden(changes)), 1)


def _forbidden(changes: ChangeSet) -> Iterator[Refusal]:
    """Yield what reports that nobody asked for speak against: a refusal is heard at any risk."""
    for kind in REVIEW_KINDS:
        if (held := changes.blocked(kind)) is not None:
            yield _blocking(kind, held)
        elif changes.mended(kind):
            yield _forbade(kind)


def _high_review(changes: ChangeSet, rules: CommandRules, *, offered: bool) -> Iterator[Refusal]:
    wild = changes.inspection.pathless.wild
    without = WithoutPaths.of(changes, rules) if wild else None
    if not offered:
        yield open_item(
            "review.tools_missing",
            "review",
            Later(_without_tools, (changes.paths, without)),
        )
    elif (held := changes.blocked("review")) is not None:
        yield _blocking("review", held)
    elif (review := changes.unreviewed("review")) is not None:
        security = changes.unreviewed("security")
        yield open_item(
            "review.high_missing_review", "review", Later(_high_needs, (review, security, without))
        )
    elif (held := changes.blocked("security")) is not None:
        yield _blocking("security", held)
    elif (security := changes.unreviewed("security")) is not None:
        yield open_item(
            "review.high_missing_security", "review", Later(_high_needs, (None, security, without))
        )


def _medium_review(changes: ChangeSet, wanted: MediumReview) -> Iterator[Refusal]:
    if wanted is MediumReview.NONE:
        return
    missing = changes.unreviewed("review")
    if (held := changes.blocked("review")) is not None:
        yield _blocking("review", held)
    elif missing is not None and (wanted is MediumReview.FORCED or not changes.content_seen()):
        look = changes.inspection.pathless.unseen_by
        yield open_item(
            "review.medium_unproven", "review", Later(_medium_needs, (wanted, missing, look))
        )


def _blocking(kind: str, held: SomePaths) -> Refusal:
    return open_item(
        f"{kind}.blocking",
        "review",
        Later(_forbids, (kind, held)),
    )


def _forbade(kind: str) -> Refusal:
    return open_item(
        f"{kind}.blocking",
        "review",
        f"a {kind} report forbade delivery of what was changed since: have it reviewed again",
    )


def _high_needs(
    review: SomePaths | None, security: SomePaths | None, without: WithoutPaths | None
) -> str:
    """Name each report that is missing; None is one that is not."""
    why = f" ({without.why_high()})" if without is not None else ""
    if review is not None and review == security:
        covering = f" and covering {listed(review)}" if review.count else ""
        reports = f"a `review` report and a `security_review` report, both made after it{covering}"
        return f"a high-risk change needs {reports}{why}"
    told = (("review", review), ("security_review", security))
    missing = [(tool, paths) for tool, paths in told if paths is not None]
    reports = " and ".join(f"a `{tool}` report{_over(paths)}" for tool, paths in missing)
    return f"a high-risk change needs {reports}, made after it{why}"


def _without_tools(paths: SomePaths, without: WithoutPaths | None) -> str:
    lead = "a high-risk change needs a review and a security review, and neither tool is registered"
    if without is not None:
        return f"{lead}: the host has to offer one, for {without.why_high()}"
    return (
        f"{lead}: offer one, or take the change of {listed(paths)} back (`git checkout -- PATH`; "
        "`rm PATH` where git does not know the file) and run a check"
    )


def _medium_needs(wanted: MediumReview, missing: SomePaths, look: str) -> str:
    seen = (
        f"all of it seen (`{look}`)" if look else "each file read (`read_file`, `cat`, `git diff`)"
    )
    instead = "" if wanted is MediumReview.FORCED else f", or {seen} after it"
    return f"a medium-risk change needs a `review` report after it{_over(missing)}{instead}"


def _forbids(kind: str, held: SomePaths) -> str:
    what = f" of {listed(held)}" if held.count else ""
    return (
        f"a {kind} report forbids delivery{what}: mend what it found, then have it reviewed again"
    )


def _over(paths: SomePaths) -> str:
    return f" that covers {listed(paths)}" if paths.count else ""
