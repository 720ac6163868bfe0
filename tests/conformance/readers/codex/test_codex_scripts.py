"""Rollout files of Codex in which the model writes scripts: their calls stand in events alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from codex_records import BEGIN, META, Record, event, item
from read_records import notes, read

from reasonix_runtime.trace.events import Event, Notice, ToolCall, ToolResult

OVER = "Script completed\nWall time 0.1 seconds\nOutput:\n"
FAILED = "Script failed\nWall time 0.1 seconds\nOutput:\nScript error:\n"
RUN = "await tools.exec_command({cmd: c})"
PATCH = "await tools.apply_patch(p)"


def script(ident: str, text: str) -> Record:
    facts = {"name": "exec", "namespace": "functions", "call_id": ident, "input": text}
    return item("custom_tool_call", **facts)


def output(ident: str, value: Any) -> Record:
    return item("custom_tool_call_output", call_id=ident, output=value)


def work(begin: int, end: int, **facts: Any) -> Record:
    """Return that work of a script was done, from one time to another."""
    return event("item_completed", item=facts, started_at_ms=begin, completed_at_ms=end)


def ran(begin: int, end: int, command: str = "pytest -q", code: int = 0) -> Record:
    return work(
        begin,
        end,
        type="CommandExecution",
        id=f"exec-{begin}",
        command=["/bin/bash", "-lc", command],
        status="failed" if code else "completed",
        aggregated_output="told",
        exit_code=code,
    )


def changed(begin: int, end: int, **changes: Any) -> Record:
    facts = {"type": "FileChange", "id": f"exec-{begin}", "status": "completed"}
    return work(begin, end, changes=changes or {"/w/a.py": {"type": "update"}}, **facts)


UNTIMED = event("exec_command_end", call_id="exec-1", command=["ls"], exit_code=0)


def asked(begin: int, **more: Any) -> Record:
    facts = {"type": "McpToolCall", "id": f"exec-{begin}", "server": "desk", "tool": "count"}
    return work(begin, begin, arguments={"n": 1}, **facts, **more)


def told(stream: list[Event]) -> list[tuple[str, str | None, str]]:
    """Return each call by its name, the tool that it is, and how it ended, in order of results."""
    calls = {e.uid: e for e in stream if isinstance(e, ToolCall)}
    ended = [(calls[e.uid], e.outcome) for e in stream if isinstance(e, ToolResult)]
    return [(call.name, call.resolved_name, outcome) for call, outcome in ended]


@pytest.mark.parametrize(
    ("folder", "command"),
    [
        ("/w", "pytest -q"),
        ("file:///w", "pytest -q"),
        ("/w/sub", "cd /w/sub; pytest -q"),
        ("file:///w/a%20b", "cd '/w/a b'; pytest -q"),
        ("file:///C:/w", "cd C:/w; pytest -q"),
    ],
)
def test_the_command_of_a_script_ran_in_the_folder_that_its_work_tells(
    folder: str, command: str, tmp_path: Path
) -> None:
    """Newer versions tell it as an address of a file."""
    done = ran(1, 2)
    done["payload"]["item"]["cwd"] = folder

    stream = read(tmp_path, META, BEGIN, script("1", "x"), done, output("1", OVER))

    calls = [event.resolved_args for event in stream if isinstance(event, ToolCall)]
    assert {"command": command} in calls


@pytest.mark.parametrize(
    ("done", "call"),
    [
        (ran(1, 2), ("exec_command", "bash", "ok")),
        (ran(1, 2, code=3), ("exec_command", "bash", "error")),
        (changed(1, 2), ("apply_patch", "edit_file", "ok")),
        (asked(1, result={"content": [{"text": "x"}]}), ("mcp__desk__count", None, "ok")),
        (asked(1, error={"message": "closed"}), ("mcp__desk__count", None, "error")),
        (UNTIMED, ("exec_command", "bash", "ok")),
        (
            event("patch_apply_end", call_id="exec-1", changes={"a.py": {}}, success=False),
            ("apply_patch", "edit_file", "error"),
        ),
    ],
)
def test_the_work_of_a_script_is_told_as_calls(
    done: Record, call: tuple[str, str | None, str], tmp_path: Path
) -> None:
    """The script itself only ran: what it did is known from them."""
    stream = read(tmp_path, META, BEGIN, script("1", "x"), done, output("1", OVER + "all pass"))
    outer = [e for e in stream if isinstance(e, ToolCall)][-1]

    assert [call, ("exec", None, "ok")] == told(stream)
    assert outer.read_only is True
    assert [] == notes(stream)[:-1]


def test_what_the_user_ran_is_no_work_of_a_script(tmp_path: Path) -> None:
    facts = {"type": "CommandExecution", "id": "u", "command": ["ls"], "exit_code": 0}
    stream = read(tmp_path, META, BEGIN, script("1", "x"), work(1, 2, **facts, source="user_shell"))

    assert ["exec"] == [e.name for e in stream if isinstance(e, ToolCall)]


@pytest.mark.parametrize(("given", "outcome"), [({"cell_id": "1"}, "ok"), ({"ids": []}, "unknown")])
def test_to_wait_for_a_script_is_not_to_wait_for_agents(
    given: Record, outcome: str, tmp_path: Path
) -> None:
    """Both tools have one name; only what a script says has to be the end of it."""
    asks = item("function_call", name="wait", call_id="1", arguments=given)
    ends = OVER if "cell_id" in given else '{"status":{}}'
    stream = read(tmp_path, META, BEGIN, asks, output("1", "half"), output("1", ends))

    assert ("wait", None, outcome) == told(stream)[0]


def test_a_change_by_a_script_names_its_files_and_where_they_went(tmp_path: Path) -> None:
    done = changed(1, 2, **{"/w/a.py": {"type": "update", "move_path": "/w/b.py"}})
    stream = read(tmp_path, META, BEGIN, script("1", PATCH), done, output("1", OVER))
    call = next(e for e in stream if isinstance(e, ToolCall) and e.resolved_name)

    assert {"paths": ["/w/a.py", "/w/b.py"]} == call.resolved_args


@pytest.mark.parametrize(
    ("text", "done", "ends", "outcome"),
    [
        (f"{PATCH}; {RUN}", [changed(1, 2), ran(3, 4)], OVER, "ok"),
        (f"{PATCH}; {RUN}", [changed(1, 2)], OVER, "unknown"),
        (RUN, [ran(1, 2), ran(3, 4)], OVER, "ok"),
        ("tools[name](x)", [ran(1, 2)], OVER, "unknown"),
        ("text(1)", [], OVER, "ok"),
        (RUN, [], "aborted by user after 2.0s", "unknown"),
        (RUN, [], "Script running with cell ID 1\n", "running"),
        ("throw 1", [], FAILED + "Error: mine", "error"),
        (PATCH, [], FAILED + "apply_patch verification failed: no such lines", "error"),
        (RUN, [], FAILED + "failed to parse function arguments: x", "error"),
        (f"{RUN}; {RUN}", [], FAILED + "approval policy is Never; reject command", "unknown"),
        (RUN, [], FAILED + "TypeError: no", "unknown"),
    ],
)
def test_what_a_script_did_is_known_where_each_call_that_it_shows_was_told(
    text: str, done: list[Record], ends: str, outcome: str, tmp_path: Path
) -> None:
    """Else it may have done anything: that it ran to its end proves nothing."""
    stream = read(tmp_path, META, BEGIN, script("1", text), *done, output("1", ends))

    assert ("exec", None, outcome) == told(stream)[-1]


@pytest.mark.parametrize(
    ("done", "steps", "outcome"),
    [
        ([changed(1, 2), ran(3, 4)], 2, "ok"),
        ([changed(1, 3), ran(2, 4)], 2, "unknown"),
        ([changed(1, 3), ran(3, 3)], 2, "unknown"),
        ([ran(1, 3, code=1), ran(2, 4, code=1)], 2, "error"),
        ([ran(1, 3), changed(2, 4)], 2, "ok"),
        ([UNTIMED], 0, "ok"),
    ],
)
def test_work_came_after_other_work_only_if_it_began_when_that_had_ended(
    done: list[Record], steps: int, outcome: str, tmp_path: Path
) -> None:
    """A check beside a change proves nothing of it; without times all is of one response."""
    stream = read(tmp_path, META, BEGIN, script("1", "x"), *done, output("1", OVER))
    outer, *inner = (e for e in stream if isinstance(e, ToolCall))

    assert steps == len({call.step for call in inner} - {outer.step})
    assert outcome == told(stream)[-2][2]


@pytest.mark.parametrize(("begin", "outcome"), [(1, "unknown"), (9, "ok")])
def test_a_check_that_ran_on_while_a_later_script_changed_something_proves_nothing(
    begin: int, outcome: str, tmp_path: Path
) -> None:
    """It was begun by an earlier script, and told when it ended."""
    stream = read(
        tmp_path,
        META,
        BEGIN,
        script("1", "x"),
        output("1", OVER),
        script("2", PATCH),
        changed(2, 4),
        output("2", OVER),
        script("3", "x"),
        ran(begin, 12),
        output("3", OVER),
    )

    assert ("exec_command", "bash", outcome) == told(stream)[-2]


def test_what_a_script_says_on_its_way_is_no_result(tmp_path: Path) -> None:
    """It comes before the result or behind it."""
    notified = output("1", "half")
    stream = read(tmp_path, META, BEGIN, script("1", "x"), notified, output("1", OVER), notified)

    assert [("exec", None, "ok")] == told(stream)
    assert ["half", "half"] == [e.text for e in stream if isinstance(e, Notice)]


def test_work_that_ends_when_its_turn_is_over_begins_no_other(tmp_path: Path) -> None:
    stream = read(
        tmp_path,
        META,
        BEGIN,
        script("1", RUN),
        output("1", "aborted by user after 2.0s"),
        event("turn_aborted", reason="interrupted"),
        ran(1, 2, code=-1),
    )

    assert [("exec", None, "unknown")] == told(stream)
    assert ["exec_command ended: error"] == [e.text for e in stream if isinstance(e, Notice)]
