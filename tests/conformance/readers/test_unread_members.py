"""A part of a trace that cannot be read never makes good what was refused: it may be a change."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import claude_records
import codex_records
import output_records
import pytest

from reasonix_conformance.traces.sessions import Options, file_results

PATCH = "*** Begin Patch\n*** Add File: a.py\n+x\n*** End Patch"
WRITES = {"path": "a.py", "content": "x"}
GIVEN = json.dumps(WRITES)

TRACES: dict[str, list[Any]] = {
    "claude-code": [
        claude_records.record("user", "0", "go"),
        claude_records.asks("1", "Edit", file_path="/w/a.py"),
        claude_records.answers("r", "1", "ok"),
        claude_records.says("2", "done", stop_reason="end_turn"),
    ],
    "claude-stream": [
        output_records.init(),
        *output_records.edited("1"),
        output_records.says("2", "done"),
        output_records.result(),
    ],
    "codex": [
        codex_records.META,
        codex_records.BEGIN,
        codex_records.item("custom_tool_call", name="apply_patch", call_id="c", input=PATCH),
        codex_records.event("patch_apply_end", call_id="c", success=True),
        codex_records.item("custom_tool_call_output", call_id="c", output="Done"),
        codex_records.said("done"),
        codex_records.event("task_complete", turn_id="t"),
    ],
    "codex-exec-stream": [
        output_records.THREAD,
        output_records.TURN,
        output_records.changed("item_0"),
        output_records.message("item_1"),
        output_records.DONE,
    ],
    "anthropic-messages": [
        {"role": "user", "content": "go"},
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "a", "name": "write_file", "input": WRITES}],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "ok", "is_error": False}
            ],
        },
        {"role": "assistant", "content": [{"type": "text", "text": "done"}]},
    ],
    "openai-responses": [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]},
        {"type": "function_call", "call_id": "a", "name": "write_file", "arguments": GIVEN},
        {"type": "function_call_output", "call_id": "a", "output": '{"exit_code": 0}'},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "x"}]},
    ],
    "reasonix-messages": [
        {"role": "user", "content": "go", "raw_content": "go"},
        {
            "role": "assistant",
            "tool_calls": [{"id": "a", "name": "write_file", "arguments": GIVEN}],
        },
        {"role": "tool", "tool_call_id": "a", "name": "write_file", "content": "wrote"},
        {"role": "assistant", "content": "done"},
    ],
    "reasonix-stream": [
        {"kind": "turn_started"},
        {"kind": "tool_dispatch", "tool": {"id": "a", "name": "write_file", "args": GIVEN}},
        {"kind": "tool_result", "tool": {"id": "a", "name": "write_file", "output": "wrote"}},
        {"kind": "message", "text": "done"},
        {"kind": "turn_done"},
    ],
    "atif": [
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
                        {"tool_call_id": "a", "function_name": "write_file", "arguments": WRITES}
                    ],
                    "observation": {
                        "results": [{"source_call_id": "a", "content": "<exit_code>0</exit_code>"}]
                    },
                },
                {"step_id": 3, "source": "agent", "message": "done"},
            ],
        }
    ],
}
"""By format: a change that nobody looked at, and the answer."""
NAMES = frozenset(
    {"content", "item", "message", "observation", "payload", "results", "tool", "tool_calls"}
)
OPTIONAL = frozenset({"observation", "results", "tool_calls"})
"""Those of them that an honest writer may leave empty."""
BROKEN: tuple[Any, ...] = (None, 5, {}, [])
LOSSES = frozenset({"bad_line", "missing_child", "orphan_result", "truncated_tail"})


def members(value: Any, *path: str | int) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths of all members of those names, and of what stands in lists."""
    told = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in told if isinstance(value, (dict, list)) else ():
        if key in NAMES or (isinstance(key, int) and path):
            yield (*path, key)
        if isinstance(inner, (dict, list)):
            yield from members(inner, *path, key)


def broken(records: list[Any], value: Any, *paths: tuple[str | int, ...]) -> list[Any]:
    told = copy.deepcopy(records)
    for path in paths:
        place: Any = told
        for step in path[:-1]:
            try:
                place = place[step]
            except (IndexError, KeyError, TypeError):
                break
        else:
            if isinstance(place, (dict, list)) and place:
                place[path[-1]] = value
    return told


def found(file: Path, name: str, records: list[Any]) -> tuple[set[str], set[str]]:
    """Return the decisions on a trace, and the codes of what its reader said."""
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    told = list(file_results(file, Options(basis="absence", rules="contract", format_in=name)))
    decisions = {one.verdict.decision.value for result in told for one in result.verdicts}
    return decisions, {remark.code for result in told for remark in result.diagnostics}


@pytest.mark.parametrize("name", sorted(TRACES))
def test_what_cannot_be_read_never_makes_good_what_was_refused(name: str, tmp_path: Path) -> None:
    """Of one member, and of two: a call that is lost with its result leaves no trace."""
    file, records = tmp_path / "trace.jsonl", TRACES[name]
    assert {"reject"} == found(file, name, records)[0]
    paths = list(members(records))

    for some in (*((path,) for path in paths), *combinations(paths, 2)):
        optional = any(path[-1] in OPTIONAL for path in some)
        for value in BROKEN[1:2] if optional else BROKEN:
            decisions, codes = found(file, name, broken(records, value, *some))
            assert "accept" not in decisions or codes & LOSSES, (some, value)
