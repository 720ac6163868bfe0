"""Tools of other agents as tools of the contract."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from claude_records import asks
from read_records import read_text
from trace_samples import lines

from reasonix_runtime.trace.events import ToolCall


@pytest.mark.parametrize(
    ("text", "role"),
    [
        (
            lines(asks("u", "Bash", command="pytest -q")),
            ("bash", {"command": "pytest -q"}),
        ),
        (
            lines(asks("u", "PowerShell", command="Get-Content a.py")),
            ("bash", {"command": "Get-Content a.py"}),
        ),
        (
            lines(asks("u", "Read", file_path="/w/a")),
            ("read_file", {"path": "/w/a"}),
        ),
        (lines(asks("u", "mcp__x__y", z=1)), (None, None)),
        (lines(asks("u", "TodoWrite", todos=[])), (None, None)),
        (
            lines(
                {
                    "timestamp": "t",
                    "type": "response_item",
                    "payload": {
                        "type": "function_call",
                        "name": "shell",
                        "arguments": '{"command":["bash","-lc","make test"]}',
                        "call_id": "c",
                    },
                }
            ),
            ("bash", {"command": "make test"}),
        ),
        (
            lines(
                {
                    "timestamp": "t",
                    "type": "response_item",
                    "payload": {
                        "type": "custom_tool_call",
                        "name": "apply_patch",
                        "input": "*** Begin Patch\n*** Update File: a.py\n*** Add File: b.py\n",
                        "call_id": "c",
                    },
                }
            ),
            ("edit_file", {"paths": ["a.py", "b.py"]}),
        ),
    ],
)
def test_a_foreign_call_has_the_role_of_a_tool_of_the_contract(
    text: str, role: tuple[str | None, object], tmp_path: Path
) -> None:
    """Gates ask for edits and checks, not for names."""
    (call,) = [event for event in read_text(tmp_path, text) if isinstance(event, ToolCall)]

    assert role == (call.resolved_name, call.resolved_args)


@pytest.mark.parametrize(
    ("patch", "tool", "paths"),
    [
        ("*** Add File: a.py\n+x", "write_file", ["a.py"]),
        ("*** Add File: a.py\n+x\n*** Add File: b.py", "write_file", ["a.py", "b.py"]),
        ("*** Add File: a.py\n+x\n*** Delete File: b.py", "edit_file", ["a.py", "b.py"]),
        ("*** Add File: a.py\n+x\n*** Update File: b.py", "edit_file", ["a.py", "b.py"]),
        ("*** Update File: a.py\n*** Move to: b.py", "edit_file", ["a.py", "b.py"]),
        ("*** Add File: a.py\n*** Move to: b.py", "edit_file", ["a.py", "b.py"]),
        ("*** Add File: a.py\n+*** Delete File: b.py", "write_file", ["a.py"]),
        ("", "edit_file", []),
    ],
)
def test_a_patch_writes_where_all_it_does_is_to_add_files(
    patch: str, tool: str, paths: list[str], tmp_path: Path
) -> None:
    """What was there before it has been looked at by nobody."""
    payload = {"type": "custom_tool_call", "name": "apply_patch", "call_id": "c", "input": patch}
    text = lines({"timestamp": "t", "type": "response_item", "payload": payload})
    (call,) = [event for event in read_text(tmp_path, text) if isinstance(event, ToolCall)]

    assert (tool, {"paths": paths}) == (call.resolved_name, call.resolved_args)


@pytest.mark.parametrize(
    ("tool", "key"),
    [
        ("complete_step", "evidence"),
        ("complete_step", "step"),
        ("complete_step", "step_index"),
        ("review_report", "reviewed_paths"),
        ("todo_write", "todos"),
        ("update_goal", "action"),
        ("update_goal", "status"),
    ],
)
@pytest.mark.parametrize("own", [True, False], ids=["of the contract", "of another agent"])
def test_the_arguments_tell_whose_a_tool_of_that_name_is(
    tool: str, key: str, tmp_path: Path, *, own: bool
) -> None:
    """Where nothing tells the agent, a tool of another one would be judged by our gates."""
    args = {key: []} if own else {"todos": "a, b"}
    function = {"name": tool, "arguments": json.dumps(args)}
    asked = {"role": "assistant", "content": "", "tool_calls": [{"id": "a", "function": function}]}
    text = lines({"role": "user", "content": "go"}, asked)
    (call,) = [event for event in read_text(tmp_path, text) if isinstance(event, ToolCall)]

    assert own == (call.target == tool)


@pytest.mark.parametrize(
    ("tool", "read_only"),
    [
        ("LSP", True),
        ("ReadNotifications", True),
        ("mcp__ide__getDiagnostics", True),
        ("mcp__ide__other", None),
        ("Projects", True),
        ("New", None),
    ],
)
def test_a_tool_of_the_program_that_changes_nothing_is_known(
    tool: str, read_only: bool | None, tmp_path: Path
) -> None:
    """A call of any other one may have changed anything."""
    text = lines(asks("u", tool, uri="file:///w/a.py"))
    (call,) = [event for event in read_text(tmp_path, text) if isinstance(event, ToolCall)]

    assert read_only is call.read_only


@pytest.mark.parametrize(
    ("name", "args", "target"),
    [
        ("terminal", {"command": "pytest -q", "is_input": False}, "bash"),
        ("terminal", {"command": "pytest -q", "is_input": True}, "terminal"),
        ("powershell", {"command": "pytest -q"}, "bash"),
    ],
)
def test_what_is_typed_into_a_program_that_runs_is_no_command(
    name: str, args: dict[str, object], target: str, tmp_path: Path
) -> None:
    """A check that was typed into an editor would have run."""
    function = {"name": name, "arguments": json.dumps(args)}
    asked = {"role": "assistant", "content": "", "tool_calls": [{"id": "a", "function": function}]}
    text = lines({"role": "user", "content": "go"}, asked)
    (call,) = [event for event in read_text(tmp_path, text) if isinstance(event, ToolCall)]

    assert target == call.target
