"""The part of the state machine about receipts, sign-off, the task list and reviews.

Functions of the state and one run: what a gate is told, what a call leaves, how the list moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import structs

from reasonix_runtime.evidence.arguments import in_background
from reasonix_runtime.evidence.checks.tests_ran import ran_nothing
from reasonix_runtime.evidence.jobs import JOB_KILLERS, JOB_READERS, ended, ended_last
from reasonix_runtime.evidence.kept import CLAIMS, READ_AGAIN, brief, is_long
from reasonix_runtime.evidence.receipts import Receipt, long_claim, receipt_of
from reasonix_runtime.evidence.tasks import Task, advance, repair, task_of
from reasonix_runtime.evidence.tool_kinds import SIGN_OFFS
from reasonix_runtime.gates import review
from reasonix_runtime.gates.policy import EndOfTurn
from reasonix_runtime.gates.steps import complete_step, todo_write
from reasonix_runtime.gates.steps.claim import claim_of
from reasonix_runtime.gates.verdict import Verdict, not_assessable
from reasonix_runtime.host import doubts
from reasonix_runtime.host.run import JudgedCall
from reasonix_runtime.trace.events import (
    MAIN,
    NEVER_RAN,
    Outcome,
    SubEnd,
    ToolCall,
    ToolResult,
    scope_of,
)

if TYPE_CHECKING:
    from reasonix_runtime.host.known_calls import KnownCall
    from reasonix_runtime.host.run import Run
    from reasonix_runtime.host.state import HostState

UNRECORDED: frozenset[str] = NEVER_RAN | {"none"}
"""Outcomes of calls that did not run, or that nobody answered; they leave no receipt (EL-02)."""

READ_ONLY_ROLES = frozenset({"read_only_subagent"})
"""Roles whose shell is a read-only wrapper (EL-06)."""


# -- gates ---------------------------------------------------------------------------------------


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
    if not _takes_reports(state, run):
        return None
    ledger = None if state.setup.no_ledger else run.ledger
    return review.judge(call.target_given, ledger=ledger, policy=state.policy)


def _takes_reports(state: HostState, run: Run) -> bool:
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


# -- what a call leaves --------------------------------------------------------------------------


def record(
    state: HostState,
    run: Run,
    call: ToolCall,
    known: KnownCall,
    result: ToolResult,
    outcome: Outcome,
) -> None:
    """Leave the receipts of a call that ran, and move the task list."""
    idle = known.counted and ran_nothing(result.text, lenient=known.lenient, failed=outcome != "ok")
    if run.session.hears_calls and (idle or outcome != "ok" or result.reads_as_failure):
        told = "unknown" if idle else _told(outcome, result)
        run.session.answered(call.uid, told)
    if outcome in UNRECORDED and not _second_signoff(run, call, outcome):
        return
    if known.plain and outcome != "running":
        ledger = run.ledger
        says = result.says_something
        receipt = known.receipt(outcome, result.exit_code, says, ledger.rules)
        if outcome == "error" and doubts.only_words_tell(call, known.attempt, result, ledger.rules):
            receipt = structs.replace(receipt, partly=True)
        ledger.record(structs.replace(receipt, ran_nothing=True) if idle else receipt)
        return
    if call.target == "review_report" and _is_nobodys_report(state, run):
        return
    if call.resolved_name is not None:
        _leave(state, run, call.name, call.args, result, outcome, read_only=True, sized=False)
        receipt = _leave(
            state,
            run,
            call.resolved_name,
            call.resolved_args,
            result,
            outcome,
            read_only=call.resolved_read_only,
            idle=idle,
        )
    else:
        flag = True if _read_only_shell(state, call) else call.read_only
        receipt = _leave(
            state, run, call.name, call.args, result, outcome, read_only=flag, idle=idle
        )
    if receipt.success and receipt.tool in SIGN_OFFS:
        _move(state, run, call, receipt)
    background = receipt.background or outcome == "running" or in_background(call.args)
    if background or call.name in JOB_READERS:
        _note_jobs(state, run, call, result, receipt)


def _told(outcome: Outcome, result: ToolResult) -> Outcome:
    """Return the outcome that a reader of the conversation sees in a result (EL-19 T1).

    The conversation keeps texts and no outcomes. There a success whose text begins with `error:`
    is a failure; so is a run that was cut off, but not a call that was taken back (`cancelled:`).
    """
    if result.reads_as_failure:
        return "error"
    cut_off = result.error is not None and not result.text.startswith("cancelled:")
    return "error" if outcome == "cancelled" and cut_off else outcome


def _second_signoff(run: Run, call: ToolCall, outcome: Outcome) -> bool:
    """Whether the call is a second sign-off of one message: refused, and yet on record (CS-16)."""
    message = run.message
    signed = message is not None and message.signed_off
    return call.name == "complete_step" and outcome == "blocked" and signed


def _read_only_shell(state: HostState, call: ToolCall) -> bool:
    return call.name == "bash" and state.setup.role in READ_ONLY_ROLES


def _leave(
    state: HostState,
    run: Run,
    tool: str,
    args: Any,
    result: ToolResult,
    outcome: Outcome,
    *,
    read_only: bool | None,
    sized: bool = True,
    idle: bool = False,
) -> Receipt:
    """Record one receipt and return it.

    Without `sized` nothing is noted of the output, nor of paths and changes: of the two receipts of
    a proxy call that of the proxy has no output of its own (EL-02), and it has neither read nor
    changed what its target does. `idle` says that by its output a check ran no test.
    """
    receipt = receipt_of(
        tool,
        args if tool in READ_AGAIN else brief(args),
        rules=run.ledger.rules,
        outcome=outcome,
        output="." if sized and result.says_something else "",
        read_only=read_only,
        exit_code=result.exit_code,
        tasks=run.ledger.todos or () if tool == "complete_step" else (),
        running_jobs=_jobs_that_count(run) if tool in JOB_KILLERS else None,
        refused_for=run.refusal if tool == "complete_step" else "",
    )
    if tool in CLAIMS and is_long(args):
        receipt = long_claim(receipt)
    if idle:
        receipt = structs.replace(receipt, ran_nothing=True)
    if not sized:
        receipt = structs.replace(receipt, paths=(), mutation=False, partly=False)
    run.ledger.record(receipt)
    return receipt


def _jobs_that_count(run: Run) -> frozenset[str]:
    """Return the running jobs whose end is a change."""
    counts = run.ledger.rules.commands.processes_change
    return run.jobs.running if counts else run.jobs.may_change


def _note_jobs(
    state: HostState, run: Run, call: ToolCall, result: ToolResult, receipt: Receipt
) -> None:
    """Follow background jobs from their start to their end (EL-16)."""
    if call.name not in JOB_READERS:
        position = run.ledger.base + len(run.ledger) - 1
        run.jobs.note_start(result.text, receipt, call.uid, position)
    elif not state.setup.plan_mode:
        ends = _ends_told(call, result, receipt)
        run.jobs.note_ends(ends, run.ledger, text=result.text)


def _ends_told(call: ToolCall, result: ToolResult, receipt: Receipt) -> Iterator[tuple[str, str]]:
    """Return the ends of jobs that a result tells, as id and outcome.

    A result of `job_output` is that of its job: it failed where the job did.
    """
    args = call.args if isinstance(call.args, dict) else {}
    asked = args.get("job_id")
    job = asked if isinstance(asked, str) else ""
    if call.name == "job_output":
        return ended_last(result.text, job)
    if not receipt.success:
        return iter(())
    several = args.get("job_ids")
    return ended(result.text, [job] if job else several if isinstance(several, list) else ())


# -- the task list -------------------------------------------------------------------------------


def _move(state: HostState, run: Run, call: ToolCall, receipt: Receipt) -> None:
    """Store a new list, or advance the list after a sign-off (EL-18, CS-15)."""
    if receipt.tool == "todo_write":
        run.tasks, run.untold_list = repair(receipt.todos), False
    else:
        if run.message is not None:
            run.message.signed_off = True
        _advance(run, _advanced(state, run, call))


def _advanced(state: HostState, run: Run, call: ToolCall) -> tuple[Task, ...] | None:
    """Return the list after a sign-off: what the gate made of it, or what follows if it refused."""
    judged = run.judged
    if judged is not None and judged.uid == call.uid and judged.verdict.accepted:
        found: tuple[Task, ...] | None = judged.verdict.facts["advanced"]
        return found
    claim = claim_of(call.target_given, state.policy.steps)
    index = claim.find(run.tasks) if run.tasks else None
    return None if index is None else advance(run.tasks, index)


def _advance(run: Run, moved: tuple[Task, ...] | None) -> None:
    """Store an advanced list; it stands in the ledger like one that was sent."""
    if moved is not None:
        run.tasks = moved
        run.ledger.record(Receipt(tool="todo_write", args={}, success=True, todos=moved))


def _is_nobodys_report(state: HostState, run: Run) -> bool:
    """Whether a report comes from a run that has no tool for reports, so that it proves nothing."""
    return state.policy.reviews.reviewers_only and not _takes_reports(state, run)


def carried(items: tuple[dict[str, Any], ...]) -> tuple[Task, ...]:
    """Return the list that a run starts with, in serial shape (EL-18)."""
    return repair([task_of(item) for item in items])


# -- turns and delegated runs --------------------------------------------------------------------


def begin_turn(run: Run, *, kept: bool = False) -> None:
    """Start a turn: the session takes the ledger over, then it is emptied (EL-17).

    `kept` is true where the run goes on with its ledger.
    """
    run.session.message_ended()
    run.leave()
    run.message = None
    if not kept:
        run.jobs.turn_over(run.ledger)
        run.session.turn_ended(run.ledger)
        run.ledger.clear()
    run.jobs.merge(run.ledger)


def _run_around(state: HostState, event: SubEnd) -> Run | None:
    """Return the run that a delegated run hands its evidence to, also where its own has ended."""
    own = state.runs.get(scope_of(event.parent_uid))
    holders = (run for run in state.runs.values() if event.scope in run.children)
    return own if own is not None else next(holders, None)


def _take_what_goes_on(child: Run, parent: Run) -> None:
    """Leave a parent what goes on below a delegated run that ends: sub-agents in the background."""
    parent.children |= child.children
    for lease in child.jobs.leases:
        if not lease.finished:
            lease.began = child.began
            parent.jobs.leases.append(lease)


def end_child(state: HostState, event: SubEnd) -> None:
    """Hand the evidence of a delegated run to its parent (EL-15); a background one is held back.

    A run whose call was answered before the run ended was one in the background. What its parent
    changed while it ran makes what it saw and checked as old as its start.
    """
    child = state.runs.pop(event.scope, None)
    parent = _run_around(state, event)
    if child is None or parent is None:
        return
    parent.children.pop(event.scope, None)
    _take_what_goes_on(child, parent)
    opened = parent.open.get(event.parent_uid)
    if opened is None:
        parent.jobs.lease(tuple(child.ledger), event.parent_uid, child.began)
    elif child.background:
        parent.jobs.lease(tuple(child.ledger), opened.call.uid)
    else:
        began = parent.overtaken(opened.number)
        parent.ledger.take_over(parent.jobs.as_old_as(tuple(child.ledger), began, parent.ledger))
    if state.policy.end_of_turn is EndOfTurn.CHANGES:
        doubts.pass_on(child, parent)
