"""The part of the state machine about what a call leaves: receipts, jobs, a list that moved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec import structs

from reasonix_runtime.evidence.arguments import in_background
from reasonix_runtime.evidence.checks.tests_ran import ran_nothing
from reasonix_runtime.evidence.checks.told_failures import ends_with_failure
from reasonix_runtime.evidence.jobs import JOB_KILLERS, JOB_READERS, ended, ended_last
from reasonix_runtime.evidence.kept import CLAIMS, READ_AGAIN, brief, is_long
from reasonix_runtime.evidence.receipts import Receipt, long_claim, receipt_of
from reasonix_runtime.evidence.tasks import Task, advance, repair
from reasonix_runtime.evidence.tool_kinds import SIGN_OFFS
from reasonix_runtime.gates.steps.claim import claim_of
from reasonix_runtime.host import doubts
from reasonix_runtime.host.tool_gates import takes_reports
from reasonix_runtime.trace.events import NEVER_RAN, Outcome, ToolCall, ToolResult

if TYPE_CHECKING:
    from reasonix_runtime.host.known_calls import KnownCall
    from reasonix_runtime.host.run import Run
    from reasonix_runtime.host.state import HostState

NOTHING_KEPT = "No local changes to save"
"""What `git stash` says where it put nothing away: what was changed is there as before."""

UNRECORDED: frozenset[str] = NEVER_RAN | {"none"}
"""Outcomes of calls that did not run, or that nobody answered; they leave no receipt (EL-02)."""

READ_ONLY_ROLES = frozenset({"read_only_subagent"})
"""Roles whose shell is a read-only wrapper (EL-06)."""


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
        ledger.record(_in_vain(receipt, result, idle=idle))
        return
    if call.target == "review_report" and _is_nobodys_report(state, run):
        return
    if call.resolved_name is not None:
        _leave(state, run, call.name, call.args, result, outcome, read_only=True, sized=False)
        name, args, flag = call.resolved_name, call.resolved_args, call.resolved_read_only
    else:
        name, args = call.name, call.args
        flag = True if _read_only_shell(state, call) else call.read_only
    receipt = _leave(state, run, name, args, result, outcome, read_only=flag, idle=idle)
    if receipt.success and receipt.tool in SIGN_OFFS:
        _move(state, run, call, receipt)
    background = receipt.background or outcome == "running" or in_background(call.args)
    if background or call.name in JOB_READERS:
        _note_jobs(state, run, call, result, receipt)


def _in_vain(receipt: Receipt, result: ToolResult, *, idle: bool) -> Receipt:
    """Mark the receipt of a command whose output says that it did nothing."""
    if idle:
        return structs.replace(receipt, ran_nothing=True, belied=ends_with_failure(result.text))
    if receipt.tool == "bash" and receipt.mutation and NOTHING_KEPT in result.text:
        return structs.replace(receipt, kept_nothing=True)
    return receipt


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
    receipt = _in_vain(receipt, result, idle=idle)
    told_failed = result.basis == "flag" and result.error is not None
    if outcome == "unknown" and told_failed and not receipt.mutation:
        # Nobody knows whether it ran, but the host told that it did not succeed.
        receipt = structs.replace(receipt, outcome="cancelled")
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


def _is_nobodys_report(state: HostState, run: Run) -> bool:
    """Whether a report comes from a run that has no tool for reports, so that it proves nothing."""
    return state.policy.reviews.reviewers_only and not takes_reports(state, run)


# -- the task list -------------------------------------------------------------------------------


def _move(state: HostState, run: Run, call: ToolCall, receipt: Receipt) -> None:
    """Store a new list, or advance the list after a sign-off (EL-18, CS-15)."""
    if receipt.tool == "todo_write" and doubts.is_unread_list(call):
        run.untold_list = True  # the host took what nobody can read
    elif receipt.tool == "todo_write":
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
