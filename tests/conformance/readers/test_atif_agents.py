"""What converters keep of an agent's own log means what it means there.

The same sessions were judged otherwise by their ATIF: calls that nobody allowed had failed,
commands that were polled had no end, and what a program told its model was a prompt.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from read_records import ends, outcomes, read, texts
from trace_samples import lines

from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.trace.events import Host, Session, ToolCall

Record = dict[str, Any]
PATCH = (
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch\nEOF"
)
PATCHED = "Wall time: 0.0 seconds\nOutput:\nExit code: 0\nWall time: 0 seconds\nOutput:\nM a.py\n"
RUNS = "Wall time: 0.5 seconds\nProcess running with session ID 7\nOutput:\n"
EXITED = "Wall time: 2.4 seconds\nProcess exited with code {}\nOutput:\nx\n"
NEWS = "<task-notification>\n<task-id>j</task-id>\n<status>{}</status>\n</task-notification>"
DONE: Record = {"source": "agent", "message": "done"}


def step(
    name: str, content: str, extra: Record | None = None, folder: str = "", **args: Any
) -> Record:
    ident = f"{name}-{content}-{args}"
    call = {"tool_call_id": ident, "function_name": name, "arguments": args}
    result = {"source_call_id": ident, "content": content, "extra": extra or {}}
    told = {"source": "agent", "message": "", "tool_calls": [call]}
    place = {"extra": {"cwd": folder}} if folder else {}
    return told | {"observation": {"results": [result]}} | place


def bash(command: str, content: str, raw: Record | None = None, **more: Any) -> Record:
    """Return a command of Claude Code, with its result as the log has it."""
    block = {"type": "tool_result", "content": content, "is_error": False, **(raw or {})}
    extra = {"tool_result_metadata": {"raw_tool_result": block, **more.pop("facts", {})}}
    return step("Bash", content, extra, command=command, **more)


def trajectory(agent: str, *steps: Record, **more: Any) -> Record:
    told = [{"source": "user", "message": "go"}, *steps]
    return {"schema_version": "ATIF-v1.7", "agent": {"name": agent, **more}, "steps": told}


def judged(folder: Path, told: Record) -> list[str]:
    file = folder / "t.json"
    file.write_text(lines(told))
    found = [one for result in file_results(file, Options()) for one in result.verdicts]
    return [str(one.verdict.decision) for one in found]


@pytest.mark.parametrize(
    ("text", "raw", "facts", "outcome"),
    [
        ("x", {}, {}, "ok"),
        ("This command requires approval", {"is_error": True}, {}, "blocked"),
        ("PreToolUse:Bash hook error: no", {"is_error": True}, {}, "blocked"),
        ("Exit code 1\nx", {"is_error": True}, {}, "error"),
        ("", {}, {"tool_use_result": {"returnCodeInterpretation": "No matches found"}}, "error"),
        ("in background", {}, {"tool_use_result": {"backgroundTaskId": "j"}}, "running"),
    ],
)
def test_a_result_of_claude_code_ended_as_its_log_says(
    text: str, raw: Record, facts: Record, outcome: str, tmp_path: Path
) -> None:
    told = trajectory("claude-code", bash("pytest -q", text, raw, facts=facts))

    assert [outcome] == [found for found, _ in outcomes(read(tmp_path, told))]


@pytest.mark.parametrize(("state", "outcome"), [("completed", "ok"), ("failed", "error")])
def test_news_of_a_job_are_no_prompt(state: str, outcome: str, tmp_path: Path) -> None:
    """The turn goes on with them."""
    begun = bash("pytest", "x", facts={"tool_use_result": {"backgroundTaskId": "j"}})
    news = {"source": "user", "message": NEWS.format(state)}

    stream = read(tmp_path, trajectory("claude-code", begun, DONE, news, DONE))

    assert [("completed", True)] == ends(stream)
    assert [{"uid": "main#1", "outcome": outcome}] == [e.data for e in stream if type(e) is Host]


@pytest.mark.parametrize(
    ("name", "more", "steps"),
    [
        ("claude-code", {}, [bash("pytest -q", "x", folder="/w"), bash("ls", "x", folder="/w/a")]),
        ("codex", {"extra": {"cwd": "/w"}},
         [step("exec_command", EXITED.format(0), cmd="pytest -q", workdir="/w"),
          step("exec_command", EXITED.format(0), cmd="ls", workdir="/w/a")]),
    ],
)  # fmt: skip
def test_a_command_ran_where_the_log_says(
    name: str, more: Record, steps: list[Record], tmp_path: Path
) -> None:
    stream = read(tmp_path, trajectory(name, *steps, **more))

    assert ["/w"] == [event.cwd for event in stream if isinstance(event, Session)]
    commands = [e.resolved_args["command"] for e in stream if isinstance(e, ToolCall)]
    assert ["pytest -q", "cd /w/a; ls"] == commands


@pytest.mark.parametrize(("code", "decision"), [(0, "accept"), (1, "reject")])
def test_a_command_that_is_polled_ends_as_the_poll_is_told(
    code: int, decision: str, tmp_path: Path
) -> None:
    told = trajectory(
        "codex",
        step("exec_command", PATCHED, cmd=PATCH),
        step("exec_command", EXITED.format(0), cmd="git diff"),
        step("exec_command", RUNS, cmd="pytest -q"),
        step("write_stdin", EXITED.format(code), session_id=7, chars=""),
        DONE,
    )

    assert [decision] == judged(tmp_path, told)


def framed(command: str, code: int, output: str = "x") -> Record:
    return step("bash", json.dumps({"returncode": code, "output": output}), command=command)


@pytest.mark.parametrize(("code", "decision"), [(0, "accept"), (1, "reject")])
def test_an_agent_with_a_shell_alone_hands_in_by_a_command(
    code: int, decision: str, tmp_path: Path
) -> None:
    """Its outputs stand in a frame, whose status is that of the command."""
    told = trajectory(
        "mini-swe-agent",
        framed("sed -i s/x/y/ a.py", 0),
        framed("git diff", 0, "+y"),
        framed("pytest -q", code),
        framed("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", -1, ""),
    )

    assert "+y" == texts(read(tmp_path, told))["main#2"]
    assert [decision] == judged(tmp_path, told)


@pytest.mark.parametrize(
    ("name", "args", "end"),
    [
        ("submit", {}, ("completed", True)),
        ("finish", {}, ("completed", True)),
        ("mark_task_complete", {}, ("completed", True)),
        ("read_file", {"path": "a"}, ("unknown", False)),
        ("bash", {"command": "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; ls"}, ("unknown", False)),
    ],
)
def test_a_turn_ends_with_the_call_that_hands_in(
    name: str, args: Record, end: tuple[str, bool], tmp_path: Path
) -> None:
    assert [end] == ends(read(tmp_path, trajectory("x", step(name, "x", **args))))
