"""Adapters of the kinds about receipts, the task list and the sign-off of a step."""

from __future__ import annotations

from typing import Any

import msgspec

from reasonix_conformance.verdicts.calls import (
    RecordedCall,
    conversation_of,
    earlier_turn,
    ledger_of,
    tasks_of,
)
from reasonix_conformance.verdicts.calls import receipt as receipt_for
from reasonix_conformance.verdicts.inputs import reads
from reasonix_runtime.evidence.tasks import Task, advance, find, legality, match, repair
from reasonix_runtime.gates.policy import Policy
from reasonix_runtime.gates.steps import complete_step as step_gate
from reasonix_runtime.gates.steps import todo_write as todo_gate


class _Receipt(msgspec.Struct, frozen=True):
    call: RecordedCall


@reads(_Receipt)
def receipt(given: _Receipt, policy: Policy) -> dict[str, Any]:
    """Tell what the ledger remembers of one call."""
    left = receipt_for(given.call, policy.ledger)
    return {
        "accept": left.success and (left.read or left.write) and bool(left.paths),
        "read": left.read,
        "write": left.write,
        "mutation": left.mutation,
        "paths": list(left.paths),
        "command": left.command,
        "step": left.step,
        "proof_shaped": left.step_proof,
        "todos": len(left.todos),
    }


class _Cited(msgspec.Struct, frozen=True):
    step: str = ""
    todo: Any = None
    todos: tuple[Any, ...] = ()


def _position(index: int | None) -> dict[str, Any]:
    return {"accept": index is not None, "index": 0 if index is None else index + 1}


@reads(_Cited)
def todo_match(given: _Cited, policy: Policy) -> dict[str, Any]:
    """Look a citation up in a list."""
    del policy  # matching is the same under every rule set
    return _position(match(given.step, tasks_of(given.todos)))


@reads(_Cited)
def todo_identity(given: _Cited, policy: Policy) -> dict[str, Any]:
    """Look an item of an older list up in a newer one."""
    del policy  # as above
    (item,) = tasks_of([given.todo])
    return _position(find(item, tasks_of(given.todos)))


class _Item(msgspec.Struct, frozen=True, rename={"active_form": "activeForm"}):
    content: str = ""
    status: str = ""
    level: int = 0
    active_form: Any = None
    """What no decision asks for."""


class _Advance(msgspec.Struct, frozen=True):
    todos: tuple[_Item, ...] = ()
    index: int = 0


@reads(_Advance)
def todo_advance(given: _Advance, policy: Policy) -> dict[str, Any]:
    """Ask whether a list is legal, what repair makes of it, and what a sign-off does to it."""
    del policy  # as above
    # As it was sent: whether an item has a text is asked before blanks are taken off (TW-01).
    tasks = [
        Task(content=item.content, status=item.status, level=item.level) for item in given.todos
    ]
    problem = next(legality(tasks), None)
    moved = advance(tasks, given.index - 1) if 1 <= given.index <= len(tasks) else None
    return {
        "accept": problem is None,
        "reason": None if problem is None else problem.reason,
        "normalized": [task.status for task in repair(tasks)],
        "advanced": moved is not None,
        "after_advance": [task.status for task in moved or tasks],
    }


class _TodoWrite(msgspec.Struct, frozen=True):
    calls: tuple[RecordedCall, ...] = ()
    todo_state: tuple[Any, ...] = ()
    plan_replacement: bool = False
    args: Any = None


@reads(_TodoWrite)
def todo_write(given: _TodoWrite, policy: Policy) -> dict[str, Any]:
    """Judge a new list."""
    context = todo_gate.TodoContext(
        policy=policy,
        ledger=ledger_of(given.calls, policy.ledger),
        tasks=tasks_of(given.todo_state),
        plan_replacement=given.plan_replacement,
    )
    verdict = todo_gate.judge(given.args, context)
    return {"accept": verdict.accepted, "reason": verdict.reason}


class _CompleteStep(msgspec.Struct, frozen=True):
    profile: str = ""
    history: tuple[RecordedCall, ...] = ()
    calls: tuple[RecordedCall, ...] = ()
    todo_state: tuple[Any, ...] = ()
    project_checks: tuple[str, ...] = ()
    args: Any = None


@reads(_CompleteStep)
def complete_step(given: _CompleteStep, policy: Policy) -> dict[str, Any]:
    """Judge a sign-off; the ledger holds this turn, the conversation earlier turns as well."""
    history = conversation_of(given.history + given.calls, policy.ledger)
    earlier_turn(history, given.history, policy.ledger)
    context = step_gate.StepContext(
        policy=policy,
        ledger=ledger_of(given.calls, policy.ledger),
        history=history,
        tasks=tasks_of(given.todo_state),
        closed_loop=given.profile == "delivery",
        project_checks=given.project_checks,
    )
    verdict = step_gate.judge(given.args, context)
    return {"accept": verdict.accepted, "reason": verdict.reason}
