"""Logs that do not tell whose agent it is: tools that agents are widely given are what they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from replayed import found
from written_turns import TURNS, Call

from reasonix_conformance.readers.hosts.roles import role_of
from reasonix_conformance.readers.hosts.widely_given import ANYONES
from reasonix_runtime.tools.registry import all_declarations

WRITTEN = {name: TURNS[name] for name in ("anthropic", "atif", "chat")}

PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch"
SESSIONS: dict[str, list[Call]] = {
    "openhands": [
        ("str_replace_editor", {"command": "str_replace", "path": "a.py", "old_str": "x"}),
        ("str_replace_editor", {"command": "view", "path": "a.py"}),
        ("execute_bash", {"command": "pytest -q"}),
        ("think", {"thought": "done"}),
        ("finish", {"message": "done"}),
    ],
    "claude-code": [
        ("Edit", {"file_path": "a.py", "old_string": "x", "new_string": "y"}),
        ("Read", {"file_path": "a.py"}),
        ("Bash", {"command": "pytest -q"}),
        ("TodoWrite", {"todos": []}),
    ],
    "claude-code on windows": [
        ("Edit", {"file_path": "a.py", "old_string": "x", "new_string": "y"}),
        ("PowerShell", {"command": "Get-Content a.py"}),
        ("PowerShell", {"command": "$env:CI = '1'; pytest -q", "description": "Test"}),
    ],
    "codex": [
        ("apply_patch", {"input": PATCH}),
        ("exec_command", {"cmd": "cat a.py"}),
        ("shell", {"command": ["bash", "-lc", "pytest -q"]}),
        ("get_context_remaining", {}),
    ],
    "gemini": [
        ("replace", {"file_path": "a.py", "old_string": "x", "new_string": "y"}),
        ("run_shell_command", {"command": "git diff"}),
        ("run_shell_command", {"command": "pytest -q"}),
    ],
    "opencode": [
        ("todowrite", {"todos": []}),
        ("list", {"path": "."}),
        ("edit", {"filePath": "/w/a.py", "oldString": "x", "newString": "y"}),
        ("read", {"filePath": "/w/a.py"}),
        ("bash", {"command": "pytest -q", "description": "Run the tests"}),
    ],
    "opencode with patches": [
        ("apply_patch", {"patchText": PATCH}),
        ("read", {"filePath": "a.py"}),
        ("bash", {"command": "pytest -q", "workdir": "."}),
    ],
    "copilot": [
        ("semantic_search", {"query": "x"}),
        ("replace_string_in_file", {"filePath": "/w/a.py", "oldString": "x", "newString": "y"}),
        ("multi_replace_string_in_file", {"replacements": [{"filePath": "/w/a.py"}]}),
        ("read_file", {"filePath": "/w/a.py", "startLine": 1, "endLine": 9}),
        ("get_errors", {"filePaths": ["/w/a.py"]}),
        ("run_in_terminal", {"command": "pytest -q", "isBackground": False}),
    ],
    "copilot in a terminal": [
        ("report_intent", {"intent": "Mend"}),
        ("create", {"path": "/w/a.py", "file_text": "y"}),
        ("view", {"path": "/w/a.py"}),
        ("bash", {"command": "pytest -q", "mode": "sync", "sessionId": "t"}),
        ("stop_bash", {"sessionId": "s"}),
        ("task_complete", {"summary": "done"}),
    ],
    "openhands of today": [
        ("file_editor", {"command": "str_replace", "path": "a.py", "old_str": "x"}),
        ("file_editor", {"command": "view", "path": "a.py"}),
        ("terminal", {"command": "pytest -q", "is_input": False}),
        ("browser_navigate", {"url": "http://127.0.0.1"}),
        ("invoke_skill", {"name": "x"}),
    ],
    "cursor": [
        ("codebase_search", {"query": "x"}),
        ("edit_file", {"target_file": "/w/a.py", "code_edit": "y"}),
        ("read_file", {"target_file": "/w/a.py"}),
        ("run_terminal_cmd", {"command": "pytest -q", "is_background": False}),
    ],
    "windsurf": [
        ("replace_file_content", {"TargetFile": "/w/a.py", "ReplacementChunks": []}),
        ("view_file", {"AbsolutePath": "/w/a.py"}),
        ("run_command", {"CommandLine": "pytest -q", "Cwd": "/w", "Blocking": True}),
    ],
    "zed": [
        ("edit_file", {"path": "a.py", "mode": "edit"}),
        ("read_file", {"path": "a.py"}),
        ("diagnostics", {}),
        ("terminal", {"command": "pytest -q", "cd": "."}),
    ],
    "gemini with absolute paths": [
        ("write_file", {"file_path": "/w/a.py", "content": "x"}),
        ("read_many_files", {"paths": ["/w/a.py"]}),
        ("run_shell_command", {"command": "pytest -q", "directory": "."}),
    ],
    "gemini with patterns": [
        ("replace", {"file_path": "a.py", "old_string": "x", "new_string": "y"}),
        ("read_many_files", {"include": ["a.py"]}),
        ("run_shell_command", {"command": "pytest -q", "is_background": False}),
    ],
    "qwen": [
        ("read_file", {"file_path": "/w/a.py"}),
        ("edit", {"file_path": "/w/a.py", "old_string": "x", "new_string": "y"}),
        ("run_shell_command", {"command": "git diff", "is_background": False}),
        ("task_stop", {"task_id": "bg_7"}),
        ("run_shell_command", {"command": "pytest -q", "is_background": False}),
    ],
    "cline of today": [
        ("editor", {"path": "/w/a.py", "old_text": "x", "new_text": "y"}),
        ("read_files", {"files": [{"path": "/w/a.py", "start_line": 1}]}),
        ("run_commands", {"commands": ["ls", "pytest -q"]}),
        ("submit_and_exit", {"summary": "done"}),
    ],
    "crush": [
        ("multiedit", {"file_path": "/w/a.py", "edits": []}),
        ("view", {"file_path": "/w/a.py"}),
        ("bash", {"command": "pytest -q"}),
        ("todos", {"todos": []}),
    ],
    "cline": [
        ("write_to_file", {"path": "a.py", "content": "x"}),
        ("read_file", {"path": "a.py"}),
        ("execute_command", {"command": "pytest -q"}),
        ("attempt_completion", {"result": "done"}),
    ],
}


@pytest.mark.parametrize("written", list(WRITTEN))
@pytest.mark.parametrize("agent", list(SESSIONS))
def test_an_honest_turn_of_a_widely_used_agent_may_end(
    agent: str, written: str, tmp_path: Path
) -> None:
    """A change, a look at it, a check: each call of another name may have changed anything."""
    path = tmp_path / "trace.json"
    path.write_text(WRITTEN[written](SESSIONS[agent]))
    (trace,) = found(path, basis="absence")

    assert ["accept"] == [one.verdict.decision for one in trace.verdicts]


@pytest.mark.parametrize("written", list(WRITTEN))
@pytest.mark.parametrize(
    ("agent", "left_out", "reason"),
    [
        ("openhands", 1, "finish.inspection_missing"),
        ("openhands", 2, "finish.verification_missing"),
        ("claude-code", 1, "finish.inspection_missing"),
        ("codex", 2, "finish.verification_missing"),
        ("opencode", 3, "finish.inspection_missing"),
        ("copilot", 3, "finish.inspection_missing"),
        ("cursor", 2, "finish.inspection_missing"),
        ("cursor", 3, "finish.verification_missing"),
        ("windsurf", 2, "finish.verification_missing"),
        ("gemini with absolute paths", 1, "finish.inspection_missing"),
    ],
)
def test_what_such_an_agent_leaves_out_is_refused_by_name(
    agent: str, left_out: int, reason: str, written: str, tmp_path: Path
) -> None:
    """It is held to the same as anyone."""
    path = tmp_path / "trace.json"
    calls = SESSIONS[agent][:left_out] + SESSIONS[agent][left_out + 1 :]
    path.write_text(WRITTEN[written](calls))
    (trace,) = found(path, basis="absence")

    (end,) = trace.verdicts
    assert reason in end.verdict.facts["reasons"]
    assert "may have changed anything" not in end.verdict.message


OF_THE_CONTRACT: dict[str, dict[str, object]] = {
    "complete_step": {"step_index": 1, "evidence": []},
    "edit_file": {"path": "a.py", "old_string": "x", "new_string": "y"},
    "read_file": {"path": "a.py"},
    "review_report": {"kind": "review", "reviewed_paths": []},
    "todo_write": {"todos": []},
    "update_goal": {"status": "complete"},
    "write_file": {"path": "a.py", "content": "x"},
}


def test_no_tool_of_the_contract_is_taken_for_another() -> None:
    """A log may be that of a host of the contract: its tools are what they are there."""
    assert OF_THE_CONTRACT.keys() == ANYONES.keys() & {tool.name for tool in all_declarations()}
    for tool, args in OF_THE_CONTRACT.items():
        assert role_of(ANYONES, tool, args) is None


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("read", {"mailbox": "inbox"}),
        ("edit", {"record": 7}),
        ("write", {"text": "x"}),
        ("list", {"path": "a", "delete": True}),
        ("edit_file", {"name": "a.py"}),
        ("multi_replace_string_in_file", {"replacements": [{"filePath": 1}]}),
        ("read_many_files", {"paths": []}),
        ("run_commands", {"commands": []}),
        ("run_commands", {"commands": [{"command": "ls"}]}),
        ("run_command", {"name": "x"}),
    ],
)
def test_a_call_that_names_no_file_is_none_of_them(tool: str, args: dict[str, object]) -> None:
    """Such a name may be that of any tool, and what it did nobody knows."""
    assert role_of(ANYONES, tool, args) is None


@pytest.mark.parametrize(
    "told",
    [
        {"run_in_background": True},
        {"is_background": True},
        {"isBackground": True},
        {"Blocking": False},
    ],
)
def test_a_command_in_the_background_is_one_in_every_agent(told: dict[str, bool]) -> None:
    """Its start proves nothing."""
    role = role_of(ANYONES, "run_in_terminal", {"command": "pytest -q", **told})

    assert role is not None
    assert {"command": "pytest -q", "run_in_background": True} == role.args


def chat(folder: Path, *calls: tuple[str, str]) -> Path:
    """Write a turn of calls of `bash`, each with its arguments and what it gave back."""
    path = folder / "trace.jsonl"
    told = [{"role": "user", "content": "go"}]
    for number, (args, text) in enumerate(calls):
        call = {"id": f"{number}", "function": {"name": "bash", "arguments": args}}
        told.append({"role": "assistant", "content": "", "tool_calls": [call]})
        told.append({"role": "tool", "tool_call_id": f"{number}", "content": text})
    told.append({"role": "assistant", "content": "done"})
    path.write_text("".join(f"{json.dumps(message)}\n" for message in told))
    return path


@pytest.mark.parametrize(
    ("command", "decision"), [("ls", "accept"), ("rm a.py", "reject"), ("pytest -q", "accept")]
)
def test_arguments_that_are_encoded_twice_are_what_they_hold(
    command: str, decision: str, tmp_path: Path
) -> None:
    """A recorder did that, and every look counted as a call that may have changed anything."""
    args = json.dumps(json.dumps({"command": command}))

    (trace,) = found(chat(tmp_path, (args, "Exit code: 0\nOutput:\nx")))

    assert [decision] == [one.verdict.decision for one in trace.verdicts]


@pytest.mark.parametrize("args", ["{command: ls}", "{'command': 'ls'}", '{"command": NaN}'])
@pytest.mark.parametrize(
    ("text", "decision"),
    [("Exit code: 0\nOutput:\nx", "not_assessable"), ("Exit code: 1\nOutput:\nx", "accept")],
)
def test_a_call_whose_arguments_nobody_can_read_accuses_nobody(
    text: str, decision: str, args: str, tmp_path: Path
) -> None:
    """It may have been the look, or the check, that is missed; one that failed did nothing."""
    (trace,) = found(chat(tmp_path, (args, text)))

    assert [decision] == [one.verdict.decision for one in trace.verdicts]
