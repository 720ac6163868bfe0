"""What a refused sign-off says: what happened, and what is taken when it is done to the letter."""

from __future__ import annotations

import pytest
from step_turn import StepTurn, changed, verified

from reasonix_runtime.evidence.tasks import CURRENT, DONE, Task


def test_the_answer_about_a_stale_check_names_the_change() -> None:
    """The model sees which change came after its check."""
    verdict = StepTurn().run("pytest -q").edit("src/app.py").sign(verified("pytest -q"))

    assert "edit_file of src/app.py" in verdict.message
    assert (0, 1) == verdict.grounds


@pytest.mark.parametrize(
    ("turn", "near"),
    [
        (StepTurn().run("pytest tests/unit -q"), "pytest tests/unit -q"),
        (StepTurn().run("pytest tests/unit -q | tail -3"), None),
        (
            StepTurn()
            .run("pytest tests/unit -q")
            .run("pytest tests/unit -q", outcome="error", exit_code=1),
            None,
        ),
        (StepTurn().run("pytest tests/unit -q").edit("src/app.py"), None),
    ],
)
def test_the_nearest_command_that_is_named_is_accepted(turn: StepTurn, near: str | None) -> None:
    """Who cites what a refusal names is not refused for that again."""
    verdict = turn.sign(verified("pytest tests"))

    assert "verification.command_not_run" == verdict.reason
    assert (near is not None) is ("The nearest is" in verdict.message)
    if near is not None:
        assert f"The nearest is `{near}`" in verdict.message
        assert turn.sign(verified(near)).accepted


@pytest.mark.parametrize(
    ("cited", "told"),
    [
        ("src/app.py:10-20", "The nearest is `src/app.py`"),
        ("src/app.py#L3", "The nearest is `src/app.py`"),
        ("src/*.py", "`src/*.py` names no file: cite each by its name, such as `src/app.py`."),
        ("src", "`src` names no file: cite each by its name, such as `src/app.py`."),
        ("lib", None),
        (f"a{':1' * 20000}x", None),
    ],
)
def test_the_file_that_a_citation_means_is_named_and_taken(cited: str, told: str | None) -> None:
    """Lines, folders and patterns are how people speak of files; evidence names files."""
    turn = StepTurn().edit("src/app.py")
    verdict, report = turn.sign(changed(cited)), StepTurn().call("read_file", path="src/app.py")

    assert "diff.path_not_written" == verdict.reason
    assert told is None or told in verdict.message
    assert told is None or told in report.report([cited]).message
    assert turn.sign(changed("src/app.py")).accepted
    assert report.report(["src/app.py"]).accepted


def test_what_was_only_listed_is_not_named_as_the_nearest() -> None:
    """Who cites it again is refused again."""
    verdict = StepTurn().call("ls", path="src").report(["src"])

    assert "The nearest is" not in verdict.message
    assert "No other path was read or written." in verdict.message


def test_a_tool_that_was_called_is_not_said_to_have_never_run() -> None:
    """The agent did call it; what it lacks is a command."""
    verdict = StepTurn().call("grep", pattern="x").sign(verified("grep -r x ."))

    assert "verification.command_not_run" == verdict.reason
    assert "The tool `grep` was called" in verdict.message


@pytest.mark.parametrize(
    ("status", "told"),
    [("in_progress", False), ("pending", True)],
)
def test_a_list_is_only_sent_again_where_nothing_is_in_progress(status: str, told: bool) -> None:
    """Starting another item beside the current one would be refused (TW-04)."""
    tasks = (Task(content="Add parser", status=status), Task(content="Add docs"))
    verdict = StepTurn(tasks=tasks).run("make").sign(verified("make"), step="2")

    assert "todo.step_pending" == verdict.reason
    assert told is ("Send the list" in verdict.message)
    assert "start an item" not in verdict.message


@pytest.mark.parametrize(("command", "told"), [("ls old.py", True), ("pytest -q", False)])
def test_how_to_prove_an_absence_is_told_of_what_is_no_check(command: str, told: bool) -> None:
    """A failed test proves no absence, and the advice only led away from mending it."""
    verdict = StepTurn().run(command, outcome="error").sign(verified(command))

    assert "verification.command_failed" == verdict.reason
    assert told is ("`test ! -e PATH`" in verdict.message)


def test_a_refused_item_is_said_to_stay_in_progress() -> None:
    """CS-02: the model must not believe that the list moved."""
    tasks = (Task(content="Add parser", status=DONE), Task(content="Add docs", status=CURRENT))
    verdict = StepTurn(tasks=tasks).sign(verified("make"), step="2")

    assert 'Item 2 "Add docs" stays in_progress.' in verdict.message


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        (StepTurn().edit("a.py"), None),
        (StepTurn().run("make check").edit("a.py"), "it passed, but not after that"),
        (
            StepTurn().edit("a.py").run("make check", outcome="error", exit_code=1),
            "`make check` ran and failed",
        ),
        (
            StepTurn().edit("a.py").run("make check").run("make check", outcome="error"),
            "`make check` ran and failed",
        ),
        (
            StepTurn().edit("a.py").run("make check | tail"),
            "`make check | tail` ran it and can hide that it failed",
        ),
        (
            StepTurn().edit("a.py").run("make check", outcome="error", exit_code=137),
            "`make check` ended with exit status 137, which is neither a pass nor a failure",
        ),
    ],
)
def test_what_came_of_a_declared_check_is_told(turn: StepTurn, told: str | None) -> None:
    """A check that failed, that was hidden or that came too early is not one that never ran."""
    given = {"step": "Step", "result": "done", "evidence": [changed("a.py")]}
    verdict = turn.judge_step(given, project_checks=("make check",))

    assert "project_check.not_run" == verdict.reason
    assert (told is None) is ("(" not in verdict.message)
    assert told is None or f"({told}" in verdict.message
    assert turn.run("make check").judge_step(given, project_checks=("make check",)).accepted


@pytest.mark.parametrize("kind", ["Diff", " diff"])
def test_a_kind_that_differs_by_case_or_blanks_alone_is_named(kind: str) -> None:
    """A refusal that lists the kind as it was sent leads nowhere."""
    verdict = StepTurn().sign({"kind": kind, "summary": "s", "paths": ["a.py"]})

    assert verdict.message.endswith("written exactly so, without blanks: `diff`.")


@pytest.mark.parametrize(("given", "near"), [("S1", "s1"), ("parsr", "parser"), ("x", None)])
def test_the_id_that_is_nearest_is_named(given: str, near: str | None) -> None:
    """An id that differs by case alone is another id, and the right one is told."""
    tasks = (
        Task(content="Add parser", status=CURRENT, step_id="s1"),
        Task(content="Add docs", status="pending", step_id="parser"),
    )
    verdict = StepTurn(tasks=tasks).sign(verified("make"), step_id=given)

    assert "todo.step_unmatched" == verdict.reason
    assert (near is not None) is ("The nearest `step_id`" in verdict.message)
    assert near is None or f'The nearest `step_id` is "{near}"' in verdict.message
