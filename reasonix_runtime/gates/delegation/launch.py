"""May these children start: the checks before anything does, in the order of each tool.

A refusal says so with `started: 0`, and names the item it is about. Slots are asked for last: a
nested caller never waits for one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, Final

import msgspec

from reasonix_runtime.contract.surface import expand_allowlist, read_only_part, sub_agent
from reasonix_runtime.evidence.tool_kinds import READ_ONLY_TOOLS
from reasonix_runtime.gates.delegation.claims import (
    Claim,
    claim_of,
    held,
    overlap,
    path_refusals,
)
from reasonix_runtime.gates.delegation.items import Call, FleetItem, Item, Task
from reasonix_runtime.gates.delegation.stored import continuation_refusals
from reasonix_runtime.gates.delegation.world import (
    MOST_CHILDREN,
    MOST_WRITERS,
    DelegationWorld,
)
from reasonix_runtime.gates.verdict import Refusal, refuse

MOST_ITEMS: Final = 64
"""How many tasks a group may have."""
LEAST_STEPS: Final = 5
"""How many steps a child has at least that does not say how many it wants."""


def _stop(reason: str, message: str, **state: Any) -> Refusal:
    return refuse(reason, message, state_after={"started": 0, **state})


# -- what each tool asks -------------------------------------------------------------------------


def task_refusals(asked: Task | None, world: DelegationWorld) -> Iterator[Refusal]:
    """Yield why `task` starts nothing."""
    if asked is None:
        yield _stop("subagent.args", "the arguments do not decode")
        return
    yield from _prompt(asked)
    yield from _profile(asked, world)
    yield from _paths(asked, world)
    yield from _depth(world)
    yield from _tools(asked, world)
    yield from continuation_refusals(asked, world)
    yield from _model(asked, world)
    if asked.run_in_background and not world.jobs:
        yield _stop("subagent.no_jobs", "this session runs no background jobs")
    yield from _slot([asked], world)


def single_refusals(asked: Item | None, world: DelegationWorld) -> Iterator[Refusal]:
    """Yield why `read_only_task` starts nothing."""
    if asked is None:
        yield _stop("subagent.args", "the arguments do not decode")
        return
    reader = FleetItem(prompt=asked.prompt, tools=asked.tools, model=asked.model, read_only=True)
    yield from _prompt(reader)
    yield from _depth(world)
    yield from _tools(reader, world)
    yield from _model(reader, world)
    yield from _slot([reader], world)


def parallel_refusals(asked: Call | None, world: DelegationWorld) -> Iterator[Refusal]:
    """Yield why `parallel_tasks` starts nothing; its children may be without tools."""
    if asked is None:
        yield _stop("subagent.args", "unknown fields, or fields of a wrong type")
        return
    count = len(asked.items)
    if count == 0:
        yield _stop("subagent.pt_none", "there is no task in it")
    elif count == 1:
        yield _stop("subagent.pt_one", "one task is a call of `task`")
    elif count > MOST_ITEMS:
        yield _stop("subagent.pt_many", f"{MOST_ITEMS} tasks are the most, found {count}")
    for number, item in enumerate(asked.items, 1):
        yield from _prompt(item, item=number)
    yield from _depth(world)
    for number, item in enumerate(asked.items, 1):
        yield from _model(item, world, item=number)
    yield from _slot(asked.items, world)


def fleet_refusals(asked: Call | None, world: DelegationWorld) -> Iterator[Refusal]:
    """Yield why `fleet` starts nothing: its items one by one, then its writers in pairs."""
    if asked is None:
        yield _stop("subagent.args", "unknown fields, or fields of a wrong type")
        return
    if not 2 <= len(asked.items) <= MOST_ITEMS:
        yield _stop("subagent.fleet_count", f"a fleet has 2 to {MOST_ITEMS} items")
    for number, item in enumerate(asked.items, 1):
        yield from _prompt(item, item=number)
        yield from _profile(item, world, item=number)
        yield from _paths(item, world, item=number)
        yield from _tools(item, world, item=number)
        yield from _model(item, world, item=number)
    yield from _depth(world)
    yield from _overlaps(asked.items, world)
    if asked.background and not world.jobs:
        yield _stop("subagent.no_jobs", "this session runs no background jobs")
    yield from _slot(asked.items, world)


# -- the single checks ---------------------------------------------------------------------------


def _prompt(item: Item, /, **where: int) -> Iterator[Refusal]:
    if not item.prompt.strip():
        yield _stop("subagent.prompt", f"{_named(where)}the prompt is blank", **where)


def _profile(item: FleetItem, world: DelegationWorld, /, **where: int) -> Iterator[Refusal]:
    name = item.profile.strip()
    if name and world.profile_of(name) is None:
        yield _stop("subagent.profile", f"{_named(where)}no sub-agent profile {name}", **where)


def _paths(item: FleetItem, world: DelegationWorld, /, **where: int) -> Iterator[Refusal]:
    yield from path_refusals(item.write_paths, world.workspace, **where)
    if item.write_paths and only_reads(item, world):
        yield _stop("subagent.wp_readonly", f"{_named(where)}a reader has no write_paths", **where)


def only_reads(item: FleetItem, world: DelegationWorld) -> bool:
    """Whether a child only reads, by its item or by its profile."""
    profile = world.profile_of(item.profile.strip())
    return item.read_only or (profile is not None and profile.read_only)


def _depth(world: DelegationWorld) -> Iterator[Refusal]:
    if world.too_deep:
        yield _stop("subagent.depth", "a child would run below the limit max_subagent_depth")


def wanted_tools(item: FleetItem, world: DelegationWorld) -> tuple[str, ...] | None:
    """Return the tools that a child has at most, None for all: arguments only narrow a profile."""
    profile = world.profile_of(item.profile.strip())
    # An empty list of tools is none that was given.
    given, allowed = item.tools or None, None if profile is None else profile.tools
    if given is None or allowed is None:
        return given if allowed is None else allowed
    return tuple(sorted(_meant(given, world) & _meant(allowed, world)))


def _tools(item: FleetItem, world: DelegationWorld, /, **where: int) -> Iterator[Refusal]:
    """Yield what is wrong with the tools of a child."""
    wanted = wanted_tools(item, world)
    if item.tools and wanted == ():
        yield _stop(
            "subagent.tools_empty", f"{_named(where)}no tool is left of the profile's", **where
        )
    if only_reads(item, world):
        depth = world.caller_depth + 1
        child = sub_agent(
            world.parent, allowlist=wanted, depth=depth, max_depth=max(1, world.max_subagent_depth)
        )
        if not read_only_part(child, read_only=READ_ONLY_TOOLS):
            yield _stop("subagent.no_tools", f"{_named(where)}no read-only tool is left", **where)


def _meant(tools: Sequence[str], world: DelegationWorld) -> frozenset[str]:
    """Return what an allowlist means: registered names, and capability ids as they are."""
    return expand_allowlist(tools, world.parent) | {name for name in tools if ":" in name}


def _model(item: Item, world: DelegationWorld, /, **where: int) -> Iterator[Refusal]:
    if item.model and world.models is not None and item.model not in world.models:
        yield _stop("subagent.model", f"{_named(where)}no model {item.model}", **where)


def _overlaps(items: Sequence[FleetItem], world: DelegationWorld) -> Iterator[Refusal]:
    writers = [
        (number, claim_of(item.write_paths, world.workspace))
        for number, item in enumerate(items, 1)
        if not only_reads(item, world)
    ]
    for (one, claim), (other, second) in combinations(writers, 2):
        if overlap(claim, second):
            yield _stop(
                "subagent.fleet_overlap",
                f"items {one} and {other} would write the same paths",
                items=[one, other],
            )


def _named(where: dict[str, int]) -> str:
    return f"item {where['item']}: " if where else ""


def steps_of(item: Item, parent: int) -> int:
    """Return the steps of a child: what it asks for, else half of its parent's."""
    return item.max_steps or max(LEAST_STEPS, parent // 2)


# -- slots ---------------------------------------------------------------------------------------


class Slots(msgspec.Struct, frozen=True, kw_only=True):
    """What starts at once, what runs then, and what waits."""

    started: int
    running: int
    queued: int


class Reads(msgspec.Struct, frozen=True):
    """What a child claims that writes nothing."""


READS: Final = Reads()


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """The slots that are taken: children, writers among them, the claims that writers hold."""

    total: int = 0
    writers: int = 0
    claims: tuple[Claim, ...] = ()

    def with_one(self, asked: Claim | Reads) -> Taken:
        """Return what is taken when one more runs."""
        if isinstance(asked, Reads):
            return msgspec.structs.replace(self, total=self.total + 1)
        return Taken(total=self.total + 1, writers=self.writers + 1, claims=(*self.claims, asked))


def fits(asked: Claim | Reads, taken: Taken) -> bool:
    """Whether a child may start beside those that run: a slot is free, and no claim in the way."""
    if taken.total >= MOST_CHILDREN:
        return False
    if isinstance(asked, Reads):
        return True
    return taken.writers < MOST_WRITERS and not any(overlap(asked, one) for one in taken.claims)


def slots(items: Sequence[FleetItem], world: DelegationWorld) -> Slots:
    """Hand slots out in order; an item that fits may start before an earlier one that does not."""
    taken = Taken(
        total=world.active_total,
        writers=world.active_writers,
        claims=tuple(held(told, world.workspace) for told in world.claims),
    )
    started = 0
    for item in items:
        wants = claim_of(item.write_paths, world.workspace)
        asked = READS if only_reads(item, world) else wants
        if fits(asked, taken):
            taken = taken.with_one(asked)
            started += 1
    return Slots(started=started, running=taken.total, queued=len(items) - started)


def _slot(items: Sequence[FleetItem], world: DelegationWorld) -> Iterator[Refusal]:
    if world.nested and items and slots(items, world).started == 0:
        yield _stop("subagent.nested_full", "no slot is free, and a child never waits for one")
