"""`update_goal`: what a call may say, and when it is taken."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.gates.goal.policy import CLASSIC_GOAL, CONTRACT_GOAL, GoalRules
from reasonix_runtime.gates.goal.report import (
    Completion,
    Recorder,
    Report,
    judge_report,
    read_report,
    record,
    result_text,
)
from reasonix_runtime.gates.goal.state import GoalState, GoalStatus, binding

RUNNING = GoalState(text="Ship it", status=GoalStatus.RUNNING, scope="goal-aa", epoch=7)
CONTINUE = Report(status=GoalStatus.RUNNING, reason="half", next_action="next")
COMPLETE = Report(status=GoalStatus.COMPLETE)


def recorder(report: Report | None = None) -> Recorder:
    return Recorder(bound=binding(RUNNING), report=report)


def reason(args: Any, *, bound: Recorder | None, rules: GoalRules = CONTRACT_GOAL) -> str | None:
    return judge_report(args, goal=RUNNING, recorder=bound, rules=rules).reason


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ([], "goal.args"),
        ("complete", "goal.args"),
        ({"status": 1}, "goal.args"),
        ({"status": "complete", "completion": "x"}, "goal.args"),
        ({"status": "complete", "completion": {"risks": "x"}}, "goal.args"),
        ({"status": "complete", "completion": {"verified": [{}]}}, "goal.args"),
        (None, "goal.status"),
        ({}, "goal.status"),
        ({"status": "running"}, "goal.status"),
        ({"status": "continue"}, "goal.reason"),
        ({"status": "blocked", "reason": "\t"}, "goal.reason"),
        ({"status": "complete", "completion": {"verified": [None]}}, "goal.verified_blank"),
        ({"status": "complete"}, "goal.no_turn"),
    ],
)
def test_arguments_are_looked_at_before_the_turn(args: Any, expected: str) -> None:
    """A model that gets the wrong help repeats the wrong call."""
    assert expected == reason(args, bound=None)
    assert (read_report(args) is None) is (expected in ("goal.args", "goal.status"))


def test_the_blank_entry_is_named_by_its_index() -> None:
    """The model has to know which of its entries to mend."""
    args = {"status": "complete", "completion": {"verified": ["make", " ", ""]}}

    verdict = judge_report(args, goal=RUNNING, recorder=recorder(), rules=CONTRACT_GOAL)

    assert "completion.verified[1]" in verdict.message


@pytest.mark.parametrize("args", [None, {"status": "x"}, {"status": "continue"}])
def test_a_refusal_says_that_nothing_was_changed(args: Any) -> None:
    """A model that believes its refused report stands would stop working."""
    verdict = judge_report(args, goal=RUNNING, recorder=recorder(), rules=CONTRACT_GOAL)

    assert verdict.message.endswith("No goal state was changed.")


SECOND = {
    "same": {"status": "continue", "reason": "half", "next_action": "next"},
    "other": {"status": "continue", "reason": "half", "next_action": "other"},
    "complete": {"status": "complete"},
    "blocked": {"status": "blocked", "reason": "key"},
}


@pytest.mark.parametrize(
    ("earlier", "second", "contract", "classic"),
    [
        (CONTINUE, "same", "goal.same", "goal.final"),
        (CONTINUE, "other", "goal.conflict", "goal.final"),
        (CONTINUE, "complete", "goal.upgrade", "goal.final"),
        (CONTINUE, "blocked", "goal.upgrade", "goal.final"),
        (COMPLETE, "same", "goal.final", "goal.final"),
        (COMPLETE, "complete", "goal.final", "goal.final"),
        (COMPLETE, "blocked", "goal.final", "goal.final"),
    ],
)
def test_a_second_report(earlier: Report, second: str, contract: str, classic: str) -> None:
    """One turn has one word; the rule sets differ in when it is the last one."""
    args = SECOND[second]

    assert contract == reason(args, bound=recorder(earlier))
    assert classic == reason(args, bound=recorder(earlier), rules=CLASSIC_GOAL)


@pytest.mark.parametrize(
    ("text", "following", "expected"),
    [
        ("half", "other", "another next_action"),
        ("more", "next", "another reason"),
        ("more", "other", "another reason and another next_action"),
    ],
)
def test_a_conflict_names_what_differs(text: str, following: str, expected: str) -> None:
    """A model that is told of another reason looks for it in vain where the reason is the same."""
    args = {"status": "continue", "reason": text, "next_action": following}

    verdict = judge_report(args, goal=RUNNING, recorder=recorder(CONTINUE), rules=CONTRACT_GOAL)

    assert f"reported 'continue' with {expected}; the first one" in verdict.message


@pytest.mark.parametrize(
    "bound",
    [("goal-bb", 7), ("goal-aa", 6)],
    ids=["another scope", "another epoch"],
)
def test_a_report_on_another_goal_is_void(bound: tuple[str, int]) -> None:
    """A report that was written for the goal before this one says nothing about this one."""
    assert "goal.stale" == reason({"status": "complete"}, bound=Recorder(bound=bound))
    assert Recorder(bound=bound, report=COMPLETE).readable(RUNNING) is None


@pytest.mark.parametrize(
    "goal", [replace(RUNNING, status=GoalStatus.STOPPED), replace(RUNNING, text="")]
)
def test_a_report_on_a_goal_that_does_not_run_is_void(goal: GoalState) -> None:
    """Whatever moved it: scope and epoch alone do not make it run."""
    verdict = judge_report(
        {"status": "complete"}, goal=goal, recorder=recorder(), rules=CONTRACT_GOAL
    )

    assert "goal.stale" == verdict.reason


def test_an_equal_report_keeps_the_first_account() -> None:
    """Check 9 says unchanged, and the account is part of what was recorded."""
    first = Report(
        status=GoalStatus.RUNNING, reason="half", completion=Completion(unverified=("e2e",))
    )
    again = Report(status=GoalStatus.RUNNING, reason="half")

    assert first == record(recorder(first), again).report


def test_the_result_tells_which_account_was_given() -> None:
    """The model must learn whether the host has its account or will report only what it saw."""
    account = Completion(verified=("a", "b"), unverified=("c",))
    with_account = Report(status=GoalStatus.COMPLETE, completion=account)

    assert "2 verified, 1 unverified, 0 risks" in result_text(with_account)
    assert "only what the host observed" in result_text(COMPLETE)
    assert "account" not in result_text(CONTINUE).lower()
    for account in (Completion(verified=("a",)), Completion(risks=("a",))):
        assert "1 " in result_text(Report(status=GoalStatus.COMPLETE, completion=account))


def test_what_is_told_of_a_report_that_was_taken_is_its_account() -> None:
    """The verdict carries it to the model, and its word to the host."""
    verdict = judge_report(
        {"status": "complete"}, goal=RUNNING, recorder=recorder(), rules=CONTRACT_GOAL
    )

    assert (result_text(COMPLETE), "complete") == (verdict.message, verdict.facts["candidate"])


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
words = st.sampled_from(["continue", "complete", "blocked", " Complete", "done", ""])
calls = json | st.fixed_dictionaries(
    {}, optional={"status": words | json, "reason": json, "completion": json, "next_action": json}
)


@given(calls, st.sampled_from([CONTRACT_GOAL, CLASSIC_GOAL]))
def test_a_call_is_taken_exactly_when_it_makes_a_report(args: Any, rules: GoalRules) -> None:
    """Nothing that cannot be read is ever taken, and reading never fails."""
    verdict = judge_report(args, goal=RUNNING, recorder=recorder(), rules=rules)
    report = read_report(args)

    assert verdict.accepted == (verdict.reason == "goal.recorded")
    if verdict.accepted:
        assert report is not None
        assert report.status is GoalStatus.COMPLETE or report.reason


@given(calls)
def test_outside_a_goal_turn_nothing_is_taken(args: Any) -> None:
    """The tool is always offered, so it has to fail closed by itself."""
    verdict = judge_report(args, goal=RUNNING, recorder=None, rules=CONTRACT_GOAL)

    assert not verdict.accepted
