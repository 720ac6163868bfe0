"""The part of the state machine about tools with a gate of their own: what that gate is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from reasonix_runtime.gates import review
from reasonix_runtime.gates.steps import complete_step, todo_write
from reasonix_runtime.gates.verdict import Verdict, not_assessable
from reasonix_runtime.host import doubts
from reasonix_runtime.host.run import JudgedCall
from reasonix_runtime.trace.events import MAIN, ToolCall

if TYPE_CHECKING:
    from reasonix_runtime.host.run import Run
    from reasonix_runtime.host.state import HostState


def judge(state: HostState, run: Run, call: ToolCall) -> Verdict | None:
    """Ask the gate of the called tool; None when the tool has no gate here."""
    name = call.target
    gate = _GATES.get(name)
    if gate is None:
        return None
    if not state.policy.evidence_gates:
        return not_assessable(name, f"This rule set has no gate for {name}.")
    verdict = gate(state, run, call)
    run.judged = None if verdict is None else JudgedCall(call.uid, verdict)
    return verdict


def _judge_step(state: HostState, run: Run, call: ToolCall) -> Verdict:
    context = complete_step.StepContext(
        policy=state.policy,
        ledger=None if state.setup.no_ledger else run.ledger,
        history=run.session,
        tasks=run.tasks,
        closed_loop=run.gates.closed_loop,
        planning=state.setup.plan_mode,
        project_checks=state.setup.project_checks,
        plan_criteria=state.setup.plan_criteria,
        doubted=doubts.latest(run),
        signed_off=run.message is not None and run.message.signed_off,
    )
    return complete_step.judge(call.target_given, context)


def _judge_todo(state: HostState, run: Run, call: ToolCall) -> Verdict:
    context = todo_write.TodoContext(
        policy=state.policy,
        ledger=None if state.setup.no_ledger else run.ledger,
        tasks=run.tasks,
        plan_replacement=call.plan_replacement,
        planning=state.setup.plan_mode,
    )
    return todo_write.judge(call.target_given, context)


def _judge_report(state: HostState, run: Run, call: ToolCall) -> Verdict | None:
    """Judge a report where the tool exists: in a reviewing run (RV-01)."""
    if not takes_reports(state, run):
        return None
    ledger = None if state.setup.no_ledger else run.ledger
    return review.judge(call.target_given, ledger=ledger, policy=state.policy)


def takes_reports(state: HostState, run: Run) -> bool:
    """Whether a run has the tool for reports, so that one proves something (RV-01)."""
    if run.scope == MAIN:
        return state.setup.role == "review"
    return run.reviews or not state.policy.reviews.reviewers_only


_GATES: Mapping[str, Callable[[HostState, Run, ToolCall], Verdict | None]] = {
    "complete_step": _judge_step,
    "review_report": _judge_report,
    "todo_write": _judge_todo,
}
JUDGED = frozenset(_GATES)
"""Tools with a gate of their own."""
