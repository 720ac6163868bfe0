"""A sign-off is not judged where a call that may have changed something stands behind its check."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import pytest

from reasonix_runtime.gates.policy import CLASSIC, CONTRACT, Policy
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import (
    Event,
    Outcome,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
)

CHECK = ("bash", {"command": "pytest -q"})
EDIT = ("edit_file", {"path": "a.py"})
SCRIPT = ("bash", {"command": "./migrate.sh"})
READ = ("read_file", {"path": "a.py"})
NOTE = ("remember", {"note": "x"})
SIGN = (
    "complete_step",
    {
        "step": "Alpha",
        "result": "done",
        "evidence": [{"kind": "verification", "summary": "green", "command": "pytest -q"}],
    },
)
Made = tuple[str, dict[str, Any]]
Open = Literal["open"]
Step = tuple[Made, Outcome | Open]


def message(step: str, *calls: Step, scope: str = "main") -> list[Event]:
    """Return one message: all its calls, then the results of those that have one."""
    uids = [f"{scope}#{step}{number}" for number in range(len(calls))]
    made: list[Event] = [
        ToolCall(uid=uid, name=name, args=args, step=step)
        for uid, ((name, args), _) in zip(uids, calls, strict=True)
    ]
    results: list[Event] = [
        ToolResult(uid=uid, outcome=outcome, text="x")
        for uid, (_, outcome) in zip(uids, calls, strict=True)
        if outcome != "open"
    ]
    return made + results


def signs(events: Iterable[Event], policy: Policy = CONTRACT) -> tuple[str, str]:
    """Return the decision about the one sign-off among these events, and its message."""
    state = HostState(policy)
    found = [v for event in (TurnStart(turn=1), *events) for v in state.apply(event)]
    (verdict,) = (v for v in found if v.gate == "complete_step")
    return verdict.decision.value, str(verdict.message)


@pytest.mark.parametrize("made", [EDIT, SCRIPT, ("mcp__server__put", {"path": "a.py"})])
@pytest.mark.parametrize("outcome", ["open", "none", "unknown"])
def test_a_change_without_a_known_end_behind_a_check_leaves_the_sign_off_open(
    made: Made, outcome: Outcome | Open
) -> None:
    """FRESH: whether the check is old rests on what nobody recorded, result or not."""
    events = [
        *message("a", (CHECK, "ok")),
        *message("b", (made, outcome)),
        *message("c", (SIGN, "ok")),
    ]

    decision, said = signs(events)

    assert "not_assessable" == decision
    assert f"nobody knows what came of {made[0]} `" in said


@pytest.mark.parametrize("outcome", ["open", "none", "unknown"])
@pytest.mark.parametrize(
    "turn",
    [
        pytest.param([[(EDIT, "?")], [(CHECK, "ok")], [(SIGN, "ok")]], id="before-the-check"),
        pytest.param([[(CHECK, "ok")], [(READ, "?")], [(SIGN, "ok")]], id="a-read"),
        pytest.param([[(CHECK, "ok")], [(NOTE, "?")], [(SIGN, "ok")]], id="a-note-of-the-host"),
        pytest.param([[(CHECK, "ok")], [(SIGN, "ok"), (EDIT, "?")]], id="behind-the-sign-off"),
    ],
)
def test_what_cannot_have_made_a_check_old_leaves_no_doubt(
    turn: list[list[tuple[Made, Any]]], outcome: Outcome | Open
) -> None:
    """A call without an end is no fault of the agent's that everything else would pay for."""
    events = [
        event
        for step, calls in zip("abc", turn, strict=False)
        for event in message(step, *((made, outcome if o == "?" else o) for made, o in calls))
    ]

    assert "accept" == signs(events)[0]


@pytest.mark.parametrize(
    "order", [[(CHECK, "ok"), (EDIT, "open")], [(EDIT, "open"), (CHECK, "ok")]]
)
def test_a_call_without_a_result_stands_last_in_its_message(order: list[Step]) -> None:
    """Nobody knows when it ran: calls of one message may have run at once."""
    events = [*message("a", *order), *message("b", (READ, "ok")), *message("c", (SIGN, "ok"))]

    assert "not_assessable" == signs(events)[0]


def test_a_call_that_was_overtaken_is_remembered_where_it_stood() -> None:
    """A recording tells at the end of a turn only that a call had no result."""
    doubtful = [
        *message("a", (CHECK, "ok")),
        *message("b", (EDIT, "open")),
        *message("c", (READ, "ok")),
    ]
    untold = [ToolResult(uid="main#b0", outcome="none"), TurnEnd(turn=1, judge=False)]
    sign = [TurnStart(turn=2), *message("e", (SIGN, "ok"))]

    assert "not_assessable" == signs([*doubtful, *untold, *sign])[0]
    assert "accept" == signs([*doubtful, *message("d", (CHECK, "ok")), *untold, *sign])[0]


def passing_pair(step: str, made: Made) -> tuple[ToolCall, ToolResult]:
    """Return a call of a message with its result, as a replay hands many of them over."""
    uid = f"main#{step}9"
    call = ToolCall(uid=uid, name=made[0], args=made[1], step=step)
    return call, ToolResult(uid=uid, outcome="ok", text="x")


def test_calls_that_pass_by_tell_where_a_message_with_an_open_call_ended() -> None:
    """The quick way through a trace leaves the same as the long one."""
    state = HostState(CONTRACT)
    state.apply(TurnStart(turn=1))
    for event in message("a", (EDIT, "open")):
        state.apply(event)
    passing = [passing_pair("a", READ), passing_pair("b", CHECK)]

    assert len(passing) == state.pass_by(passing)

    (verdict,) = [v for event in message("d", (SIGN, "ok")) for v in state.apply(event)]

    assert "accept" == verdict.decision.value


@pytest.mark.parametrize("outcome", ["open", "none", "unknown"])
def test_a_change_of_a_sub_agent_without_a_known_end_counts_for_its_parent(
    outcome: Outcome | Open,
) -> None:
    """What nobody knows of a child nobody knows of the turn."""
    events = [
        *message("a", (CHECK, "ok")),
        ToolCall(uid="main#t", name="task", args={"prompt": "x"}, step="b"),
        SubStart(scope="sub", parent_uid="main#t"),
        *message("s", (EDIT, outcome), scope="sub"),
        SubEnd(scope="sub", parent_uid="main#t"),
        ToolResult(uid="main#t", outcome="ok", text="done"),
        *message("c", (SIGN, "ok")),
    ]

    assert "not_assessable" == signs(events)[0]


@pytest.mark.parametrize("outcome", ["open", "none", "unknown"])
def test_classic_does_not_ask_how_old_a_check_is(outcome: Outcome | Open) -> None:
    """There is no freshness there to be in doubt about."""
    events = [
        *message("a", (CHECK, "ok")),
        *message("b", (EDIT, outcome)),
        *message("c", (SIGN, "ok")),
    ]

    assert "accept" == signs(events, CLASSIC)[0]
