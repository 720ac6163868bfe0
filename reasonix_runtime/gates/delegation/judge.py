"""The gate of the delegating tools: what starts, what waits, what many children come to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import msgspec

from reasonix_runtime.gates.delegation.aggregate import Answer, aggregate, head_line, state_of
from reasonix_runtime.gates.delegation.items import (
    Call,
    FleetItem,
    Task,
    read_fleet,
    read_parallel,
    read_single,
    read_task,
)
from reasonix_runtime.gates.delegation.launch import (
    fleet_refusals,
    parallel_refusals,
    single_refusals,
    slots,
    task_refusals,
)
from reasonix_runtime.gates.delegation.stored import (
    PREFIX,
    copies,
    page_refusals,
    page_state,
    read_page_request,
)
from reasonix_runtime.gates.delegation.world import Child, DelegationWorld
from reasonix_runtime.gates.verdict import Verdict, accept, decide, refuse

GATE: Final = "delegation"


def _judge_task(args: Any, world: DelegationWorld) -> Verdict:
    asked = read_task(args)
    return decide(GATE, task_refusals(asked, world), lambda: _started(asked or Task(), world))


def _started(asked: Task, world: DelegationWorld) -> Verdict:
    """Tell how one child goes on its way."""
    found = slots([asked], world)
    if asked.run_in_background and found.queued:
        reason = "subagent.queued"
    elif copies(asked, world):
        reason = "subagent.copy"
    elif not world.persisted and not asked.run_in_background:
        reason = "subagent.ephemeral"
    else:
        reason = None
    return accept(GATE, reason=reason, state_after=msgspec.structs.asdict(found))


def _judge_single(args: Any, world: DelegationWorld) -> Verdict:
    asked = read_single(args)
    reader = FleetItem(read_only=True)
    return decide(
        GATE,
        single_refusals(asked, world),
        lambda: accept(
            GATE,
            reason="subagent.ephemeral",
            state_after=msgspec.structs.asdict(slots([reader], world)),
        ),
    )


def _judge_parallel(args: Any, world: DelegationWorld) -> Verdict:
    asked = read_parallel(args)
    verdict = decide(GATE, parallel_refusals(asked, world), lambda: accept(GATE))
    return verdict if not verdict.accepted else _finished("tasks", asked or Call(), world)


def _judge_fleet(args: Any, world: DelegationWorld) -> Verdict:
    asked = read_fleet(args)
    verdict = decide(GATE, fleet_refusals(asked, world), lambda: accept(GATE))
    if not verdict.accepted:
        return verdict
    call = asked or Call()
    if not call.background and (world.children or world.cancel_after_start):
        return _finished("fleet", call, world)
    found = slots(call.items, world)
    waits = call.background and found.started == 0
    return accept(
        GATE,
        reason="subagent.queued" if waits else "subagent.fleet_start",
        state_after=msgspec.structs.asdict(found),
    )


def _finished(kind: str, call: Call, world: DelegationWorld) -> Verdict:
    """Tell the aggregate of many children; a cancelled group has it beside an error."""
    children = _children(call.items, world)
    answers = [_answer(number, child, world) for number, child in enumerate(children, 1)]
    done = sum(child.status == "completed" for child in children)
    count = len(children)
    head = head_line(kind, done, count, cancelled=bool(world.cancel_after_start))
    found = aggregate(head, answers)
    state = {**state_of(found, answers), "started": _begun(children)}
    if not world.cancel_after_start:
        return accept(GATE, reason="subagent.preview", message=found.text, state_after=state)
    state["completed"] = f"{done} of {count}"
    refusal = refuse("subagent.cancelled", found.text, state_after=state)
    return decide(GATE, [refusal], lambda: accept(GATE, state_after=state))


def _begun(children: Sequence[Child]) -> int:
    return sum(child.status not in ("skipped", "pending") for child in children)


def _children(items: Sequence[FleetItem], world: DelegationWorld) -> list[Child]:
    """Return what becomes of each item; what is not told completed, or was cancelled."""
    told = list(world.children[: len(items)])
    cancelled = world.cancel_after_start
    for number in range(len(told), len(items)):
        if not cancelled:
            status = "completed"
        else:
            status = "cancelled" if cancelled is True or number < cancelled else "skipped"
        told.append(Child(status=status))
    return told


def _answer(number: int, child: Child, world: DelegationWorld) -> Answer:
    kept = child.persisted and world.persisted and child.status == "completed"
    return Answer(
        child=child,
        body=b"a" * child.answer_bytes,
        ref=f"{PREFIX}20260101_000000_{number:09}_{number:012x}" if kept else "",
    )


def _judge_page(args: Any, world: DelegationWorld) -> Verdict:
    asked = read_page_request(args)
    verdict = decide(GATE, page_refusals(asked, world), lambda: accept(GATE))
    stored = None if asked is None else world.stored(asked.ref)
    state = {"unchanged": True, **verdict.facts.get("state_after", {})}
    if verdict.accepted and asked is not None and stored is not None:
        state |= page_state(asked, stored)
        return accept(GATE, reason="subagent_result.page", state_after=state)
    return msgspec.structs.replace(verdict, facts={**verdict.facts, "state_after": state})


JUDGES: Mapping[str, Callable[[Any, DelegationWorld], Verdict]] = MappingProxyType(
    {
        "fleet": _judge_fleet,
        "parallel_tasks": _judge_parallel,
        "read_only_task": _judge_single,
        "read_subagent_result": _judge_page,
        "task": _judge_task,
    }
)
"""The judge of each delegating tool: of its arguments, in a world."""
