"""Records of a Reasonix host that are rare: stopped turns, background work, marks, side remarks."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from read_records import ended, read
from trace_samples import lines

from reasonix_conformance.readers.messages import LOCAL_TOOL
from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.trace.events import (
    Diag,
    Event,
    HostVerdict,
    Session,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    User,
)

Record = dict[str, Any]
START: Record = {"kind": "turn_started"}
DONE: Record = {"kind": "turn_done"}


def tool(kind: str, ident: str, name: str, **more: Any) -> Record:
    return {"kind": kind, "tool": {"id": ident, "name": name, **more}}


def notes(stream: Iterable[Event]) -> list[str]:
    return [event.code for event in stream if isinstance(event, Diag)]


# -- wire events


@pytest.mark.parametrize(
    ("done", "status", "verdicts"),
    [
        ({}, "completed", ["accept"]),
        ({"status": "completed"}, "completed", ["accept"]),
        ({"status": "interrupted"}, "interrupted", []),
        ({"outcome": "cancelled"}, "interrupted", []),
        ({"err": "context canceled"}, "interrupted", []),
        ({"status": "failed"}, "failed", []),
        ({"status": "failed", "err": "no provider"}, "failed", ["reject"]),
        ({"err": "no provider"}, "failed", []),
        ({"err": "not ready", "outcome": "final_readiness"}, "completed", ["reject"]),
        ({"outcome": ["completed"], "status": 3}, "completed", ["accept"]),
    ],
)
def test_a_turn_ends_as_the_host_says(
    done: Record, status: str, verdicts: list[str], tmp_path: Path
) -> None:
    """A turn that was stopped or broke was not accepted by anyone."""
    stream = read(tmp_path, START, {"kind": "message", "text": "x"}, DONE | done)

    assert [status] == [event.status for event in stream if isinstance(event, TurnEnd)]
    assert verdicts == [event.result for event in stream if isinstance(event, HostVerdict)]


@pytest.mark.parametrize("kind", ["phase", "prompt_answered", "session_changed"])
def test_news_that_no_gate_asks_for_is_known(kind: str, tmp_path: Path) -> None:
    """A record that nobody knows might be one that counts."""
    assert [] == notes(read(tmp_path, START, {"kind": kind, "sessionId": "S"}, DONE))


@pytest.mark.parametrize("what", ["job", "task", "fleet"])
def test_a_background_start_is_running_although_the_call_is_completed(
    what: str, tmp_path: Path
) -> None:
    """The host's sentence says so where no field of the execution does."""
    text = f'Started background {what} "{what}-1".'
    stream = read(
        tmp_path,
        START,
        tool("tool_dispatch", "a", "bash", args='{"command":"make"}'),
        tool("tool_result", "a", "bash", output=text, runState="completed"),
        DONE,
    )

    assert {"main#1": "running"} == dict(ended(stream))


BACKGROUND: tuple[Record, ...] = (
    START,
    tool("tool_dispatch", "p", "task", args='{"run_in_background":true}'),
    tool("tool_dispatch", "p/a", "ls", args="{}", parentId="p"),
    tool("tool_result", "p", "task", output='Started background job "task-1".'),
    tool("tool_result", "p/a", "ls", parentId="p"),
    tool("tool_dispatch", "b", "ls", args="{}"),
    tool("tool_dispatch", "p/c", "write_file", args='{"path":"a.py","content":""}', parentId="p"),
    tool("tool_result", "p/c", "write_file", parentId="p"),
    tool("tool_result", "b", "ls"),
)


@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
def test_a_sub_agent_in_the_background_outlives_the_call_that_started_it(
    before: bool, tmp_path: Path
) -> None:
    """Its calls are no calls of the main conversation, whenever the first of them comes."""
    records = BACKGROUND if before else (*BACKGROUND[:2], BACKGROUND[3], *BACKGROUND[5:])
    stream = read(tmp_path, *records, DONE)

    own = {"p#1": "ok", "p#2": "ok"} if before else {"p#1": "ok"}
    assert {"main#1": "running", "main#2": "ok"} | own == dict(ended(stream))
    assert [] == notes(stream)


def test_nobody_is_accused_over_the_evidence_of_a_sub_agent_in_the_background(
    tmp_path: Path,
) -> None:
    """When it reached the caller is not told."""
    cited = '{"step":"x","result":"x","evidence":[{"kind":"diff","summary":"x","paths":["a.py"]}]}'
    path = tmp_path / "trace"
    path.write_text(
        lines(
            *BACKGROUND,
            tool("tool_dispatch", "s", "complete_step", args=cited),
            tool("tool_result", "s", "complete_step", output="signed off"),
            DONE,
        )
    )
    (result,) = file_results(path, Options())
    (step,) = (v for v in result.verdicts if v.subject == "complete_step")

    assert ("not_assessable", "accept") == (step.verdict.decision, step.host)


def test_calls_of_a_sub_agent_whose_start_is_gone_are_nobody_elses(tmp_path: Path) -> None:
    """They are said to be missing and are no evidence of the main conversation."""
    stream = read(
        tmp_path,
        START,
        tool("tool_dispatch", "p/a", "ls", args="{}", parentId="p"),
        tool("tool_result", "p/a", "ls", parentId="p"),
        DONE,
    )

    assert [] == [event for event in stream if isinstance(event, ToolCall)]
    assert ["missing_child", "missing_child"] == notes(stream)


def test_a_call_is_inside_the_one_that_its_parent_id_names(tmp_path: Path) -> None:
    """Sub-agents side by side have the id of their own start twice; ids may hold a slash, too."""
    stream = read(
        tmp_path,
        START,
        tool("tool_dispatch", "p", "parallel_tasks", args="{}"),
        tool("tool_dispatch", "p/sub-1", "task", args="{}", parentId="p"),
        tool("tool_dispatch", "p/sub-1/p/sub-1/a", "ls", args="{}", parentId="p/sub-1"),
        tool("tool_result", "p/sub-1/p/sub-1/a", "ls", parentId="p/sub-1"),
        tool("tool_dispatch", "p/sub-1/ls:0/1", "ls", args="{}", parentId="p/sub-1"),
        tool("tool_result", "p/sub-1/ls:0/1", "ls", parentId="p/sub-1"),
        tool("tool_result", "p/sub-1", "task", parentId="p"),
        tool("tool_result", "p", "parallel_tasks"),
        DONE,
    )
    inner = "p/sub-1/p/sub-1"

    assert {f"{inner}#1", f"{inner}#2", "p#1", "main#1"} == dict(ended(stream)).keys()
    assert [("p", "main#1"), (inner, "p#1")] == [
        (event.scope, event.parent_uid) for event in stream if isinstance(event, SubStart)
    ]
    assert [] == notes(stream)


def test_an_id_with_a_slash_is_not_a_sub_agent(tmp_path: Path) -> None:
    """Providers choose ids; only `parentId` or a call of that id makes a sub-agent."""
    stream = read(
        tmp_path,
        START,
        tool("tool_dispatch", "functions/ls:0", "ls", args="{}"),
        tool("tool_result", "functions/ls:0", "ls"),
        DONE,
    )

    assert {"main#1": "ok"} == dict(ended(stream))
    assert [] == notes(stream)


def test_a_call_announced_without_its_attempt_belongs_to_the_running_one(tmp_path: Path) -> None:
    """Older builds name the attempt once, at its begin."""
    stream = read(
        tmp_path,
        START,
        {"kind": "stream_attempt", "streamAttempt": {"id": "A", "action": "begin"}},
        tool("tool_dispatch", "a", "bash", partial=True),
        {"kind": "stream_attempt", "streamAttempt": {"id": "A", "action": "discard"}},
        DONE,
    )

    assert [] == notes(stream)


def test_recordings_of_two_sessions_in_one_file_are_two_sessions(tmp_path: Path) -> None:
    """Evidence of the one is none of the other."""
    stream = read(
        tmp_path,
        {"kind": "runtime_state"},
        START | {"sessionId": "S1"},
        DONE | {"sessionId": "S1"},
        START | {"sessionId": "S1"},
        DONE | {"sessionId": "S1"},
        START | {"sessionId": "S2"},
        DONE | {"sessionId": "S2"},
    )

    assert ["trace", "S2"] == [event.sid for event in stream if isinstance(event, Session)]
    assert [1, 2, 1] == [event.turn for event in stream if isinstance(event, TurnStart)]
    assert ["several_sessions"] == notes(stream)


WHOLE = (START, tool("tool_dispatch", "a", "bash"), tool("tool_result", "a", "bash"), DONE)
LAST = {"type": "result", "subtype": "success", "is_error": False}


def numbered(*events: Record) -> list[Record]:
    """Return events as a trajectory has them."""
    return [
        {"schema_version": 1, "seq": number, "ts": number, "event": event}
        for number, event in enumerate(events, 1)
    ]


@pytest.mark.parametrize(
    ("first", "second", "cut"),
    [
        (numbered(*WHOLE), numbered(*WHOLE), []),
        (numbered(*WHOLE[:2]), numbered(*WHOLE), ["truncated_tail", "unanswered_call"]),
        ([*WHOLE, LAST], [*WHOLE, LAST], []),
        ([*WHOLE[:3]], [*WHOLE, LAST], ["truncated_tail"]),
        ([*WHOLE[:2]], [*WHOLE], ["truncated_tail", "unanswered_call"]),
    ],
    ids=["trajectories", "one-that-was-cut-off", "streams", "cut-stream", "cut-in-a-call"],
)
def test_runs_that_name_no_session_are_told_apart_by_where_they_begin(
    first: list[Record], second: list[Record], cut: list[str], tmp_path: Path
) -> None:
    """What one of them left accused the host of the other; nobody is, where it may go on."""
    stream = read(tmp_path, *first, *second)

    assert ["trace", "trace#2"] == [event.sid for event in stream if isinstance(event, Session)]
    assert [1, 1] == [event.turn for event in stream if isinstance(event, TurnStart)]
    assert sorted([*cut, "mid_chain_start", "several_sessions"]) == sorted(notes(stream))


def test_a_session_that_goes_on_behind_the_last_line_of_a_run_is_one(tmp_path: Path) -> None:
    """Its id says so."""
    named = [event | {"sessionId": "S"} for event in WHOLE]
    stream = read(tmp_path, *named, LAST, *named, LAST)

    assert ["S"] == [event.sid for event in stream if isinstance(event, Session)]


def test_a_turn_that_was_cut_off_in_its_session_did_not_end_well(tmp_path: Path) -> None:
    """Its host was killed and started again: nothing says that it took any answer."""
    named = [event | {"sessionId": "S"} for event in WHOLE]
    stream = read(tmp_path, *named[:3], *named)

    assert ["S"] == [event.sid for event in stream if isinstance(event, Session)]
    assert [("unknown", False), ("completed", True)] == [
        (event.status, event.judge) for event in stream if isinstance(event, TurnEnd)
    ]


# -- messages


def asks(ident: str, name: str) -> Record:
    return {
        "role": "assistant",
        "tool_calls": [{"id": ident, "name": name, "arguments": "{}"}],
    }


def answers(ident: str, name: str) -> Record:
    return {"role": "tool", "tool_call_id": ident, "name": name, "content": "x"}


def says(text: str, **more: Any) -> Record:
    return {"role": "user", "content": text, "raw_content": text} | more


@pytest.mark.parametrize("role", ["tool", "assistant", "user"])
def test_a_turn_that_was_cut_off_is_not_judged(role: str, tmp_path: Path) -> None:
    """The mark is a message that the host keeps for itself; half an answer may precede it."""
    mark = {"role": role, "local_only": True, "interrupted_turn": {"pending": True}}
    stream = read(
        tmp_path,
        says("go"),
        asks("a", "write_file"),
        answers("a", "write_file"),
        {"role": "assistant", "content": "Half an ans"},
        mark,
        says("next"),
        {"role": "assistant", "content": "Whole."},
    )

    assert [("interrupted", False), ("completed", True)] == [
        (event.status, event.judge) for event in stream if isinstance(event, TurnEnd)
    ]


@pytest.mark.parametrize("name", ["task", "parallel_tasks", "fleet", "read_only_skill"])
def test_a_delegating_call_without_its_calls_is_said(name: str, tmp_path: Path) -> None:
    """Message files hold no calls of sub-agents."""
    answer = {"role": "assistant", "content": "done"}
    stream = read(tmp_path, says("go"), asks("a", name), answers("a", name), answer)

    assert "missing_child" in notes(stream)


# -- branching logs


def message(ident: str, parent: str, said: Record, head: str = "main") -> Record:
    tree = {"id": ident, "head": head} | ({"parent": parent} if parent else {})
    return {"schema_version": 2, "type": "message", **tree, "msgs": [said]}


def mark(kind: str, **more: Any) -> Record:
    return {"schema_version": 2, "type": kind, "head": "main"} | more


@pytest.mark.parametrize(
    ("between", "parent", "expected"),
    [
        ([], "b", []),
        ([], "", ["bad_line", "branch_dropped"]),
        ([mark("rewind", target="")], "", ["branch_dropped"]),
    ],
    ids=["goes-on", "from-nowhere", "from-the-beginning"],
)
def test_a_message_that_names_no_parent_loses_what_stood_before_it(
    between: list[Record], parent: str, expected: list[str], tmp_path: Path
) -> None:
    """All of it had never happened: a turn whose changes nobody looked at was accepted."""
    stream = read(
        tmp_path,
        message("a", "", says("go")),
        message("b", "a", says("more")),
        *between,
        message("c", parent, {"role": "assistant", "content": "Done."}),
    )

    assert expected == sorted(code for code in notes(stream) if code != "turn_inferred")


@pytest.mark.parametrize(("ident", "lost"), [("b", False), ("c", True), (None, False)])
def test_a_message_under_the_id_of_another_one_is_told(
    ident: str | None, lost: bool, tmp_path: Path
) -> None:
    """What was swapped stood in another place, and in another turn."""
    said = {"role": "assistant", "content": "Done."} | ({"id": ident} if ident else {})
    stream = read(tmp_path, message("a", "", says("go")), message("b", "a", said))

    assert lost is ("bad_line" in notes(stream))


def test_marks_of_a_branching_log_make_the_turns(tmp_path: Path) -> None:
    """`leaf` says where a turn begins, not the line; a steering text begins none."""
    final = {"role": "assistant", "content": "done"}
    stream = read(
        tmp_path,
        message("1", "", says("old")),
        message("2", "1", final),
        message("3", "2", {"role": "user", "origin": "host", "content": "a job has ended"}),
        message("4", "3", says("go")),
        message("5", "4", asks("a", "ls")),
        message("6", "5", says("hurry")),
        message("7", "6", answers("a", "ls")),
        message("8", "7", final),
        mark("turn_begin", turn="T1", leaf="2"),
        mark("turn_end", turn="T1"),
    )

    turns = [event for event in stream if isinstance(event, TurnStart | TurnEnd)]
    assert [
        ("inferred", None),
        ("inferred", None),
        ("explicit", "T1"),
        ("explicit", None),
    ] == [(event.by, getattr(event, "native", None)) for event in turns]
    assert [(1, "old", "user"), (2, "a job has ended", "host"), (2, "go", "user")] == [
        (event.turn, event.text, event.origin) for event in stream if isinstance(event, User)
    ][:3]
    assert {"main#1": "ok"} == dict(ended(stream))


def test_the_last_select_of_a_head_that_lives_counts(tmp_path: Path) -> None:
    """A select of a head that is gone selects nothing."""
    stream = read(
        tmp_path,
        message("1", "", says("go")),
        message("2", "1", asks("a", "ls")),
        message("3", "2", answers("a", "ls")),
        message("F", "1", {"role": "assistant", "content": "forked"}, head="fork"),
        mark("select"),
        mark("select", head="gone"),
    )

    assert {"main#1": "ok"} == dict(ended(stream))


@pytest.mark.parametrize(
    ("lost", "expected"),
    [(None, []), (0, ["mid_chain_start"]), (2, ["branch_dropped", "bad_line"]), (4, [])],
    ids=["none", "the first", "one inside", "the last"],
)
def test_what_stands_before_a_lost_message_is_lost_with_it(
    lost: int | None, expected: list[str], tmp_path: Path
) -> None:
    """Nothing leads to it any more: a change before a lost line had never happened."""
    told = [
        message("1", "", says("go")),
        message("2", "1", asks("a", "write_file")),
        message("3", "2", answers("a", "write_file")),
        message("4", "3", asks("b", "ls")),
        message("5", "4", answers("b", "ls")),
    ]

    stream = read(tmp_path, *(record for at, record in enumerate(told) if at != lost))

    usual = ("turn_inferred", "unanswered_call")
    assert expected == [code for code in notes(stream) if code not in usual]


# -- fields that hold something else


@pytest.mark.parametrize(
    ("told", "outcome"),
    [
        ({}, "ok"),
        ({"err": None}, "ok"),
        ({"err": ""}, "ok"),
        ({"err": {"code": "EPERM"}}, "error"),
        ({"err": True}, "error"),
        ({"err": 5}, "error"),
        ({"runState": 7}, "unknown"),
        ({"runState": ["completed"]}, "unknown"),
        ({"execution": {"state": "completed", "exitCode": "1"}}, "unknown"),
        ({"execution": {"state": "completed", "exitCode": 1.0}}, "unknown"),
        ({"execution": {"state": {}}}, "unknown"),
        ({"execution": {"state": "completed", "exitCode": 1}}, "error"),
    ],
)
def test_a_sign_of_failure_that_cannot_be_read_is_no_success(
    told: Record, outcome: str, tmp_path: Path
) -> None:
    """Only what is absent says nothing."""
    stream = read(
        tmp_path,
        START,
        tool("tool_dispatch", "a", "grep", args="{}"),
        tool("tool_result", "a", "grep", output="x", **told),
        DONE,
    )

    assert {"main#1": outcome} == dict(ended(stream))


@pytest.mark.parametrize(
    ("told", "outcome"),
    [
        ({}, "ok"),
        ({"tool_run_state": 7}, "unknown"),
        ({"tool_run_state": "completed"}, "ok"),
        ({"tool_execution": {"exitCode": "1"}}, "unknown"),
    ],
)
def test_a_message_with_a_state_that_cannot_be_read_is_no_success(
    told: Record, outcome: str, tmp_path: Path
) -> None:
    """The text alone would be one."""
    stream = read(tmp_path, says("go"), asks("a", "grep"), answers("a", "grep") | told)

    assert {"main#1": outcome} == dict(ended(stream))


def test_a_message_that_the_host_keeps_for_itself_answers_no_call(tmp_path: Path) -> None:
    """The model never saw it."""
    stream = read(
        tmp_path,
        says("go"),
        asks("a", "write_file"),
        answers("a", "write_file") | {"local_only": True, "content": "kept"},
        answers("a", "write_file"),
        asks("b", "write_file"),
        answers("b", LOCAL_TOOL),
        answers("b", "write_file"),
    )

    assert ["x", "x"] == [event.text for event in stream if isinstance(event, ToolResult)]


@pytest.mark.parametrize(
    ("tool", "resolved"),
    [("mcp__fs__write", "mcp__fs__write"), ("use_capability", None), ("", None)],
)
def test_a_proxy_call_is_told_with_its_target(
    tool: str, resolved: str | None, tmp_path: Path
) -> None:
    """The host says what it reached; a call of its own tool has no target."""
    arguments = json.dumps({"action": "call", "arguments": {"path": "a.py"}})
    made = {"id": "a", "name": "use_capability", "arguments": arguments}
    asked = {"role": "assistant", "tool_calls": [made | {"resolved_name": tool}]}
    stream = read(tmp_path, says("go"), asked, answers("a", "use_capability"))

    assert [("use_capability", resolved, resolved and {"path": "a.py"})] == [
        (event.name, event.resolved_name, event.resolved_args)
        for event in stream
        if isinstance(event, ToolCall)
    ]


def test_every_event_of_a_message_file_says_its_line(tmp_path: Path) -> None:
    """A finding is looked up there, also behind calls that were taken in pairs."""
    pairs = [one for n in "abc" for one in (asks(n, "read_file"), answers(n, "read_file"))]
    stream = read(tmp_path, says("go"), *pairs, {"role": "assistant", "content": "done"})

    assert [("a", 2), ("b", 4), ("c", 6)] == [
        (event.native_id, event.src.line)
        for event in stream
        if isinstance(event, ToolCall) and event.src is not None
    ]
    assert [3, 5, 7] == [
        event.src.line for event in stream if isinstance(event, ToolResult) and event.src
    ]
