"""Sub-agents that acted unseen: when they may have changed something, and for how long."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_conformance.replay import sub_agents
from reasonix_conformance.replay.replay import Replay
from reasonix_conformance.replay.sub_agents import UnseenSubAgents
from reasonix_runtime.gates.policy import CONTRACT, rule_set
from reasonix_runtime.gates.verdict import Decision
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import (
    Event,
    Host,
    Outcome,
    Session,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
)
from reasonix_runtime.trace.host_events import JOB_ENDED


def unseen(format_name: str = "claude-code") -> UnseenSubAgents:
    found = UnseenSubAgents({})
    found.session_starts(format_name)
    return found


def end(found: UnseenSubAgents, uid: str = "main#1", outcome: Outcome = "ok", **args: Any) -> None:
    """Give the end of a call that starts a sub-agent."""
    found.call_ended(
        ToolCall(uid=uid, name="task", args=args), ToolResult(uid=uid, outcome=outcome)
    )


@pytest.mark.parametrize(
    ("outcome", "args", "acted", "may_act"),
    [
        ("ok", {}, True, True),
        ("error", {}, True, True),
        ("unknown", {}, True, True),
        ("blocked", {}, False, False),
        ("not_run", {}, False, False),
        ("running", {}, False, True),
        ("ok", {"run_in_background": True}, False, True),
    ],
)
def test_whose_call_ran_acted(
    outcome: Outcome, args: dict[str, Any], *, acted: bool, may_act: bool
) -> None:
    """In the background it acts until its job ends."""
    found = unseen()

    end(found, outcome=outcome, **args)

    assert (acted, may_act) == (found.acted, found.may_act)
    assert may_act is found.left_evidence


@pytest.mark.parametrize(
    ("format_name", "told", "missed", "acted"),
    [
        ("claude-code", False, False, True),
        ("claude-code", True, False, False),
        ("claude-code", True, True, True),
        ("FULL", False, False, False),
        ("FULL", False, True, True),
    ],
)
def test_one_that_is_told_is_seen(
    format_name: str, *, told: bool, missed: bool, acted: bool
) -> None:
    """Also by a format that tells each of them, unless something of it is missing."""
    found = unseen(min(sub_agents.WITH_SUB_AGENTS) if format_name == "FULL" else format_name)
    if told:
        found.starts(SubStart(scope="main/1", parent_uid="main#1"))
    if missed:
        found.miss(["main#1"])
    before = found.left_evidence

    end(found)

    assert (False, acted, acted) == (before, found.acted, found.may_act)


def test_where_no_run_is_known_nobody_has_to_be_told() -> None:
    found = unseen()

    found.mark_end()

    assert not found.just_ended


def test_before_a_format_is_told_sub_agents_may_be_hidden() -> None:
    found = UnseenSubAgents({})

    end(found)

    assert found.acted


@pytest.mark.parametrize(("told", "acted"), [(True, False), (False, True)])
def test_a_job_that_ended_acted_unseen_unless_it_is_told(*, told: bool, acted: bool) -> None:
    """Its receipts come with that end."""
    found = unseen()
    end(found, outcome="running")
    if told:
        found.starts(SubStart(scope="main/1", parent_uid="main#1"))

    found.job_ended("main#1")

    assert (acted, acted) == (found.acted, found.just_ended)
    assert acted is found.left_evidence


def test_the_end_of_a_job_that_no_sub_agent_is_tells_nothing() -> None:
    found = unseen()

    found.job_ended("main#9")

    assert not found.acted


@pytest.mark.parametrize("beside", [False, True])
def test_one_that_has_ended_acts_no_more_once_the_state_machine_knows(beside: bool) -> None:
    """The state machine is told once nothing else runs; until then it may still act."""
    state = HostState(CONTRACT)
    state.apply(Session(sid="s", format="claude-code"))
    found = UnseenSubAgents(state.runs)
    end(found)
    before = found.may_act
    state.apply(TurnStart(turn=1))
    if beside:
        state.apply(ToolCall(uid="main#2", name="read_file", turn=1, step="r1", args={}))

    found.mark_end()

    assert (True, beside) == (before, found.may_act)
    assert found.acted


def test_one_of_which_nobody_knows_its_end_may_always_change_something() -> None:
    """A reader misses it, and no call waits for it."""
    found = unseen()

    found.miss()

    assert (True, True) == (found.acted, found.may_act)


def test_no_more_are_followed_than_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond that each counts as one that is not told, and whose end nobody knows."""
    monkeypatch.setattr(sub_agents, "MOST_UNENDED", 2)
    found = unseen()
    kept = []
    for number in range(4):
        end(found, f"main#{number}", "running")
        kept.append((len(found._in_background), found.acted))

    assert [(1, False), (2, False), (0, True), (1, True)] == kept


@pytest.mark.parametrize(
    ("told", "decision"),
    [
        ([], Decision.NOT_ASSESSABLE),
        ([("edit_file", {"path": "a.py"})], Decision.REJECT),
        ([("read_file", {"path": "a.py"}), ("edit_file", {"path": "a.py"})], Decision.REJECT),
    ],
)
def test_what_is_changed_behind_its_end_is_owed(
    told: list[tuple[str, dict[str, Any]]], decision: Decision
) -> None:
    """A job that ended between two turns changed nothing that the second one did."""
    replay = Replay(rule_set("contract"), path="t", trace_id="t", format_name="claude-code")
    events: list[Event] = [
        Session(sid="s", format="claude-code"),
        TurnStart(turn=1),
        ToolCall(uid="main#1", name="task", args={"run_in_background": True}),
        ToolResult(uid="main#1", outcome="running", basis="flag", text="job"),
        TurnEnd(turn=1, status="completed"),
        Host(name=JOB_ENDED, data={"uid": "main#1", "outcome": "ok"}),
        TurnStart(turn=2),
    ]
    for number, (name, args) in enumerate(told, 2):
        uid = f"main#{number}"
        events.append(ToolCall(uid=uid, name=name, step=uid, args=args))
        events.append(ToolResult(uid=uid, outcome="ok", basis="flag", text="x"))

    replay.feed([*events, TurnEnd(turn=2, status="completed")])

    assert decision is replay.result().verdicts[-1].verdict.decision
