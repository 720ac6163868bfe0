"""What holds for every tool: any fitting call has a result, and one fault is told as that fault."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tool_bench import Bench

from reasonix_runtime.contract.surface import BUILT_IN
from reasonix_runtime.tools.behaviours import built_in_behaviours
from reasonix_runtime.tools.errors import InvalidCallError
from reasonix_runtime.tools.registry import default_registry
from reasonix_runtime.tools.support.arguments import read_arguments

ENTRIES = {entry.name: entry for entry in default_registry().entries()}

TEXTS = (
    "",
    " ",
    "a",
    "a.py",
    "p.go",
    "n.ipynb",
    "d",
    "d/..",
    "..",
    "x\n",
    "中",
    "*",
    "**/*",
    "[",
    "(",
    "bash-1",
    "{a,b}" * 30 + "/**",
)
"""Texts that mean something to one tool or another; none of them does harm as a command."""

SAFE = {
    "command": ("", "true", "false", "echo a", "cat a"),
    "url": ("", "a", "ftp://a", "http://127.0.0.1:9/", "http://[::1]/"),
    "timeout_seconds": (1, 10**20),
}
"""Arguments that would reach outside the workspace, or wait, if they could be anything."""


def values(schema: dict[str, Any], name: str = "") -> st.SearchStrategy[Any]:
    """Return what fits a schema of the contract."""
    if name in SAFE:
        return st.sampled_from(SAFE[name])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kind = schema["type"]
    if kind == "string":
        least = schema.get("minLength", 0)
        return st.sampled_from([text for text in TEXTS if len(text) >= least])
    if kind == "integer":
        return st.integers(schema.get("minimum", -3), 60) | st.just(10**20)
    if kind == "boolean":
        return st.booleans()
    if kind == "array":
        return st.lists(values(schema["items"]), min_size=schema.get("minItems", 0), max_size=3)
    properties, required = schema["properties"], schema.get("required", ())
    return st.fixed_dictionaries(
        {key: values(properties[key], key) for key in required},
        optional={key: values(properties[key], key) for key in properties if key not in required},
    )


def test_every_built_in_tool_has_a_behaviour() -> None:
    """A tool that is declared and does nothing is a lie to the model."""
    assert set(built_in_behaviours()) == set(BUILT_IN)


@pytest.mark.parametrize("tool", BUILT_IN)
def test_any_fitting_call_has_a_result(bench: Bench, tool: str) -> None:
    """Never a traceback, never an internal error, whatever the values."""
    schema = json.loads(ENTRIES[tool].schema)

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(arguments=values(schema))
    def check(arguments: dict[str, Any]) -> None:
        bench.begin_turn()
        bench.put("a", "a\nx\n")
        bench.put("a.py", "def a(): pass\n")
        bench.put("p.go", "package a\n\nfunc a() {}\n")
        bench.put("n.ipynb", '{"cells": [], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}')
        bench.put("d/f", b"\0")
        result = bench.call(tool, **arguments)
        assert "internal error" not in result.text
        assert result.outcome in {"ok", "error", "blocked", "running"}

    check()


WELL_FORMED: dict[str, dict[str, Any]] = {
    "bash": {"command": "true"},
    "bash_output": {"job_id": "bash-1"},
    "code_index": {"action": "outline"},
    "complete_step": {"result": "r", "evidence": [{"kind": "manual", "summary": "s"}]},
    "compress": {"direction": "before", "anchor": "a"},
    "delete_range": {"path": "a", "start_anchor": "a", "end_anchor": "b"},
    "delete_symbol": {"path": "a", "name": "n"},
    "edit_file": {"path": "a", "old_string": "o", "new_string": "n"},
    "glob": {"pattern": "*"},
    "grep": {"pattern": "x"},
    "kill_shell": {"job_id": "bash-1"},
    "ls": {},
    "move_file": {"source_path": "a", "destination_path": "b"},
    "multi_edit": {"path": "a", "edits": [{"old_string": "o", "new_string": "n"}]},
    "notebook_edit": {"path": "a"},
    "read_file": {"path": "a"},
    "todo_write": {"todos": [{"content": "c", "status": "pending"}]},
    "update_goal": {"status": "continue"},
    "wait": {},
    "web_fetch": {"url": "u"},
    "write_file": {"path": "a", "content": "c"},
}


def faults(schema: dict[str, Any], good: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """Yield where and what: copies of a value with one fault each."""
    kind = schema["type"]
    yield where or "arguments", {"string": 7, "object": [kind]}.get(kind, {"not": kind})
    if "enum" in schema:
        yield where, "none of them" if kind == "string" else 99
    if kind == "integer" and "minimum" in schema:
        yield where, schema["minimum"] - 1
    if kind == "array":
        if schema.get("minItems"):
            yield where, []
        for at, bad in faults(schema["items"], good[0] if good else {}, f"{where}[0]"):
            yield at, [bad]
    if kind == "object":
        for key in schema.get("required", ()):
            yield where or "arguments", {name: good[name] for name in good if name != key}
        for key, inner in schema["properties"].items():
            below = good.get(key, _plain(inner))
            for at, bad in faults(inner, below, f"{where}.{key}" if where else key):
                yield at, {**copy.deepcopy(good), key: bad}


def _plain(schema: dict[str, Any]) -> Any:
    """Return some value that fits a schema."""
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] == "object":
        return {key: _plain(schema["properties"][key]) for key in schema.get("required", ())}
    if schema["type"] == "array":
        return [_plain(schema["items"])]
    return {"string": "x", "integer": 1, "boolean": True}[schema["type"]]


FAULTS = [
    (tool, where, arguments)
    for tool in BUILT_IN
    for where, arguments in faults(json.loads(ENTRIES[tool].schema), WELL_FORMED[tool])
]


@pytest.mark.parametrize("tool", BUILT_IN)
def test_the_examples_fit(tool: str) -> None:
    """Otherwise the next test would prove nothing."""
    assert read_arguments(WELL_FORMED[tool], ENTRIES[tool]) == WELL_FORMED[tool]


@pytest.mark.parametrize(
    ("tool", "where", "arguments"),
    FAULTS,
    ids=[f"{t}-{w}-{n}" for n, (t, w, _) in enumerate(FAULTS)],
)
def test_a_call_with_one_fault_is_refused_for_that_fault(
    tool: str, where: str, arguments: Any
) -> None:
    """One line, and it points at the place."""
    with pytest.raises(InvalidCallError) as caught:
        read_arguments(arguments, ENTRIES[tool])

    head, *lines = caught.value.message.split("\n")
    assert head == f"invalid args for {tool}:"
    assert [line.split(": ")[0] for line in lines] == [f"- {where}"]


def test_limits_that_are_too_large_to_try_are_those_of_the_pages() -> None:
    """The tests of what happens at a limit set a smaller one."""
    from reasonix_runtime.tools.code_index import behaviour as code_index
    from reasonix_runtime.tools.context import DEFAULT_TIMEOUT_S
    from reasonix_runtime.tools.support import process

    assert (code_index.MOST_FILES, process.PIPE_WAIT_S, DEFAULT_TIMEOUT_S) == (2000, 5, 120)
