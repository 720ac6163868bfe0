"""What a host says of its list, held against the list that it stored (TW-10)."""

from __future__ import annotations

import pytest
from step_turn import MANUAL, StepTurn

from reasonix_runtime.evidence.tasks import CURRENT, DONE, PENDING, Task
from reasonix_runtime.gates import found
from reasonix_runtime.gates.steps import told_list
from reasonix_runtime.gates.verdict import accept, not_assessable, switched_off

OPEN = (
    Task(content="Add parser", status=DONE),
    Task(content="Add docs", status=CURRENT),
    Task(content="Ship it", status=PENDING),
)
CLOSED = tuple(Task(content=task.content, status=DONE) for task in OPEN)
SIGNED = accept("complete_step", todo_after=["completed"])

NOTHING_LEFT = (
    "All steps are completed.",
    "The host advanced the list: all steps are completed, none is left. Finish the turn.",
    "all the tasks are now done",
    "All todos complete",
    "all items have been completed",
    "No steps remain.",
    "no tasks are left",
)
SOMETHING_LEFT = (
    "",
    "The host advanced the task list; continue with the next step.",
    "Not all steps are completed.",
    "not all the tasks are done",
    "All steps are listed.",
    "When all steps are completed, end the turn.",
    "Almost all tasks are done; go on until all items are completed.",
    f"Todos updated: {'9' * 5000} total — 1 completed",
    "Small steps completed",
    "2 steps remain.",
    'Step "all steps are completed" signed off.',
    'Todo step: todo-matched 1 ("say "no steps remain" twice"). The host advanced the task list.',
)


@pytest.mark.parametrize("text", NOTHING_LEFT)
def test_a_host_that_says_nothing_is_left_of_an_open_list_is_refused(text: str) -> None:
    """PERSIST-3: the reader of the answer would stop, and the list says go on."""
    verdict = told_list.judge(SIGNED, text, OPEN)

    assert ("complete_step", "todo.told_otherwise", "TW-10") == (
        verdict.gate,
        verdict.reason,
        verdict.rule,
    )
    assert "2 of 3 items" in verdict.message
    assert '2 "Add docs"; 3 "Ship it"' in verdict.message
    assert SIGNED.facts == verdict.facts
    assert SIGNED is told_list.judge(SIGNED, text, CLOSED)


@pytest.mark.parametrize("text", SOMETHING_LEFT)
def test_a_text_that_claims_no_end_tells_nothing(text: str) -> None:
    """Titles and citations are not the host's words."""
    assert SIGNED is told_list.judge(SIGNED, text, OPEN)


@pytest.mark.parametrize(
    ("text", "agrees"),
    [
        ("Todos updated: 3 total — 1 completed, 1 in progress, 1 pending.", True),
        ("Todos updated: 3 total - 1 completed, 1 in progress, 1 pending.", True),
        ("Todos updated: 3 total — 2 completed, 1 in progress, 0 pending.", False),
        ("Todos updated: 4 total — 1 completed, 1 in progress, 2 pending.", False),
        ("Note: Todos updated: 9 total — 9 completed, 0 in progress, 0 pending.", True),
    ],
)
def test_the_numbers_of_a_result_are_those_of_the_list(text: str, agrees: bool) -> None:
    """PERSIST-2: a view that counts for itself is another list."""
    verdict = told_list.judge(accept("todo_write"), text, OPEN)

    assert (None if agrees else "todo.told_otherwise") == verdict.reason


def test_where_the_call_was_not_accepted_its_words_are_not_asked() -> None:
    """The first thing that is wrong is told; what is unknown is not turned into a refusal."""
    unknown = not_assessable("complete_step", "The list is not known.")

    assert unknown is told_list.judge(unknown, NOTHING_LEFT[0], OPEN)


def test_without_a_list_nobody_knows_what_was_stored() -> None:
    """A recording may begin behind the list."""
    assert SIGNED is told_list.judge(SIGNED, NOTHING_LEFT[0], ())


def test_a_rule_that_is_off_refuses_nothing() -> None:
    """The mutation check of the catalogue rests on this."""
    with switched_off("todo.told_otherwise"):
        assert SIGNED is told_list.judge(SIGNED, NOTHING_LEFT[0], OPEN)


def test_a_long_list_is_cut_in_the_message() -> None:
    """A refusal is read by people and models."""
    tasks = tuple(Task(content=f"Step {n}", status=PENDING) for n in range(40))

    message = told_list.judge(SIGNED, "no steps remain", tasks).message

    assert "40 of 40 items" in message
    assert found.MOST_IN_ALL == message.count('"Step ')


def test_our_own_texts_agree_with_the_list_they_are_about() -> None:
    """A host that follows the contract must not be accused by it."""
    last = (Task(content="Add docs", status=CURRENT),)

    verdict = StepTurn(tasks=last).sign(MANUAL, step="1")

    assert "all steps are completed" in verdict.message
    assert verdict is told_list.judge(verdict, verdict.message, verdict.facts["advanced"])
