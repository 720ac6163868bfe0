"""The task list: matching, identity, legality, repair, advance (CS-05, CS-15, TW-02, EL-18)."""

from __future__ import annotations

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.evidence.tasks import (
    CURRENT,
    DONE,
    PENDING,
    Task,
    advance,
    candidates,
    find,
    fold,
    legality,
    match,
    repair,
)

MARKS = {"x": DONE, ">": CURRENT, ".": PENDING, "_": ""}


def tasks(shape: str) -> tuple[Task, ...]:
    """Read a list of marks: `x` done, `>` current, `.` pending, `_` empty, `-` for a sub-step."""
    return tuple(
        Task(content=f"item {number}", status=MARKS[word[-1]], level=int(word[0] == "-"))
        for number, word in enumerate(shape.split(), 1)
    )


def shape(found: tuple[Task, ...]) -> str:
    marks = {status: mark for mark, status in MARKS.items()}
    return " ".join("-" * task.level + marks[task.status] for task in found)


def titled(*titles: str) -> tuple[Task, ...]:
    return tuple(Task(content=title) for title in titles)


@pytest.mark.parametrize(
    ("step", "titles", "index"),
    [
        ("2", ("a", "b"), 1),
        (" 2. ", ("a", "b"), 1),
        ("+1", ("a", "b"), 0),
        ("２", ("a", "b"), 1),
        ("3", ("a", "b"), None),
        ("0", ("a", "b"), None),
        ("2)", ("a", "b"), None),
        ("2..", ("a", "b"), None),
        ("2", ("2", "b"), 1),
        ("7", ("a", "7"), 1),
        ("Write  Parser", ("write parser docs", "write parser"), 1),
        ("parser", ("write parser docs", "write parser"), None),
        ("parser", ("write parser", "lint"), 0),
        ("the write parser thing", ("write parser", "lint"), 0),
        ("parse", ("write parse", "lint"), None),
        ("步骤 2: 解析", ("步骤 2：解析",), 0),
        ("", ("a",), None),
        (".", ("a",), None),
        ("9" * 40, ("a",), None),
    ],
)
def test_a_citation_means_an_item(step: str, titles: tuple[str, ...], index: int | None) -> None:
    """CS-05: number, then equality, then the only containment of six characters."""
    assert index == match(step, titled(*titles))


def test_the_active_form_is_a_second_name() -> None:
    """CS-05 compares the citation with both texts."""
    item = Task(content="Add tests", active_form="Adding tests")

    assert 0 == match("adding tests", [item])


def test_an_ambiguous_citation_names_all_that_fit() -> None:
    """The answer lists both, so that a number can be chosen (TODO-2)."""
    assert (0, 1) == candidates("parser", titled("write parser", "write parser docs"))


def test_identity_never_compares_a_title_with_an_active_form() -> None:
    """TW-08: one item's title may be another's active form."""
    old = Task(content="Adding tests")
    new = Task(content="Add tests", active_form="Adding tests")

    assert find(old, [new]) is None


@pytest.mark.parametrize(
    ("given_shape", "reason"),
    [
        ("", None),
        ("> .", None),
        ("x x", None),
        ("x > .", None),
        (". -x -> -.", None),
        ("> -x -x .", None),
        ("x -x >", None),
        ("> >", "todo_write.two_current"),
        ("-> .", "todo_write.orphan_substep"),
        (". -> -x", "todo_write.completed_not_prefix"),
        (". -. ->", "todo_write.current_not_first"),
        ("x ->", "todo_write.phase_done_early"),
        ("> -.", "todo_write.phase_current_early"),
        ("> x", "todo_write.completed_not_prefix"),
        (". >", "todo_write.current_not_first"),
        (". .", "todo_write.no_current"),
        ("_", "todo_write.no_current"),
        ("> . -x -.", "todo_write.completed_not_prefix"),
        ("> . . -x -.", "todo_write.completed_not_prefix"),
        (". . -x -.", "todo_write.no_current"),
    ],
)
def test_a_list_is_serial_or_the_first_fault_is_named(given_shape: str, reason: str | None) -> None:
    """TW-02, in the order of the rules."""
    problem = next(legality(tasks(given_shape)), None)

    assert reason == (None if problem is None else problem.reason)


@pytest.mark.parametrize("length", range(6))
def test_a_list_without_phases_is_serial_when_done_current_and_waiting_items_follow_each_other(
    length: int,
) -> None:
    """TW-02 for what most lists are, every list of that length held against one pattern."""
    for marks in product(MARKS, repeat=length):
        legal = next(legality(tasks(" ".join(marks))), None) is None
        assert legal == bool(re.fullmatch(r"x*(>[._]*)?", "".join(marks))), marks


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        (". .", "> ."),
        ("x . x", "x > ."),
        ("> >", "> ."),
        ("x x", "x x"),
        (". -x -.", ". -x ->"),
        ("x -x -.", ". -x ->"),
        (". -x -x .", "> -x -x ."),
        ("-. .", "-> ."),
    ],
)
def test_repair_brings_an_inherited_list_into_serial_shape(before: str, after: str) -> None:
    """EL-18."""
    assert after == shape(repair(tasks(before)))


@pytest.mark.parametrize(
    ("before", "index", "after"),
    [
        ("> .", 0, "x >"),
        ("> . .", 0, "x > ."),
        ("x >", 1, "x x"),
        (". >", 0, None),
        ("x >", 0, None),
        ("> -.", 0, None),
        (". -> -.", 1, ". -x ->"),
        (". -x -> .", 2, "> -x -x ."),
        ("> -x .", 0, "x -x >"),
        ("> . -. -.", 0, "x . -> -."),
        ("x -> .", 1, "x -x ."),
        ("_ > _", 1, "> x _"),
    ],
)
def test_a_sign_off_moves_the_list(before: str, index: int, after: str | None) -> None:
    """CS-15 A1 to A4."""
    moved = advance(tasks(before), index)

    assert after == (None if moved is None else shape(moved))


lists = st.lists(
    st.builds(
        Task,
        content=st.sampled_from(["alpha", "beta task", "gamma thing", "Ａlpha", "x"]),
        status=st.sampled_from([DONE, CURRENT, PENDING, ""]),
        level=st.sampled_from([0, 0, 1]),
    ),
    max_size=8,
)


@given(lists)
def test_a_repaired_list_stays_as_it_is(items: list[Task]) -> None:
    """Storing a stored list must change nothing."""
    once = repair(items)

    assert once == repair(once)


@given(lists)
def test_a_repaired_list_has_at_most_one_current_item(items: list[Task]) -> None:
    """There is one current item while something is open, and none when all is done."""
    repaired = repair(items)

    current = sum(task.status == CURRENT for task in repaired)
    assert (1 if any(task.open for task in repaired) else 0) == current


@given(lists.filter(lambda items: next(legality(items), None) is None), st.data())
def test_advancing_a_legal_list_keeps_it_legal(items: list[Task], data: st.DataObject) -> None:
    """The host never stores a list that it would refuse from the model."""
    index = data.draw(st.integers(0, max(0, len(items) - 1)))
    moved = advance(items, index) if items else None

    assert moved is None or next(legality(moved), None) is None


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    """Two normal forms are equal or not, however often they are made."""
    assert fold(text) == fold(fold(text))
