"""The rule catalogue: every rule by its id, every reason code by its rule.

Each module of `gates/rulebook/` holds the rules of one area in a tuple `RULES`. A reason code
belongs to exactly one rule; an id stands once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from types import MappingProxyType

from reasonix_runtime.gates.rule import Rule

AREAS: tuple[str, ...] = (
    "steps",
    "todo",
    "review",
    "goal",
    "account",
    "delivery",
    "duties",
    "capability",
    "result_pages",
    "surfaces",
    "delegation",
    "capability_routes",
    "arguments",
)
"""Modules of `gates/rulebook/`, in the order of `docs/GATES.md`."""


def _collect(areas: Iterable[str]) -> Mapping[str, Rule]:
    """Load the areas; an id that stands twice is a fault of ours."""
    rules: dict[str, Rule] = {}
    for area in areas:
        for rule in import_module(f"reasonix_runtime.gates.rulebook.{area}").RULES:
            if rule.id in rules:
                raise AssertionError(f"rule {rule.id} stands twice in the catalogue")
            rules[rule.id] = rule
    return MappingProxyType(rules)


def _by_reason(rules: Iterable[Rule]) -> Mapping[str, str]:
    """Map each reason code to the rule that gives it."""
    owners: dict[str, str] = {}
    for rule in rules:
        for reason in rule.reasons:
            if reason in owners:
                raise AssertionError(f"{reason} belongs to {owners[reason]} and to {rule.id}")
            owners[reason] = rule.id
    return MappingProxyType(owners)


RULES: Mapping[str, Rule] = _collect(AREAS)
"""All rules by id, in the order of the areas."""

REASONS: Mapping[str, str] = _by_reason(RULES.values())
"""All reason codes with the id of the rule that gives them."""


def rule_of(reason: str | None) -> str | None:
    """Return the id of the rule behind a reason code, or None for no or an unknown reason."""
    return None if reason is None else REASONS.get(reason)
