"""What Claude Code says of calls that failed, that were refused, or that were stopped."""

from __future__ import annotations

from pathlib import Path

import pytest
from claude_records import Record, answers, asks, read, record, says

from reasonix_conformance.traces.sessions import Options, results
from reasonix_runtime.trace.events import (
    ToolResult,
)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("<tool_use_error>InputValidationError: x</tool_use_error>", "not_run"),
        ("The user doesn't want to proceed with this tool use. Wait.", "unknown"),
        ("The user doesn't want to proceed with this tool use. And the user said:\nno", "blocked"),
        ("The user doesn't want to take this action right now.", "blocked"),
        ("Permission to use Bash with command x has been denied.", "blocked"),
        ("Claude requested permissions to use Bash, but you haven't granted it yet.", "blocked"),
        ("PreToolUse:Bash hook error: no", "blocked"),
        ("Bash operation blocked by hook:\n- no", "blocked"),
        ("Cannot write to /w/a.py while in plan mode.", "blocked"),
        ("touch in '/w/a.py' was blocked. No.", "blocked"),
        ("This command requires approval", "blocked"),
        ("This Bash command contains multiple operations, two need approval", "blocked"),
        ("cd to '/x' was blocked. No.", "blocked"),
        ("Permission for this tool use was denied. Try another way.", "blocked"),
        ("Permission for this action has been denied. Reason: x", "blocked"),
        ("Tool permission request failed: Error: stream closed", "blocked"),
        ("Execution stopped by PreToolUse hook: no", "blocked"),
        ("The agent proposed a plan that was rejected by the user. Stay.", "blocked"),
        ("x is temporarily unavailable, so auto mode cannot determine the safety of B", "blocked"),
        ("Agent type 'x' not found", "not_run"),
        ("No transcript found for agent ID: x", "not_run"),
        ("[Tool call interrupted: the session ended before its result", "unknown"),
        ("[Request interrupted by user for tool use]", "cancelled"),
        ("Interrupted by user", "cancelled"),
        ("Exit code 137\n[Request interrupted by user for tool use]\nx", "cancelled"),
        ("x\n<error>Command was aborted before completion</error>", "cancelled"),
        ("<tool_use_error>Cancelled: parallel tool call Bash(x) errored</tool_use_error>",
         "cancelled"),
        ("<tool_use_error>Sibling tool call errored</tool_use_error>", "cancelled"),
        ("[Tool result missing due to internal error]", "unknown"),
        ("Model fallback triggered", "unknown"),
        ("Command timed out after 2m 0.0s", "cancelled"),
        ("Exit code 143\nCommand timed out after 2s", "cancelled"),
        ("Exit code 143\nterminated", "error"),
        ("<tool_use_error>Error calling tool (Write): x</tool_use_error>", "error"),
        ("<tool_use_error>Error: Streaming fallback - tool execution discarded</tool_use_error>",
         "unknown"),
        ("[Tool call did not complete: the turn was ended. Nothing refused it.]", "unknown"),
        ("The turn ended on an error, so this tool call was cancelled. If it had already started,"
         " some of its effects may have happened. Error: x", "unknown"),
        ("[Tool call skipped: the turn paused before this call ran. Nothing refused it]",
         "not_run"),
        ("[Tool call not completed: an approval request expired, so it did not run.]", "blocked"),
        ("Exit code 3\nno", "error"),
        ("EISDIR: illegal operation", "error"),
    ],
)  # fmt: skip
def test_an_error_is_told_by_its_first_words(text: str, outcome: str, tmp_path: Path) -> None:
    """The flag says that it failed, the text how."""
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Bash", command="x"),
        answers("3", "2", text, error=True),
    )

    assert [(outcome, "flag")] == [
        (event.outcome, event.basis) for event in stream if isinstance(event, ToolResult)
    ]


@pytest.mark.parametrize(
    ("more", "outcome"),
    [
        ({"toolDenialKind": "permission-rule"}, "blocked"),
        ({"toolDenialKind": "some-later-kind"}, "blocked"),
        ({"toolDenialKind": "cancelled"}, "cancelled"),
        ({"toolDenialKind": "interrupted"}, "cancelled"),
        ({"toolDenialKind": "permission-rule", "toolDenialAfterRun": True}, "unknown"),
        ({"toolDenialKind": "cancelled", "toolDenialBeforeRun": True}, "blocked"),
        ({"toolCallEnded": "not_started"}, "not_run"),
        ({"permissionDecision": {"decision": "reject"}}, "blocked"),
        ({"permissionDecision": {"decision": "accept"}}, "error"),
        ({"toolUseResult": {"stdout": "x", "interrupted": True}}, "cancelled"),
    ],
)
def test_a_call_that_was_kept_from_running_did_not_fail(
    more: Record, outcome: str, tmp_path: Path
) -> None:
    """Newer records tell it in a field; the words are those of a hook, or of a mode, or any."""
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Bash", command="rm a"),
        answers("3", "2", "not today", error=True, **more),
    )

    assert [outcome] == [event.outcome for event in stream if isinstance(event, ToolResult)]


@pytest.mark.parametrize(
    ("text", "more", "decision"),
    [
        ("The user doesn't want to proceed with this tool use. Wait.", {}, "not_assessable"),
        ("The user doesn't want to proceed with this tool use. Wait.",
         {"toolDenialBeforeRun": True}, "accept"),
        ("The user doesn't want to proceed with this tool use. Said, the user said:\nno", {},
         "accept"),
        ("no", {"toolDenialAfterRun": True}, "not_assessable"),
    ],
)  # fmt: skip
def test_a_command_that_was_stopped_may_have_run(
    text: str, more: Record, decision: str, tmp_path: Path
) -> None:
    """The same words stand for a refusal and for a stop on the way."""
    read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Bash", command="rm a.py"),
        answers("3", "2", text, error=True, toolDenialKind="user-rejected", **more),
        record("user", "4", "[Request interrupted by user for tool use]"),
        record("user", "5", "well then"),
        says("6", "done"),
    )  # fmt: skip
    (result,) = results([tmp_path], Options(), [])

    assert [decision] == [verdict.verdict.decision for verdict in result.verdicts]


@pytest.mark.parametrize(
    ("error", "decision"), [({"error": True}, "reject"), ({"error": "?"}, "not_assessable")]
)
def test_a_check_that_was_refused_or_stopped_did_not_pass(
    error: Record, decision: str, tmp_path: Path
) -> None:
    """Which of both it was nobody knows, and it is the same to who asks for a check."""
    text = "The user doesn't want to proceed with this tool use. The tool use was rejected. STOP"
    read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Edit", file_path="/w/a.py"),
        answers("3", "2", "ok"),
        asks("4", "Bash", command="git diff"),
        answers("5", "4", "+b"),
        asks("6", "Bash", command="pytest -q"),
        answers("7", "6", text, **error),
        says("8", "done"),
    )
    (result,) = results([tmp_path], Options(), [])

    assert [decision] == [verdict.verdict.decision for verdict in result.verdicts]
