"""Adapters of the kinds that are about single shell commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reasonix_conformance.verdicts.records import text
from reasonix_runtime.evidence.commands import classify, matches
from reasonix_runtime.gates.policy import Policy


def command_match(data: Mapping[str, Any], policy: Policy) -> dict[str, Any]:
    """Tell whether the command that ran proves the claimed one."""
    return {
        "accept": bool(matches(text(data, "claimed"), text(data, "ran"), policy.ledger.commands))
    }


def command_class(data: Mapping[str, Any], policy: Policy) -> dict[str, Any]:
    """Classify a command for every gate that asks."""
    found = classify(text(data, "command"), policy.ledger.commands)
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
