"""Inspect logs, ATIF and ACP captures: who did what, and in which session."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from read_records import notes, read
from trace_samples import lines

from reasonix_conformance.readers.formats import events
from reasonix_conformance.readers.recording import Recording
from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.trace.events import (
    Event,
    Session,
    SubStart,
    ToolResult,
    TurnEnd,
)

Record = dict[str, Any]


def outcomes(stream: list[Event]) -> list[tuple[str, str]]:
    return [(e.uid, e.outcome) for e in stream if isinstance(e, ToolResult)]


# -- Inspect


def log(**sample: Any) -> Record:
    return {"version": 2, "eval": {"model": "m"}, "samples": [{"id": "1", "epoch": 1, **sample}]}


def done(ident: str, **more: Any) -> Record:
    return {"event": "tool", "id": ident, "function": "bash", "arguments": {}, **more}


def model(text: str, *calls: str) -> Record:
    asked = [{"id": ident, "function": "bash", "arguments": {}} for ident in calls]
    message = {"role": "assistant", "content": text, "tool_calls": asked}
    return {"event": "model", "output": {"choices": [{"message": message}]}}


GO = {"role": "user", "content": "go"}


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        ("parsing", "not_run"),
        ("timeout", "cancelled"),
        ("cancelled", "cancelled"),
        ("limit", "cancelled"),
        ("permission", "blocked"),
        ("approval", "blocked"),
        ("file_not_found", "error"),
        ("unknown", "error"),
        ("a_new_one", "error"),
    ],
)
def test_an_event_of_no_message_is_told(error: str, outcome: str, tmp_path: Path) -> None:
    """Messages are what the model saw last; calls may stand in events alone."""
    stream = read(tmp_path, log(messages=[GO], events=[done("1", error={"type": error})]))

    assert [("main#1", outcome)] == outcomes(stream)


def test_events_are_told_before_messages_and_end_the_turn(tmp_path: Path) -> None:
    """A history that was cut short for the model hides nothing."""
    told = [model("look", "1", "2"), done("2", result="b"), done("1", failed=True), model("done")]
    stream = read(tmp_path, log(messages=[GO], events=told))

    assert [("main#2", "ok"), ("main#1", "error")] == outcomes(stream)
    assert ["completed"] == [e.status for e in stream if isinstance(e, TurnEnd)]


def test_a_call_that_is_pending_has_no_result(tmp_path: Path) -> None:
    """A log may be read while it is written."""
    stream = read(tmp_path, log(events=[model("", "1"), done("1", pending=True)]))

    assert [("main#1", "none")] == outcomes(stream)


@pytest.mark.parametrize("nested", [True, False])
def test_what_an_agent_did_inside_a_call_has_a_scope(nested: bool, tmp_path: Path) -> None:
    """Newer logs name the span of the agent, older ones hold its events inside."""
    own = done("2")
    if nested:
        told = [model("", "1"), done("1", agent="sub", events=[own])]
    else:
        told = [
            model("", "1"),
            done("1", agent="sub", agent_span_id="A"),
            {"event": "span_begin", "id": "B", "parent_id": "A"},
            own | {"span_id": "B"},
        ]
    stream = read(tmp_path, log(messages=[GO], events=told))

    (start,) = [e for e in stream if isinstance(e, SubStart)]
    assert ("main#1", "sub") == (start.parent_uid, start.kind)
    assert [(f"{start.scope}#1", "ok"), ("main#1", "ok")] == outcomes(stream)


# -- ATIF


def test_several_trajectories_of_a_file_are_several_sessions(tmp_path: Path) -> None:
    """One a line, or a list of them."""
    one = {"schema_version": "ATIF-v1.6", "session_id": "a", "steps": []}
    two = one | {"session_id": "b"}

    assert ["a", "b"] == [e.sid for e in read(tmp_path, one, two) if isinstance(e, Session)]
    (tmp_path / "list").write_text(json.dumps([one, two]))
    listed = events(Recording(path=tmp_path / "list", shown="list"))
    assert ["a", "b"] == [e.sid for e in listed if isinstance(e, Session)]


# -- ACP


def rpc(method: str, sid: str, **params: Any) -> Record:
    return {"jsonrpc": "2.0", "method": method, "params": {"sessionId": sid, **params}}


def update(sid: str, kind: str, **more: Any) -> Record:
    return rpc("session/update", sid, update={"sessionUpdate": kind, **more})


def test_sessions_of_one_connection_are_told_apart(tmp_path: Path) -> None:
    """Their records alternate; an answer belongs to the session that asked."""
    call = {"toolCallId": "1", "title": "ls", "status": "completed", "rawInput": {}}
    stream = read(
        tmp_path,
        rpc("session/prompt", "A", prompt=[]) | {"id": 1},
        rpc("session/prompt", "B", prompt=[]) | {"id": 2},
        update("B", "tool_call", **call),
        update("A", "tool_call", **call),
        {"jsonrpc": "2.0", "id": 2, "result": {"stopReason": "cancelled"}},
        {"jsonrpc": "2.0", "id": 1, "result": {"stopReason": "end_turn"}},
    )

    assert ["A", "B"] == [e.sid for e in stream if isinstance(e, Session)]
    assert ["completed", "interrupted"] == [e.status for e in stream if isinstance(e, TurnEnd)]
    assert ["several_sessions"] == notes(stream)


def test_another_agents_stop_is_no_judgement(tmp_path: Path) -> None:
    """Only a host with the gates of the rules says by `end_turn` that the turn was good."""
    args = {"path": "a.py", "content": "x"}
    call = {"toolCallId": "1", "title": "write_file", "status": "completed", "rawInput": args}
    file = tmp_path / "trace"
    for mark, host in (({}, None), ({"x": "_reasonix.io/session/status"}, "accept")):
        file.write_text(
            lines(
                rpc("session/prompt", "A", prompt=[]) | {"id": 1} | mark,
                update("A", "tool_call", **call),
                update("A", "agent_message_chunk", content={"type": "text", "text": "done"}),
                {"jsonrpc": "2.0", "id": 1, "result": {"stopReason": "end_turn"}},
            )
        )
        (result,) = file_results(file, Options())
        assert [host] == [verdict.host for verdict in result.verdicts]
