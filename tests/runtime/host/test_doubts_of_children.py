"""What nobody knows of a sub-agent's changes, nobody knows of the turn that it worked for."""

from __future__ import annotations

import pytest

from reasonix_runtime.gates.policy import CONTRACT
from reasonix_runtime.host.delegated import MOST_NESTED
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

EDIT = ("edit_file", {"path": "a.md"})
READ = ("read_file", {"path": "a.md"})


def delegated(inner: list[Event], parent: str = "main", scope: str = "sub") -> list[Event]:
    """Return a call that starts a sub-agent, and what that does inside it."""
    uid = f"{parent}#1"
    return [
        ToolCall(uid=uid, name="task", args={"prompt": "x"}, step=f"{parent}1"),
        SubStart(scope=scope, parent_uid=uid),
        *inner,
        SubEnd(scope=scope, parent_uid=uid),
        ToolResult(uid=uid, outcome="ok", text="done"),
    ]


def acts(
    made: tuple[str, dict[str, str]], outcome: Outcome | None, scope: str = "sub"
) -> list[Event]:
    call = ToolCall(uid=f"{scope}#1", name=made[0], args=made[1], step=f"{scope}1")
    return [call, ToolResult(uid=call.uid, outcome=outcome, text="x")] if outcome else [call]


def end(events: list[Event]) -> tuple[str, str | None]:
    state = HostState(CONTRACT)
    for event in (TurnStart(turn=1), *events):
        state.apply(event)
    (verdict,) = state.apply(TurnEnd(turn=1, status="completed"))
    return verdict.decision.value, verdict.reason


@pytest.mark.parametrize("outcome", ["unknown", "none", "running", None])
@pytest.mark.parametrize("nested", [False, True])
def test_a_change_of_a_sub_agent_whose_end_is_not_told_leaves_the_turn_open(
    outcome: Outcome | None, nested: bool
) -> None:
    """A recording that stops inside a sub-agent was accepted: its change was never told of."""
    inner = acts(EDIT, outcome, "deep" if nested else "sub")
    told = delegated(inner, "sub", "deep") if nested else inner

    assert ("not_assessable", None) == end(delegated(told))


@pytest.mark.parametrize(
    ("made", "above", "decision"),
    [
        (EDIT, 0, ("reject", "finish.inspection_missing")),
        (EDIT, 1, ("not_assessable", None)),
        (READ, 1, ("accept", None)),
    ],
)
def test_nobody_saw_a_change_of_a_sub_agent_deeper_than_is_told(
    made: tuple[str, dict[str, str]], above: int, decision: tuple[str, str | None]
) -> None:
    """Each hands all that it left to the one around it: a thousand in each other took minutes."""
    depth = MOST_NESTED + above
    inner = acts(made, "ok", f"s{depth}")
    for at in range(depth, 0, -1):
        inner = delegated(inner, f"s{at - 1}" if at > 1 else "main", f"s{at}")

    assert decision == end(inner)


@pytest.mark.parametrize(
    ("made", "outcome", "decision"),
    [
        (EDIT, "ok", ("reject", "finish.inspection_missing")),
        (EDIT, "error", ("accept", None)),
        (EDIT, "blocked", ("accept", None)),
        (READ, "unknown", ("accept", None)),
        (READ, "none", ("accept", None)),
    ],
)
def test_what_is_known_of_a_sub_agent_is_judged(
    made: tuple[str, dict[str, str]], outcome: Outcome, decision: tuple[str, str | None]
) -> None:
    """Nor does a read leave a doubt, whatever became of it."""
    assert decision == end(delegated(acts(made, outcome)))


@pytest.mark.parametrize("made", [EDIT, ("mcp__server__tool", {"a": "b"})])
def test_a_change_that_goes_on_leaves_the_turn_open(made: tuple[str, dict[str, str]]) -> None:
    """What a tool that was handed to the background changes, it may change after the turn."""
    assert ("not_assessable", None) == end(acts(made, "running", "main"))


def test_a_doubt_stays_until_an_end_has_passed() -> None:
    """As what is owed for a change does."""
    state = HostState(CONTRACT)
    for event in (TurnStart(turn=1), *delegated(acts(EDIT, "unknown"))):
        state.apply(event)
    (first,) = state.apply(TurnEnd(turn=1, status="completed"))
    state.apply(TurnStart(turn=2))
    (second,) = state.apply(TurnEnd(turn=2, status="completed"))

    assert ["not_assessable"] * 2 == [first.decision.value, second.decision.value]
