"""Policy points of preflight and of the end of a turn; `gates/policy.py` collects them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class GuardRelease(StrEnum):
    """What the pass of a loop guard is worth at the end of a turn."""

    FORGIVE = "forgive"
    """Everything that is open is forgiven."""
    STOP = "stop"
    """The run stops and is marked incomplete."""


class RiskScope(StrEnum):
    """Which changes are rated and reviewed."""

    LATEST = "latest"
    """The latest change alone; it hides the ones before it."""
    SINCE_PASSED_END = "since_passed_end"
    """Everything that changed since the last turn end that passed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryRules:
    """What the delivery gates ask.

    Attributes:
        guard_release: what the pass of a loop guard is worth.
        risk_scope: which changes are rated and reviewed.
        routes_every_turn: capability routes are asked in every turn; otherwise in a closed loop.
        text_expects: the user's text sets expectations (DL-08); otherwise only what tools did.
        host_state_needs_task: `remember` and its like need criteria and a current task as any
            change does (G5, G6).
        changes_need_task: in a closed loop a change needs criteria and a current task (G5, G6).
        writers_are_guarded: user constraints and preconditions are asked of writers (FC-10).
        goal_closes_loop: an active goal, a plan that is carried out or a policy floor closes the
            loop; otherwise only the switch of the run does.
        no_ledger_passes: without a ledger the turn may end; otherwise that is not assessable.
        empty_answer_refused: a final answer without text holds the turn back.
    """

    guard_release: GuardRelease
    risk_scope: RiskScope
    routes_every_turn: bool
    text_expects: bool
    host_state_needs_task: bool
    changes_need_task: bool
    writers_are_guarded: bool
    goal_closes_loop: bool
    no_ledger_passes: bool
    empty_answer_refused: bool


CLASSIC_DELIVERY = DeliveryRules(
    guard_release=GuardRelease.FORGIVE,
    risk_scope=RiskScope.LATEST,
    routes_every_turn=False,
    text_expects=True,
    host_state_needs_task=True,
    changes_need_task=True,
    writers_are_guarded=False,
    goal_closes_loop=False,
    no_ledger_passes=True,
    empty_answer_refused=False,
)

FACTS_DELIVERY = DeliveryRules(
    guard_release=GuardRelease.STOP,
    risk_scope=RiskScope.SINCE_PASSED_END,
    routes_every_turn=False,
    text_expects=False,
    host_state_needs_task=False,
    changes_need_task=False,
    writers_are_guarded=True,
    goal_closes_loop=True,
    no_ledger_passes=True,
    empty_answer_refused=False,
)

CONTRACT_DELIVERY = DeliveryRules(
    guard_release=GuardRelease.STOP,
    risk_scope=RiskScope.SINCE_PASSED_END,
    routes_every_turn=True,
    text_expects=False,
    host_state_needs_task=False,
    changes_need_task=True,
    writers_are_guarded=False,
    goal_closes_loop=True,
    no_ledger_passes=False,
    empty_answer_refused=True,
)
