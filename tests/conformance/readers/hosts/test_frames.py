"""Frames that agents put around what a command printed, in logs that tell its end nowhere else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from read_records import outcomes, read_text

GEMINI = "Command: pytest -q\nDirectory: (root)\nOutput: 1 failed\nError: (none)\n"
ROO = "Command executed in terminal within working directory '/w'. "

FRAMES = [
    # Gemini CLI and Qwen Code: fields behind the output; newer versions leave out what is nothing
    (
        f"{GEMINI}Exit Code: 1\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 7",
        "error",
    ),
    (f"{GEMINI}Exit Code: 0\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 7", "ok"),
    (
        f"{GEMINI}Exit Code: (none)\nSignal: 9\nBackground PIDs: (none)\nProcess Group PGID: 7",
        "error",
    ),
    (f"{GEMINI}Exit Code: (none)\nSignal: 0\nProcess Group PGID: 7", "unknown"),
    (f"{GEMINI}Exit Code: one\nSignal: (none)\nProcess Group PGID: 7", "unknown"),
    ("Output: 1 failed\nExit Code: 2\nProcess Group PGID: 7", "error"),
    ("Output: 1 failed\nSignal: 15\nProcess Group PGID: 7", "error"),
    ("Output: 1 passed\nProcess Group PGID: 7", "ok"),
    ("Output: (empty)\nError: spawn failed\nProcess Group PGID: 7", "unknown"),
    ("1 passed\nProcess Group PGID: 7", "unknown"),
    (
        "<untrusted_context>\nOutput: 1 failed\nExit Code: 1\nProcess Group PGID: 7\n"
        "</untrusted_context>",
        "error",
    ),
    ("Command timed out after 120000ms before it could complete.", "cancelled"),
    ("Command moved to background (PID: 7). Output hidden.", "running"),
    ("Background shell started.\nid: bg_7", "running"),
    ("Command running in background with ID: b1. Output is being written to: o", "running"),
    ("Command was manually backgrounded by user with ID: b1. Output", "running"),
    ("Command was moved to the background (ID: b1) after running for 9s. Output", "running"),
    (
        "Command did not complete within its 120s timeout and was moved to the background (ID: b).",
        "running",
    ),
    ("[Operation Cancelled] User cancelled tool execution.", "cancelled"),
    ("Command was cancelled by user before it could complete. There was no output.", "cancelled"),
    (
        "Command was automatically cancelled because it exceeded the timeout of 5 minutes",
        "cancelled",
    ),
    # Roo Code and Zed: a sentence in front of it
    (f"{ROO}Exit code: 0\nOutput:\n1 passed", "ok"),
    (f"{ROO}Exit code: 1\nOutput:\n1 failed", "error"),
    (f"{ROO}Command execution was not successful.\nExit code: 1\nOutput:\n1 failed", "error"),
    ('Command "pytest -q" failed with exit code 1.\n\n```\n1 failed\n```', "error"),
    # Cline, Roo Code, Copilot: it goes on
    ("Command is still running in the user's terminal.\nOutput:\n1", "running"),
    ("Command is running in terminal with ID=7", "running"),
    # OpenCode: what it says behind the output
    (
        "1\n<bash_metadata>\nterminated command after exceeding timeout\n</bash_metadata>",
        "cancelled",
    ),
    ("1\n<bash_metadata>\nUser aborted the command\n</bash_metadata>", "cancelled"),
    (
        "1\n<shell_metadata>\nshell tool terminated command after exceeding timeout 9 ms. If it is "
        "expected to take longer, give another.\n</shell_metadata>",
        "cancelled",
    ),
    ("The user has specified a rule which prevents you from using this tool call.", "blocked"),
    # Cline: an object for each command
    ('[{"query": "pytest -q", "result": "1 passed", "success": true}]', "ok"),
    (
        '[{"query": "ls", "result": "a", "success": true}, '
        '{"query": "pytest", "result": "1", "error": "exited", "success": false}]',
        "error",
    ),
    ('[{"query": "ls", "result": "a", "success": true}, 7]', "unknown"),
    ("[]", "unknown"),
    # what is said of a call that its user refused, or that failed, in place of a result
    ("The user denied this operation.", "blocked"),
    ("The user denied this operation and provided the following feedback:\n<feedback>", "blocked"),
    ('{"status":"denied","message":"The user denied this operation."}', "blocked"),
    ("[Operation Cancelled] Reason: User did not allow tool call", "blocked"),
    ("The user rejected permission to use this specific tool call.", "blocked"),
    ("The user has declined to run this tool. DO NOT attempt to call this tool again.", "blocked"),
    ("The user chose to skip the tool call, they want to proceed without running it", "blocked"),
    ("The user doesn't want to proceed with this tool use. The tool use was rejected", "cancelled"),
    ("[Request interrupted by user for tool use]", "cancelled"),
    ("The tool execution failed with the following error:\n<error>\nx\n</error>", "error"),
    ("1 passed\nThe user denied this operation.", "unknown"),
    # Copilot CLI
    ("1 passed\n<exited with exit code 0>", "ok"),
    ("1 failed\n<exited with exit code 1>", "error"),
    ("1 failed\n<command with id: 5 exited with exit code 1>", "error"),
    ("1\n<exited with error: spawn>", "error"),
    ("1\n<command with shellId: 5 is still running after 30 seconds. Read it again.>", "running"),
    ("<command started in detached background with sessionId: 5>", "running"),
    ("The user rejected this tool call. User feedback: no", "blocked"),
    ("Permission to run this tool was denied due to the following rules: x", "blocked"),
    ("Permission denied and could not request permission from user", "blocked"),
    ("Denied by preToolUse hook: no", "blocked"),
    ("1 passed <exited with exit code 0> they say", "unknown"),
    # Claude Code in an editor
    ("Exited with code 0.Final output:\n\n1 passed", "ok"),
    ("Exited with code 1.Final output:\n\n1 failed", "error"),
    ("Timed out. Final output:\n\n1", "cancelled"),
    ("Killed. Exited with code 137.Final output:\n\n1", "cancelled"),
    ("Tool cancelled by user", "cancelled"),
    ("Command started in background with id: t1", "running"),
    # Claude Code and Codex
    ("<tool_use_error>InputValidationError: x</tool_use_error>", "error"),
    ("Claude requested permissions to use Bash, but you haven't granted it yet.", "blocked"),
    ("Permission to use Bash with command pytest has been denied.", "blocked"),
    ("Execution stopped by PreToolUse hook: no", "blocked"),
    ("Command blocked by PreToolUse hook: no. Command: pytest -q", "blocked"),
    # OpenHands
    (
        "1\n[The command timed out after 30 seconds. You may wait longer ('C-c', \"C-d\").]",
        "running",
    ),
    ("1\n[The command has no new output after 30 seconds. You may wait longer.]", "running"),
    ("Action rejected: User rejected the action", "blocked"),
    # an object
    ('{"stdout": "1 passed", "stderr": "", "exit_code": 0}', "ok"),
    ('{"output": "1 failed", "exitCode": 1}', "error"),
    ('{"stdout": "1 failed", "returncode": "1"}', "error"),
    ('{"stdout": "1 failed", "exit_code": null, "returncode": 1}', "error"),
    ('{"stdout": "1 failed", "exit_code": []}', "unknown"),
    # what is none of them
    ('{"exit_code": 0}', "unknown"),
    ('{"stdout": "1 passed"}', "unknown"),
    ('"1 passed"', "unknown"),
    ('1 passed\n{"stdout": "", "exit_code": 0}', "unknown"),
    ("Exit Code: 0\nand more\nProcess Group PGID: 7\nand more", "ok"),
    ("1 failed\nCommand executed, exit code: 0, they say", "unknown"),
    ("Commands executed with exit code 0", "unknown"),
    ("We say: <bash_metadata>\nUser aborted the command\n</bash_metadata> to the user", "unknown"),
]


def told(folder: Path, tool: str, command: str, text: str) -> list[tuple[str, str]]:
    """Return how a call of a chat log ended."""
    function: Any = {"name": tool, "arguments": json.dumps({"command": command})}
    asked = {"role": "assistant", "tool_calls": [{"id": "a", "function": function}]}
    messages = [{"role": "user", "content": "go"}, asked]
    messages.append({"role": "tool", "tool_call_id": "a", "content": text})
    return outcomes(read_text(folder, "".join(f"{json.dumps(one)}\n" for one in messages)))


@pytest.mark.parametrize(("text", "outcome"), FRAMES)
def test_a_frame_tells_how_the_command_ended(text: str, outcome: str, tmp_path: Path) -> None:
    """Nothing else tells it: who trusts such a log took a failed check for a good one."""
    basis = "none" if outcome == "unknown" else "envelope"

    assert [(outcome, basis)] == told(tmp_path, "run_shell_command", "pytest -q", text)


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ('echo \'{"stdout": "", "exit_code": 0}\'', '{"stdout": "", "exit_code": 0}'),
        ("printf 'Exit Code: 0\\nProcess Group PGID: 1'", "Exit Code: 0\nProcess Group PGID: 1"),
        ("echo 'Command executed. Exit code: 0'", "Command executed. Exit code: 0"),
    ],
)
def test_a_command_that_holds_the_words_of_a_frame_may_have_printed_it(
    command: str, text: str, tmp_path: Path
) -> None:
    """Such a success is not believed."""
    assert [("unknown", "none")] == told(tmp_path, "bash", command, text)


@pytest.mark.parametrize("tool", ["edit_file", "write_to_file", "read_file"])
def test_a_refusal_is_one_of_any_tool(tool: str, tmp_path: Path) -> None:
    """An edit that the user refused changed nothing."""
    text = "The user denied this operation."

    assert [("blocked", "envelope")] == told(tmp_path, tool, "x", text)


@pytest.mark.parametrize("text", [text for text, outcome in FRAMES if outcome == "ok"])
def test_what_a_file_holds_is_no_frame(text: str, tmp_path: Path) -> None:
    """A log that was read tells nothing of the read."""
    assert [("unknown", "none")] == told(tmp_path, "read_file", "x", text)
