"""Wire events are told alike, whether a line is decoded as its kind or as any record."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from mutations import BASES, KINDS

from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.reasonix import wire
from reasonix_conformance.readers.reasonix.wire_records import (
    OTHERS,
    SKIPPED,
    STEPS,
    decode_numbered,
    decode_step,
)
from reasonix_runtime.trace.events import Diag, Event, ToolResult

TOOL = {"id": "c1", "name": "bash", "readOnly": False}
STARTED = {"kind": "turn_started"}
DISPATCH = {"kind": "tool_dispatch", "tool": {**TOOL, "args": '{"command":"ls"}'}}
RESULT = {"kind": "tool_result", "tool": {**TOOL, "output": "a b"}}


def told(path: Path) -> list[Event]:
    return list(wire.read(Recording(path=path, shown="t")))


def told_slowly(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """Return what a file tells when each of its lines is decoded as any record."""
    with monkeypatch.context() as patched:
        patched.setattr(wire, "_BY_CLASS", {})
        return told(path)


@pytest.mark.parametrize("kind", [*STEPS])
def test_each_kind_has_a_class_of_its_own(kind: str) -> None:
    """A block of lines is decoded at once only if all of its kinds are known."""
    event = {"kind": kind, "tool": TOOL}

    assert type(decode_step(json.dumps(event).encode())) is STEPS[kind]
    numbered = decode_numbered(json.dumps({"event": event, "seq": 1, "ts": 2}).encode())
    assert type(getattr(numbered, "event", None)) is STEPS[kind]


def test_the_kinds_are_those_that_are_taken_and_those_that_are_skipped() -> None:
    assert set(STEPS) == {*wire._BY_KIND, *wire._OTHERS, *SKIPPED}
    assert set(wire._OTHERS) == set(OTHERS)


@pytest.mark.parametrize(
    "line",
    [
        '{"kind":"usage","kind":"tool_result","tool":{"id":"c1","output":"x"}}',
        '{"kind":"usage","event":{"kind":"tool_result","tool":{"id":"c1","output":"x"}}}',
        '{"event":{"kind":"usage","event":{"kind":"tool_result","tool":{"id":"c1"}}},"ts":1}',
        '{"kind":"usage","event":{"kind":"shiny"}}',
        '{"kind":"tool_result","tool":{"id":"c1","output":5,"err":false}}',
        '{"kind":"tool_result","tool":{"id":"c1","output":"x","execution":{"exitCode":"0"}}}',
        '{"kind":"tool_result","tool":{"id":null}}',
        '{"kind":"tool_result","tool":null}',
        '{"kind":"tool_result","tool":[]}',
        '{"kind":"usage","tool":5}',
        '{"tool":5,"event":{"kind":"usage"},"seq":1,"ts":1}',
        '{"seq":7,"ts":1,"event":null}',
        '{"seq":7,"ts":1,"kind":"usage"}',
        '{"seq":7,"ts":1,"event":{"kind":"usage","ts":5}}',
        '{"seq":true,"ts":"x","kind":"shiny","event":{"kind":"usage"}}',
        '{"kind":"stream_attempt","streamAttempt":{"id":5,"action":"begin"}}',
        '{"kind":"stream_attempt","streamAttempt":"begin"}',
        '{"kind":"tool_result","messageId":5,"tool":{"id":"c1"}}',
        '{"kind":"shiny","text":"x"}',
        '{"kind":null}',
        '{"kind":5}',
        '{"type":"result","is_error":false}',
        '{"kind":"turn_started","sessionId":"another"}',
        '{"kind":"tool_result","tool":{"id":"c1","output":"\\ud83d"}}',
        "\x1b[0m" + json.dumps(RESULT),
        '{"kind":"usage"',
        "[]",
        "",
    ],
)
@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize("at", [0, 1, 2, 3])
def test_an_odd_line_is_told_alike(
    line: str, wrapped: bool, at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it stands in a stream or in a trajectory."""
    lines: list[Any] = [STARTED, DISPATCH, RESULT, {"kind": "turn_done"}]
    if wrapped:
        lines = [{"seq": seq, "ts": seq, "event": event} for seq, event in enumerate(lines, 1)]
    texts = [*map(json.dumps, lines)]
    texts.insert(at, line)
    path = tmp_path / "t"
    path.write_text("\n".join(texts) + "\n")

    assert told_slowly(path, monkeypatch) == told(path)


@pytest.mark.parametrize("name", ["reasonix-stream", "reasonix-trajectory"])
def test_damaged_recordings_are_told_alike(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(7)
    path = tmp_path / "t"
    for number in range(10 * len(KINDS)):
        kind = KINDS[number % len(KINDS)]
        path.write_bytes(kind(BASES[name], rng))

        assert told_slowly(path, monkeypatch) == told(path), f"{kind.__name__}, round {number}"


@pytest.mark.parametrize("first", [STARTED, {"seq": 1, "ts": 1, "event": STARTED}])
@pytest.mark.parametrize(
    "line",
    [
        '{"kind":"tool_result","tool":{"id":"c1","output":"a b","durationMs":1e999}}',
        '{"seq":4,"ts":1,"event":{"kind":"tool_result","tool":{"id":"c1","output":"a b"},'
        '"x":1e999}}',
        '{"seq":4,"ts":1,"event":{"kind":"tool_result","ts":5,"tool":{"id":"c1","output":"a b"},'
        '"status":-1e999}}',
        '{"kind":"tool_result","ts":null,"status":1e999,"tool":{"id":"c1","output":"a b"}}',
        '{"seq":4,"ts":1,"text":1e999,"kind":"tool_result","tool":{"id":"c1","output":"a b"}}',
    ],
)
def test_a_number_beyond_range_that_nobody_reads_takes_nothing_from_a_line(
    line: str, first: object, tmp_path: Path
) -> None:
    """Nor where the recording of a trajectory follows that of a stream, or the other way round."""
    path = tmp_path / "t"
    rest = [{"seq": 2, "ts": 1, "event": DISPATCH}, {"kind": "usage"}]
    path.write_text("\n".join([*map(json.dumps, [first, *rest]), line]) + "\n")

    answers = [event.text for event in told(path) if isinstance(event, ToolResult)]

    assert ["a b"] == answers


@pytest.mark.parametrize(
    "line",
    [
        '{"kind":"shiny","text":1e999}',
        '{"kind":"turn_done","status":1e999}',
        '{"kind":"tool_result","tool":{"id":1e999}}',
        '{"type":"result","result":1e999}',
        '{"seq":1e999,"ts":1,"event":{"kind":"usage"}}',
    ],
)
def test_a_number_beyond_range_that_is_read_makes_a_line_bad(line: str, tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_text(f"{json.dumps(STARTED)}\n{line}\n")

    remark = next(event for event in told(path) if isinstance(event, Diag))

    assert ("bad_line", "t:2") == (remark.code, remark.where)


def test_a_trajectory_among_other_lines_is_held_against_its_numbers(tmp_path: Path) -> None:
    """A line that is decoded once more is counted as the others are."""
    events = [STARTED, DISPATCH, {"kind": "shiny"}, RESULT, {"kind": "turn_done"}]
    lines = [
        {"seq": 1 + seq + (seq > 2), "ts": 1, "event": event} for seq, event in enumerate(events)
    ]
    path = tmp_path / "t"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    remarks = [event for event in told(path) if isinstance(event, Diag)]

    assert ["bad_line", "unknown_record"] == [remark.code for remark in remarks]
    assert "record 5 stands after record 3" == remarks[0].text
    assert "t:4" == remarks[0].where


@pytest.mark.parametrize(
    "before", [[], [STARTED], [STARTED, DISPATCH, RESULT, {"kind": "turn_done"}]]
)
def test_a_remark_names_the_line_that_it_is_on(
    before: list[dict[str, object]], tmp_path: Path
) -> None:
    path = tmp_path / "t"
    path.write_text(
        "".join(json.dumps(line) + "\n" for line in [*before, STARTED, RESULT, STARTED])
    )

    remark = next(event for event in told(path) if isinstance(event, Diag))

    assert f"t:{len(before) + 2}" == remark.where


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize(
    ("event", "codes"),
    [
        ({}, ["bad_line"]),
        ({"kind": ["tool_dispatch"]}, ["bad_line"]),
        ({"kind": "tool_dispatched", "tool": TOOL}, ["bad_line"]),
        ({"kind": "shiny"}, ["unknown_record"]),
        ({"kind": "tool_progress", "tool": TOOL}, []),
        ({"kind": "tool_result", "tool": {"output": "x"}}, ["bad_line"]),
    ],
)
def test_what_may_have_been_a_call_is_lost_and_no_unknown_record(
    event: dict[str, object], codes: list[str], wrapped: bool, tmp_path: Path
) -> None:
    path = tmp_path / "t"
    events = [STARTED, event, {"kind": "turn_done"}]
    if wrapped:
        events = [{"seq": seq, "ts": 1, "event": one} for seq, one in enumerate(events, 1)]
    path.write_text("".join(json.dumps(one) + "\n" for one in events))

    assert codes == [remark.code for remark in told(path) if isinstance(remark, Diag)]


@pytest.mark.parametrize(
    ("record", "codes"),
    [
        ({"schema_version": 1, "event": None}, ["bad_line"]),
        ({"schema_version": 1}, ["bad_line"]),
        ({"event": None, "x": 1}, []),
        ({"memory_recall": {}}, []),
        ({"shiny": {}}, []),
        ({"readiness_audit": {"result": "accept"}}, []),
        ({"readiness_audit": {"missing_mutation": 1}}, ["bad_line"]),
        ({"readiness_audit": {"result": None}}, ["bad_line"]),
    ],
)
def test_the_wrapper_of_a_trajectory_that_holds_nothing_has_lost_it(
    record: dict[str, object], codes: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "t"
    lines = [{"event": STARTED}, record, {"event": {"kind": "turn_done"}}]
    numbered = [{"seq": seq, "ts": 1, **one} for seq, one in enumerate(lines, 1)]
    path.write_text("".join(json.dumps(one) + "\n" for one in numbered))

    assert codes == [remark.code for remark in told(path) if isinstance(remark, Diag)]


def test_an_output_that_is_no_text_is_told_as_json(tmp_path: Path) -> None:
    """It was read as empty, and nothing said so."""
    path = tmp_path / "t.jsonl"
    result = {"kind": "tool_result", "tool": {**TOOL, "output": {"lines": ["a", "b"]}}}
    path.write_text("".join(json.dumps(one) + "\n" for one in (STARTED, DISPATCH, result)))

    assert ['{"lines":["a","b"]}'] == [e.text for e in told(path) if isinstance(e, ToolResult)]
