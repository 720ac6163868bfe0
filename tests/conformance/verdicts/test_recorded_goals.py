"""The recorded verdicts of the classic host about goals."""

from __future__ import annotations

from typing import Any

import pytest
from places import RECORDED

from reasonix_conformance.verdicts import KINDS
from reasonix_conformance.verdicts.agreement import assess
from reasonix_conformance.verdicts.records import InvalidInputError
from reasonix_runtime.gates.policy import CLASSIC


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


@pytest.mark.parametrize(
    ("kind", "data", "problem"),
    [
        ("update_goal", {"goal": 5}, "$.goal"),
        ("update_goal", {"reports": ["x"]}, "$.reports"),
        ("update_goal", {"reports": [{"before": "later"}]}, "$.reports"),
        ("goal_advance", {"mode": 3}, "$.mode"),
        ("goal_advance", {"turns": [{"missing": 1}]}, "$.turns"),
        ("goal_advance", {"turns": [{"evaluator": "yes"}]}, "$.turns"),
        ("goal_advance", {"turns": [{"repeat": 10**9}]}, "$.turns"),
        ("turn", {"expectations": ["luck"]}, "$.expectations"),
    ],
)
def test_an_input_of_another_shape_is_the_mistake_of_its_file(
    kind: str, data: dict[str, Any], problem: str
) -> None:
    """Who records verdicts is told the place; a traceback would hide it."""
    with pytest.raises(InvalidInputError) as caught:
        KINDS[kind](data, CLASSIC)

    assert problem in str(caught.value)


@pytest.mark.parametrize("kind", ["goal_advance", "update_goal"])
def test_absent_fields_have_their_zero_value(kind: str) -> None:
    """A line leaves out what is empty; without a goal nothing is taken."""
    assert KINDS[kind]({}, CLASSIC)["accept"] is False
