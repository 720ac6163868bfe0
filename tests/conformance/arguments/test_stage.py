"""Arguments judged in a replay: what the host made of them, and where the verdict belongs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from places import RECENT, TRACES

from reasonix_conformance.arguments.judge import GATE
from reasonix_conformance.arguments.schemas import Schemas, load
from reasonix_conformance.replay.results import Judged, TraceResult
from reasonix_conformance.settings import DEFAULT_SUBJECT
from reasonix_conformance.traces.sessions import Options, results
from reasonix_runtime.gates.rulebook.arguments import RULES
from reasonix_runtime.gates.verdict import switched_off

SCHEMAS = Schemas(
    label="tools.json",
    tools=(
        ("run", b'{"type":"object","required":["command"]}'),
        ("task", b'{"type":"object"}'),
        ("use_capability", b'{"type":"object","required":["action"]}'),
    ),
    complete=True,
)
GOOD, BAD = {"command": "ls"}, {"cmd": "ls"}


def call(number: int, args: Any, **more: Any) -> dict[str, Any]:
    uid = more.pop("uid", f"main#{number}")
    return {"ev": "tool.call", "uid": uid, "name": "run", "turn": 1, "args": args, **more}


def result(number: int, outcome: str, **more: Any) -> dict[str, Any]:
    uid = more.pop("uid", f"main#{number}")
    basis = more.pop("basis", "state")
    return {"ev": "tool.result", "uid": uid, "outcome": outcome, "basis": basis, **more}


def replay(
    folder: Path, *events: dict[str, Any], schemas: Schemas | None = SCHEMAS, **options: Any
) -> TraceResult:
    path = folder / "trace.jsonl"
    lines = [
        {"ev": "session", "seq": 1, "sid": "s", "format": "neutral/1"},
        {"ev": "turn.start", "seq": 2, "turn": 1},
        *events,
    ]
    path.write_text("".join(json.dumps({"seq": n, **line}) + "\n" for n, line in enumerate(lines)))
    unreadable: list[Any] = []
    (found,) = results([path], Options(schemas=schemas, **options), unreadable)
    assert [] == unreadable
    return found


def on_arguments(trace: TraceResult) -> list[Judged]:
    return [judged for judged in trace.verdicts if judged.verdict.gate == GATE]


def told(trace: TraceResult) -> list[tuple[str, str, str]]:
    return [
        (judged.name, judged.verdict.decision.value, judged.agreement.value)
        for judged in on_arguments(trace)
    ]


@pytest.mark.parametrize(
    ("answer", "agreement"),
    [
        ({"outcome": "ok"}, "host_lenient"),
        ({"outcome": "running"}, "host_lenient"),
        ({"outcome": "error", "basis": "exit_code", "exit_code": 1}, "host_lenient"),
        ({"outcome": "error", "error": "invalid args: command is missing"}, "agree"),
        ({"outcome": "error", "error": "no such file"}, "agree"),
        ({"outcome": "not_run"}, "agree"),
        ({"outcome": "blocked", "error": "blocked: read the file first"}, "agree"),
        ({"outcome": "blocked", "error": "blocked: the user declined"}, "unknown"),
        ({"outcome": "blocked", "error": "blocked by permission policy"}, "unknown"),
        ({"outcome": "blocked", "error": "blocked: denied by permission policy"}, "unknown"),
        ({"outcome": "blocked", "error": "blocked: hook [project/PreToolUse] x"}, "unknown"),
        ({"outcome": "blocked", "error": "blocked: plan mode forbids changes"}, "unknown"),
        ({"outcome": "cancelled"}, "unknown"),
        ({"outcome": "unknown"}, "unknown"),
        ({"outcome": "none"}, "unknown"),
        ({"outcome": "ok", "basis": "absence"}, "unknown"),
        ({"outcome": "error", "basis": "absence", "error": "no such file"}, "agree"),
    ],
)
def test_what_came_back_is_what_the_host_decided(
    answer: dict[str, Any], agreement: str, tmp_path: Path
) -> None:
    """A call that ran had its arguments taken; a person who declines has not looked at them."""
    trace = replay(tmp_path, call(1, BAD), result(1, **answer))

    assert [("turn-1/0-run/arguments", "reject", agreement)] == told(trace)
    assert {GATE: 0} == {key: n for key, n in trace.let_pass.items() if key == GATE}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"outcome": "ok"}, []),
        ({"outcome": "error", "error": "no such file"}, []),
        ({"outcome": "not_run", "error": 'unknown tool "run"'}, []),
        ({"outcome": "none"}, []),
        (
            {"outcome": "not_run", "error": "invalid args: command must not be ls"},
            [("turn-1/0-run/arguments", "accept", "host_strict")],
        ),
    ],
)
def test_a_valid_call_is_only_told_where_the_host_refused_its_arguments(
    answer: dict[str, Any], expected: list[Any], tmp_path: Path
) -> None:
    """Everything else that goes wrong with a call has nothing to do with its arguments."""
    trace = replay(tmp_path, call(1, GOOD), result(1, **answer))

    assert expected == told(trace)
    assert 1 - len(expected) == trace.let_pass[GATE]


def test_every_call_is_counted_once(tmp_path: Path) -> None:
    """A proxy call is told again when its target is known; the host's own calls are no model's."""
    proxy = {"name": "use_capability"}
    target = {"resolved_name": "mcp__x__y", "resolved_args": {}}
    trace = replay(
        tmp_path,
        *(call(1, {"action": "call"}, **proxy), call(1, {"action": "call"}, **proxy, **target)),
        *(call(2, {}, **proxy), call(2, {}, **proxy, **target)),
        result(1, "ok"),
        result(2, "ok"),
        call(3, BAD, origin="host"),
        result(3, "ok"),
        *(event for n in (4, 5, 6) for event in (call(n, GOOD), result(n, "ok"))),
    )

    assert 4 == trace.let_pass[GATE]
    assert [("turn-1/1-use_capability/arguments", "reject", "host_lenient")] == told(trace)


def test_a_call_that_is_no_json_is_refused_after_good_ones_as_well(tmp_path: Path) -> None:
    """A schema that takes everything takes what was read of it, which is nothing."""
    schemas = Schemas(label="tools.json", tools=(("run", b"{}"),), complete=True)
    torn = {"args_ok": False, "args_raw": '{"command"'}
    trace = replay(
        tmp_path,
        *(call(1, GOOD), result(1, "ok"), call(2, None, **torn), result(2, "ok")),
        schemas=schemas,
    )

    assert [("turn-1/1-run/arguments", "reject", "host_lenient")] == told(trace)


def test_refused_arguments_of_no_call_of_the_model_are_passed_over(tmp_path: Path) -> None:
    """What the host calls itself is not judged, and a result may come without its call."""
    late = {"error": "invalid args: command must not be ls"}
    trace = replay(
        tmp_path,
        *(call(1, GOOD, origin="host"), result(1, "not_run", **late)),
        result(9, "not_run", **late),
        *(call(2, GOOD), result(2, "ok")),
    )

    assert [] == told(trace)
    assert 1 == trace.let_pass[GATE]


def test_a_call_that_nobody_answered_is_told_in_its_turn(tmp_path: Path) -> None:
    """The index of the call belongs to the turn in which it was made."""
    trace = replay(
        tmp_path,
        *(call(1, GOOD), result(1, "ok"), call(2, BAD)),
        {"ev": "turn.end", "turn": 1, "status": "interrupted"},
        {"ev": "turn.start", "turn": 2},
        result(2, "not_run", error="invalid args: too late"),
        call(3, BAD),
    )

    assert [
        ("turn-1/1-run/arguments", "reject", "unknown"),
        ("turn-2/0-run/arguments", "reject", "unknown"),
    ] == told(trace)


def test_a_call_of_a_sub_agent_has_the_place_of_its_parent(tmp_path: Path) -> None:
    """As every other verdict inside a sub-agent."""
    trace = replay(
        tmp_path,
        call(1, {}, name="task"),
        {"ev": "sub.start", "scope": "sub-1", "parent_uid": "main#1"},
        *(call(1, BAD, uid="sub-1#1"), result(1, "ok", uid="sub-1#1")),
        {"ev": "sub.end", "scope": "sub-1", "parent_uid": "main#1"},
        result(1, "ok"),
    )

    assert [("turn-1/0/sub-1-1-run/arguments", "reject", "host_lenient")] == told(trace)


def test_nothing_else_changes(tmp_path: Path) -> None:
    """The stage passes every event on, in order, and drops no call."""
    paths = [RECENT]
    told = load(DEFAULT_SUBJECT, Path())

    plain = list(results(paths, Options(receipts=True), []))
    staged = list(results(paths, Options(receipts=True, schemas=told), []))

    def others(trace: TraceResult) -> list[Judged]:
        return [judged for judged in trace.verdicts if judged.verdict.gate != GATE]

    assert [others(trace) for trace in plain] == [others(trace) for trace in staged]
    assert [trace.calls for trace in plain] == [trace.calls for trace in staged]
    assert all(GATE not in trace.let_pass for trace in plain)
    assert sum(trace.calls for trace in staged) == sum(
        trace.let_pass[GATE] + len(on_arguments(trace)) for trace in staged
    )


def test_arguments_that_a_recording_leaves_out_are_not_judged(tmp_path: Path) -> None:
    """Nothing is an accusation, or a pass, that rests on what was not recorded."""
    span = {"traceId": "t", "status": {"code": 1}}
    name = {"key": "gen_ai.operation.name", "value": {"stringValue": "execute_tool"}}
    spans = [
        {
            **span,
            "startTimeUnixNano": f"{number}",
            "endTimeUnixNano": f"{number + 1}",
            "spanId": f"s{number}",
            "name": f"execute_tool {tool}",
            "attributes": [
                name,
                {"key": "gen_ai.tool.name", "value": {"stringValue": tool}},
                *more,
            ],
        }
        for number, (tool, *more) in enumerate(
            [
                ("run",),
                ("task", {"key": "gen_ai.tool.call.arguments", "value": {"stringValue": "{}"}}),
                ("task",),
            ]
        )
    ]
    path = tmp_path / "spans.json"
    path.write_text(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}))

    (trace,) = results([path], Options(schemas=SCHEMAS), [])

    assert [
        ("turn-1/0-run/arguments", "not_assessable", "unknown"),
        ("turn-1/2-task/arguments", "not_assessable", "unknown"),
    ] == told(trace)
    assert 1 == trace.let_pass[GATE]


# -- the rules of the catalogue, on recordings


WITNESSES: dict[str, tuple[str, str]] = {
    "arguments.invalid": ("classic-2026-08/args-malformed/1.stream.jsonl", "agree"),
    "arguments.not_json": ("classic-2026-08/args-malformed/1.stream.jsonl", "agree"),
    "arguments.tool_unknown": (
        "reasonix-1.38.11/jobs-left-running/1.stream.jsonl",
        "host_lenient",
    ),
}


def reasons(reason: str) -> list[str]:
    """Return how the host agrees where a reason decides in its recording."""
    options = Options(schemas=load(DEFAULT_SUBJECT, Path()))
    (trace,) = results([TRACES / WITNESSES[reason][0]], options, [])
    assert trace.let_pass[GATE] > 0, "its gate accepts, too"
    return [
        judged.agreement.value for judged in on_arguments(trace) if judged.verdict.reason == reason
    ]


def test_every_rule_on_arguments_has_a_witness() -> None:
    """A new reason without one would be checked by nobody."""
    assert {reason for rule in RULES for reason in rule.reasons} == set(WITNESSES)


@pytest.mark.parametrize("reason", WITNESSES)
def test_a_reason_decides_in_a_recording_and_its_absence_is_noticed(reason: str) -> None:
    """A rule that nothing breaks is not checked, and one that nobody misses might as well go."""
    assert {WITNESSES[reason][1]} == set(reasons(reason))
    with switched_off(reason):
        assert [] == reasons(reason)


def singly_and_together(folder: Path, *events: dict[str, Any], **options: Any) -> Any:
    """Replay with calls that pass by taken one by one, and many at once."""
    found = [replay(folder, *events, timeline=timeline, **options) for timeline in (True, False)]
    return [
        (trace.verdicts, trace.calls, trace.events, dict(trace.let_pass), trace.diagnostics)
        for trace in found
    ]


GOOD_PAIR = (call(1, GOOD), result(1, "ok"))
BAD_PAIR = (call(2, BAD), result(2, "ok"))


@pytest.mark.parametrize(
    "events",
    [
        (*GOOD_PAIR, *BAD_PAIR),
        (*BAD_PAIR, *GOOD_PAIR),
        (*GOOD_PAIR, call(2, BAD)),
        (*GOOD_PAIR, call(2, BAD), call(3, GOOD), result(2, "ok"), result(3, "ok")),
        (*GOOD_PAIR, call(2, GOOD), call(2, GOOD), result(2, "ok")),
        (*GOOD_PAIR, call(2, BAD), call(2, GOOD), result(2, "ok")),
        (*GOOD_PAIR, call(2, GOOD), result(2, "error", error="invalid args: no")),
        (*GOOD_PAIR, call(2, BAD), {"ev": "turn.start", "turn": 2}, call(3, BAD)),
        (call(1, GOOD), {"ev": "turn.start", "turn": 2}, *GOOD_PAIR, call(1, BAD), result(1, "ok")),
    ],
    ids=lambda events: " ".join(event["ev"].partition(".")[2] for event in events),
)
def test_calls_that_are_held_back_are_found_where_they_stand(
    tmp_path: Path, events: tuple[dict[str, Any], ...]
) -> None:
    singly, together = singly_and_together(tmp_path, *events)

    assert singly == together
