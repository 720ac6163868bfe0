"""Claude Code sessions whose conversation was taken back to an earlier prompt."""

from __future__ import annotations

from pathlib import Path

import pytest
from claude_records import Record, answers, asks, notes, read, record, says

from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.gates.verdict import Decision
from reasonix_runtime.trace.events import Compaction, TurnEnd

START = (record("user", "1", "hello"), says("2", "hi"))
EDIT = (asks("e", "Edit", file_path="/w/a.py"), answers("f", "e", "updated"))
AGAIN = (asks("a", "Edit", file_path="/w/a.py"), answers("b", "a", "updated"))
CHECK = (asks("c", "Bash", command="pytest -q"), answers("d", "c", "9 passed"))
LOOK = (asks("l", "Read", file_path="/w/a.py"), answers("m", "l", "1 x"))
STOPPED = record("user", "s", "[Request interrupted by user]")
TALK = (record("user", "3", "go", parentUuid="2"), says("4", "well"))


def again(uuid: str, parent: str) -> Record:
    """Return a prompt that goes on from an earlier record."""
    return record("user", uuid, "then this", parentUuid=parent)


def ends(folder: Path, *records: Record) -> list[Decision]:
    """Return how the end of the last turn is judged, and the one before it where it is."""
    read(folder, *records)
    (result,) = file_results(folder / "s.jsonl", Options())
    return [one.verdict.decision for one in result.verdicts][-2:]


@pytest.mark.parametrize(
    ("taken", "live", "decisions"),
    [
        ((), (says("9", "done"),), ["accept", "accept"]),
        ((says("g", "edited"),), (says("9", "done"),), ["reject", "not_assessable"]),
        ((*CHECK, STOPPED), (*LOOK, says("9", "done")), ["accept", "not_assessable"]),
        ((says("g", "edited"),), (*AGAIN, says("9", "done")), ["reject", "reject"]),
        (
            (says("g", "edited"),),
            (*AGAIN, *LOOK, *CHECK, says("9", "done")),
            ["reject", "not_assessable"],
        ),
    ],
    ids=[
        "nothing but words",
        "a file that nobody looked at",
        "a check of what may be gone",
        "and edited anew",
        "and edited anew, looked at and checked",
    ],
)
def test_what_was_taken_back_is_owed_by_nobody_and_proves_nothing(
    taken: tuple[Record, ...], live: tuple[Record, ...], decisions: list[str], tmp_path: Path
) -> None:
    """Who takes a turn back may have its edits taken back, too; nothing tells."""
    edit = EDIT if taken else (says("4", "well"),)
    told = (
        *START,
        record("user", "3", "go", parentUuid="2"),
        *edit,
        *taken,
        again("8", "2"),
        *live,
    )

    assert decisions == ends(tmp_path, *told)
    assert ["branch_dropped"] == notes(read(tmp_path, *told))


def test_what_comes_after_an_end_that_left_nothing_open_is_judged(tmp_path: Path) -> None:
    """Whatever the files held, all that was edited was looked at and checked since."""
    dropped = (*START, record("user", "3", "go", parentUuid="2"), *EDIT, says("g", "edited"))
    mended = (again("8", "2"), *(one | {"uuid": f"n{i}"} for i, one in enumerate((*LOOK, *CHECK))))
    edited = (record("user", "x", "more", parentUuid="9"), asks("y", "Write", file_path="/w/b.py"))
    more = (*mended, says("9", "done"), *edited, answers("z", "y", "created"), says("0", "done"))

    assert ["not_assessable", "reject"] == ends(tmp_path, *dropped, *more)


@pytest.mark.parametrize(
    "records",
    [
        (*START, *TALK, record("user", "5", "on", parentUuid="4")),
        (*START, *TALK, record("user", "5", "on", parentUuid="lost")),
        (*START, *TALK, STOPPED, record("user", "5", "on", parentUuid="s")),
        (*START, TALK[0], *EDIT, STOPPED, record("user", "5", "on", parentUuid="f")),
    ],
    ids=["from the answer", "from a record that is not here", "from a stop", "from a result"],
)
def test_a_prompt_that_goes_on_from_the_last_answer_takes_nothing_back(
    records: tuple[Record, ...], tmp_path: Path
) -> None:
    assert "branch_dropped" not in notes(read(tmp_path, *records, says("6", "done")))


@pytest.mark.parametrize(("linked", "decision"), [(True, "not_assessable"), (False, "reject")])
def test_a_prompt_that_goes_on_from_nothing_takes_all_back(
    linked: bool, decision: str, tmp_path: Path
) -> None:
    """The first prompt has no record before it; a writer that links no records tells nothing."""
    edited = (record("user", "1", "go", parentUuid=None), *EDIT, says("g", "edited"))
    begun = (record("user", "8", "this instead", parentUuid=None), says("9", "done"))
    told = [one | {"parentUuid": "1" if linked and one["uuid"] in "eg" else None} for one in edited]

    assert ["reject", decision] == ends(tmp_path, *told, *begun)
    dropped = ["branch_dropped"] if linked else []
    assert dropped == notes(read(tmp_path, *told, *begun))


@pytest.mark.parametrize(
    "summary", [{"isCompactSummary": True}, {}], ids=["by its mark", "by its words"]
)
def test_a_summary_of_what_was_said_takes_nothing_back(
    summary: dict[str, bool], tmp_path: Path
) -> None:
    """It goes on from no record, as a conversation that is begun again does."""
    words = "This session is being continued from a previous conversation that ran out of context."
    edited = (*START, record("user", "3", "go", parentUuid="2"), *EDIT, says("g", "edited"))
    compacted = record("user", "5", words, parentUuid=None, **summary)
    more = (record("user", "6", "on", parentUuid="5"), says("7", "done"))
    stream = read(tmp_path, *edited, compacted, *more)

    assert [] == notes(stream)
    assert ["summary"] == [one.kind for one in stream if isinstance(one, Compaction)]
    assert ["reject", "reject"] == ends(tmp_path, *edited, compacted, *more)


def test_an_end_stands_at_the_answer_and_not_at_the_prompt_that_tells_of_it(tmp_path: Path) -> None:
    """Reports point there; the next prompt may stand far behind, in another branch."""
    told = (*START, record("user", "3", "go", parentUuid="2"), *EDIT, says("g", "edited"))
    stream = read(tmp_path, *told, record("user", "x", "on", parentUuid="g"))

    assert [2, 6] == [one.src.line for one in stream if isinstance(one, TurnEnd) if one.src][:2]
