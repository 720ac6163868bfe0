"""Sessions of Claude Code whose files begin with the history of another: each turn judged once."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from replayed import found
from runs import replay

from reasonix_conformance.traces import copied_history
from reasonix_conformance.traces.files import Aside, files

A, B, C = (f"{letter * 8}-2222-4333-8444-555555555555" for letter in "abc")
Record = dict[str, Any]


def turn(number: int, *, change: bool = True) -> list[Record]:
    """Return a turn that edits a file, and nobody looks at it, or only talks."""
    use = {"type": "tool_use", "id": f"t{number}", "name": "Edit", "input": {"file_path": "/w/a"}}
    gives = {"type": "tool_result", "tool_use_id": f"t{number}", "content": "ok"}
    work = [("assistant", [use]), ("user", [gives])] if change else []
    told = [("user", f"do {number}"), *work, ("assistant", [{"type": "text", "text": "done"}])]
    return [
        {"type": kind, "uuid": f"{number}.{index}", "message": {"id": f"m{number}.{index}"} | said}
        for index, (kind, content) in enumerate(told)
        for said in [{"role": kind, "content": content}]
    ]


FIRST, SECOND, THIRD = turn(1), turn(2, change=False), turn(3, change=False)


def write(folder: Path, sid: str, records: Iterable[Record]) -> Path:
    file = folder / f"{sid}.jsonl"
    file.write_text("".join(json.dumps(one | {"sessionId": sid}) + "\n" for one in records))
    return file


def ends(folder: Path) -> list[tuple[str, str, str]]:
    """Return the session, the name and the decision of each verdict."""
    return [
        (trace.id[0], one.name, one.verdict.decision)
        for trace in found(folder)
        for one in trace.verdicts
    ]


def test_a_copied_history_counts_and_is_judged_in_the_file_that_is_read_first(
    tmp_path: Path,
) -> None:
    """What was owed when the session was resumed is owed still; it was blamed twice."""
    write(tmp_path, A, FIRST)
    write(tmp_path, B, [*FIRST, *SECOND])

    assert [("a", "turn-1/end", "reject"), ("b", "turn-2/end", "reject")] == ends(tmp_path)
    (first, second) = found(tmp_path)
    assert ["turn_inferred"] == [diag.code for diag in first.diagnostics]
    text = "what stands before line 5 is a copy, and judged in the file that has it first"
    assert text in [diag.text for diag in second.diagnostics]


@pytest.mark.parametrize(("original", "copy"), [(A, B), (B, A)])
def test_what_a_sub_agent_did_in_a_copied_history_stands_beside_the_original(
    original: str, copy: str, tmp_path: Path
) -> None:
    """Where the copy is read first, the turn was not assessable, and judged nowhere else."""
    start, asks, answer, last = json.loads(json.dumps(FIRST).replace("Edit", "Agent"))
    asked = [start, asks, answer | {"toolUseResult": {"agentId": "x"}}, last]
    write(tmp_path, original, [*asked, *THIRD])
    write(tmp_path, copy, [*asked, *SECOND])
    place = tmp_path / original / "subagents"
    place.mkdir(parents=True)
    write(place, "agent-x", [one | {"uuid": f"x{one['uuid']}"} for one in turn(9)])

    told = [("a", "turn-1/end"), ("a", "turn-2/end"), ("b", "turn-2/end")]
    assert [(*one, "reject") for one in told] == ends(tmp_path)


@pytest.mark.parametrize("backup", ["backup", "zbackup"])
def test_a_copy_without_its_sub_agents_does_not_hide_what_they_did(
    backup: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was read first, could not be judged, and the whole session was left out for it."""
    start, asks, answer, last = json.loads(json.dumps(FIRST).replace("Edit", "Agent"))
    asked = [start, asks, answer | {"toolUseResult": {"agentId": "x"}}, last]
    for folder in (backup, "projects"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder, A, asked)
    place = tmp_path / "projects" / A / "subagents"
    place.mkdir(parents=True)
    write(place, "agent-x", [one | {"uuid": f"x{one['uuid']}"} for one in turn(9)])

    assert ["projects"] == [found.path.parent.name for found in files([tmp_path])]
    assert "1 trace, 1 verdict: 0 accept, 1 reject" in replay(capsys, tmp_path)[1]


@pytest.mark.parametrize(
    ("innocent", "notes"),
    [
        (
            [one | {"message": {"role": one["type"], "content": "hi"}} for one in FIRST],
            ["turn_inferred"],
        ),
        (
            [*FIRST[:2], FIRST[2] | {"toolUseResult": "Error: no such file"}, FIRST[3]],
            ["duplicate_result", "turn_inferred"],
        ),
    ],
)
def test_the_same_ids_with_something_else_are_no_copy(
    innocent: list[Record], notes: list[str], tmp_path: Path
) -> None:
    """Whoever gives records the ids of another session hides nothing by it."""
    write(tmp_path, A, innocent)
    write(tmp_path, B, FIRST)

    assert ("b", "turn-1/end", "reject") == ends(tmp_path)[-1]
    assert notes == [diag.code for diag in found(tmp_path)[-1].diagnostics]


def test_records_without_ids_are_copies_of_nothing(tmp_path: Path) -> None:
    """They stand in the lines of others that have none, and nobody else tells them."""
    talk, work = ([one | {"uuid": None} for one in turn(9, change=change)] for change in (0, 1))
    write(tmp_path, A, [*FIRST, *talk, *talk])
    write(tmp_path, B, [*FIRST, *work])

    assert ("b", "turn-2/end", "reject") == ends(tmp_path)[-1]
    assert [0, 5] == [found.own_from for found in files([tmp_path])]


def test_two_that_go_on_from_one_share_what_was_before(tmp_path: Path) -> None:
    """The first was gone on with, and taken up again at an earlier place."""
    write(tmp_path, A, [*FIRST, *SECOND])
    write(tmp_path, B, [*FIRST, *THIRD])
    write(tmp_path, C, [*FIRST, *THIRD, *turn(4, change=False)])

    told = [("a", "turn-1/end"), ("a", "turn-2/end"), ("b", "turn-2/end"), ("c", "turn-3/end")]
    assert told == [(sid, name) for sid, name, _ in ends(tmp_path)]


def test_a_turn_that_goes_on_in_the_copy_is_judged_there(tmp_path: Path) -> None:
    """In the first file it was cut off."""
    write(tmp_path, A, FIRST[:2])
    write(tmp_path, B, FIRST)

    assert [("b", "turn-1/end", "reject")] == ends(tmp_path)


@pytest.mark.parametrize("last", [[FIRST[3]], [FIRST[3] | {"uuid": "another"}]])
def test_a_turn_that_the_last_line_alone_ends_is_judged(last: list[Record], tmp_path: Path) -> None:
    """No further line followed the one from which on the file is new, and nothing was judged."""
    write(tmp_path, A, FIRST[:3])
    write(tmp_path, B, [*FIRST[:3], *last])

    assert [("b", "turn-1/end", "reject")] == ends(tmp_path)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_file_that_tells_nothing_more_is_left_out_and_named(
    jobs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever it holds was judged; who names it has it judged itself."""
    write(tmp_path, A, [*FIRST, *SECOND])
    copy = write(tmp_path, B, FIRST)
    aside = Aside()

    assert [f"{A}.jsonl"] == [found.path.name for found in files([tmp_path], aside)]
    assert [copy] == aside.beside
    _, out, said = replay(capsys, tmp_path, "--jobs", jobs)
    assert "1 trace, 2 verdicts: " in out
    assert f"left out, judged by another file of the session: {copy}; name the file" in said
    assert "1 trace, 1 verdict: " in replay(capsys, copy)[1]
    # what is named is judged whole, and the rest of the other one
    own = {(path.stem, line) for path, _, line in files([tmp_path, copy])}
    assert {(B, 0), (A, 5)} == own


@pytest.mark.parametrize(
    "other",
    [turn(7), [FIRST[0] | {"uuid": "other"}, *FIRST[1:]], [one | {"uuid": None} for one in FIRST]],
    ids=["another", "another beginning", "no ids"],
)
def test_sessions_that_begin_otherwise_are_judged_each_by_itself(
    other: list[Record], tmp_path: Path
) -> None:
    write(tmp_path, A, FIRST)
    write(tmp_path, B, other)

    assert [0, 0] == [found.own_from for found in files([tmp_path])]


def test_of_long_histories_a_bounded_number_of_records_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond it a turn is judged again, and none is lost."""
    monkeypatch.setattr(copied_history, "MOST_REMEMBERED", 4)
    write(tmp_path, A, [*FIRST, *SECOND])
    write(tmp_path, B, [*FIRST, *SECOND, *THIRD])

    told = [("a", "turn-1/end"), ("a", "turn-2/end"), ("b", "turn-2/end"), ("b", "turn-3/end")]
    assert told == [(sid, name) for sid, name, _ in ends(tmp_path)]


def thread(letter: str) -> Record:
    return {"type": "session_meta", "payload": {"id": letter * 8, "cwd": "/w"}}


def item(kind: str, **more: Any) -> Record:
    return {"type": "response_item", "payload": {"type": kind, **more}}


def codex_turn(number: int, *, change: bool) -> list[Record]:
    """Return a turn of a Codex thread that changes a file unseen, or only talks."""
    patch = "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch"
    called = {"call_id": f"c{number}"}
    work = [
        item("custom_tool_call", name="apply_patch", input=patch, **called),
        item("custom_tool_call_output", output='{"metadata": {"exit_code": 0}}', **called),
    ]
    asked = [{"type": "input_text", "text": f"do {number}"}]
    said = [{"type": "output_text", "text": "done"}]
    return [
        item("message", role="user", content=asked),
        *(work if change else []),
        item("message", role="assistant", content=said),
    ]


def test_the_history_of_a_forked_thread_is_judged_where_it_stands_first(tmp_path: Path) -> None:
    """A fork begins with the records of all the threads that it goes on from."""
    first, second, third = (codex_turn(number, change=number == 1) for number in (1, 2, 3))
    beginnings = {
        A: [thread("a"), *first],
        B: [thread("b"), thread("a"), *first, *second],
        C: [thread("c"), thread("b"), thread("a"), *first, *second, *third],
    }
    for sid, records in beginnings.items():
        rows = (json.dumps({"timestamp": f"2026-01-01T00:00:0{sid[0]}Z", **r}) for r in records)
        (tmp_path / f"rollout-2026-01-01T00-00-00-{sid}.jsonl").write_text("\n".join(rows))

    assert [
        ("a", "turn-1/end", "reject"),
        ("b", "turn-2/end", "reject"),
        ("c", "turn-3/end", "reject"),
    ] == ends(tmp_path)
