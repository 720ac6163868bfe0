"""Each policy point in which `contract` differs from `classic` decides something, on both sides.

`fixtures/transcripts/policy-points.yaml` holds a pair for each point: the same turns, two verdicts.
A rule set that is given the other's value of one point must fail its transcript of the pair; a
point whose value nobody notices is either dead or not tested. `docs/deviations.md` says why we
differ.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from places import DOCS, TRANSCRIPTS
from policy_points import CHOSEN_BY_WORKSPACE, POINTS, value_at, with_value

from reasonix_conformance.replay.replay import replay_transcript
from reasonix_runtime.gates.policy import CLASSIC, CONTRACT, RULE_SETS, Policy
from reasonix_runtime.trace import yaml12
from reasonix_runtime.trace.transcript import Transcript, load

PAIRS = TRANSCRIPTS / "policy-points.yaml"
DEVIATIONS = DOCS / "deviations.md"
SIDES = (("contract", CONTRACT, CLASSIC), ("classic", CLASSIC, CONTRACT))


DIFFERING = tuple(
    point for point in POINTS if value_at(CONTRACT, point) != value_at(CLASSIC, point)
)


@cache
def pairs() -> dict[str, Transcript]:
    """Return the transcripts of the pairs by their ids."""
    return {transcript.id: transcript for transcript in load(PAIRS)}


def without_expectations(value: Any) -> Any:
    """Return the turns of a transcript without what is expected of them."""
    if isinstance(value, dict):
        return {key: without_expectations(val) for key, val in value.items() if key != "expect"}
    return [without_expectations(item) for item in value] if isinstance(value, list) else value


def test_there_is_a_pair_for_each_point_and_no_other() -> None:
    """A pair of a point that is gone, or has the same value twice, would witness nothing."""
    expected = sorted(f"{point}-{name}" for point in DIFFERING for name, _, _ in SIDES)

    assert len(DIFFERING) > 30
    assert expected == sorted(pairs())


@pytest.mark.parametrize("point", DIFFERING)
def test_a_pair_tells_the_same_turns_twice(point: str) -> None:
    """Only then is the difference of the verdicts that of the rule sets."""
    raws = {raw["id"]: raw for raw in yaml12.load(PAIRS.read_bytes(), PAIRS.name).value}
    ours, theirs = (raws[f"{point}-{name}"] for name, _, _ in SIDES)

    assert ours.get("setup") == theirs.get("setup")
    assert without_expectations(ours["turns"]) == without_expectations(theirs["turns"])
    assert ours["turns"] != theirs["turns"]


@pytest.mark.parametrize(("name", "policy", "other"), SIDES, ids=["contract", "classic"])
@pytest.mark.parametrize("point", DIFFERING)
def test_the_other_value_of_a_point_fails_its_transcript(
    point: str, name: str, policy: Policy, other: Policy
) -> None:
    """What a rule set closes, opens or leaves as hosts do it must be visible in a fixture."""
    transcript = pairs()[f"{point}-{name}"]
    changed = with_value(policy, point, value_at(other, point))

    assert (name,) == tuple(transcript.rules)
    assert () == tuple(replay_transcript(transcript, policy).failures)
    assert replay_transcript(transcript, changed).failures


@pytest.mark.parametrize("point", sorted({*POINTS} - CHOSEN_BY_WORKSPACE))
def test_a_point_has_two_values_among_the_rule_sets(point: str) -> None:
    """A point that is the same everywhere chooses nothing."""
    values = [value_at(policy, point) for policy in RULE_SETS.values()]

    assert any(value != values[0] for value in values)


@pytest.mark.parametrize("point", DIFFERING)
def test_a_deviation_is_explained(point: str) -> None:
    """Users of a host must be able to look up why our verdict differs from theirs."""
    assert f"`{point}`" in DEVIATIONS.read_text(encoding="utf-8")


def test_no_row_explains_a_point_that_is_not_there() -> None:
    """A row about a point that was renamed or removed tells what no code does."""
    text = DEVIATIONS.read_text(encoding="utf-8").partition("\n## Tools")[0]
    named = {
        point
        for row in text.splitlines()
        if row.startswith("| `")
        for point in re.findall(r"`([^`]+)`", row.split(" | ")[0])
    }

    assert named == set(DIFFERING)
