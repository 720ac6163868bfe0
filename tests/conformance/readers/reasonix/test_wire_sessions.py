"""What the wire events of a session come to: calls announced, taken back, refused, nested."""

from __future__ import annotations

import json
from pathlib import Path

from read_records import read_text, results
from trace_samples import lines

from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.trace.events import Diag, Notice, SubStart, ToolCall, TurnEnd, TurnStart, User


def test_announced_calls_that_never_ran_are_said(tmp_path: Path) -> None:
    """A turn that was committed while calls were pending is not a pass."""
    stream = read_text(
        tmp_path,
        lines(
            {"kind": "turn_started"},
            _tool("tool_dispatch", "a", "read_file", args="{}"),
            _tool("tool_dispatch", "b", "", partial=True),
            _tool("tool_dispatch", "c", "grep", partial=True),
            {"kind": "turn_done"},
        ),
    )

    assert [("read_file", "none", "none")] == results(stream)
    assert 3 == sum(e.code == "unanswered_call" for e in stream if isinstance(e, Diag))


def test_a_call_that_the_host_refused_before_its_dispatch_was_made(tmp_path: Path) -> None:
    """Arguments that were cut off are refused at once: the result is the first to tell the call."""
    told = {"args": '{"path": "a', "runState": "not_started", "err": "truncated tool arguments"}
    stream = read_text(
        tmp_path,
        lines(
            {"kind": "turn_started"},
            _tool("tool_dispatch", "a", "write_file", partial=True),
            _tool("tool_result", "a", "write_file", **told),
            {"kind": "turn_done"},
        ),
    )

    assert [("write_file", "not_run", "flag")] == results(stream)
    assert ["bad_args"] == [event.code for event in stream if isinstance(event, Diag)]


def test_a_discarded_attempt_leaves_nothing(tmp_path: Path) -> None:
    """What the model began to say and took back was never called."""
    stream = read_text(
        tmp_path,
        lines(
            {"kind": "turn_started"},
            {"kind": "stream_attempt", "streamAttempt": {"id": "A", "action": "begin"}},
            _tool("tool_dispatch", "a", "bash", partial=True, attemptId="A"),
            {"kind": "stream_attempt", "streamAttempt": {"id": "A", "action": "discard"}},
            {"kind": "turn_done"},
        ),
    )

    assert [] == [event for event in stream if isinstance(event, ToolCall | Diag)]


def test_what_the_user_says_while_the_model_works_begins_no_turn(tmp_path: Path) -> None:
    """A steering text is the user's; it belongs to the turn that it steers."""
    stream = read_text(
        tmp_path,
        lines(
            {"kind": "turn_started"},
            {"kind": "user_message", "text": "go"},
            _tool("tool_dispatch", "a", "ls", args="{}"),
            {"kind": "steer", "text": "in src only"},
            _tool("tool_result", "a", "ls"),
            {"kind": "turn_done"},
        ),
    )

    said = [(e.turn, e.text, e.origin) for e in stream if isinstance(e, User)]
    assert [(1, "go", "user"), (1, "in src only", "user")] == said
    assert [1] == [event.turn for event in stream if isinstance(event, TurnStart)]
    assert [] == [event for event in stream if isinstance(event, Diag)]


def test_a_turn_that_begins_again_before_anything_happened_is_the_same_one(tmp_path: Path) -> None:
    """Nothing ended in between, and an end that nobody asked for would be judged."""
    started = {"kind": "turn_started"}
    look = [_tool("tool_dispatch", "a", "ls", args="{}"), _tool("tool_result", "a", "ls")]
    once = read_text(tmp_path, lines(started, *look, {"kind": "turn_done"}))
    twice = read_text(tmp_path, lines(started, started, *look, {"kind": "turn_done"}))

    assert 1 == len([event for event in once if isinstance(event, TurnEnd)])
    assert 1 == len([event for event in twice if isinstance(event, TurnEnd)])


def test_a_nested_sub_agent_has_a_scope_in_a_scope(tmp_path: Path) -> None:
    """Ids tell the way down; each level has its own counter."""
    stream = read_text(
        tmp_path,
        lines(
            {"kind": "turn_started"},
            _tool("tool_dispatch", "p", "task", args="{}"),
            _tool("tool_dispatch", "p/q", "task", args="{}", parentId="p"),
            _tool("tool_dispatch", "p/q/r", "bash", args="{}", parentId="p/q"),
            _tool("tool_result", "p/q/r", "bash"),
            _tool("tool_result", "p/q", "task"),
            _tool("tool_result", "p", "task"),
            {"kind": "turn_done"},
        ),
    )

    assert [("p", "main#1"), ("p/q", "p#1")] == [
        (event.scope, event.parent_uid) for event in stream if isinstance(event, SubStart)
    ]
    assert ["bash", "task", "task"] == [name for name, _, _ in results(stream)]


def test_a_sub_agent_that_goes_on_is_one_of_its_own_session(tmp_path: Path) -> None:
    """Another session in the same file may use its id again: what happens there is not its work."""

    def inside(session: str) -> list[dict[str, object]]:
        return [
            {"kind": "turn_started", "sessionId": session},
            _tool("tool_dispatch", "p/q", "bash", args="{}", parentId="p"),
            _tool("tool_result", "p/q", "bash"),
            {"kind": "turn_done"},
        ]

    begun = [
        {"kind": "turn_started", "sessionId": "A"},
        _tool("tool_dispatch", "p", "task", args='{"run_in_background": true}'),
        _tool("tool_result", "p", "task", output='Started background job "task-1"'),
        {"kind": "turn_done"},
    ]

    def starts(*records: dict[str, object]) -> list[str]:
        stream = read_text(tmp_path, lines(*records))
        return [event.parent_uid for event in stream if isinstance(event, SubStart)]

    assert ["main#1"] == starts(*begun, *inside("A"))
    assert [] == starts(*begun, *inside("B"))


def _tool(kind: str, ident: str, name: str, **more: object) -> dict[str, object]:
    return {"kind": kind, "tool": {"id": ident, "name": name, **more}}


def test_what_the_user_runs_in_a_session_is_no_act_of_the_model(tmp_path: Path) -> None:
    """It is no change that anybody is held to, and no check that anybody made."""
    changed = "echo hi > a.txt"
    own = {"execution": {"state": "completed", "exitCode": 0}}
    file = tmp_path / "1.jsonl"
    file.write_text(
        lines(
            {"kind": "turn_started"},
            _tool(
                "tool_dispatch", f"shell-{changed}", "bash", args=json.dumps({"command": changed})
            ),
            _tool("tool_result", f"shell-{changed}", "bash", **own),
            {"kind": "turn_done"},
            {"kind": "turn_started"},
            {"kind": "message", "text": "done"},
            {"kind": "turn_done"},
        )
    )
    (found,) = file_results(file, Options(rules="contract"))
    stream = read_text(tmp_path, file.read_text())

    assert [("turn-2/end", "accept")] == [
        (one.name, one.verdict.decision) for one in found.verdicts
    ]
    assert [] == [event for event in stream if isinstance(event, ToolCall | Diag)]
    assert ["bash ended: ok"] == [event.text for event in stream if isinstance(event, Notice)]


def test_a_call_is_the_users_by_the_command_in_its_id(tmp_path: Path) -> None:
    """A provider may give its ids any beginning."""
    for ident, args in (("shell-1", {"command": "ls"}), ("shell-ls", {"command": "ls a"})):
        stream = read_text(
            tmp_path,
            lines(
                {"kind": "turn_started"},
                _tool("tool_dispatch", ident, "bash", args=json.dumps(args)),
                _tool("tool_result", ident, "bash"),
                {"kind": "turn_done"},
            ),
        )

        assert [("bash", "ok", "flag")] == results(stream)
