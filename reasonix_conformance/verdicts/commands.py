"""Adapters of the kinds that are about single shell commands."""

from __future__ import annotations

from typing import Any

import msgspec

from reasonix_conformance.verdicts.calls import RecordedCall, ledger_of
from reasonix_conformance.verdicts.inputs import reads
from reasonix_runtime.evidence.commands import classify, matches
from reasonix_runtime.evidence.owed.risk import production_paths, risk
from reasonix_runtime.evidence.receipts import mutates
from reasonix_runtime.gates.policy import Policy


class _Match(msgspec.Struct, frozen=True):
    claimed: str = ""
    ran: str = ""


class _Class(msgspec.Struct, frozen=True):
    command: str = ""


class _Risk(msgspec.Struct, frozen=True):
    calls: tuple[RecordedCall, ...] = ()


@reads(_Match)
def command_match(given: _Match, policy: Policy) -> dict[str, Any]:
    """Whether the command that ran proves the claimed one."""
    return {"accept": bool(matches(given.claimed, given.ran, policy.ledger.commands))}


@reads(_Class)
def command_class(given: _Class, policy: Policy) -> dict[str, Any]:
    """Classify a command for every gate that asks."""
    found = classify(given.command, policy.ledger.commands)
    return {
        "accept": found.verification,
        "mutates": found.mutates,
        "needs_criteria": found.verification or found.mutates,
        "permission_readonly": found.permission_readonly,
        "mixed": found.mixed,
        "mixed_maskable": found.mixed_maskable,
        "masks_exit": found.masks_exit,
        "inline_opaque": found.inline_opaque,
        "inline_nonterminal": found.inline_nonterminal,
    }


@reads(_Risk)
def path_risk(given: _Risk, policy: Policy) -> dict[str, Any]:
    """Rate the latest change of a list of calls, and name what a review has to cover."""
    calls = given.calls
    ledger = ledger_of(calls, policy.ledger)
    latest = ledger.latest_mutation
    out: dict[str, Any] = {
        "latest_mutation": latest,
        "mutates": [
            mutates(call.tool, call.args, rules=policy.ledger, read_only=call.read_only)
            for call in calls
        ],
    }
    if latest < 0:
        return {**out, "accept": True, "risk": "low", "production_paths": []}
    change = ledger[latest]
    rated = risk(change.tool, change.paths, policy.risk)
    changed = [
        path
        for _, receipt in ledger.successes(latest - 1)
        if receipt.mutation or receipt.write
        for path in receipt.paths
    ]
    return {
        **out,
        "accept": rated == "low",
        "risk": rated,
        "production_paths": list(production_paths(changed)),
    }
