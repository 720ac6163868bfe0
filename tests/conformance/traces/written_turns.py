"""One turn of calls that all went well, as several formats write it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

Call = tuple[str, dict[str, Any]]
"""The name of a tool and its arguments."""


def lines(*records: Any) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


def chat(calls: list[Call]) -> str:
    said: list[Any] = [{"role": "user", "content": "go"}]
    for number, (name, args) in enumerate(calls):
        function = {"name": name, "arguments": json.dumps(args)}
        said += [
            {"role": "assistant", "tool_calls": [{"id": f"c{number}", "function": function}]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": "x"},
        ]
    return lines(*said, {"role": "assistant", "content": "Done."})


def messages(calls: list[Call]) -> str:
    said: list[Any] = [{"role": "user", "content": "go"}]
    for number, (name, args) in enumerate(calls):
        call = {"id": f"c{number}", "name": name, "arguments": json.dumps(args)}
        said += [
            {"role": "assistant", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "name": name, "content": "x"},
        ]
    return lines(*said, {"role": "assistant", "content": "Done."})


def anthropic(calls: list[Call]) -> str:
    said: list[Any] = [{"role": "user", "content": "go"}]
    for number, (name, args) in enumerate(calls):
        use = {"type": "tool_use", "id": f"c{number}", "name": name, "input": args}
        told = {"type": "tool_result", "tool_use_id": f"c{number}", "content": "x"}
        said += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [told]}]
    return json.dumps([*said, {"role": "assistant", "content": [{"type": "text", "text": "Ok."}]}])


def responses(calls: list[Call]) -> str:
    items: list[Any] = [{"type": "message", "role": "user", "content": "go"}]
    for number, (name, args) in enumerate(calls):
        ident = {"call_id": f"c{number}"}
        items += [
            {"type": "function_call", **ident, "name": name, "arguments": json.dumps(args)},
            {"type": "function_call_output", **ident, "output": "x"},
        ]
    answer = [{"type": "output_text", "text": "Done."}]
    return lines(*items, {"type": "message", "role": "assistant", "content": answer})


def atif(calls: list[Call]) -> str:
    steps: list[Any] = [{"step_id": 1, "source": "user", "message": "go"}]
    for name, args in calls:
        number = len(steps) + 1
        call = {"tool_call_id": f"c{number}", "function_name": name, "arguments": args}
        # What came of a command is known by what a converter keeps alone.
        told = {"source_call_id": f"c{number}", "content": "x", "extra": {"exit_code": 0}}
        step = {"step_id": number, "source": "agent", "message": ""}
        steps.append({**step, "tool_calls": [call], "observation": {"results": [told]}})
    steps.append({"step_id": len(steps) + 1, "source": "agent", "message": "Done."})
    head = {"schema_version": "ATIF-v1.6", "session_id": "s", "agent": {"name": "x"}}
    return json.dumps({**head, "steps": steps})


def inspect(calls: list[Call]) -> str:
    said: list[Any] = [{"role": "user", "content": "go"}]
    events = []
    for number, (name, args) in enumerate(calls):
        ident = f"c{number}"
        tool = {"id": ident, "function": name, "arguments": args}
        said += [
            {"role": "assistant", "content": "", "tool_calls": [tool]},
            {"role": "tool", "tool_call_id": ident, "function": name, "content": "x"},
        ]
        at = f"2026-01-01T00:00:{number:02d}+00:00"
        events.append({"event": "tool", **tool, "result": "x", "error": None, "timestamp": at})
    said.append({"role": "assistant", "content": "Done."})
    sample = {"id": "1", "epoch": 1, "messages": said, "events": events}
    run = {"task": "t", "model": "m"}
    return json.dumps({"version": 2, "status": "success", "eval": run, "samples": [sample]})


def otel(calls: list[Call]) -> str:
    def span(ident: int, name: str, begin: int, end: int, **told: str) -> dict[str, Any]:
        named = [
            {"key": f"gen_ai.{key.replace('__', '.')}", "value": {"stringValue": value}}
            for key, value in told.items()
        ]
        return {
            "traceId": f"{1:032x}", "spanId": f"{ident:016x}", "parentSpanId": f"{10:016x}",
            "name": name, "startTimeUnixNano": str(begin), "endTimeUnixNano": str(end),
            "status": {"code": 1}, "attributes": named,
        }  # fmt: skip

    spans = [
        span(20 + number, f"execute_tool {name}", 10 * number, 10 * number + 1,
             operation__name="execute_tool", tool__name=name, tool__call__id=f"c{number}",
             tool__call__arguments=json.dumps(args), tool__call__result="x")
        for number, (name, args) in enumerate(calls, 1)
    ]  # fmt: skip
    agent = span(10, "invoke_agent x", 1, 10**6, operation__name="invoke_agent")
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [agent, *spans]}]}]})


def stream(calls: list[Call]) -> str:
    records: list[Any] = [{"kind": "turn_started"}]
    for number, (name, args) in enumerate(calls):
        tool = {"id": f"c{number}", "name": name, "args": json.dumps(args)}
        records += [
            {"kind": "tool_dispatch", "tool": tool},
            {"kind": "tool_result", "tool": {**tool, "output": "x"}},
        ]
    return lines(*records, {"kind": "message", "text": "Done."}, {"kind": "turn_done"})


def codex_exec(calls: list[Call]) -> str:
    records: list[Any] = [{"type": "thread.started", "thread_id": "t"}, {"type": "turn.started"}]
    for number, (name, args) in enumerate(calls):
        item: dict[str, Any] = {"id": f"item_{number}", "status": "completed"}
        if name == "bash":
            item |= {"type": "command_execution", "command": args["command"]}
            item |= {"aggregated_output": "x", "exit_code": 0}
        else:
            change = {"path": args["path"], "kind": "update"}
            item |= {"type": "file_change", "changes": [change]}
        records.append({"type": "item.completed", "item": item})
    said = {"id": f"item_{len(calls)}", "type": "agent_message", "text": "Done."}
    return lines(*records, {"type": "item.completed", "item": said}, {"type": "turn.completed"})


TURNS: dict[str, Callable[[list[Call]], str]] = {
    "anthropic": anthropic,
    "atif": atif,
    "chat": chat,
    "codex-exec": codex_exec,
    "inspect": inspect,
    "otel": otel,
    "responses": responses,
    "stream": stream,
}
