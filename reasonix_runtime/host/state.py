"""The one state machine: events in, verdicts out.

A live host and a replay feed the same events. A call is registered when it appears and judged when
its result arrives, because calls of one message run in order and the later ones are judged by what
the earlier ones left. A recorded outcome stands, also where our verdict differs; where none was
recorded the verdict moves the state (DESIGN section 4).

The parts are modules of their own: `host/steps.py` (receipts, sign-off, task list, reviews),
`host/turn.py` (before a call, start and end of a turn), `host/goals.py` (goal tool and machine).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.session import history_of
from reasonix_runtime.gates.policy import Policy
from reasonix_runtime.gates.verdict import Verdict
from reasonix_runtime.host import steps
from reasonix_runtime.host.goals import GOAL_EVENTS, GOAL_TOOLS, Goals
from reasonix_runtime.host.run import Run
from reasonix_runtime.host.setup import Setup, setup_of
from reasonix_runtime.trace.events import (
    MAIN,
    Event,
    Host,
    Outcome,
    Session,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    User,
    scope_of,
)

NOTHING: Sequence[Verdict] = ()


class HostState:
    """What a host knows of one session under one rule set."""

    def __init__(self, policy: Policy, setup: Setup | None = None) -> None:
        self.policy = policy
        self.setup = setup or Setup()
        self.turn = 0
        self.runs: dict[str, Run] = {}
        main = self._open_run(MAIN, depth=self.setup.subagent_depth)
        self.goals = Goals(policy, self.setup, main)

    @property
    def main(self) -> Run:
        """The run of the main conversation."""
        return self.runs[MAIN]

    def apply(self, event: Event) -> Sequence[Verdict]:
        """Take one event in and return the verdicts that it asked for, in order."""
        handler = _HANDLERS.get(type(event))
        return handler(self, event) if handler else NOTHING

    def _open_run(self, scope: str, *, depth: int) -> Run:
        rules = self.policy.ledger
        ledger = Ledger(rules, workspace=self.setup.workspace)
        run = Run(scope, ledger, history_of(rules), depth)
        self.runs[scope] = run
        return run

    def _on_host(self, event: Host) -> Sequence[Verdict]:
        if event.name == "setup":
            self.setup = setup_of(event.data)
            main = self._open_run(MAIN, depth=self.setup.subagent_depth)
            main.tasks = steps.carried(self.setup.tasks)
            self.goals = Goals(self.policy, self.setup, main)
        elif event.name in GOAL_EVENTS:
            return (self.goals.host_event(event),)
        return NOTHING

    def _on_session(self, event: Session) -> Sequence[Verdict]:
        self.goals.session_starts(event)
        return NOTHING

    def _on_turn_start(self, event: TurnStart) -> Sequence[Verdict]:
        self.turn = event.turn
        self.goals.turn_starts()
        steps.begin_turn(self.main)
        return NOTHING

    def _on_user(self, event: User) -> Sequence[Verdict]:
        self.goals.user_spoke(event)
        return NOTHING

    def _on_call(self, call: ToolCall) -> Sequence[Verdict]:
        run = self.runs[scope_of(call.uid)]
        run.open[call.uid] = call
        run.enter(call.step)
        run.session.called(call.uid, call.name, call.args)
        return NOTHING

    def _on_result(self, result: ToolResult) -> Sequence[Verdict]:
        run = self.runs[scope_of(result.uid)]
        call = run.open.pop(result.uid, None)
        if call is None:
            return NOTHING
        verdicts = self._judge(run, call, result)
        self._record(run, call, result, self._settle(result.outcome, verdicts))
        return verdicts

    def _judge(self, run: Run, call: ToolCall, result: ToolResult) -> Sequence[Verdict]:
        """Ask the gates of this call: before it runs, then the gate of the tool itself."""
        if call.name in GOAL_TOOLS:
            return (self.goals.judge(call, result),)
        verdict = steps.judge(self, run, call)
        return NOTHING if verdict is None else (verdict,)

    @staticmethod
    def _settle(recorded: Outcome, verdicts: Sequence[Verdict]) -> Outcome:
        """Return the recorded outcome, or what the verdict makes of a call without one."""
        if recorded != "none" or not verdicts:
            return recorded
        return "ok" if all(verdict.accepted for verdict in verdicts) else "error"

    def _record(self, run: Run, call: ToolCall, result: ToolResult, outcome: Outcome) -> None:
        """Leave the receipts of the call and move what the call moves."""
        steps.record(self, run, call, result, outcome)

    def _on_sub_start(self, event: SubStart) -> Sequence[Verdict]:
        parent = self.runs[scope_of(event.parent_uid)]
        self._open_run(event.scope, depth=parent.depth + 1)
        return NOTHING

    def _on_sub_end(self, event: SubEnd) -> Sequence[Verdict]:
        steps.end_child(self, event)
        return NOTHING

    def _on_turn_end(self, event: TurnEnd) -> Sequence[Verdict]:
        return NOTHING


_HANDLERS: dict[type, Callable[[HostState, Any], Sequence[Verdict]]] = {
    Host: HostState._on_host,
    Session: HostState._on_session,
    TurnStart: HostState._on_turn_start,
    User: HostState._on_user,
    ToolCall: HostState._on_call,
    ToolResult: HostState._on_result,
    SubStart: HostState._on_sub_start,
    SubEnd: HostState._on_sub_end,
    TurnEnd: HostState._on_turn_end,
}
