"""How a turn may end by its duties: in full, in part, or not yet."""

from __future__ import annotations

from typing import Any

import pytest
from duty_bench import Run

from reasonix_runtime.gates.delivery.by_duties import DutyTurn, judge


def test_where_tests_are_forbidden_advice_alone_leaves_nothing_out() -> None:
    """An end is one in part where something was owed (FC-11)."""
    run = Run(tests_forbidden=True).take("edit_file", path="a.py").take("read_file", path="a.py")

    verdict = judge(DutyTurn(book=run.book, tests_forbidden=True))

    assert verdict.accepted
    assert not verdict.facts["partial"]


ORDINARY, STRICT, MEMORY = ("edit_file", "a.py"), ("edit_file", "auth/a.py"), ("remember", "x")
SEEN = ("read_file", "a.py")


@pytest.mark.parametrize(
    ("calls", "given", "expected"),
    [
        ([], {}, ("accept", False, "ready", 0)),
        ([STRICT], {"planning": True}, ("accept", None, "ready", 0)),
        ([ORDINARY], {}, ("accept", True, "partial", 0)),
        ([ORDINARY], {"goal_active": True}, ("reject", False, "continue", 1)),
        ([ORDINARY], {"delivery_floor": True}, ("reject", False, "continue", 1)),
        ([ORDINARY], {"goal_active": True, "attempt": 1}, ("reject", False, "continue", 0)),
        ([ORDINARY], {"goal_active": True, "guarded": True}, ("reject", False, "partial", 1)),
        ([ORDINARY], {"goal_active": True, "declared": True}, ("reject", False, "continue", 1)),
        ([ORDINARY, SEEN], {"goal_active": True, "declared": True}, ("accept", True, "partial", 0)),
        (
            [ORDINARY, SEEN],
            {"goal_active": True, "tests_forbidden": True, "project_checks": ("./ci a",)},
            ("accept", True, "partial", 0),
        ),
        ([ORDINARY], {"answer": " "}, ("reject", False, "continue", 2)),
        ([STRICT], {}, ("reject", False, "continue", 2)),
        ([STRICT], {"attempt": 1}, ("reject", False, "continue", 1)),
        ([STRICT], {"attempt": 3}, ("reject", False, "continue", 0)),
        ([STRICT], {"guarded": True}, ("reject", False, "continue", 2)),
        ([STRICT], {"tests_forbidden": True}, ("reject", False, "continue", 0)),
        ([], {"plan_criteria": ("c1",)}, ("reject", False, "continue", 2)),
        (
            [ORDINARY, ("bash", "./ci a")],
            {"goal_active": True, "project_checks": ("./ci a",)},
            ("reject", False, "continue", 1),
        ),
        ([MEMORY], {"project_checks": ("./ci a",)}, ("accept", False, "ready", 0)),
        ([ORDINARY], {"project_checks": ("./ci a",)}, ("reject", False, "continue", 2)),
        (
            [ORDINARY],
            {"project_checks": ("./ci a",), "declared": True},
            ("accept", True, "partial", 0),
        ),
    ],
)
def test_what_is_open_says_how_the_turn_goes_on(
    calls: list[tuple[str, str]], given: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    """FC-07, FC-11 and FC-12."""
    checks = given.get("project_checks", ())
    run = Run(tests_forbidden=given.get("tests_forbidden", False), checks=checks)
    for tool, what in calls:
        run.take(tool, **{"command" if tool == "bash" else "path": what})

    verdict = judge(DutyTurn(book=run.book, **given))

    facts = verdict.facts
    assert expected == (
        verdict.decision,
        facts.get("partial"),
        facts["stop"],
        facts["continuations"],
    )


@pytest.mark.parametrize(
    ("path", "given", "stop"),
    [
        ("a.py", {}, "partial"),
        ("auth/a.py", {}, "continue"),
        ("auth/a.py", {"guarded": True}, "blocked"),
    ],
)
def test_a_duty_that_an_earlier_end_found_open_says_how_the_turn_goes_on(
    path: str, given: dict[str, Any], stop: str
) -> None:
    """One of them is enough: what came after it is no new beginning (FC-07)."""
    run = Run().take("edit_file", path=path)
    next(run.book.open()).tries += 1

    assert stop == judge(DutyTurn(book=run.book, goal_active=True, **given)).facts["stop"]


def test_an_end_in_part_says_what_it_leaves_open() -> None:
    """Who reads the verdict has to see that it is no whole one (FC-11)."""
    verdict = judge(DutyTurn(book=Run().take("edit_file", path="a.py").book))

    assert ("verification", "review") == verdict.facts["waived"]
    assert verdict.message == "the turn may end in part: what is open is said, not hidden"


def test_duties_are_told_in_working_order() -> None:
    """What changed is looked at before it is checked, and signed off at last."""
    run = Run().take("edit_file", path="schema/a.proto")

    _, *lines = judge(DutyTurn(book=run.book)).message.splitlines()

    assert [
        "1. look at the change: read it or run `git diff` (`schema/a.proto`)",
        "2. run all checks, not a part of them, with nothing behind them that hides how they ended",
        "3. have it reviewed: call `review` (`schema/a.proto`)",
        "4. sign the step off with `complete_step` (`schema/a.proto`)",
    ] == lines


@pytest.mark.parametrize(
    ("passes", "blocks", "expected"),
    [
        (True, False, ""),
        (
            False,
            False,
            "the turn cannot end yet: a check failed; mend what it found, then run a check of what "
            "was changed (`a.py`)",
        ),
        (
            True,
            True,
            "the turn cannot end yet: a report forbids delivery; mend what it found, then look at "
            "the change: read it or run `git diff` (`a.py`)",
        ),
    ],
)
def test_a_duty_that_was_done_in_vain_says_so(passes: bool, blocks: bool, expected: str) -> None:
    """Who is told to run a check that just failed runs it again, and mends nothing."""
    run = Run().take("edit_file", path="a.py").take("read_file", path="a.py")
    run.take("bash", command="pytest -q", outcome="ok" if passes else "error")
    if blocks:
        run.book.report("review", ["a.py"], blocking=True)

    assert expected == judge(DutyTurn(book=run.book, goal_active=True)).message


def test_a_part_of_the_checks_leaves_the_whole_of_them_owed_and_says_so() -> None:
    """Who ran one file is told that all are meant, and that nothing may hide how they end."""
    run = Run().take("edit_file", path="schema/a.proto").take("read_file", path="schema/a.proto")
    run.take("bash", command="pytest -q tests/test_a.py")

    verdict = judge(DutyTurn(book=run.book, goal_active=True))

    assert "obligation.full_verification" == verdict.reason
    assert (
        "run all checks, not a part of them, with nothing behind them that hides how they ended"
    ) in verdict.message


def test_a_duty_that_a_change_took_back_was_not_done_in_vain() -> None:
    """The failure was of what stood there before."""
    run = Run().take("edit_file", path="a.py").take("bash", command="pytest -q", outcome="error")
    run.take("edit_file", path="a.py")

    assert "failed" not in judge(DutyTurn(book=run.book, goal_active=True)).message
