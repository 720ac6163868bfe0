"""The world that a transcript describes: a mistake in it is one of the file, with line and key."""

from __future__ import annotations

import pytest

from reasonix_runtime.trace.transcript import TranscriptError, loads


@pytest.mark.parametrize(
    ("host", "told"),
    [
        ("role: plannr", "role: 'plannr' is not one of executor, planner, subagent, "),
        ("plan_mode: 'yes'", "plan_mode: expected true or false or nothing, got 'yes'"),
        ("results: [5]", "results[0]: expected a mapping, got 5"),
        ("results: 5", "results: expected a list or nothing, got 5"),
        ("claims: [5]", "claims[0]: expected text or a list or a mapping, got 5"),
        ("claims: [[5]]", "claims[0][0]: expected text, got 5"),
        ("claims: [{write_paths: 5}]", "claims[0].write_paths: expected text or a list"),
        ("ledger: {a: 5}", "ledger.a: expected a mapping or nothing, got 5"),
        ("ledger: 5", "ledger: expected a mapping or nothing, got 5"),
        ("ledger: {a: {policy: must}}", "ledger.a.policy: 'must' is not one of require, prefer"),
        ("servers: {a: {cache: {x: 4}}}", "servers.a.cache.x: expected a mapping or nothing"),
        ("servers: {a: {start_seconds: -1}}", "servers.a.start_seconds: -1 is below 0"),
        ("servers: {a: {start_seconds: 1e300}}", "servers.a.start_seconds: 1e+300 is above"),
        ("children: [{answer_bytes: -1}]", "children[0].answer_bytes: -1 is below 0"),
        ("children: [{answer_bytes: 99999999999}]", "children[0].answer_bytes: 99999999999 is"),
        ("results: [{ref: r, answer_bytes: 99999999999}]", "results[0].answer_bytes: 9999999"),
        ("cancel_after_start: -1", "cancel_after_start: -1 is below 0"),
        (
            "results: [{tool_call_id: a, body: {parts: [{text: x, times: -1}]}}]",
            "results[0].body.parts[0].times: -1 is below 0",
        ),
        (
            "results: [{tool_call_id: a, body: {parts: [{text: abcdefghijklmnopq, times: 1e6}]}}]",
            "results[0].body.parts: 17000000 bytes together are above 16777216",
        ),
    ],
)
def test_a_mistake_is_told_with_line_and_key(host: str, told: str) -> None:
    """Nothing of the file is judged: a world that was misread would accept what it must not."""
    with pytest.raises(TranscriptError) as caught:
        loads(f"id: x\nsetup:\n  host: {{{host}}}\nturns: [{{}}]\n", "t.yaml")

    (problem,) = caught.value.problems
    assert problem.startswith(f"t.yaml:3: setup.host.{told}")


def test_the_calls_of_an_event_are_a_list() -> None:
    """They are made one by one before the array is looked at again."""
    with pytest.raises(TranscriptError, match=r"t:4: turns\[0\]\.events\[0\]\.calls: expected a l"):
        loads("id: x\nturns:\n- events:\n  - {host: provider_tools_after, calls: 5}\n", "t")


@pytest.mark.parametrize(
    "host",
    [
        "claims: [src, [src, lib], {write_paths: src}, {paths: [src]}, {write_paths: null}]",
        "role: null, ordinary_gate: null, results: null, servers: {a: null}, ledger: {a: null}",
        "role: review, cancel_after_start: true, of_another_gate: 5",
        "results: [{tool_call_id: a, body: {parts: [{text: x}, {text: y, times: 2}]}}]",
    ],
)
def test_what_is_left_open_stays_so(host: str) -> None:
    """Null is left out, and keys of other gates are theirs."""
    assert loads(f"id: x\nsetup:\n  host: {{{host}}}\nturns: [{{}}]\n", "t.yaml")
