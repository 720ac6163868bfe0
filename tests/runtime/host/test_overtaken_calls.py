"""A call without a result is told to have none late: it was not judged by what came behind it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.gates.policy import CLASSIC, CONTRACT, Policy
from reasonix_runtime.gates.verdict import Verdict
from reasonix_runtime.host.passing import Pair
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import (
    Event,
    Host,
    Outcome,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
)

EVIDENCE = [{"kind": "verification", "summary": "green", "command": "pytest -q"}]
SIGN = ("complete_step", {"step": "Alpha", "result": "done", "evidence": EVIDENCE})
CHECK = ("bash", {"command": "pytest -q"})
LIST = {"todos": [{"content": "Alpha", "status": "in_progress"}]}
POLICIES = pytest.mark.parametrize("policy", [CLASSIC, CONTRACT], ids=lambda policy: policy.name)


def call(number: int, made: tuple[str, dict[str, Any]], step: str = "") -> ToolCall:
    return ToolCall(uid=f"main#{number}", name=made[0], args=made[1], step=step or f"s{number}")


def ended(number: int, outcome: Outcome = "ok") -> ToolResult:
    return ToolResult(uid=f"main#{number}", outcome=outcome, text="1 passed")


def judged(policy: Policy, *events: Event | Pair, tasks: bool = True) -> list[tuple[str, str]]:
    """Return (gate, decision) of each verdict but those before calls; a pair may pass by."""
    state = HostState(policy)
    found: list[Verdict] = []
    setup = Host(name="setup", data={"tasks": LIST["todos"] if tasks else []})
    for event in (setup, TurnStart(turn=1), *events, TurnEnd(turn=1, status="completed")):
        if isinstance(event, tuple):
            assert 1 == state.pass_by([event])
        else:
            found += state.apply(event)
    return [(v.gate, v.decision.value) for v in found if v.gate != "preflight"]


OPEN = ("turn_end", "reject")
UNTOLD = ("complete_step", "not_assessable")


@POLICIES
@pytest.mark.parametrize("step", ["", "s1"], ids=["a later response", "the same response"])
def test_a_sign_off_does_not_rest_on_a_check_behind_it(policy: Policy, step: str) -> None:
    """It was accepted by a check that ran when it was over, and the list went on by that."""
    check = call(2, CHECK, step)

    assert [UNTOLD, OPEN] == judged(policy, call(1, SIGN), check, ended(2), ended(1, "none"))


@POLICIES
def test_a_check_that_passes_by_overtakes_it_too(policy: Policy) -> None:
    """Most calls are taken in many at once."""
    told = judged(policy, call(1, SIGN), (call(2, CHECK), ended(2)), ended(1, "none"))

    assert [UNTOLD, OPEN] == told


@POLICIES
@pytest.mark.parametrize("step", ["", "s1"], ids=["an earlier response", "the same response"])
def test_what_stands_before_it_counts(policy: Policy, step: str) -> None:
    """A host that was killed in a sign-off ran the check of the same response before it."""
    check = call(1, CHECK, step)

    told = judged(policy, check, call(2, SIGN, step), ended(1), ended(2, "none"))

    assert ("complete_step", "accept") == told[0]


@POLICIES
def test_a_result_that_comes_late_stands(policy: Policy) -> None:
    """The host told it; when it judged, only the host knows."""
    told = judged(policy, call(1, SIGN), call(2, CHECK), ended(2), ended(1, "ok"))

    assert ("complete_step", "accept") == told[0]


EDIT = ("edit_file", {"path": "a.md"})


def test_a_failure_behind_a_change_does_not_tell_that_it_never_ran() -> None:
    """The barrier that it raised kept the earlier call of its response from having happened."""
    made = [call(1, EDIT, "s1"), call(2, EDIT, "s1"), ended(2, "error"), ended(1, "none")]

    assert [("turn_end", "not_assessable")] == [
        told for told in judged(CONTRACT, *made, tasks=False) if told[0] == "turn_end"
    ]


CHANGE = ("write_file", {"path": "a.py", "content": "x"})
LOOK = ("read_file", {"path": "a.py"})


@pytest.mark.parametrize("passing", [True, False], ids=["many at once", "one by one"])
@pytest.mark.parametrize("behind", [True, False], ids=["a check behind", "a check beside"])
def test_a_check_that_a_change_overtook_may_have_seen_what_was_there_before(
    *, behind: bool, passing: bool
) -> None:
    """It began before the change and ended after it: what it ran over nobody knows."""
    check, change = call(1, CHECK, "s1"), call(2, CHANGE, "s1")
    changed: list[Event | Pair] = [(change, ended(2))] if passing else [change, ended(2)]
    made = [*changed, check, ended(1)] if behind else [check, *changed, ended(1)]

    told = judged(CONTRACT, *made, call(3, LOOK), ended(3), tasks=False)

    assert ("turn_end", "accept" if behind else "reject") == told[-1]


@pytest.mark.parametrize("answered", [True, False])
def test_a_call_that_was_never_answered_ends_no_row_of_failures(answered: bool) -> None:
    """A run that was stopped for its failures was accepted: the lost call stood behind them."""
    made: list[Event] = [call(1, CHECK), *([ended(1)] if answered else [])]
    for number in (2, 3, 4):
        made += [call(number, EDIT), ended(number, "error")]

    told = judged(CONTRACT, *made, *([] if answered else [ended(1, "none")]), tasks=False)

    assert ("turn_end", "not_assessable") == told[-1]


SEND = ("todo_write", LIST)
EMPTY: tuple[str, dict[str, Any]] = ("todo_write", {"todos": []})
UNREAD: tuple[str, dict[str, Any]] = ("todo_write", {"todos": "Alpha"})


@pytest.mark.parametrize(
    ("before", "behind", "end"),
    [
        ([call(1, SEND), call(2, CHECK), ended(2), ended(1, "none")], [], "not_assessable"),
        ([call(1, SEND), ended(1, "unknown")], [call(2, CHECK), ended(2)], "not_assessable"),
        ([call(1, SEND)], [call(2, CHECK), ended(2)], "not_assessable"),
        ([call(1, SEND)], [], "accept"),
        ([call(1, EMPTY)], [call(2, CHECK), ended(2)], "accept"),
        ([call(1, SEND), ended(1, "unknown")], [call(2, CHECK), ended(2, "error")], "accept"),
        ([call(1, SEND), ended(1, "error")], [call(2, CHECK), ended(2)], "accept"),
        ([call(1, UNREAD), ended(1)], [call(2, CHECK), ended(2)], "not_assessable"),
        ([call(1, UNREAD), ended(1, "error")], [call(2, CHECK), ended(2)], "accept"),
        ([call(1, UNREAD)], [call(2, CHECK), ended(2)], "not_assessable"),
        (
            [call(1, UNREAD), ended(1)],
            [call(2, CHECK), ended(2), call(3, EMPTY), ended(3)],
            "accept",
        ),
        (
            [call(1, SEND), ended(1, "unknown")],
            [call(2, CHECK), ended(2), call(3, SEND), ended(3)],
            "reject",
        ),
    ],
    ids=[
        "lost",
        "unknown",
        "open",
        "open without progress",
        "nothing in it",
        "without progress",
        "refused",
        "unread",
        "unread and refused",
        "unread and open",
        "unread and emptied",
        "sent again",
    ],
)
def test_a_list_that_may_be_in_force_lets_no_turn_pass(
    before: list[Event], behind: list[Event], end: str
) -> None:
    """Its open items would have held the end, which was accepted."""
    assert ("turn_end", end) == judged(CONTRACT, *before, *behind, tasks=False)[-1]


MOVES = st.tuples(st.sampled_from(["sign", "check", "end"]), st.integers(0, 9))


@given(st.lists(MOVES, max_size=24))
def test_a_call_is_overtaken_when_one_that_was_made_behind_it_has_ended(
    moves: list[tuple[str, int]],
) -> None:
    """Held against the plain reading of that sentence, whatever ends first."""
    state = HostState(CLASSIC)
    state.apply(TurnStart(turn=1))
    still_open: list[int] = []
    signs: set[int] = set()
    gone: list[int] = []
    for number, (move, pick) in enumerate(moves, 1):
        if move != "end":
            still_open.append(number)
            signs |= {number} if move == "sign" else set()
            state.apply(call(number, SIGN if move == "sign" else CHECK))
        elif still_open:
            ends = still_open.pop(pick % len(still_open))
            told = state.apply(ended(ends, "none" if ends in signs else "ok"))
            if ends in signs:
                untold = "not_assessable" in [verdict.decision for verdict in told]
                assert any(other > ends for other in gone) == untold
            gone.append(ends)
