"""The sign-off gate: whether an item of the task list may be completed (CS-01 to CS-20).

The checks stand in the order in which they decide (CS-02): the shape of the arguments, the item of
the list, each piece of evidence, the declared project checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from reasonix_runtime.evidence.citing.cited_paths import last_written
from reasonix_runtime.evidence.latest import Doubt
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.masking import shown
from reasonix_runtime.evidence.session import SessionHistory
from reasonix_runtime.evidence.tasks import (
    CURRENT,
    DONE,
    Task,
    advance,
    candidates,
    current,
    open_substep,
    unfinished,
)
from reasonix_runtime.gates import found, found_checks
from reasonix_runtime.gates.policy import Policy
from reasonix_runtime.gates.steps import evidence as step_evidence
from reasonix_runtime.gates.steps.claim import KINDS, Claim, claim_of
from reasonix_runtime.gates.steps.inquiry import Inquiry
from reasonix_runtime.gates.steps.verification_evidence import may_be_old
from reasonix_runtime.gates.verdict import (
    Later,
    Refusal,
    Verdict,
    accept,
    decide,
    not_assessable,
    refuse,
    text_of,
)

GATE = "complete_step"


class StepContext(msgspec.Struct, frozen=True, kw_only=True):
    """What a sign-off is judged by.

    Attributes:
        policy: the rule set.
        ledger: receipts of this turn; None outside a turn, then no evidence is counted (CS-02).
        history: memory of earlier turns.
        tasks: the canonical list.
        closed_loop: whether a cited check must be a recognised verification once something changed.
        planning: the canonical list is not available while planning (CS-04).
        project_checks: commands that the project demands after a write (CS-14).
        plan_criteria: ids of the criteria of an approved plan; empty without one.
        signed_off: a sign-off of the same assistant message succeeded already (CS-16).
        doubted: the latest call of which nobody knows whether it changed something.
    """

    policy: Policy
    ledger: Ledger | None
    history: SessionHistory
    tasks: Sequence[Task] = ()
    closed_loop: bool = False
    planning: bool = False
    project_checks: Sequence[str] = ()
    plan_criteria: Sequence[str] = ()
    signed_off: bool = False
    doubted: Doubt | None = None

    @property
    def list(self) -> Sequence[Task]:
        """The list that the item is looked up in (CS-04)."""
        turn = self.ledger.todos if self.ledger is not None else None
        return turn or (() if self.planning else self.tasks)


def judge(args: Any, context: StepContext) -> Verdict:
    """Decide one sign-off.

    Facts: `todo_after` (statuses of the canonical list afterwards), and when accepted
    `host_verified` and `manual` (numbers of evidence items) and `advanced` (the new canonical list
    or None).
    """
    claim = claim_of(args, context.policy.steps)
    tasks = context.list
    index = claim.find(tasks) if tasks else None
    verdict = decide(
        GATE,
        refusals(claim, context, tasks, index),
        lambda: _accepted(claim, context, tasks, index),
    )
    if verdict.accepted and context.doubted is not None and context.ledger is not None:
        verdict = _unless_doubtful(verdict, claim, context, context.ledger, context.doubted)
    if verdict.accepted:
        return verdict
    facts = {**verdict.facts, "todo_after": [task.status for task in context.tasks]}
    return msgspec.structs.replace(verdict, facts=facts)


def _unless_doubtful(
    verdict: Verdict, claim: Claim, context: StepContext, ledger: Ledger, doubted: Doubt
) -> Verdict:
    """Return the verdict, unless nobody knows whether a cited check is older than a change."""
    inquiry = _inquiry(claim, context, ledger)
    for item in claim.evidence:
        if may_be_old(item, inquiry, doubted):
            return not_assessable(
                GATE,
                f"nobody knows what came of {doubted.tool} `{shown(doubted.call)}` after "
                f"`{shown(item.command)}` ran: it may have changed something",
            )
    return verdict


def refusals(
    claim: Claim, context: StepContext, tasks: Sequence[Task], index: int | None
) -> Iterator[Refusal]:
    """Yield everything that speaks against a sign-off, in the order of CS-02.

    Args:
        claim: what is claimed.
        context: what it is judged by.
        tasks: the list that the item is looked up in.
        index: where it stands there, None when it is not found.
    """
    if context.signed_off:
        yield refuse(
            "batch.second_signoff",
            "One message signs off one item, and this one did already. Sign the next item off in "
            f"a message of its own: {found.current_item(tasks)}.",
        )
    yield from _shape_refusals(claim)
    if context.plan_criteria:
        yield from _criteria_refusals(claim, context.plan_criteria)
    if tasks:
        yield from _item_refusals(claim, tasks, index)
    if context.ledger is None:
        return
    inquiry = _inquiry(claim, context, context.ledger)
    for item in claim.evidence:
        for refusal in step_evidence.refusals(item, inquiry):
            first, line_break, rest = text_of(refusal.message).partition("\n")
            message = f"{first}{_stays(tasks, index)}{line_break}{rest}"
            yield msgspec.structs.replace(refusal, message=message)
    if context.project_checks:
        yield from _project_check_refusals(claim, context, context.ledger)


def _inquiry(claim: Claim, context: StepContext, ledger: Ledger) -> Inquiry:
    return Inquiry(
        policy=context.policy,
        ledger=ledger,
        history=context.history,
        closed_loop=context.closed_loop,
        cited=tuple(item.command.strip() for item in claim.evidence if item.command.strip()),
    )


def _shape_refusals(claim: Claim) -> Iterator[Refusal]:
    """V1 to V6: the arguments alone."""
    if claim.problems:
        yield refuse("args.invalid", f"The arguments do not fit: {'; '.join(claim.problems)}.")
    if not claim.identity:
        yield refuse(
            "step.missing",
            "Name the item that is signed off: `step_index` (its number, from 1) or `step` "
            "(its title).",
        )
    if claim.step_index < 0:
        yield refuse(
            "step_index.negative",
            f"`step_index` counts from 1; {claim.step_index} is no position. Use the number of "
            "the item, or its title as `step`.",
        )
    if not claim.result.strip():
        yield refuse("result.missing", "`result` is blank; say in one sentence what is now true.")
    if not claim.evidence:
        yield refuse(
            "evidence.missing",
            "`evidence` is empty; give at least one item, for example "
            '{"kind": "verification", "summary": "tests pass", "command": "pytest -q"}.',
        )
    for number, item in enumerate(claim.evidence, 1):
        if item.kind not in KINDS:
            yield refuse(
                "evidence.kind_invalid",
                f'Evidence {number} has the kind "{shown(item.kind)}"; it must be one of '
                f"{', '.join(KINDS)}{_meant_kind(item.kind)}.",
            )
        if not item.summary.strip():
            yield refuse(
                "evidence.summary_missing",
                f"Evidence {number} ({item.kind}) has no `summary`; say what it shows.",
            )


def _criteria_refusals(claim: Claim, known: Sequence[str]) -> Iterator[Refusal]:
    """Cited criteria must be those of the approved plan (CS-20)."""
    for number, item in enumerate(claim.evidence, 1):
        if item.criterion_id and item.criterion_id not in known:
            yield refuse(
                "criterion.unknown",
                f'Evidence {number} cites the criterion "{shown(item.criterion_id)}"; the '
                f"approved plan has {', '.join(known)}.",
            )


def _item_refusals(claim: Claim, tasks: Sequence[Task], index: int | None) -> Iterator[Refusal]:
    """V7: the item exists in the list and may be signed now (CS-04 to CS-06)."""
    if index is None:
        yield _unmatched(claim, tasks)
        return
    task = tasks[index]
    if task.status == CURRENT:
        step = open_substep(tasks, index)
        if step is not None:
            yield refuse(
                "todo.phase_unfinished",
                f"Item {found.task(tasks, index)} is a phase with an open sub-step: sign off "
                f"{found.task(tasks, step)} first.",
            )
    elif task.waiting:
        yield _pending(tasks, index)
    elif task.status != DONE:
        yield refuse(
            "todo.step_status_invalid",
            f'Item {found.task(tasks, index)} has the status "{shown(task.status)}"; only an '
            "item that is in_progress or completed can be signed off. Send the list again with "
            "legal statuses.",
        )


def _unmatched(claim: Claim, tasks: Sequence[Task]) -> Refusal:
    wanted = shown(claim.identity, found.ITEM_LENGTH)
    if not unfinished(tasks):
        return refuse(
            "todo.renewal_unmatched",
            f'Every item is completed and none is "{wanted}"; the list is unchanged. To give '
            "fresh evidence for a finished item give its number as `step_index`; the last one is "
            f"{found.task(tasks, len(tasks) - 1)}.",
        )
    several = () if claim.step_id else candidates(claim.identity, tasks)
    near = _nearest_id(claim.step_id, tasks)
    if len(several) > 1:
        fits = " and ".join(found.task(tasks, index) for index in several)
        message = f'"{wanted}" fits {fits}; use the number as `step_index`.'
    else:
        message = (
            f'No item is "{wanted}"; the list is unchanged and {found.current_item(tasks)}. '
            f"Items: {found.items(tasks)}. {near}Use a number as `step_index`."
        )
    return refuse("todo.step_unmatched", message)


def _nearest_id(wanted: str, tasks: Sequence[Task]) -> str:
    """Name the id of an item that is most like the one that was given."""
    ids = [task.step_id for task in tasks if task.step_id]
    if not wanted or not ids:
        return ""
    folded = next((one for one in ids if one.casefold() == wanted.casefold()), None)
    near = folded or found.nearest(wanted, ids)
    return f'The nearest `step_id` is "{shown(near)}": send that if it is meant. ' if near else ""


def _meant_kind(kind: str) -> str:
    """Say which kind is meant where only case or blanks differ."""
    plain = kind.strip().lower()
    return f", written exactly so, without blanks: `{plain}`" if plain in KINDS else ""


def _pending(tasks: Sequence[Task], index: int) -> Refusal:
    step = open_substep(tasks, index)
    now = current(tasks)
    inside = step is not None and now is not None and now > index
    lead = "is a phase with an open sub-step" if inside else "is still pending"
    first = (
        "Send the list with its first open item in_progress, and sign that one off first."
        if now is None
        else "Sign that one off first."
    )
    return refuse(
        "todo.step_pending",
        f"Item {found.task(tasks, index)} {lead}: items are signed off in order, and "
        f"{found.current_item(tasks)}. {first}",
    )


def _stays(tasks: Sequence[Task], index: int | None) -> str:
    """Say that the item stays as it is, when it is the current one (CS-02)."""
    if index is None or tasks[index].status != CURRENT:
        return ""
    return f" Item {found.task(tasks, index)} stays in_progress."


def _project_check_refusals(
    claim: Claim, context: StepContext, ledger: Ledger
) -> Iterator[Refusal]:
    """V9: every declared check ran after the latest cited write (CS-14)."""
    written = max((last_written(ledger, item.paths) for item in _path_items(claim)), default=-1)
    if written < 0:
        return
    for check in context.project_checks:
        if not found_checks.passed_after(ledger, check, written):
            came = found_checks.found_of(ledger, check, written)
            yield refuse(
                "project_check.not_run",
                f"The project demands `{shown(check)}` after a write, and it did not succeed for "
                f"certain after the write of {', '.join(ledger[written].paths)}"
                f"{f' ({came})' if came else ''}. Run it now, then sign off again. "
                f"{found.ran(ledger, context.history)}",
                grounds=(written,),
            )


def _path_items(claim: Claim) -> Iterator[Any]:
    return (item for item in claim.evidence if item.kind in ("diff", "files"))


def _accepted(
    claim: Claim, context: StepContext, tasks: Sequence[Task], index: int | None
) -> Verdict:
    """Accept: count the evidence, advance the list, and say so (CS-15, CS-17)."""
    evidence, canonical = claim.evidence, context.tasks
    counted = evidence if context.ledger is not None else ()
    manual = len([item for item in counted if item.kind == "manual"])
    verified = len(counted) - manual
    at = index if tasks == canonical else claim.find(canonical)
    moved = None if at is None else advance(canonical, at)
    checks = len(context.project_checks)
    return accept(
        GATE,
        message=Later(_success, (claim, tasks, index, moved, verified, manual, checks)),
        host_verified=verified,
        manual=manual,
        advanced=moved,
        criteria=tuple([item.criterion_id for item in evidence if item.criterion_id]),
        todo_after=[task.status for task in moved or canonical],
    )


def _success(
    claim: Claim,
    tasks: Sequence[Task],
    index: int | None,
    moved: Sequence[Task] | None,
    verified: int,
    manual: int,
    checks: int,
) -> str:
    """Write the result text of CS-17; the host that answers a model may send it as it is.

    Args:
        claim: what was claimed.
        tasks: the list that the item was looked up in.
        index: where it stands there, None when it is not found.
        moved: the new canonical list, None when it stays.
        verified: how many evidence items the host knows of.
        manual: how many only the model claims.
        checks: how many checks the project declares.
    """
    cited = [item.kind for item in claim.evidence]
    kinds = ", ".join(f"{kind} {cited.count(kind)}" for kind in dict.fromkeys(cited))
    parts = [
        f'Step "{shown(claim.identity, found.ITEM_LENGTH)}" signed off with '
        f"{len(cited)} evidence: {kinds}.",
        f"Host evidence: host-verified {verified}, manual/unverified {manual}.",
    ]
    if index is not None:
        parts.append(f'Todo step: todo-matched {index + 1} ("{shown(tasks[index].content, 60)}").')
    if checks and any(_path_items(claim)):
        parts.append(f"Project checks: project checks {checks}.")
    parts.append(_what_now(tasks, index, moved))
    return " ".join(parts)


def _what_now(tasks: Sequence[Task], index: int | None, moved: Sequence[Task] | None) -> str:
    """Say what became of the list; never to go on when nothing is left (TODO-6)."""
    if moved is None:
        if not tasks:
            return "The host advanced the list."
        done = index is not None and tasks[index].status == DONE
        return (
            "The list is unchanged: the item was completed before."
            if done
            else "The list is unchanged."
        )
    if not unfinished(moved):
        return "The host advanced the list: all steps are completed, none is left. Finish the turn."
    return f"The host advanced the list; {found.current_item(moved)}."
