"""The recorded verdicts of the classic host about goals."""

from __future__ import annotations

from pathlib import Path

import pytest

from reasonix_conformance.verdicts.agreement import assess

RECORDED = Path(__file__).parents[3] / "fixtures" / "verdicts"


@pytest.mark.parametrize("kind", ["goal_advance", "update_goal"])
def test_every_recorded_goal_is_recomputed(kind: str) -> None:
    """What the classic host decided, step by step, is the yardstick of `classic`."""
    agreement = assess([RECORDED / f"{kind}.jsonl"], rules="classic")

    assert [] == agreement.disagreements
    assert agreement.kinds[kind].lines > 60
    assert agreement.kinds[kind].lines == agreement.kinds[kind].out


@pytest.mark.parametrize("kind", ["goal_advance", "update_goal"])
def test_the_contract_decides_some_recorded_goals_otherwise(kind: str) -> None:
    """If `contract` agreed with all of them, its own policy points would do nothing."""
    assert assess([RECORDED / f"{kind}.jsonl"], rules="contract").disagreements
