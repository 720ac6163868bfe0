"""The gate of the task list: identity, who may complete, recovery, words (TW-01 to TW-09)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from step_turn import MANUAL, StepTurn

from reasonix_runtime.evidence.tasks import CURRENT, DONE, PENDING, Task
from reasonix_runtime.gates.policy import CLASSIC, CONTRACT, FACTS, Policy
from reasonix_runtime.gates.steps.todo_baseline import reworded

A_DONE = {"content": "Alpha item", "status": DONE}
A_NOW = {"content": "Alpha item", "status": CURRENT}
B_NOW = {"content": "Beta item", "status": CURRENT}
B_NEXT = {"content": "Beta item", "status": PENDING}
CARRIED = (
    Task(content="Alpha item", status=CURRENT),
    Task(content="Beta item", status=PENDING),
)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Add tests", "Add unit tests", True),
        ("Add unit tests", "add TESTS", True),
        ("Add tests", "Add docs", False),
        ("Add", "Add tests", False),
        ("添加 测试", "添加 单元 测试", True),
        ("", "", False),
    ],
)
def test_a_rewording_keeps_the_words_of_the_shorter_title(one: str, other: str, same: bool) -> None:
    """TODO-3: two words at least, all of them in the other title."""
    assert same is reworded(one, other)


def test_a_completed_item_was_signed_off_in_this_turn() -> None:
    """TW-06: the list alone completes nothing."""
    unsigned = StepTurn(CLASSIC).call("todo_write", todos=[A_NOW, B_NEXT])
    signed = StepTurn(CLASSIC).call("todo_write", todos=[A_NOW, B_NEXT])
    signed.call("complete_step", step="1", result="r", evidence=[MANUAL])

    assert "todo_write.completed_unsigned" == unsigned.write(A_DONE, B_NOW).reason
    assert signed.write(A_DONE, B_NOW).accepted


@pytest.mark.parametrize(
    ("work", "evidence", "recovers"),
    [
        ("edit_file", [MANUAL], True),
        ("read_file", [MANUAL], False),
        ("edit_file", [], False),
        ("edit_file", [{"kind": "review", "summary": "s"}], False),
        ("edit_file", [{"kind": "verification", "summary": "s"}], False),
        ("edit_file", [{"kind": "verification", "summary": "s", "command": "make"}], True),
    ],
)
def test_a_refused_sign_off_recovers_with_proof_after_progress(
    work: str, evidence: list[Any], recovers: bool
) -> None:
    """TW-07."""
    turn = StepTurn(CLASSIC).call("todo_write", todos=[A_NOW, B_NEXT]).call(work, path="x")
    turn.call("complete_step", outcome="error", step="1", result="r", evidence=evidence)

    assert recovers is turn.write(A_DONE, B_NOW).accepted


def test_progress_after_the_refused_sign_off_recovers_nothing() -> None:
    """TW-07 c: the work stands between the list and the attempt."""
    turn = StepTurn(CLASSIC).call("todo_write", todos=[A_NOW, B_NEXT])
    turn.call("complete_step", outcome="error", step="1", result="r", evidence=[MANUAL]).edit("x")

    assert "todo_write.completed_unsigned" == turn.write(A_DONE, B_NOW).reason


@pytest.mark.parametrize("replacing", [True, False])
def test_the_user_may_allow_replacing_the_plan(replacing: bool) -> None:
    """TW-04 is skipped, TW-05 is not."""
    turn = StepTurn(CLASSIC, tasks=CARRIED)

    verdict = turn.write({"content": "Gamma", "status": CURRENT}, plan_replacement=replacing)

    assert (None if replacing else "todo_write.current_dropped") == verdict.reason


def test_without_a_ledger_completion_is_not_checked() -> None:
    """TW-06: outside a turn nothing is known of sign-offs."""
    turn = StepTurn(CLASSIC, tasks=CARRIED)
    turn.ledger = None  # type: ignore[assignment]  # the gate takes None

    assert turn.write(A_DONE, B_NOW).accepted


def test_a_refusal_names_item_position_and_legal_shape() -> None:
    """TODO-8: one sentence without a position helps nobody."""
    message = StepTurn().write(B_NOW, A_DONE).message

    assert 'Item 2 "Alpha item"' in message
    assert "completed items first" in message


def test_a_refusal_against_the_baseline_shows_the_hosts_list() -> None:
    """TODO-9: repairable from the answer alone."""
    tasks = (Task(content="Alpha item", status=DONE), Task(content="Beta item", status=CURRENT))

    message = StepTurn(tasks=tasks).write({"content": "Other", "status": DONE}, B_NOW).message

    assert 'Completed item 1 "Other" is not the item that stood at position 1' in message
    assert '1 "Alpha item"; 2 "Beta item"' in message


def test_while_planning_the_answer_does_not_name_the_hidden_tool() -> None:
    """TODO-7: no closed circle."""
    message = StepTurn(tasks=CARRIED).write(A_DONE, B_NOW, planning=True).message

    assert "complete_step" not in message
    assert "keep it in_progress" in message
    assert "complete_step" in StepTurn(tasks=CARRIED).write(A_DONE, B_NOW).message


def test_the_stored_list_is_repaired_and_reported() -> None:
    """EL-18: what the verdict says is what the host holds."""
    verdict = StepTurn().write(A_NOW, B_NEXT)

    assert [CURRENT, PENDING] == verdict.facts["todo_after"]
    assert ("Alpha item", "Beta item") == tuple(t.content for t in verdict.facts["tasks"])


def test_a_full_list_is_told_as_finished() -> None:
    """Never a hint to go on when nothing is left."""
    tasks = (Task(content="Alpha item", status=DONE),)

    assert "none is left" in StepTurn(tasks=tasks).write(A_DONE).message


# -- policy points, one test each way ------------------------------------------------------------


def with_todo(**points: bool) -> Policy:
    return replace(CLASSIC, todo=replace(CLASSIC.todo, **points))


@pytest.mark.parametrize(
    ("signed", "reason"), [(True, "todo_write.completed_unsigned"), (False, None)]
)
def test_completion_is_signed_where_the_rules_say_so(signed: bool, reason: str | None) -> None:
    """`completion_is_signed` (TW-09)."""
    turn = StepTurn(with_todo(completion_is_signed=signed), tasks=CARRIED)

    assert reason == turn.write(A_DONE, B_NOW).reason


@pytest.mark.parametrize(
    ("kept", "reason"),
    [(True, "todo_write.active_list_cleared"), (False, "todo_write.current_dropped")],
)
def test_an_active_list_is_kept_where_the_rules_say_so(kept: bool, reason: str) -> None:
    """`active_list_kept` (TW-09)."""
    assert reason == StepTurn(with_todo(active_list_kept=kept), tasks=CARRIED).write().reason


@pytest.mark.parametrize(("ids", "reason"), [(True, None), (False, "todo_write.current_dropped")])
def test_ids_decide_identity_where_the_rules_say_so(ids: bool, reason: str | None) -> None:
    """`step_ids` (TW-09)."""
    tasks = (Task(content="Alpha item", status=CURRENT, step_id="s1"),)
    turn = StepTurn(with_todo(step_ids=ids), tasks=tasks)

    new = {"content": "Other words", "status": CURRENT, "step_id": "s1"}
    assert reason == turn.write(new).reason


@pytest.mark.parametrize(("keeps", "reason"), [(True, None), (False, "todo_write.current_dropped")])
def test_a_rewording_keeps_identity_where_the_rules_say_so(keeps: bool, reason: str | None) -> None:
    """`rewording_keeps_identity` (TODO-3)."""
    tasks = (Task(content="Add tests", status=CURRENT),)
    turn = StepTurn(with_todo(rewording_keeps_identity=keeps), tasks=tasks)

    assert reason == turn.write({"content": "Add unit tests", "status": CURRENT}).reason


@pytest.mark.parametrize(
    ("known", "step_id", "reason"),
    [("s1", "s1", None), ("s1", "s2", "todo_write.completed_unsigned"), ("", "s1", None)],
)
def test_a_completed_item_is_known_by_its_id(known: str, step_id: str, reason: str | None) -> None:
    """TW-09: where both have an id, equal wording is not enough; where one has none, it is."""
    old = {"content": "Alpha", "status": DONE, "step_id": known}
    turn = StepTurn(CONTRACT).call("todo_write", todos=[old, B_NOW])

    assert reason == turn.write({**old, "step_id": step_id}, B_NOW).reason


def test_facts_let_the_model_complete_a_first_list() -> None:
    """TW-09: the first list may contain completed items."""
    assert StepTurn(FACTS).write(A_DONE, B_NOW).accepted
    assert "todo_write.initial_completed" == StepTurn(CONTRACT).write(A_DONE, B_NOW).reason


def test_a_current_item_that_two_new_items_could_be_is_dropped() -> None:
    """TW-04 and TW-08: what stands at its old place is only asked where a rewording keeps it."""
    tasks = (
        Task(content="Beta item", status=DONE),
        Task(content="Write parser docs", status=CURRENT),
    )
    new = (
        {"content": "Beta item", "status": DONE},
        {"content": "Write parser", "status": CURRENT},
        {"content": "WRITE PARSER", "status": PENDING},
    )

    assert "todo_write.current_dropped" == StepTurn(CLASSIC, tasks=tasks).write(*new).reason
    assert StepTurn(CONTRACT, tasks=tasks).write(*new).accepted


@pytest.mark.parametrize(
    ("titles", "reason"),
    [
        (["Add unit tests"], None),
        (["Add unit tests", "Docs"], "todo_write.completed_unsigned"),
        (["Add tests", "Add more tests"], "todo_write.completed_unsigned"),
    ],
)
def test_a_sign_off_is_that_of_a_like_item_only_in_its_place(
    titles: list[str], reason: str | None
) -> None:
    """TODO-3: an item that is worded like the one that was signed off is another one elsewhere."""
    start = [
        {"content": "Add tests", "status": CURRENT},
        {"content": "Add more tests" if titles[0] == "Add tests" else "Docs", "status": PENDING},
    ]
    turn = StepTurn(CONTRACT).call("todo_write", todos=[*start, B_NEXT])
    turn.call("complete_step", step="Add tests", result="done", evidence=[MANUAL])

    done = [{"content": title, "status": DONE} for title in titles]
    rest = [{**item, "status": PENDING} for item in [*start, B_NEXT][len(titles) :]]
    rest[0]["status"] = CURRENT

    assert reason == turn.write(*done, *rest).reason


@pytest.mark.parametrize(
    ("titles", "reason"),
    [
        (["Add unit tests"], None),
        (["Add tests", "Add more unit tests"], "todo_write.completed_unsigned"),
    ],
)
def test_a_recovery_is_that_of_a_like_item_only_in_its_place(
    titles: list[str], reason: str | None
) -> None:
    """TODO-3 and TW-07: a refused sign-off moves no list, so its own item is known by its place."""
    start = [
        {"content": "Add tests", "status": CURRENT},
        {"content": "Add more tests", "status": PENDING},
        B_NEXT,
    ]
    turn = StepTurn(CONTRACT).call("todo_write", todos=start).edit("x")
    turn.call("complete_step", outcome="error", step="Add tests", result="r", evidence=[MANUAL])

    done = [{"content": title, "status": DONE} for title in titles]
    rest = [{**item, "status": PENDING} for item in start[len(titles) :]]
    rest[0]["status"] = CURRENT

    assert reason == turn.write(*done, *rest).reason
