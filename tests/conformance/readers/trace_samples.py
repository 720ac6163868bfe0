"""One small invented trace of each format, and what must come out of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Sample:
    """A trace as text; `results` are (tool, outcome, basis) in the order of the results."""

    format_name: str
    text: str
    results: tuple[tuple[str, str, str], ...]
    turns: int = 1
    diagnostics: tuple[str, ...] = ()


def lines(*records: Any) -> str:
    """Write records one a line."""
    return "".join(json.dumps(record) + "\n" for record in records)


def _claude(kind: str, content: Any, stamp: int, **more: Any) -> dict[str, Any]:
    message: dict[str, Any] = {"role": kind, "content": content}
    if "response" in more:
        message["id"] = more.pop("response")
    return {
        "type": kind,
        "uuid": f"u{stamp}",
        "parentUuid": None,
        "sessionId": "s",
        "timestamp": f"2026-02-01T10:00:{stamp:02}.000Z",
        "cwd": "/w",
        "isSidechain": False,
        "message": message,
        **more,
    }


def _spoken(kind: str, content: Any, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "id": "m", "content": content}
    return {"type": kind, "session_id": "s", "message": message, **more}


def _item(record: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"type": record, "item": {"id": kind, "type": kind, **more}}


def _codex(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-03-01T10:00:00Z", "type": kind, "payload": payload}


def _frame(tool: str, ident: str, **more: Any) -> dict[str, Any]:
    return {"kind": tool, "tool": {"id": ident, "name": "bash", **more}}


def _update(**update: Any) -> dict[str, Any]:
    params = {"sessionId": "S", "update": update}
    return {"jsonrpc": "2.0", "method": "session/update", "params": params}


def _attribute(key: str, value: str) -> dict[str, Any]:
    return {"key": key, "value": {"stringValue": value}}


SAMPLES = (
    Sample(
        "reasonix-stream",
        lines(
            {"kind": "turn_started"},
            _frame("tool_dispatch", "a", partial=True),
            _frame("tool_dispatch", "a", args='{"command": "make"}'),
            _frame("tool_result", "a", err="exit status 2", execution={"exitCode": 2}),
            _frame("tool_dispatch", "b", args='{"command": "sleep 9 &"}'),
            _frame("tool_result", "b", execution={"state": "background_started"}),
            {"kind": "message", "text": "done"},
            {"type": "result", "subtype": "success", "is_error": False, "result": "done"},
        ),
        (("bash", "error", "exit_code"), ("bash", "running", "state")),
    ),
    Sample(
        "reasonix-trajectory",
        lines(
            {"schema_version": 1, "seq": 1, "ts": 1, "event": {"kind": "turn_started"}},
            {
                "schema_version": 1,
                "seq": 2,
                "ts": 2,
                "event": _frame("tool_dispatch", "q", args='{"command": "ls"}'),
            },
            {"schema_version": 1, "seq": 3, "ts": 3, "event": _frame("tool_result", "q")},
            {"schema_version": 1, "seq": 4, "ts": 4, "readiness_audit": {"result": "allowed"}},
        ),
        (("bash", "ok", "flag"),),
    ),
    Sample(
        "reasonix-messages",
        lines(
            {"role": "user", "content": "rename", "raw_content": "rename"},
            {
                "role": "assistant",
                "tool_calls": [
                    {"id": "a1", "name": "read_file", "arguments": '{"path":"m.py"}'},
                    {"id": "a2", "name": "bash", "arguments": '{"command":"pytest -q"}'},
                ],
            },
            {"role": "tool", "tool_call_id": "a1", "name": "read_file", "content": "1: x\n"},
            {
                "role": "tool",
                "tool_call_id": "a2",
                "name": "bash",
                "content": "error: exit status 1\n1 failed",
                "tool_execution": {"kind": "shell", "state": "failed", "exitCode": 1},
            },
            {"role": "assistant", "content": "The test fails."},
        ),
        (("read_file", "ok", "host_rule"), ("bash", "error", "exit_code")),
        diagnostics=("turn_inferred",),
    ),
    Sample(
        "reasonix-log-1",
        lines(
            {
                "schema_version": 1,
                "type": "replace",
                "revision": 1,
                "messages": [{"role": "user", "content": "hi"}],
            },
            {
                "schema_version": 1,
                "type": "append",
                "revision": 2,
                "message_index": 1,
                "messages": [
                    {
                        "role": "assistant",
                        "tool_calls": [{"id": "x", "name": "ls", "arguments": ""}],
                    },
                    {"role": "tool", "tool_call_id": "x", "content": "blocked: not here"},
                    {"role": "assistant", "content": "no"},
                ],
            },
        ),
        (("ls", "blocked", "host_rule"),),
        diagnostics=("turn_inferred",),
    ),
    Sample(
        "reasonix-log-2",
        lines(
            {
                "schema_version": 2,
                "type": "message",
                "id": "M1",
                "head": "main",
                "msgs": [{"role": "user", "origin": "user", "content": "list"}],
            },
            {
                "schema_version": 2,
                "type": "message",
                "id": "M2",
                "head": "main",
                "parent": "M1",
                "msgs": [{"role": "assistant", "tool_calls": [{"id": "t7", "name": "bash"}]}],
            },
            {"schema_version": 2, "type": "turn_begin", "head": "main", "turn": "T1", "leaf": ""},
            {
                "schema_version": 2,
                "type": "message",
                "id": "MX",
                "head": "fork",
                "parent": "M1",
                "msgs": [{"role": "assistant", "content": "another way"}],
            },
            {
                "schema_version": 2,
                "type": "message",
                "id": "M3",
                "head": "main",
                "parent": "M2",
                "msgs": [
                    {
                        "role": "tool",
                        "tool_call_id": "t7",
                        "content": "m.py\n[receipt r_0a1b2c3d]",
                        "tool_run_state": "completed",
                        "tool_execution": {"state": "completed", "exitCode": 0},
                    }
                ],
            },
            {"schema_version": 2, "type": "turn_end", "head": "main", "turn": "T1"},
        ),
        (("bash", "ok", "exit_code"),),
        diagnostics=("branch_dropped",),
    ),
    Sample(
        "acp",
        "> "
        + lines(
            {
                "jsonrpc": "2.0",
                "id": 3,
                "method": "session/prompt",
                "params": {"sessionId": "S", "prompt": [{"type": "text", "text": "tidy"}]},
            },
            _update(
                sessionUpdate="tool_call",
                toolCallId="p1",
                title="bash",
                status="pending",
                rawInput={"command": "git diff"},
            ),
            _update(
                sessionUpdate="tool_call_update",
                toolCallId="p1",
                status="failed",
                content=[
                    {"type": "content", "content": {"type": "text", "text": "not a repository"}}
                ],
            ),
            {"jsonrpc": "2.0", "id": 3, "result": {"stopReason": "end_turn"}},
        ),
        (("bash", "error", "state"),),
    ),
    Sample(
        "chat-completions",
        lines(
            {"role": "user", "content": "balance?"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
                ],
            },
            {"role": "tool", "tool_call_id": "c", "content": "5"},
            {
                "role": "assistant",
                "tool_calls": [{"id": "c", "function": {"name": "g", "arguments": "{}"}}],
            },
            {"role": "tool", "tool_call_id": "c", "content": "The command finished.\nExit code: 3"},
            {"role": "assistant", "content": "10 EUR"},
        ),
        (("f", "unknown", "none"), ("g", "error", "envelope")),
        diagnostics=("repeated_call_id", "turn_inferred"),
    ),
    Sample(
        "claude-code",
        lines(
            _claude("user", "fix it", 0),
            _claude(
                "assistant",
                [{"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/w/a"}}],
                2,
                response="msg_1",
            ),
            _claude(
                "assistant",
                [{"type": "tool_use", "id": "t2", "name": "Bash", "input": {"command": "x"}}],
                3,
                response="msg_1",
            ),
            _claude("user", [{"type": "tool_result", "tool_use_id": "t1", "content": "1 x"}], 5),
            _claude(
                "user",
                [
                    {
                        "type": "tool_result",
                        "tool_use_id": "t2",
                        "content": "Exit code 1\n1 failed",
                        "is_error": True,
                    }
                ],
                4,
            ),
        ),
        (("Read", "ok", "absence"), ("Bash", "error", "flag")),
        diagnostics=("clock_disorder", "turn_inferred"),
    ),
    Sample(
        "codex",
        lines(
            _codex("session_meta", id="th1", cwd="/w"),
            _codex("event_msg", type="task_started", turn_id="t1"),
            _codex(
                "response_item",
                type="function_call",
                name="exec_command",
                arguments='{"cmd":"pytest -q"}',
                call_id="c1",
            ),
            _codex(
                "response_item",
                type="function_call_output",
                call_id="c1",
                output="Wall time: 1.2 seconds\nProcess exited with code 1\nOutput:\n1 failed",
            ),
            _codex(
                "response_item",
                type="custom_tool_call",
                name="apply_patch",
                input="*** Begin Patch",
                call_id="c2",
            ),
            _codex("event_msg", type="patch_apply_end", call_id="c2", success=True),
            _codex(
                "response_item", type="custom_tool_call_output", call_id="c2", output="something"
            ),
            _codex("event_msg", type="task_complete", turn_id="t1"),
        ),
        (("exec_command", "error", "envelope"), ("apply_patch", "ok", "flag")),
    ),
    Sample(
        "claude-stream",
        lines(
            {"type": "system", "subtype": "init", "session_id": "s", "cwd": "/w"},
            _spoken("assistant", [{"type": "tool_use", "id": "t1", "name": "Read", "input": {}}]),
            _spoken("user", [{"type": "tool_result", "tool_use_id": "t1", "content": "1 x"}]),
            _spoken(
                "assistant",
                [{"type": "tool_use", "id": "t2", "name": "Task", "input": {"prompt": "look"}}],
            ),
            _spoken(
                "assistant",
                [{"type": "tool_use", "id": "t3", "name": "Bash", "input": {"command": "make"}}],
                parent_tool_use_id="t2",
            ),
            _spoken(
                "user",
                [
                    {
                        "type": "tool_result",
                        "tool_use_id": "t3",
                        "content": "Exit code 2",
                        "is_error": True,
                    }
                ],
                parent_tool_use_id="t2",
            ),
            _spoken("user", [{"type": "tool_result", "tool_use_id": "t2", "content": "no"}]),
            _spoken("assistant", [{"type": "text", "text": "It fails."}]),
            {"type": "result", "subtype": "success", "is_error": False, "session_id": "s"},
        ),
        (("Read", "ok", "absence"), ("Bash", "error", "flag"), ("Task", "ok", "absence")),
    ),
    Sample(
        "codex-exec-stream",
        lines(
            {"type": "thread.started", "thread_id": "th1"},
            {"type": "turn.started"},
            _item("item.started", "command_execution", command="ls", status="in_progress"),
            _item("item.completed", "command_execution", command="ls", exit_code=1),
            _item("item.completed", "file_change", changes=[{"path": "/w/a"}], status="completed"),
            _item("item.completed", "agent_message", text="Done."),
            {"type": "turn.completed"},
        ),
        (("exec_command", "error", "exit_code"), ("apply_patch", "ok", "state")),
    ),
    Sample(
        "anthropic-messages",
        json.dumps(
            [
                {"role": "user", "content": "check"},
                {
                    "role": "assistant",
                    "content": [
                        {"type": "tool_use", "id": "a", "name": "bash", "input": {"command": "ls"}},
                        {"type": "tool_use", "id": "b", "name": "bash", "input": {"command": "n"}},
                    ],
                },
                {
                    "role": "user",
                    "content": [
                        {
                            "type": "tool_result",
                            "tool_use_id": "b",
                            "content": "not found",
                            "is_error": True,
                        },
                        {
                            "type": "tool_result",
                            "tool_use_id": "a",
                            "content": [{"type": "text", "text": "a.py"}],
                        },
                    ],
                },
            ]
        ),
        (("bash", "error", "flag"), ("bash", "unknown", "none")),
        diagnostics=("turn_inferred",),
    ),
    Sample(
        "openai-responses",
        lines(
            {
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": "go"}],
            },
            {
                "type": "function_call",
                "id": "fc_1",
                "call_id": "call_1",
                "name": "bash",
                "arguments": '{"command":"ls"}',
                "status": "completed",
            },
            {"type": "function_call_output", "call_id": "call_1", "output": "a.py"},
        ),
        (("bash", "unknown", "none"),),
        diagnostics=("turn_inferred",),
    ),
    Sample(
        "inspect",
        json.dumps(
            {
                "version": 2,
                "status": "success",
                "eval": {"task": "t", "model": "m"},
                "samples": [
                    {
                        "id": "1",
                        "epoch": 1,
                        "attachments": {},
                        "messages": [
                            {"role": "user", "content": "go"},
                            {
                                "role": "assistant",
                                "content": "",
                                "tool_calls": [
                                    {"id": "c1", "function": "bash", "arguments": {"cmd": "s"}}
                                ],
                            },
                            {
                                "role": "tool",
                                "tool_call_id": "c1",
                                "function": "bash",
                                "content": "",
                                "error": {"type": "timeout", "message": "too long"},
                            },
                        ],
                    }
                ],
            },
            indent=1,
        ),
        (("bash", "cancelled", "flag"),),
    ),
    Sample(
        "atif",
        json.dumps(
            {
                "schema_version": "ATIF-v1.6",
                "session_id": "s",
                "agent": {"name": "x", "version": "1"},
                "steps": [
                    {"step_id": 1, "source": "user", "message": "go"},
                    {
                        "step_id": 2,
                        "source": "agent",
                        "message": "",
                        "tool_calls": [
                            {
                                "tool_call_id": "c1",
                                "function_name": "bash",
                                "arguments": {"command": "ls"},
                            }
                        ],
                        "observation": {"results": [{"source_call_id": "c1", "content": "a.py"}]},
                    },
                ],
            }
        ),
        (("bash", "unknown", "none"),),
        diagnostics=("turn_inferred",),
    ),
    Sample(
        "otel",
        json.dumps(
            {
                "resourceSpans": [
                    {
                        "scopeSpans": [
                            {
                                "spans": [
                                    {
                                        "traceId": "01",
                                        "spanId": "0b",
                                        "parentSpanId": "0a",
                                        "name": "execute_tool bash",
                                        "startTimeUnixNano": "1790000000000000000",
                                        "endTimeUnixNano": "1790000001000000000",
                                        "status": {"code": 2},
                                        "attributes": [
                                            _attribute("gen_ai.operation.name", "execute_tool"),
                                            _attribute("gen_ai.tool.name", "bash"),
                                            _attribute(
                                                "gen_ai.tool.call.arguments", '{"command":"make"}'
                                            ),
                                            _attribute("error.type", "exit_2"),
                                        ],
                                    },
                                    {
                                        "traceId": "01",
                                        "spanId": "0a",
                                        "name": "invoke_agent coder",
                                        "startTimeUnixNano": "1789999999000000000",
                                        "endTimeUnixNano": "1790000002000000000",
                                        "status": {"code": 1},
                                        "attributes": [_attribute("gen_ai.conversation.id", "s1")],
                                    },
                                ]
                            }
                        ]
                    }
                ]
            }
        ),
        (("bash", "error", "flag"),),
    ),
    Sample(
        "neutral/1",
        lines(
            {"ev": "session", "seq": 1, "sid": "demo", "format": "neutral/1", "profile": "classic"},
            {"ev": "turn.start", "seq": 2, "turn": 1, "by": "explicit"},
            {"ev": "user", "seq": 3, "turn": 1, "text": "make add() handle None"},
            {
                "ev": "tool.call",
                "seq": 4,
                "turn": 1,
                "step": "s1",
                "uid": "main#1",
                "name": "bash",
                "args": {"command": "pytest -q"},
            },
            {
                "ev": "tool.result",
                "seq": 5,
                "uid": "main#1",
                "outcome": "ok",
                "basis": "exit_code",
                "exit_code": 0,
                "text": "3 passed",
            },
            {"ev": "turn.end", "seq": 6, "turn": 1, "status": "completed", "by": "explicit"},
        ),
        (("bash", "ok", "exit_code"),),
    ),
)
