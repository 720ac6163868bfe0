"""Named rule sets: the values of the policy points.

Hosts changed their rules more than once, so a verdict belongs to a rule set. A rule set is a
frozen record of policy points; gates ask the point, never the name. Points that a lower floor
needs are records of that floor (`CommandRules`, `LedgerRules`, ...) and are only gathered here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from reasonix_runtime.errors import UnknownRuleSetError
from reasonix_runtime.evidence.ledger_rules import (
    CLASSIC_LEDGER,
    CONTRACT_LEDGER,
    FACTS_LEDGER,
    LedgerRules,
)
from reasonix_runtime.evidence.owed.risk import CLASSIC_RISK, CONTRACT_RISK, FACTS_RISK, RiskRules
from reasonix_runtime.gates.delivery.policy import (
    CLASSIC_DELIVERY,
    CONTRACT_DELIVERY,
    FACTS_DELIVERY,
    DeliveryRules,
)
from reasonix_runtime.gates.goal.policy import (
    CLASSIC_GOAL,
    CONTRACT_GOAL,
    UNGATED_GOAL,
    GoalRules,
)
from reasonix_runtime.gates.steps.policy import (
    CLASSIC_REVIEWS,
    CLASSIC_STEPS,
    CLASSIC_TODO,
    CONTRACT_REVIEWS,
    CONTRACT_STEPS,
    CONTRACT_TODO,
    FACTS_REVIEWS,
    FACTS_STEPS,
    FACTS_TODO,
    ReviewRules,
    StepRules,
    TodoRules,
)


class EndOfTurn(StrEnum):
    """How the end of a turn is judged."""

    CHANGES = "changes"
    """By all that changed since the last end that passed (`gates/delivery/by_changes.py`)."""
    LOOP = "loop"
    """By profile and the latest change (`gates/delivery/by_loop.py`)."""
    DUTIES = "duties"
    """By duties that the calls created (`gates/delivery/by_duties.py`)."""
    NONE = "none"
    """The host has no such gate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The policy points of one rule set.

    Attributes:
        name: only for reports.
        evidence_gates: step sign-off, review reports and the end of turn are gates of this host.
        end_of_turn: how the end of a turn is judged.
        proxy_is_judged: calls of the capability proxy are judged where its world is told.
    """

    name: str
    evidence_gates: bool = True
    end_of_turn: EndOfTurn = EndOfTurn.CHANGES
    proxy_is_judged: bool = True
    delivery: DeliveryRules = CONTRACT_DELIVERY
    ledger: LedgerRules = CONTRACT_LEDGER
    risk: RiskRules = CONTRACT_RISK
    steps: StepRules = CONTRACT_STEPS
    todo: TodoRules = CONTRACT_TODO
    reviews: ReviewRules = CONTRACT_REVIEWS
    goal: GoalRules = CONTRACT_GOAL

    def in_workspace(self, root: str) -> Policy:
        """Return the same, reading commands in the workspace with that root, empty if untold."""
        commands = self.ledger.commands.in_workspace(root)
        if commands is self.ledger.commands:
            return self
        return replace(self, ledger=replace(self.ledger, commands=commands))


CONTRACT = Policy(name="contract")
CLASSIC = replace(
    CONTRACT,
    name="classic",
    end_of_turn=EndOfTurn.LOOP,
    proxy_is_judged=False,
    delivery=CLASSIC_DELIVERY,
    ledger=CLASSIC_LEDGER,
    risk=CLASSIC_RISK,
    steps=CLASSIC_STEPS,
    todo=CLASSIC_TODO,
    reviews=CLASSIC_REVIEWS,
    goal=CLASSIC_GOAL,
)
FACTS = replace(
    CLASSIC,
    name="facts",
    end_of_turn=EndOfTurn.DUTIES,
    delivery=FACTS_DELIVERY,
    ledger=FACTS_LEDGER,
    risk=FACTS_RISK,
    steps=FACTS_STEPS,
    todo=FACTS_TODO,
    reviews=FACTS_REVIEWS,
)
UNGATED = replace(
    CLASSIC,
    name="ungated",
    evidence_gates=False,
    end_of_turn=EndOfTurn.NONE,
    goal=UNGATED_GOAL,
)

RULE_SETS: Mapping[str, Policy] = MappingProxyType(
    {policy.name: policy for policy in (CONTRACT, CLASSIC, FACTS, UNGATED)}
)


def rule_set(name: str) -> Policy:
    """Return the rule set of that name.

    Raises:
        UnknownRuleSetError: no rule set has that name; the error names the nearest one.
    """
    try:
        return RULE_SETS[name]
    except KeyError:
        raise UnknownRuleSetError(name, choices=tuple(RULE_SETS)) from None
