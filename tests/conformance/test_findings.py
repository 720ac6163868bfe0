"""How a finding reads in a terminal."""

from __future__ import annotations

import pytest

from reasonix_conformance.findings import Finding, Outcome, Result, unknown


def test_every_line_of_a_detail_stands_under_its_finding() -> None:
    """A refusal of an end of turn lists what is missing, a line each."""
    finding = Finding(check="turn-1/end", what="reject", details=("in this order:\n1. read", "b"))

    assert [
        "turn-1/end: reject",
        "    in this order:",
        "    1. read",
        "    b",
    ] == finding.lines()


GOOD, BAD = Finding(check="a", what="x", outcome=Outcome.ADVICE), Finding(check="b", what="y")
LISTED, UNTOLD = BAD.listed("k.yaml:1: agreed"), unknown("c", "nobody tells it")
UPDATED = BAD._replace(outcome=Outcome.UPDATED)


@pytest.mark.parametrize(
    ("passed", "findings", "outcome"),
    [
        ((), (), Outcome.UNKNOWN),
        (("p",), (), Outcome.PASSED),
        ((), (UNTOLD,), Outcome.UNKNOWN),
        (("p",), (UNTOLD,), Outcome.PASSED),
        ((), (GOOD, UNTOLD), Outcome.PASSED),
        ((), (UPDATED, UNTOLD), Outcome.PASSED),
        (("p",), (GOOD, LISTED), Outcome.KNOWN),
        (("p",), (GOOD, LISTED, BAD), Outcome.FAILED),
        ((), (UPDATED, BAD), Outcome.FAILED),
    ],
)
def test_a_result_is_the_worst_that_happened(
    passed: tuple[str, ...], findings: tuple[Finding, ...], outcome: Outcome
) -> None:
    """Unknown only if nothing could be judged, which is no pass."""
    assert outcome is Result(passed=passed, findings=findings).outcome


def test_only_a_failure_can_be_one_that_is_known() -> None:
    """With why, behind what else is told of it."""
    assert (Outcome.KNOWN, ("k.yaml:1: agreed",)) == (LISTED.outcome, LISTED.details)
    assert [GOOD, UNTOLD, UPDATED] == [one.listed("x") for one in (GOOD, UNTOLD, UPDATED)]


def test_a_failure_is_told_with_what_else_was_judged() -> None:
    """What passed is named, and what nobody could assess with why."""
    whole = BAD._replace(at="d.md:1", expected="1", found="2", hint="mend it")
    result = Result(passed=("p", "q"), findings=(whole, GOOD, UNTOLD, LISTED, BAD))

    assert (
        "tool\\x1b: not met: b\n\nb: y\n  where     d.md:1\n  expected  1\n  found     2\n"
        "  to do     mend it\n\nb: y\n\nb: y\n    k.yaml:1: agreed\n\n"
        "not assessed: c: nobody tells it\npassed: p, q"
    ) == result.text("tool\x1b")
    assert "d.md:1: y; mend it" == whole.sentence
    assert "tool: not met: b\n\nb: y" == Result(findings=(BAD,)).text("tool")
