"""The synthetic trace of `trace_data` written as hosts write it: stream-json and message file.

These hosts write JSON as Go does by default, with `<`, `>` and `&` as escapes; source code has many
of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks import trace_data

USAGE = {
    "kind": "usage",
    "usage": {
        "promptTokens": 12184,
        "completionTokens": 57,
        "totalTokens": 12241,
        "cacheHitTokens": 0,
        "cacheMissTokens": 12184,
        "source": "executor",
        "cacheDiagnostics": {"prefixHash": "417c5401654adaf2", "prefixChanged": False},
    },
}


ESCAPED = str.maketrans({mark: f"\\u{ord(mark):04x}" for mark in "<>&"})


def stream(count: int) -> Iterator[dict[str, Any]]:
    """Yield the lines of a stream-json recording of about `count` neutral events."""
    calls: dict[str, dict[str, Any]] = {}
    for event in trace_data.events(count):
        kind = event["ev"]
        if kind == "turn.start":
            yield {"kind": "turn_started"}
        elif kind == "assistant":
            attempt = {"id": event["step"], "action": "begin", "attempt": 1, "max": 6}
            yield {"kind": "stream_attempt", "streamAttempt": attempt}
        elif kind == "tool.call":
            tool = {"id": event["uid"], "name": event["name"], "readOnly": False}
            calls[event["uid"]] = tool
            announced = {**tool, "partial": True, "attemptId": event["step"]}
            yield {"kind": "tool_dispatch", "tool": announced}
            yield {
                "kind": "stream_attempt",
                "streamAttempt": {"id": event["step"], "action": "commit", "attempt": 1, "max": 6},
            }
            yield USAGE
            tool["args"] = json.dumps(event["args"])
            yield {"kind": "tool_dispatch", "tool": tool}
        elif kind == "tool.result":
            yield {"kind": "tool_result", "tool": _result(calls.pop(event["uid"]), event)}
        elif kind == "turn.end":
            yield {"kind": "message", "text": "Done."}
            yield {"kind": "turn_done"}


def _result(tool: dict[str, Any], event: dict[str, Any]) -> dict[str, Any]:
    result = {**tool, "output": event["text"], "startedAt": 1796052463092, "endedAt": 1796052463098}
    if event["outcome"] != "ok":
        result["err"] = "exit status 1"
        result["output"] = f"error: exit status 1\n{event['text']}"
    if event.get("basis") == "exit_code":
        result["execution"] = {"kind": "shell", "exitCode": event["exit_code"]}
    return result


def messages(count: int) -> Iterator[dict[str, Any]]:
    """Yield the lines of a message file of about `count` neutral events."""
    calls: dict[str, str] = {}
    for event in trace_data.events(count):
        kind = event["ev"]
        if kind == "user":
            yield {"role": "user", "content": event["text"], "raw_content": event["text"]}
        elif kind == "tool.call":
            calls[event["uid"]] = event["name"]
            args = json.dumps(event["args"])
            call = {"id": event["uid"], "name": event["name"], "arguments": args}
            yield {"role": "assistant", "tool_calls": [call], "workDurationMs": 6}
        elif kind == "tool.result":
            bad = event["outcome"] != "ok"
            text = f"error: exit status 1\n{event['text']}" if bad else event["text"]
            yield {
                "role": "tool",
                "tool_call_id": event["uid"],
                "name": calls.pop(event["uid"]),
                "content": text,
            }
        elif kind == "turn.end":
            yield {"role": "assistant", "content": "Done."}


def write(path: Path, lines: Iterator[dict[str, Any]], size: int) -> Path:
    """Write lines to `path` until it holds `size` bytes, and return the path."""
    written = 0
    with path.open("w", encoding="utf-8") as out:
        for line in lines:
            text = json.dumps(line, ensure_ascii=False, separators=(",", ":"))
            text = text.translate(ESCAPED) + "\n"
            out.write(text)
            written += len(text)
            if written >= size:
                break
    return path
