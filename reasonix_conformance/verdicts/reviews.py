"""Adapters of the kinds about review reports and the structured review of a change."""

from __future__ import annotations

from typing import Any

import msgspec

from reasonix_conformance.verdicts.calls import RecordedCall, ledger_of
from reasonix_conformance.verdicts.inputs import reads
from reasonix_runtime.evidence.content_seen import content_coverage
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.looked_after import light_inspection, verified_signoff
from reasonix_runtime.evidence.owed.review import REVIEW_KINDS
from reasonix_runtime.evidence.owed.risk import production_paths, risk
from reasonix_runtime.gates import review
from reasonix_runtime.gates.policy import Policy
from reasonix_runtime.gates.verdict import Refusal, standing


class _Report(msgspec.Struct, frozen=True):
    calls: tuple[RecordedCall, ...] = ()
    args: Any = None


@reads(_Report)
def review_report(given: _Report, policy: Policy) -> dict[str, Any]:
    """Judge a report by the ledger of the reviewing run."""
    ledger = ledger_of(given.calls, policy.ledger)
    verdict = review.judge(given.args, ledger=ledger, policy=policy)
    out: dict[str, Any] = {"accept": verdict.accepted, "reason": verdict.reason}
    if verdict.facts["parsed"]:
        out |= {
            "normalized_paths": list(verdict.facts["paths"]),
            "backed": verdict.facts["backed"],
            "blocking": verdict.facts["blocking"],
            "warnings": verdict.facts["warnings"],
        }
    return out


class _Gate(msgspec.Struct, frozen=True):
    calls: tuple[RecordedCall, ...] = ()
    review_tools: bool = False
    depth: int = 0


@reads(_Gate)
def review_gate(given: _Gate, policy: Policy) -> dict[str, Any]:
    """Judge the structured review of the latest change, and tell what it rests on."""
    ledger = ledger_of(given.calls, policy.ledger)
    latest = ledger.latest_mutation
    out: dict[str, Any] = {
        "latest_mutation": latest,
        "completed_review": review.completed_review(ledger, policy.reviews),
    }
    if latest < 0:
        return {**out, "accept": True, "reason": None}
    change = ledger[latest]
    rated = risk(change.tool, change.paths, policy.risk)
    required = production_paths(_changed_from(ledger, latest))
    problem = _first_problem(given, ledger, rated, required, policy)
    reports = {
        kind: review.deciding_report(ledger, kind, latest, required, policy.reviews)
        for kind in REVIEW_KINDS
    }
    return {
        **out,
        "accept": problem is None,
        "reason": None if problem is None else problem.reason,
        "risk": rated,
        "production_paths": list(required),
        "light_review": light_inspection(ledger, latest),
        "host_coverage": content_coverage(ledger, latest, required),
        "signoff": verified_signoff(ledger, latest),
        "structured_review": reports["review"].present,
        "structured_review_blocking": reports["review"].blocking,
        "structured_security": reports["security"].present,
        "structured_security_blocking": reports["security"].blocking,
    }


def _changed_from(ledger: Ledger, latest: int) -> list[str]:
    return [
        path
        for _, receipt in ledger.successes(latest - 1)
        if receipt.mutation or receipt.write
        for path in receipt.paths
    ]


def _first_problem(
    given: _Gate, ledger: Ledger, rated: str, required: tuple[str, ...], policy: Policy
) -> Refusal | None:
    """Return the problem that is told; a nested run is never asked (DL-07)."""
    if given.depth:
        return None
    problems = review.structured_review(
        ledger,
        risk=rated,
        required=required,
        tools=review.ReviewTools(review=given.review_tools, security=given.review_tools),
        rules=policy.reviews,
    )
    return next(standing(problems), None)
