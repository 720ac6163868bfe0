"""Adapters of the kinds about review reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from reasonix_conformance.verdicts.calls import RecordedCall, ledger_of, read_input
from reasonix_runtime.gates import review
from reasonix_runtime.gates.policy import Policy


class _Report(msgspec.Struct, frozen=True):
    calls: tuple[RecordedCall, ...] = ()
    args: Any = None


def review_report(data: Mapping[str, Any], policy: Policy) -> dict[str, Any]:
    """Judge a report by the ledger of the reviewing run."""
    given = read_input(data, _Report)
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
