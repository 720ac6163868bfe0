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

from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.trace.events import Diag, ToolResult

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


def _span(ident: str, parent: str, **attributes: str) -> dict[str, Any]:
    pairs = [{"key": key, "value": {"stringValue": told}} for key, told in attributes.items()]
    times = {"startTimeUnixNano": f"{ident}0", "endTimeUnixNano": f"{10 - int(ident)}00"}
    named = {"traceId": "t", "spanId": ident, "parentSpanId": parent, "name": "x", **times}
    return {**named, "status": {}, "attributes": pairs}


_RUN = {"gen_ai.operation.name": "invoke_agent"}
_WRITE = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "write_file",
    "gen_ai.tool.call.arguments": GIVEN,
}
SPANS = [
    {
        "resourceSpans": [
            {"scopeSpans": [{"spans": [_span("1", "", **_RUN), _span("2", "1", **_WRITE)]}]}
        ]
    }
]
OF_SPAN = (0, "resourceSpans", 0, "scopeSpans", 0, "spans", 1)
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


@pytest.mark.parametrize("name", sorted(TRACES))
@pytest.mark.parametrize("value", [None, [], [{}], 5, "x"], ids=repr)
def test_what_stands_in_the_place_of_two_records_is_told(
    name: str, value: Any, tmp_path: Path
) -> None:
    """A call and its result that became null were blank lines."""
    file, records = tmp_path / "trace.jsonl", TRACES[name]

    for one, other in combinations(range(len(records)), 2):
        told = [value if at in (one, other) else record for at, record in enumerate(records)]
        decisions, codes = found(file, name, told)
        assert "accept" not in decisions or codes & LOSSES, (one, other)


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("anthropic-messages", (2, "content", 0, "is_error"), [False]),
        ("claude-code", (2, "message", "content", 0, "is_error"), {"told": False}),
        ("atif", (0, "steps", 1, "source"), "robot"),
        ("atif", (0, "steps", 1), {"step_id": 3, "source": "agent", "message": "done"}),
        ("otel", (*OF_SPAN, "traceId"), None),
        ("otel", (*OF_SPAN, "traceId"), "u"),
        ("otel", (*OF_SPAN, "attributes", 0, "value"), {"stringValue": "work"}),
    ],
)
def test_a_fact_that_cannot_be_read_takes_nothing_out_of_a_turn(
    name: str, path: tuple[str | int, ...], value: Any, tmp_path: Path
) -> None:
    """A flag of another type, a step or a span that is somewhere else: it may be a change."""
    file, records = tmp_path / "trace.jsonl", SPANS if name == "otel" else TRACES[name]
    assert {"reject"} == found(file, name, records)[0]

    decisions, _ = found(file, name, broken(records, value, path))

    assert "accept" not in decisions


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("claude-stream", (2, "tool_use_result"), "Error: Exit code 1"),
        ("reasonix-messages", (2, "content"), {"exitCode": 1}),
        ("reasonix-stream", (2, "tool", "name"), "bash"),
        ("openai-responses", (2, "output"), {"told": 1}),
        ("openai-responses", (2, "output"), None),
        ("otel", (*OF_SPAN, "status"), "ERROR"),
    ],
)
def test_a_result_that_cannot_be_read_is_no_success(
    name: str, path: tuple[str | int, ...], value: Any, tmp_path: Path
) -> None:
    """Who trusts a result without a sign of failure trusts what is a result."""
    records = SPANS if name == "otel" else TRACES[name]
    file = tmp_path / "trace.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in broken(records, value, path)))
    told = list(events(Recording(path=file, trusting=True), format_in=name))

    outcomes = {event.outcome for event in told if isinstance(event, ToolResult)}
    codes = {event.code for event in told if isinstance(event, Diag)}
    assert "ok" not in outcomes or "bad_line" in codes
