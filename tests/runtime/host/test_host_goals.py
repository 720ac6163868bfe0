"""Goals inside the host: what events carry, what recordings leave open, what moves the state."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.errors import HostDataError
from reasonix_runtime.gates.policy import CLASSIC, CONTRACT, UNGATED, Policy
from reasonix_runtime.gates.verdict import Decision, Verdict
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import (
    Event,
    Host,
    Outcome,
    Session,
    Source,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    TurnStatus,
    User,
)


def feed(state: HostState, *events: Event) -> list[Verdict]:
    return [verdict for event in events for verdict in state.apply(event)]


def report(n: int, args: Any, outcome: Outcome = "ok", text: str = "x") -> tuple[Event, Event]:
    uid = f"main#{n}"
    call = ToolCall(uid=uid, name="update_goal", step=str(n), args=args, turn=1)
    return call, ToolResult(uid=uid, outcome=outcome, text=text)


def goal_verdicts(found: list[Verdict]) -> list[tuple[Decision, str | None]]:
    return [(v.decision, v.reason) for v in found if v.gate == "update_goal"]


@pytest.mark.parametrize(
    ("event", "key"),
    [
        (Host(name="setup", data={"goal": {"epoch": "seven"}}), r"\$\.epoch"),
        (Host(name="setup", data={"goal": {"research_mode": "maybe"}}), "maybe"),
        (Host(name="set", data={"class": "huge"}), r"\$\.class"),
        (Host(name="set", data={"text": 3}), r"\$\.text"),
        (Host(name="usage", data={"tokens": "many"}), r"\$\.tokens"),
        (Host(name="admit", data={"continue": "yes"}), r"\$\.continue"),
        (Host(name="turn_end", data={"readiness": []}), "readiness"),
        (Host(name="reconcile", data={"host_gaps": [{"kind": "bug"}]}), r"\$\.host_gaps"),
    ],
)
def test_data_that_does_not_fit_is_told_with_its_key(event: Host, key: str) -> None:
    """Whoever wrote the file has to find the line and the key."""
    placed = Host(name=event.name, data=event.data, src=Source("a.yaml", 4))

    with pytest.raises(HostDataError, match=rf"a\.yaml:4: host event '{event.name}'.*{key}"):
        feed(HostState(CONTRACT), placed)


def test_what_was_recorded_moves_the_state() -> None:
    """A report that the host refused is not its candidate, whatever our gate says of it."""
    state = HostState(CONTRACT)
    found = feed(
        state,
        Host(name="set", data={"text": "Ship it"}),
        TurnStart(turn=1),
        *report(1, {"status": "complete"}, "error"),
        *report(2, {"status": "continue", "reason": "half"}, "none"),
    )

    assert [(Decision.ACCEPT, "goal.recorded")] * 2 == goal_verdicts(found)
    assert state.goals.recorder is not None
    assert state.goals.recorder.report is not None
    assert "continue" == state.goals.recorder.report.word


def test_a_refused_completion_names_what_is_missing() -> None:
    """The sentence of the rule alone says that something is missing, and not what."""
    *_, end = feed(
        HostState(CONTRACT),
        Host(name="set", data={"text": "Ship it"}),
        TurnStart(turn=1),
        *report(1, {"status": "complete"}),
        Host(name="turn_end", data={"readiness": {"missing": ["todo"], "reason": "1 of 2 open"}}),
    )

    assert "goal_turn.not_ready" == end.reason
    assert end.message.endswith("(missing: todo; 1 of 2 open)")


@pytest.mark.parametrize(
    ("status", "outcome", "expected"),
    [
        ("interrupted", "error", (Decision.REJECT, "goal.no_turn")),
        ("interrupted", "ok", (Decision.ACCEPT, "goal.recorded")),
        ("failed", "ok", (Decision.ACCEPT, "goal.recorded")),
        ("failed", "error", (Decision.ACCEPT, "goal.recorded")),
    ],
)
def test_a_cancelled_turn_stops_the_goal_and_a_failed_one_does_not(
    status: TurnStatus, outcome: Outcome, expected: tuple[Decision, str]
) -> None:
    """After a cancel only a report that was taken tells that the user let the work go on."""
    found = feed(
        HostState(CONTRACT),
        Host(name="set", data={"text": "Ship it"}),
        TurnStart(turn=1),
        TurnEnd(turn=1, status=status),
        TurnStart(turn=2),
        *report(1, {"status": "complete"}, outcome),
    )

    assert [expected] == goal_verdicts(found)


def test_another_session_has_no_goal_of_this_one() -> None:
    """Two sessions in one file share nothing."""
    state = HostState(CONTRACT)
    feed(state, Session(sid="a", format="x"), Host(name="set", data={"text": "Ship it"}))

    found = feed(
        state,
        Session(sid="b", format="x"),
        TurnStart(turn=1),
        *report(1, {"status": "complete"}, "none"),
    )

    assert [(Decision.REJECT, "goal.no_turn")] == goal_verdicts(found)
    assert "" == state.goals.goal.text


@pytest.mark.parametrize("policy", [CONTRACT, CLASSIC, UNGATED])
def test_a_continued_session_may_have_a_goal_that_nobody_recorded(policy: Policy) -> None:
    """Not knowing is not the same as there being none."""
    args = (
        {"action": "complete", "goal_id": "g", "revision": 2}
        if policy is UNGATED
        else {"status": "complete"}
    )

    found = feed(
        HostState(policy),
        Session(sid="b", format="x", resumed_from="a"),
        TurnStart(turn=1),
        User(turn=1, text="go on"),
        *report(1, args, "ok"),
    )

    assert [(Decision.NOT_ASSESSABLE, None)] == goal_verdicts(found)


def test_two_replays_name_the_same_scopes() -> None:
    """A report that differs from run to run cannot be compared with anything."""
    scopes = []
    for _ in range(2):
        state = HostState(CONTRACT)
        feed(state, *(Host(name="set", data={"text": text}) for text in ("a", "b", "a")))
        scopes.append(state.goals.goal.scope)

    assert scopes[0] == scopes[1]


def test_the_same_text_twice_opens_two_scopes() -> None:
    """What was reported on the first goal says nothing about the second."""
    state = HostState(CONTRACT)
    feed(state, Host(name="set", data={"text": "a"}))
    first = state.goals.goal.scope
    feed(state, Host(name="clear"), Host(name="set", data={"text": "a"}))

    assert first != state.goals.goal.scope


def test_a_tool_that_the_rule_set_does_not_know_is_not_judged() -> None:
    """A host of another line speaks of revisions that this rule set has no word for."""
    call = ToolCall(uid="main#1", name="create_goal", step="1", args={"objective": "x"}, turn=1)

    found = feed(
        HostState(CONTRACT), TurnStart(turn=1), call, ToolResult(uid="main#1", outcome="ok")
    )

    assert [Decision.NOT_ASSESSABLE] == [v.decision for v in found if v.gate == "create_goal"]


@pytest.mark.parametrize("given", [{}, {"goal": {"text": "Ship it", "running": True}}])
def test_a_goal_that_was_set_up_is_not_read_out_of_a_text(given: dict[str, Any]) -> None:
    """A user may quote the goal of another session; without a setup the block tells the goal."""
    state = HostState(CONTRACT)
    quoted = "<active-goal>\nTidy up\n</active-goal>"
    feed(state, Host(name="setup", data=given), TurnStart(turn=1), User(turn=1, text=quoted))

    assert ("Ship it" if given else "Tidy up") == state.goals.goal.text


def reconciled(*before: Event, **told: Any) -> dict[str, Any]:
    """Return what the account says of an edit that nobody verified, in a session without setup."""
    call = ToolCall(uid="main#1", name="write_file", step="1", args={"path": "a.py"}, turn=1)
    events = (
        *before,
        Host(name="set", data={"text": "Ship it"}),
        TurnStart(turn=1),
        call,
        ToolResult(uid="main#1", outcome="ok", text="written"),
        Host(name="reconcile", data=told),
    )
    state: dict[str, Any] = feed(HostState(CONTRACT), *events)[-1].facts["state_after"]
    return state


def test_what_no_host_told_of_its_gaps_is_read_off_the_receipts_of_the_goal() -> None:
    """A work that nobody verified is never reported as done only because nobody said otherwise."""
    checks = Host(name="project_check", data={"command": "make lint"})

    assert [
        {"kind": "unverified_change", "subject": ""},
        {"kind": "unreviewed_change", "subject": "a.py"},
    ] == reconciled()["gaps"]
    assert [
        {"kind": "missing_check", "subject": "make lint"},
        {"kind": "unreviewed_change", "subject": "a.py"},
    ] == reconciled(checks)["gaps"]
    assert [] == reconciled(host_gaps=[])["gaps"]
    assert "partial" == reconciled()["report"]
