"""Adapter of the kind `turn`: a whole user turn through the state machine, as a host would.

A tool that is no gate answers with its scripted result unless it is refused before it runs. The
results of equal calls form a queue: a refused call takes none, so the next equal call that does run
gets the result that was written at the refused one.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import msgspec

from reasonix_conformance.readers.hosts.host_facts import JUDGED
from reasonix_conformance.verdicts.calls import RecordedCall
from reasonix_conformance.verdicts.inputs import reads
from reasonix_runtime.gates import preflight
from reasonix_runtime.gates.policy import Policy
from reasonix_runtime.gates.verdict import Verdict
from reasonix_runtime.host.setup import Setup
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import (
    Host,
    Outcome,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
)
from reasonix_runtime.trace.host_events import SETUP


class _Turn(msgspec.Struct, frozen=True):
    profile: str = "ordinary"
    task: str = ""
    expectations: tuple[Literal["evidence", "mutation", "persistent"], ...] = ()
    project_checks: tuple[str, ...] = ()
    todo_state: tuple[dict[str, Any], ...] = ()
    history: tuple[RecordedCall, ...] = ()
    rounds: tuple[tuple[RecordedCall, ...], ...] = ()
    final: str = ""
    depth: int = 0
    plan: bool = False
    review_tools: bool = False
    goal: bool = False


@reads(_Turn)
def turn(given: _Turn, policy: Policy) -> dict[str, Any]:
    """Play a turn and tell what became of each call, and whether it may end."""
    player = _Player(HostState(_apart(policy)))
    player.set_up(given)
    calls = [player.play_round(number, calls) for number, calls in enumerate(given.rounds)]
    report = _goal_report(player.state)  # the end of the turn uses it up
    end = player.end(given)
    out: dict[str, Any] = {
        "accept": end.accepted,
        "calls": calls,
        "guards": player.state.main.gates.memory.guards.fired,
        "missing": list(end.facts.get("missing", ())),
        "todos": [task.status for task in player.state.main.tasks],
        "reason": None if end.accepted else "missing",
    }
    if given.goal:
        out["goal_report"] = report
    return out


@dataclass(slots=True)
class _Player:
    """A host that answers with scripted results."""

    state: HostState
    scripts: dict[str, deque[RecordedCall]] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)

    def set_up(self, given: _Turn) -> None:
        """Play the calls of earlier turns, then begin the judged one."""
        self.state.apply(Host(name=SETUP, data=_setup(given)))
        for number, call in enumerate(given.history):
            self._play(self._register(call, f"history{number}"), call, call.outcome)
        self.state.apply(TurnStart(turn=1))
        for calls in given.rounds:
            for call in calls:
                self.scripts.setdefault(_key(call), deque()).append(call)

    def play_round(self, number: int, calls: Sequence[RecordedCall]) -> list[dict[str, Any]]:
        """Play one model response: all calls are known before the first one runs."""
        uids = [self._register(call, f"round{number}") for call in calls]
        return [self._answer(uid, call) for uid, call in zip(uids, calls, strict=True)]

    def end(self, given: _Turn) -> Verdict:
        """Let the model give its final answer."""
        (verdict,) = self.state.apply(TurnEnd(turn=1, status="completed", answer=given.final))
        return verdict

    def _register(self, call: RecordedCall, step: str, scope: str = "main") -> str:
        number = self.numbers[scope] = self.numbers.get(scope, 0) + 1
        uid = f"{scope}#{number}"
        self.state.apply(
            ToolCall(
                uid=uid,
                name=call.tool,
                args=call.args,
                step=step,
                read_only=call.read_only,
            )
        )
        return uid

    def _answer(self, uid: str, call: RecordedCall) -> dict[str, Any]:
        """Run one call unless the host refuses it, and tell what became of it."""
        refusal = self.state.ask(uid)
        if refusal is not None and not refusal.accepted:
            self._play(uid, call, "none")
            return {"outcome": "blocked", "reason": refusal.reason}
        if call.tool in JUDGED:  # its result is worked out, not read
            return self._execute(uid, call)
        scripted = self.scripts[_key(call)].popleft()
        self._play(uid, scripted, scripted.outcome)
        return _told(scripted)

    def _execute(self, uid: str, call: RecordedCall) -> dict[str, Any]:
        """Let the host's own tool decide."""
        verdict = self._play(uid, call, "none")
        if verdict is None:
            return {"outcome": "error", "reason": "tool.failed"}
        if verdict.accepted:
            return {"outcome": "ok"}
        blocked = verdict.gate == preflight.GATE or verdict.reason == "batch.second_signoff"
        return {"outcome": "blocked" if blocked else "error", "reason": verdict.reason}

    def _play(self, uid: str, call: RecordedCall, outcome: Outcome) -> Verdict | None:
        if outcome != "none" and call.child:
            self._delegate(uid, call.child)
        text = "" if outcome == "none" else call.output
        verdicts = self.state.apply(ToolResult(uid=uid, outcome=outcome, text=text))
        return verdicts[-1] if verdicts else None

    def _delegate(self, uid: str, children: Sequence[RecordedCall]) -> None:
        scope = f"sub-{uid}"
        self.state.apply(SubStart(scope=scope, parent_uid=uid))
        for number, child in enumerate(children):
            self._play(self._register(child, f"child{number}", scope), child, child.outcome)
        self.state.apply(SubEnd(scope=scope, parent_uid=uid))


def _apart(policy: Policy) -> Policy:
    """Let no turn go on with the ledger of another: the earlier one is no run of the goal."""
    return replace(policy, ledger=replace(policy.ledger, goal_keeps_ledger=False))


def _setup(given: _Turn) -> dict[str, Any]:
    setup = Setup(
        role="review",  # the recording host registers `review_report` in every run
        profile="delivery" if given.profile == "delivery" else "ordinary",
        tasks=given.todo_state,
        project_checks=given.project_checks,
        tools=("review", "security_review") if given.review_tools else (),
        plan_mode=given.plan,
        subagent_depth=given.depth,
        goal={"text": given.task} if given.goal else None,
    )
    data: dict[str, Any] = msgspec.to_builtins(setup)
    return {**data, "expectations": list(given.expectations)}


def _goal_report(state: HostState) -> dict[str, Any]:
    goals = state.goals
    report = goals.recorder.readable(goals.goal) if goals.recorder is not None else None
    if report is None:
        return {"recorded": False, "status": ""}
    return {"recorded": True, "status": report.word}


def _told(call: RecordedCall) -> dict[str, Any]:
    return {"outcome": "ok"} if call.success else {"outcome": "error", "reason": "tool.failed"}


def _key(call: RecordedCall) -> str:
    return f"{call.tool} {json.dumps(call.args, sort_keys=True)}"
