"""ATIF trajectories: what their steps tell, and what their converters keep of an agent's log."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import pytest
from read_records import notes, read
from trace_samples import lines

from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_runtime.trace.events import (
    Assistant,
    Event,
    Notice,
    Session,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    User,
)

Record = dict[str, Any]


def test_several_trajectories_of_a_file_are_several_sessions(tmp_path: Path) -> None:
    """One a line, or a list of them."""
    one = {"schema_version": "ATIF-v1.6", "session_id": "a", "steps": []}
    two, three = one | {"session_id": "b"}, one | {"session_id": "c"}

    stream = read(tmp_path, one, two, three)
    assert ["a", "b", "c"] == [e.sid for e in stream if isinstance(e, Session)]
    assert ["several_sessions"] == notes(stream)
    (tmp_path / "list").write_text(json.dumps([one, two]))
    listed = events(Recording(path=tmp_path / "list", shown="list"))
    assert ["a", "b"] == [e.sid for e in listed if isinstance(e, Session)]


def call(ident: str, name: str, **more: Any) -> Record:
    return {"tool_call_id": ident, "function_name": name, "arguments": {}, **more}


def result(ident: str | None, content: Any = "x", **more: Any) -> Record:
    return {"source_call_id": ident, "content": content, **more}


def act(*calls: Record, results: list[Record] | None = None, **more: Any) -> Record:
    told = {"source": "agent", "message": "", "tool_calls": list(calls), **more}
    return told if results is None else {**told, "observation": {"results": results}}


GO = {"source": "user", "message": "go"}


def trajectory(*steps: Record, agent: str = "x", **more: Any) -> Record:
    return {"schema_version": "ATIF-v1.8", "agent": {"name": agent}, "steps": [GO, *steps], **more}


def results(stream: list[Event]) -> list[tuple[str, str, str]]:
    return [(e.uid, e.outcome, e.basis) for e in stream if isinstance(e, ToolResult)]


def missing(stream: list[Event]) -> list[str]:
    return [code for code in notes(stream) if code == "missing_child"]


@pytest.mark.parametrize(
    ("agent", "tool", "text", "extra", "graded"),
    [
        # The format has no place for it, so that nothing tells of a command that failed.
        ("x", "bash", "1 failed", None, ("unknown", "none")),
        ("x", "read_file", "text", None, ("ok", "absence")),
        ("x", "bash", "x\nExit Code: 1", None, ("error", "envelope")),
        ("x", "read_file", "x\nExit Code: 0", None, ("ok", "absence")),
        ("x", "bash", "", {"exit_code": 0}, ("ok", "exit_code")),
        ("x", "bash", "", {"metadata": {"exit_code": 2}}, ("error", "exit_code")),
        ("x", "bash", "", {"exit_code": "2"}, ("error", "exit_code")),
        ("x", "edit", "", {"exit_code": True}, ("unknown", "none")),
        ("x", "edit", "", {"error": "no such text"}, ("error", "flag")),
        ("x", "edit", "", {"success": False}, ("error", "flag")),
        ("x", "bash", "", {"is_error": False}, ("ok", "flag")),
        ("x", "bash", "", {"is_error": True, "exit_code": 0}, ("error", "flag")),
        # This agent marks what failed, and its converter keeps the mark, in the text at least.
        ("claude-code", "Bash", "x", None, ("ok", "absence")),
        ("claude-code", "Bash", "x", {"tool_result_is_error": True}, ("error", "flag")),
        ("claude-code", "Bash", "x\n\n[error] tool reported failure", None, ("error", "envelope")),
        ("claude-code", "Bash", "x",
         {"tool_result_metadata": {"tool_use_result": {"interrupted": True}}},
         ("cancelled", "flag")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("on_step", [False, True])
def test_an_outcome_is_what_a_converter_kept(
    agent: str,
    tool: str,
    text: str,
    extra: Record | None,
    graded: tuple[str, str],
    on_step: bool,
    tmp_path: Path,
) -> None:
    """Older versions have room for it at the step alone."""
    of_result, of_step = ({}, {"extra": extra}) if on_step else ({"extra": extra}, {})
    step = act(call("1", tool), results=[result("1", text, **of_result)], **of_step)

    assert [("main#1", *graded)] == results(read(tmp_path, trajectory(step, agent=agent)))


def test_what_is_kept_of_several_calls_is_told_by_their_ids(tmp_path: Path) -> None:
    """One step may have answered several."""
    kept = {"tool_call_details": {"1": {"metadata": {"exit_code": 0}}, "2": {"error": "no"}}}
    step = act(call("1", "sh"), call("2", "sh"), results=[result("1"), result("2")], extra=kept)
    stream = read(tmp_path, trajectory(step))

    assert [("main#1", "ok", "exit_code"), ("main#2", "error", "flag")] == results(stream)


@pytest.mark.parametrize(
    ("calls", "ids", "answered"),
    [
        (2, [None], ["main#1", "main#2"]),
        (2, [None, None], ["main#1", "main#2"]),
        (2, ["2", "1"], ["main#2", "main#1"]),
        (1, [None, None], ["main#1"]),
        (0, [None], []),
    ],
)
def test_a_result_without_an_id_is_that_of_its_step(
    calls: int, ids: list[str | None], answered: list[str], tmp_path: Path
) -> None:
    """A terminal shows what all keystrokes of a step came to; further results are news."""
    made = [call(str(number), "type") for number in range(1, calls + 1)]
    stream = read(tmp_path, trajectory(act(*made, results=[result(ident) for ident in ids])))

    assert answered == [uid for uid, _, _ in results(stream)]
    assert max(0, len(ids) - max(calls, 1)) + (not calls) == sum(
        isinstance(e, Notice) for e in stream
    )
    assert [] == notes(stream)


def test_what_no_model_asked_for_is_the_hosts(tmp_path: Path) -> None:
    """A step of no model call is dispatched by the harness, and no answer of the model."""
    step = act(call("1", "setup"), results=[result("1")], llm_call_count=0)
    stream = read(tmp_path, trajectory(step, act(llm_call_count=0)))

    assert ["host"] == [e.origin for e in stream if isinstance(e, ToolCall)]
    assert [] == [e for e in stream if isinstance(e, Assistant)]
    assert [("unknown", False)] == [(e.status, e.judge) for e in stream if isinstance(e, TurnEnd)]


CHILD = trajectory(act(call("1", "read_file"), results=[result("1")]), act(message="done"))
KID = {**CHILD, "trajectory_id": "kid", "agent": {"name": "helper"}}


@pytest.mark.parametrize(
    ("ref", "embedded", "told"),
    [
        ({"trajectory_id": "kid"}, [KID], "kid"),
        ({"trajectory_path": "own.json"}, [], "own"),
        ({"trajectory_id": "other"}, [KID], None),
        ({"trajectory_path": "../own.json"}, [], None),
        ({"trajectory_path": "gone.json"}, [], None),
    ],
)
def test_a_sub_agent_acts_inside_its_call(
    ref: Record, embedded: list[Record], told: str | None, tmp_path: Path
) -> None:
    """It is embedded, or in a file beside; a file elsewhere is not looked at."""
    (tmp_path / "in").mkdir()
    for name in ("own.json", "in/own.json"):
        (tmp_path / name).write_text(json.dumps(KID))
    answer = result("1", subagent_trajectory_ref=[ref])
    value = trajectory(act(call("1", "ask"), results=[answer]), subagent_trajectories=embedded)
    stream = read(tmp_path / "in", value)

    starts = [(e.scope, e.parent_uid, e.kind) for e in stream if isinstance(e, SubStart)]
    if told is None:
        assert [] == starts
        # What nothing refers to is missing as well.
        assert 1 + len(embedded) == len(missing(stream))
    else:
        assert [(told, "main#1", "helper")] == starts
        assert "task" == [e.target for e in stream if isinstance(e, ToolCall)][1]
        assert [f"{told}#1", "main#1"] == [uid for uid, _, _ in results(stream)]
        assert [] == notes(stream)


@pytest.mark.parametrize(("child", "lacks"), [(KID, 1), ({**KID, "steps": [GO]}, 0)])
def test_a_sub_agent_of_no_call_is_missed_if_it_did_anything(
    child: Record, lacks: int, tmp_path: Path
) -> None:
    """One that summarised a conversation did nothing that counts."""
    answer = result(None, None, subagent_trajectory_ref=[{"trajectory_id": "kid"}])
    step = {"source": "system", "message": "", "observation": {"results": [answer]}}

    assert lacks == len(missing(read(tmp_path, trajectory(step, subagent_trajectories=[child]))))


@pytest.mark.parametrize(
    ("steps", "more", "code", "judged"),
    [
        ([act()], {"continued_trajectory_ref": "more.json"}, "truncated_tail", False),
        ([act(is_copied_context=True), act()], {}, "mid_chain_start", True),
    ],
)
def test_a_part_of_a_trajectory_is_told_to_be_one(
    steps: list[Record], more: Record, code: str, judged: bool, tmp_path: Path
) -> None:
    """Its end is none where it goes on elsewhere; what was before may be in another file."""
    stream = read(tmp_path, trajectory(*steps, **more))

    assert [code] == notes(stream)
    assert [judged] == [e.judge for e in stream if isinstance(e, TurnEnd)]


def test_sub_agents_that_name_each_other_are_told_once(tmp_path: Path) -> None:
    """Three that name themselves three times, sixteen levels deep, would never end."""
    ref = {"trajectory_id": "k"}
    starts = act(call("1", "go"), results=[result("1", subagent_trajectory_ref=[ref, ref, ref])])
    stream = read(tmp_path, trajectory(starts, subagent_trajectories=[trajectory(starts) | ref]))

    assert ["k"] == [e.scope for e in stream if isinstance(e, SubStart)]
    assert 5 == len(missing(stream))


def test_a_call_is_answered_once_whatever_names_it(tmp_path: Path) -> None:
    """A result by its place may be that of a call that one by its id has answered."""
    made = [call("1", "ls"), call("2", "ls")]
    stream = read(tmp_path, trajectory(act(*made, results=[result("2"), result(None)])))

    assert ["main#2", "main#1"] == [uid for uid, _, _ in results(stream)]


def test_a_file_of_trajectories_that_was_cut_off_says_so(tmp_path: Path) -> None:
    """It may have been cut between two of them."""
    pack = zlib.compressobj(wbits=31)
    whole = pack.compress(lines(trajectory(), trajectory()).encode())
    (tmp_path / "trace").write_bytes(whole + pack.flush(zlib.Z_SYNC_FLUSH))
    stream = list(events(Recording(path=tmp_path / "trace", shown="trace")))

    assert "truncated_tail" in notes(stream)


def test_what_the_user_said_begins_a_turn(tmp_path: Path) -> None:
    """Each prompt is told, whether it is a text or parts."""
    more = {"source": "user", "message": [{"type": "text", "text": "on"}]}
    stream = read(tmp_path, trajectory(act(call("1", "ls")), more))

    assert [(1, "go"), (2, "on")] == [(e.turn, e.text) for e in stream if isinstance(e, User)]


def test_a_step_of_the_user_without_a_word_between_calls_is_no_prompt(tmp_path: Path) -> None:
    """Gemini CLI gives results back in the user's place: each call was in a turn of its own."""
    blank = {"source": "user", "message": "\n"}
    done = {"source": "agent", "message": "done"}
    runs = act(call("1", "bash"), results=[result("1")])

    def turns(*steps: Record) -> list[str]:
        stream = read(tmp_path, trajectory(*steps))
        return [event.status for event in stream if isinstance(event, TurnEnd)]

    assert ["completed"] == turns(runs, blank, done)
    assert ["completed", "completed"] == turns(runs, done, blank, done)


def test_a_result_that_says_nothing_and_answers_nothing_is_no_notice(tmp_path: Path) -> None:
    """An observation without a call is what the environment says, if it says something."""
    stream = read(
        tmp_path, trajectory(act(results=[result(None, "")]), act(results=[result(None)]))
    )

    assert ["x"] == [e.text for e in stream if isinstance(e, Notice)]


def test_a_trajectory_that_cannot_be_read_is_told_among_others(tmp_path: Path) -> None:
    """It is a session of which nothing is known."""
    text = lines(trajectory(session_id="a")) + "{torn\n" + lines(trajectory(session_id="b"))
    (tmp_path / "trace").write_text(text)
    stream = list(events(Recording(path=tmp_path / "trace", shown="trace")))

    assert "bad_line" in notes(stream)
    assert {"a", "b"} <= {e.sid for e in stream if isinstance(e, Session)}


def test_a_result_of_a_call_that_nobody_made_is_told(tmp_path: Path) -> None:
    """It proves nothing, and is not dropped without a word."""
    step = act(call("1", "f"), results=[result("1"), result("2")])

    stream = read(tmp_path, trajectory(step))

    assert 1 == len([event for event in stream if isinstance(event, ToolResult)])
    assert ["orphan_result"] == notes(stream)


@pytest.mark.parametrize(
    ("steps", "more", "code"),
    [
        ([], {}, "missing_child"),
        ([GO], {}, "missing_child"),
        ([GO, act()], {"continued_trajectory_ref": "more.json"}, "missing_child"),
        ([GO, act(), {"message": "x"}], {}, "bad_line"),
        ([GO, act(), 7], {}, "bad_line"),
        ([GO, act(tool_calls="x")], {}, "bad_line"),
        ([GO, act(), {"source": "tool"}], {}, "unknown_record"),
    ],
)
def test_what_a_sub_agent_tells_in_a_form_that_is_not_read_is_told(
    steps: list[Any], more: Record, code: str, tmp_path: Path
) -> None:
    """Only the steps of the trajectory around it were looked at; others were left out."""
    answer = result("1", subagent_trajectory_ref=[{"trajectory_id": "kid"}])
    child = {**KID, "steps": steps, **more}
    value = trajectory(act(call("1", "ask"), results=[answer]), subagent_trajectories=[child])

    assert [code] == notes(read(tmp_path, value))
