"""Every rule of the catalogue is exercised both ways, and switching any one off is noticed.

The fixtures are the transcripts of `test_transcripts.py`; the rules on arguments need a contract
beside a recording, and have their witnesses in `tests/conformance/arguments/test_stage.py`. A rule
that no fixture refuses by, or whose absence no fixture notices, is a rule that nobody checks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import pytest
from transcript_cases import CASES, replayed

from reasonix_conformance.replay.results import TraceResult
from reasonix_runtime.gates.rulebook import arguments
from reasonix_runtime.gates.rules import REASONS, RULES
from reasonix_runtime.gates.verdict import Decision, switched_off

JUDGED = sorted(REASONS.keys() - {reason for rule in arguments.RULES for reason in rule.reasons})
"""The reasons of the gates that judge a transcript."""


@cache
def baseline() -> dict[int, TraceResult]:
    """Return the results of the fixtures that hold with every rule in force, by their number."""
    results = {number: replayed(case) for number, case in enumerate(CASES)}
    return {number: result for number, result in results.items() if not result.failures}


@cache
def by_reason() -> dict[str, list[int]]:
    """Return the fixtures in which a reason decides some verdict."""
    found: dict[str, list[int]] = defaultdict(list)
    for number, result in baseline().items():
        for reason in {judged.verdict.reason for judged in result.verdicts}:
            if reason is not None:
                found[reason].append(number)
    return found


@cache
def gates_that_accept() -> frozenset[str]:
    """Return the gates that accepted something in some fixture that expects it."""
    return frozenset(
        judged.verdict.gate
        for result in baseline().values()
        for judged in result.verdicts
        if judged.held and judged.verdict.decision is Decision.ACCEPT
    )


def gates_of(reason: str) -> Iterator[str]:
    for number in by_reason()[reason]:
        for judged in baseline()[number].verdicts:
            if judged.verdict.reason == reason:
                yield judged.verdict.gate


def test_the_catalogue_is_not_empty() -> None:
    """Parametrised tests over an empty catalogue would all pass."""
    assert len(RULES) > 50
    assert len(REASONS) > 100


def test_every_reason_of_a_verdict_stands_in_the_catalogue() -> None:
    """A code without a rule could not be looked up, and the tests below would not see it."""
    reasons = {
        judged.verdict.reason
        for result in baseline().values()
        for judged in result.verdicts
        if judged.verdict.reason is not None
    }

    assert set() == reasons - set(REASONS)


@pytest.mark.parametrize("reason", JUDGED)
def test_a_reason_decides_in_some_fixture_and_its_gate_accepts_in_another(reason: str) -> None:
    """A gate without a witness that passes it, or a rule that nothing breaks, is not checked."""
    assert by_reason()[reason], f"no transcript shows {reason}"
    assert set() == set(gates_of(reason)) - gates_that_accept()


@pytest.mark.parametrize("reason", JUDGED)
def test_switching_a_reason_off_makes_some_fixture_fail(reason: str) -> None:
    """If nobody notices that a rule is gone, nobody would notice that it broke."""
    # Looked up first: what holds with every rule in force is remembered for all tests.
    numbers = by_reason()[reason]
    with switched_off(reason):
        assert any(replayed(CASES[number]).failures for number in numbers)
