"""The part of the state machine about delegated runs: how one starts, what it hands over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.arguments import in_background
from reasonix_runtime.gates.policy import EndOfTurn
from reasonix_runtime.gates.review import starts_review
from reasonix_runtime.host import doubts
from reasonix_runtime.trace.events import SubEnd, SubStart, scope_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reasonix_runtime.gates.verdict import Verdict
    from reasonix_runtime.host.run import Run
    from reasonix_runtime.host.state import HostState


MOST_NESTED: Final = 16
"""So deep in each other the work of sub-agents is seen; deeper, it is work that nobody saw.

Each hands all that it left to the run around it, so that deep work would be handed on many times.
"""


def start(state: HostState, event: SubStart) -> Sequence[Verdict]:
    """Open the run that a call delegates to."""
    parent = state.runs[scope_of(event.parent_uid)]
    child = state.open_run(event.scope, depth=parent.depth + 1, outer=parent.ledger)
    call = parent.opened(event.parent_uid)
    asked = call is not None and in_background(call.args)
    child.background = asked if event.background is None else event.background
    child.began = parent.ledger.base + len(parent.ledger) - 1
    parent.children[event.scope] = child
    child.reviews = call is not None and starts_review(call.target, call.target_args)
    return ()


def end(state: HostState, event: SubEnd) -> Sequence[Verdict]:
    """Close a delegated run, and hand its evidence to the run around it."""
    own = state.runs.get(scope_of(event.parent_uid))
    child = state.runs.pop(event.scope, None)
    around = _holder(state, event.scope) if own is None else own
    if child is not None and around is not None:
        around.children.pop(event.scope, None)
        by_changes = state.policy.end_of_turn is EndOfTurn.CHANGES
        if by_changes and child.depth > MOST_NESTED:
            _leave_what_goes_on(child, around)
            doubts.take_for_unseen(child, around)
        else:
            _hand_over(child, around, event.parent_uid)
        if by_changes:
            doubts.pass_on(child, around)
    if own is not None:
        own.gates.memory.absorb()
    return ()


def _holder(state: HostState, scope: str) -> Run | None:
    """Return the run that was left a delegated run whose own parent has ended."""
    return next((run for run in state.runs.values() if scope in run.children), None)


def _hand_over(child: Run, parent: Run, uid: str) -> None:
    """Hand the evidence of a delegated run to its parent; that of a background one waits (EL-15).

    A run whose call was answered before the run ended was one in the background. What its parent
    changed while it ran makes what it saw and checked as old as its start.
    """
    _leave_what_goes_on(child, parent)
    receipts, opened = tuple(child.ledger), parent.open.get(uid)
    if opened is None:
        parent.jobs.lease(receipts, uid, child.began)
    elif child.background:
        parent.jobs.lease(receipts, opened.call.uid)
    else:
        began = parent.overtaken(opened.number)
        parent.ledger.take_over(parent.jobs.as_old_as(receipts, began, parent.ledger))


def _leave_what_goes_on(child: Run, parent: Run) -> None:
    """Leave a parent what goes on below a delegated run that ends: sub-agents in the background."""
    parent.children |= child.children
    for lease in child.jobs.leases:
        if not lease.finished:
            lease.began = child.began
            parent.jobs.leases.append(lease)
