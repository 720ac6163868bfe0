"""The examples that are shipped with the rule catalogue."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reasonix_conformance.commands.rules import examples_text
from reasonix_conformance.replay.replay import replay_transcript
from reasonix_conformance.rule_examples import Example, accepted_by, of_reason, shipped
from reasonix_runtime.gates.policy import rule_set
from reasonix_runtime.gates.rules import RULES
from reasonix_runtime.trace.transcript import loads

FOUND: list[tuple[str, str, dict[str, Any]]] = [
    (kind, name, dict(example))
    for kind, examples in shipped().items()
    for name, example in examples.items()
]


def decided(example: Example) -> set[tuple[str, str | None, bool]]:
    """Replay an example from its own text; it must hold."""
    (transcript,) = loads(example.as_yaml(), "example.yaml")
    result = replay_transcript(transcript, rule_set(example.rules))
    assert () == tuple(result.failures)
    return {(j.verdict.gate, j.verdict.reason, j.verdict.accepted) for j in result.verdicts}


@pytest.mark.parametrize(("kind", "name", "found"), FOUND, ids=lambda part: str(part)[:40])
def test_a_shipped_example_still_says_what_it_stands_for(
    kind: str, name: str, found: dict[str, Any]
) -> None:
    """An example that no longer holds would teach the wrong rule."""
    example = Example(**found)
    verdicts = decided(example)

    if kind == "reasons":
        assert any((example.gate, name) == verdict[:2] for verdict in verdicts)
    else:
        assert any((name, True) == (verdict[0], verdict[2]) for verdict in verdicts)


def test_most_rules_have_an_example() -> None:
    """A catalogue without examples is a list of sentences."""
    without = [
        rule.id for rule in RULES.values() if rule.reasons and not any(map(of_reason, rule.reasons))
    ]

    assert len(without) * 20 < len(RULES), without


def test_the_text_shows_both_sides() -> None:
    """One learns a rule from what it lets pass as well."""
    text = examples_text(RULES["GC-06"], "goal.stale")

    assert "Decided by goal.stale:" in text
    assert "Accepted by the same gate (update_goal):" in text
    assert accepted_by("update_goal") is not None
    json.dumps(shipped())
