"""What is lost of a trace is never a reason to call it good, nor to accuse its host."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest
import zstandard

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.replay.results import Judged
from reasonix_conformance.traces.files import files
from reasonix_conformance.traces.sessions import Options, Unreadable, file_results, results

Record = dict[str, Any]


def _asks(ident: str, tool: str, **args: Any) -> Record:
    call = {"id": ident, "name": tool, "arguments": json.dumps(args)}
    return {"role": "assistant", "tool_calls": [call]}


def _answers(ident: str, tool: str, text: str) -> Record:
    return {"role": "tool", "tool_call_id": ident, "name": tool, "content": text}


CHANGED: list[Record] = [
    {"role": "user", "content": "fix it", "raw_content": "fix it"},
    _asks("w", "write_file", path="auth.py", content="x"),
    _answers("w", "write_file", "wrote"),
    {"role": "assistant", "content": "done"},
]
CITED = {"kind": "verification", "command": "pytest -q", "summary": "green"}
SIGNED: list[Record] = [
    {"role": "user", "content": "fix it", "raw_content": "fix it"},
    _asks("t", "todo_write", todos=[{"content": "fix", "status": "in_progress"}]),
    _answers("t", "todo_write", "stored"),
    _asks("b", "bash", command="pytest -q"),
    _answers("b", "bash", "3 passed"),
    _asks("c", "complete_step", step_index=1, result="fixed", evidence=[CITED]),
    _answers("c", "complete_step", "Step 1 signed off"),
    {"role": "assistant", "content": "done"},
]
WIRE: list[Record] = [
    {"kind": "turn_started"},
    {
        "kind": "tool_dispatch",
        "tool": {"id": "w", "name": "write_file", "args": '{"path":"a","content":"x"}'},
    },
    {"kind": "tool_result", "tool": {"id": "w", "name": "write_file", "output": "wrote"}},
    {"kind": "message", "text": "done"},
    {"kind": "turn_done"},
]
TRAJECTORY: list[Record] = [
    {"schema_version": 1, "seq": number, "ts": 1_790_000_000_000 + number, "event": event}
    for number, event in enumerate(WIRE, 1)
]


def lines(records: list[Record]) -> list[str]:
    return [json.dumps(record) for record in records]


def judged(folder: Path, rows: list[str], name: str = "trace") -> dict[str, Judged]:
    """Return the verdicts by what they are about."""
    path = folder / name
    path.write_text("\n".join(rows) + "\n")
    return {
        verdict.subject: verdict
        for result in file_results(path, Options())
        for verdict in result.verdicts
    }


def test_a_whole_trace_is_judged(tmp_path: Path) -> None:
    """What the damaged ones below are held against."""
    assert judged(tmp_path, lines(CHANGED))["end"].verdict.decision == "reject"
    signed = judged(tmp_path, lines(SIGNED))
    assert signed["complete_step"].verdict.decision == "accept"
    assert signed["end"].verdict.decision == "accept"
    assert judged(tmp_path, lines(TRAJECTORY))["end"].verdict.decision == "accept"


LOOKS: dict[str, list[Record]] = {
    "dispatched": [{"kind": "tool_dispatch", "tool": {"id": "r", "name": "read_file"}}],
    "announced": [
        {"kind": "tool_dispatch", "tool": {"id": "r", "name": "grep", "partial": True}},
        {"kind": "tool_dispatch", "tool": {"id": "s", "name": "", "partial": True}},
    ],
}


@pytest.mark.parametrize("made", LOOKS)
def test_a_turn_that_is_told_to_be_complete_and_lacks_a_result_is_not_judged(
    made: str, tmp_path: Path
) -> None:
    """Its host answers each call: what became of this one, and what it was, is lost."""
    begun, ended = [WIRE[0], *LOOKS[made]], WIRE[3:]

    ends = judged(tmp_path, lines([*begun, *ended, WIRE[0], *ended]))

    assert "not_assessable" == judged(tmp_path, lines([*begun, *ended]))["end"].verdict.decision
    assert "accept" == ends["end"].verdict.decision  # of the turn behind it nothing is missing


@pytest.mark.parametrize(
    ("records", "damaged"),
    [
        pytest.param(CHANGED, {1}, id="the call of a change"),
        pytest.param(CHANGED, {1, 2}, id="a change and its result"),
        pytest.param(WIRE, {1}, id="a dispatch"),
        pytest.param(TRAJECTORY, {1, 2}, id="a change in a trajectory"),
    ],
)
def test_a_turn_with_a_damaged_line_does_not_end_well(
    records: list[Record], damaged: set[int], tmp_path: Path
) -> None:
    """The line may have been the change that nobody verified."""
    rows = [row[:-9] if number in damaged else row for number, row in enumerate(lines(records))]
    verdict = judged(tmp_path, rows)["end"].verdict
    assert (verdict.decision, verdict.message) == (
        "not_assessable",
        "A part of the recording is damaged or missing. By what it tells: accept.",
    )


@pytest.mark.parametrize("kept", [slice(0, 9), slice(9, None)], ids=["head", "tail"])
def test_a_line_of_which_a_part_is_left_is_a_loss(kept: slice, tmp_path: Path) -> None:
    """Also where only the end of the record is there."""
    rows = lines(CHANGED)
    rows[1], rows[2] = rows[1][kept], rows[2][kept]
    assert judged(tmp_path, rows)["end"].verdict.decision == "not_assessable"


def test_a_banner_between_the_lines_is_no_loss(tmp_path: Path) -> None:
    """Captured output holds lines that never were records."""
    rows = lines(WIRE)
    rows.insert(2, "warning: 3 files, the cache is cold")
    assert judged(tmp_path, rows)["end"].verdict.decision == "accept"


@pytest.mark.parametrize("order", [(0, 3, 4), (0, 1, 2, 4, 3)], ids=["missing", "swapped"])
def test_a_trajectory_whose_numbers_do_not_follow_does_not_end_well(
    order: tuple[int, ...], tmp_path: Path
) -> None:
    """Its records are numbered, so a lost one shows."""
    rows = lines(TRAJECTORY)
    decision = judged(tmp_path, [rows[at] for at in order])["end"].verdict.decision
    assert decision == "not_assessable"


def test_a_host_is_not_accused_over_evidence_that_is_lost(tmp_path: Path) -> None:
    """The host took a sign-off; the run that it rests on is a damaged line."""
    rows = lines(SIGNED)
    rows[3] = rows[3][:-9]
    signed = judged(tmp_path, rows)["complete_step"]
    assert (signed.verdict.decision, signed.host) == ("not_assessable", "accept")
    assert "verification.command_not_run" in signed.verdict.message


def test_what_an_earlier_run_lost_is_lost_to_the_later_one(tmp_path: Path) -> None:
    """Runs of one session are carried over, and so is what is not known of them."""
    first = lines(TRAJECTORY)
    first[1] = first[1][:-9]
    judged(tmp_path, first, "1.trajectory.jsonl")
    second = [
        {"schema_version": 1, "seq": number, "ts": 1_790_000_100_000, "event": event}
        for number, event in enumerate([WIRE[0], WIRE[3], WIRE[4]], 1)
    ]
    after = judged(tmp_path, lines(second), "2.trajectory.jsonl")["end"]
    assert after.verdict.decision == "not_assessable"


def test_times_that_go_back_are_said_once(tmp_path: Path) -> None:
    """File order counts; the remark has a number."""
    records = [record | {"ts": 1_790_000_000_000 - record["seq"]} for record in TRAJECTORY]
    path = tmp_path / "trace"
    path.write_text("\n".join(lines(records)))
    (result,) = file_results(path, Options())
    assert [(note.code, note.text) for note in result.diagnostics] == [
        ("clock_disorder", "a record is older than one before it (4 times)")
    ]


def test_a_later_run_on_its_own_accuses_nobody(tmp_path: Path) -> None:
    """The evidence may be that of the run before it, whose file is not here."""
    cited = json.dumps({"step": "x", "result": "x", "evidence": [CITED]})
    tool = {"id": "c", "name": "complete_step"}
    events = [
        WIRE[0],
        {"kind": "tool_dispatch", "tool": tool | {"args": cited}},
        {"kind": "tool_result", "tool": tool | {"output": "signed off"}},
        WIRE[4],
    ]
    alone = judged(tmp_path, lines(events), "1.stream.jsonl")["complete_step"]
    later = judged(tmp_path, lines(events), "3.stream.jsonl")["complete_step"]
    assert (alone.verdict.decision, alone.host) == ("reject", "accept")
    assert (later.verdict.decision, later.host) == ("not_assessable", "accept")


def test_a_turn_whose_beginning_is_missing_does_not_end_well(tmp_path: Path) -> None:
    """The part before the file may hold the change; the turn after it is whole."""
    told = [{"seq": 7 + number} for number in range(3)]
    turns = [WIRE[0], WIRE[3], WIRE[4]]
    records = [
        {"schema_version": 1, "ts": 1_790_000_000_000, "event": event} | seq
        for event, seq in zip(turns, told, strict=True)
    ]
    assert judged(tmp_path, lines(records))["end"].verdict.decision == "not_assessable"


def test_a_host_without_gates_before_calls_is_not_measured_by_them(tmp_path: Path) -> None:
    """Of two calls of one response the first fails; another agent goes on, and may."""

    def record(kind: str, number: int, content: Any) -> Record:
        message = {"role": kind, "id": "m1", "content": content}
        return {"type": kind, "uuid": f"u{number}", "sessionId": "s", "message": message}

    def used(ident: str) -> Record:
        return {"type": "tool_use", "id": ident, "name": "Bash", "input": {"command": "make x"}}

    def came(ident: str, **more: Any) -> Record:
        return {"type": "tool_result", "tool_use_id": ident, "content": "x", **more}

    rows = lines(
        [
            record("user", 1, "go"),
            record("assistant", 2, [used("a"), used("b")]),
            record("user", 3, [came("a", is_error=True)]),
            record("user", 4, [came("b")]),
            record("assistant", 5, [{"type": "text", "text": "done"}]),
        ]
    )
    assert list(judged(tmp_path, rows)) == ["end"]


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    """A trace is read more than once; a pipe would be waited for, or half empty."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(ConformanceError, match=r"pipe: no regular file; .* write it to a file"):
        list(files([pipe]))


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstandard"])
def test_compressed_data_of_which_nothing_is_left_is_not_an_empty_file(
    pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    """Cut inside its first block it holds no line."""
    path = tmp_path / "trace"
    path.write_bytes(pack("\n".join(lines(TRAJECTORY)).encode())[:30])
    (result,) = file_results(path, Options())
    assert [note.text for note in result.diagnostics] == ["the compressed data ends too early"]


@pytest.mark.parametrize("end", [b"", b"\n"], ids=["inside a line", "behind one"])
def test_damage_is_told_once_wherever_it_cut(end: bytes, tmp_path: Path) -> None:
    """A last line that it left a part of was called no valid JSON as well."""
    path = tmp_path / "trace"
    said = b'{"role": "user", "content": "hi"}\n{"role": "assistant", "content": "'
    held = gzip.compress(said + b"x" * 4096 + b'"}' + end, 0)
    path.write_bytes(held[:-8] if end else held[:-99])
    (result,) = file_results(path, Options())

    notes = [note.text for note in result.diagnostics if note.code == "truncated_tail"]
    assert ["the compressed data ends too early"] == notes


def test_a_folder_that_cannot_be_read_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may hold the trace that matters."""
    closed = tmp_path / "closed"
    closed.mkdir()
    (tmp_path / "a.jsonl").write_text("\n".join(lines(TRAJECTORY)))
    monkeypatch.setattr(os, "access", lambda path, _mode: path != closed)
    unreadable: list[Unreadable] = []
    assert len(list(results([tmp_path], Options(), unreadable))) == 1
    assert [problem.path for problem in unreadable] == [closed]
    with pytest.raises(ConformanceError, match="the folder cannot be read"):
        list(files([closed]))


def test_a_transcript_file_that_cannot_be_read_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As any other file."""
    path = tmp_path / "closed.yaml"
    path.write_text("turns: []")

    def refuse(*_told: object, **_how: object) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    unreadable: list[Unreadable] = []
    assert list(results([tmp_path], Options(), unreadable)) == []
    assert [problem.text for problem in unreadable] == [f"{path}: Permission denied"]


def test_a_result_does_not_reach_into_another_session(tmp_path: Path) -> None:
    """Neutral files may hold several; a call that the first left open is not answered there."""
    session = {"ev": "session", "format": "neutral/1"}
    turn = {"ev": "turn.start", "turn": 1}
    call = {"ev": "tool.call", "uid": "main#1", "name": "ls", "turn": 1}
    answer = {"ev": "tool.result", "uid": "main#1", "outcome": "ok"}
    path = tmp_path / "trace"
    path.write_text(
        "\n".join(lines([session | {"sid": "a"}, turn, call, session | {"sid": "b"}, turn, answer]))
    )
    first, second = file_results(path, Options())
    assert [note.code for note in first.diagnostics] == []
    assert [note.code for note in second.diagnostics] == ["orphan_result"]
