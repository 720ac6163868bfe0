"""Records of Claude Code sessions that are lost without being gone."""

from __future__ import annotations

from pathlib import Path

import pytest
from claude_records import Record, answers, asks, notes, read, record, says

from reasonix_conformance.traces.sessions import Options, results

SIDE = {"isSidechain": True}
ORDER = record("user", "s1", "look", parentUuid="1", **SIDE)
SEEN = answers("s3", "s2", "ok", parentUuid="s2", **SIDE)


@pytest.mark.parametrize(("asked", "lost"), [(True, []), (False, ["orphan_result"])])
def test_a_result_in_a_side_chain_that_has_no_call_is_told(
    asked: bool, lost: list[str], tmp_path: Path
) -> None:
    """It waited for its call until the file was over, and nobody heard of it."""
    call = asks("s2", "Read", file_path="/w/a") | SIDE | {"parentUuid": "s1"}
    stream = read(
        tmp_path,
        record("user", "0", "go"),
        asks("1", "Task", prompt="look"),
        ORDER,
        *([call] if asked else []),
        SEEN,
        answers("2", "1", "done"),
        says("3", "done", stop_reason="end_turn"),
    )

    assert lost == notes(stream)


@pytest.mark.parametrize(
    ("second", "code"),
    [
        (asks("1", "Edit", file_path="/w/a"), "duplicate_result"),
        (answers("1", "0", "ok"), "bad_line"),
        (says("1", "done"), "bad_line"),
    ],
    ids=["the-same", "a-result", "a-text"],
)
def test_a_record_with_the_id_of_another_one_is_no_repetition(
    second: Record, code: str, tmp_path: Path
) -> None:
    """A history is repeated as it was; anything else is lost."""
    first = asks("1", "Edit", file_path="/w/a")
    stream = read(tmp_path, record("user", "0", "go"), first, answers("2", "1", "ok"), second)

    assert [code] == notes(stream)


def linked(*records: Record) -> list[Record]:
    """Return records each of which goes on from the one before it."""
    before = (None, *(one["uuid"] for one in records))
    return [one | {"parentUuid": uuid} for one, uuid in zip(records, before, strict=False)]


@pytest.mark.parametrize(
    ("order", "lost"),
    [
        ((0, 1, 2, 3, 4, 5), []),
        ((0, 1, 3, 2, 4, 5), ["bad_line"]),
        ((0, 1, 2, 5, 3, 4), ["bad_line"]),
        ((0, 2, 1, 3, 4, 5), []),
    ],
    ids=["as told", "a call before a result", "the answer too early", "a result before its call"],
)
def test_a_record_behind_one_that_goes_on_from_it_is_out_of_order(
    order: tuple[int, ...], lost: list[str], tmp_path: Path
) -> None:
    """What was changed before a check is not known then."""
    told = linked(
        record("user", "0", "go"),
        asks("1", "Edit", file_path="/w/a"),
        answers("2", "1", "ok"),
        asks("3", "Bash", command="pytest -q"),
        answers("4", "3", "1 passed"),
        says("5", "done", stop_reason="end_turn"),
    )

    assert lost == notes(read(tmp_path, *(told[index] for index in order)))


NOTED = {"type": "progress", "uuid": "9", "parentUuid": "2", "data": {"type": "hook_progress"}}


@pytest.mark.parametrize(
    ("left_out", "put_in", "decision"),
    [
        ((), {}, "reject"),
        ((3, 4), {}, "not_assessable"),
        ((1, 2, 3, 4), {}, "not_assessable"),
        # What the program noted on its way is a record as well.
        ((), {3: NOTED | {"uuid": "2b"}}, "reject"),
        ((0,), {}, "reject"),
    ],
    ids=["whole", "a change is lost", "all work is lost", "beside progress", "the begin is lost"],
)
def test_a_record_whose_forerunner_is_lost_leaves_a_gap(
    left_out: tuple[int, ...], put_in: dict[int, Record], decision: str, tmp_path: Path
) -> None:
    """A call that is lost with its result shows nowhere else."""
    told = linked(
        record("user", "0", "go"),
        asks("1", "Read", file_path="/w/a"),
        answers("2", "1", "ok"),
        asks("3", "Edit", file_path="/w/a"),
        answers("4", "3", "ok"),
        says("5", "done", stop_reason="end_turn"),
    )
    for place, one in put_in.items():
        told[place] |= {"parentUuid": one["uuid"]}
        told.insert(place, one)
    kept = [one for place, one in enumerate(told) if place not in left_out]
    read(tmp_path, *kept)
    (result,) = results([tmp_path], Options(), [])

    assert [decision] == [verdict.verdict.decision for verdict in result.verdicts]
