"""Calls of the delegating tools: what each of them comes to, and what is told of it."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.gates.delegation.judge import JUDGES
from reasonix_runtime.gates.delegation.world import Child, DelegationWorld, Profile, StoredAnswer


@pytest.mark.parametrize("tool", sorted(JUDGES))
@pytest.mark.parametrize(
    "args", [None, [], "x", {"prompt": 3}, {"tasks": 3}, {"ref": 3}, {"tasks": [{"prompt": 3}]}]
)
def test_arguments_of_another_form_start_nothing(tool: str, args: Any) -> None:
    """What `task` and `read_only_task` do not know they pass over, and then the prompt lacks."""
    single = tool in ("task", "read_only_task") and isinstance(args, dict) and "prompt" not in args

    verdict = JUDGES[tool](args, DelegationWorld())

    assert ("subagent.prompt" if single else "subagent.args") == verdict.reason


TWO = [{"prompt": "a", "read_only": True}, {"prompt": "b", "read_only": True}]
PLAIN_TWO = [{"prompt": "a"}, {"prompt": "b"}]
NESTED = DelegationWorld(caller_depth=1, max_subagent_depth=3, active_total=6)
DEEP = DelegationWorld(caller_depth=2)
ONE_MODEL = DelegationWorld(models=("m1",))
NO_JOBS = DelegationWorld(jobs=False)


def profiled(**told: Any) -> DelegationWorld:
    return DelegationWorld(profile=Profile(name="p", **told))


def kept(ref: str = "sa_1", **told: Any) -> DelegationWorld:
    return DelegationWorld(results=(StoredAnswer(ref=ref, answer_bytes=30000, **told),))


@pytest.mark.parametrize(
    ("tool", "args", "world", "reason"),
    [
        ("read_only_task", {"prompt": "a", "model": "m2"}, ONE_MODEL, "subagent.model"),
        ("read_only_task", {"prompt": "a", "tools": []}, DelegationWorld(), "subagent.ephemeral"),
        ("read_only_task", {"prompt": "a", "tools": ["no_tool"]}, ONE_MODEL, "subagent.no_tools"),
        (
            "read_only_task",
            {"prompt": "a", "tools": ["read_only_task"]},
            kept(),
            "subagent.ephemeral",
        ),
        (
            "read_only_task",
            {"prompt": "a", "tools": ["read_only_task"]},
            DelegationWorld(max_subagent_depth=0),
            "subagent.no_tools",
        ),
        (
            "read_only_task",
            {"prompt": "a", "tools": ["read_only_task"]},
            DelegationWorld(caller_depth=1),
            "subagent.no_tools",
        ),
        ("parallel_tasks", {"tasks": PLAIN_TWO}, DEEP, "subagent.depth"),
        ("parallel_tasks", {"tasks": PLAIN_TWO}, NESTED, "subagent.nested_full"),
        (
            "parallel_tasks",
            {"tasks": [{"prompt": "a", "model": None}] * 2},
            ONE_MODEL,
            "subagent.preview",
        ),
        ("parallel_tasks", {"tasks": PLAIN_TWO * 32}, DelegationWorld(), "subagent.preview"),
        ("parallel_tasks", {"tasks": [*PLAIN_TWO * 32, TWO]}, DelegationWorld(), "subagent.args"),
        ("fleet", {"tasks": TWO * 32}, DelegationWorld(), "subagent.fleet_start"),
        ("fleet", {"tasks": TWO}, DEEP, "subagent.depth"),
        ("fleet", {"tasks": TWO}, NESTED, "subagent.nested_full"),
        ("fleet", {"tasks": TWO}, NO_JOBS, "subagent.fleet_start"),
        ("fleet", {"tasks": TWO, "run_in_background": True}, NO_JOBS, "subagent.no_jobs"),
        ("fleet", {"tasks": TWO}, DelegationWorld(active_total=6), "subagent.fleet_start"),
        (
            "fleet",
            {"tasks": TWO, "run_in_background": True},
            DelegationWorld(active_total=6),
            "subagent.queued",
        ),
        (
            "fleet",
            {"tasks": TWO, "run_in_background": True},
            DelegationWorld(children=(Child(), Child())),
            "subagent.fleet_start",
        ),
        ("task", {"prompt": "a"}, ONE_MODEL, None),
        ("task", {"prompt": "a", "model": "m2"}, DelegationWorld(), None),
        ("task", {"prompt": "a", "tools": None, "model": None}, ONE_MODEL, None),
        ("task", {"prompt": "a", "tools": ["write_file"]}, DelegationWorld(), None),
        ("task", {"prompt": "a", "profile": "p", "write_paths": ["a"]}, profiled(), None),
        ("task", {"prompt": "a", "profile": "p"}, profiled(kind="manual"), None),
        ("task", {"prompt": "a", "profile": "p"}, profiled(kind="skill"), "subagent.profile"),
        ("task", {"prompt": "a", "profile": "p"}, profiled(tools=()), None),
        ("task", {"prompt": "a", "profile": "p"}, profiled(tools=("read_file",)), None),
        (
            "task",
            {"prompt": "a", "profile": "p", "read_only": True},
            profiled(tools=("write_file",)),
            "subagent.no_tools",
        ),
        (
            "task",
            {"prompt": "a", "profile": "p", "tools": ["no_tool"]},
            profiled(tools=("no_tool",)),
            "subagent.tools_empty",
        ),
        (
            "task",
            {"prompt": "a", "profile": "p", "tools": ["mcp-tool:a/b"]},
            profiled(tools=("mcp-tool:a/b",)),
            None,
        ),
        ("task", {"prompt": "a", "continue_from": "sa_1"}, kept(), None),
        (
            "task",
            {"prompt": "a", "continue_from": "sa_1"},
            kept(lineage="ancestor"),
            "subagent.copy",
        ),
        ("task", {"prompt": "a"}, DelegationWorld(persisted=False), "subagent.ephemeral"),
        (
            "task",
            {"prompt": "a", "run_in_background": True},
            DelegationWorld(persisted=False),
            None,
        ),
        ("read_subagent_result", {"ref": "sa_1", "limit_bytes": 1}, kept(), "subagent_result.page"),
        (
            "read_subagent_result",
            {"ref": "sa_1", "limit_bytes": 24576},
            kept(),
            "subagent_result.page",
        ),
        (
            "read_subagent_result",
            {"ref": "sa_1", "limit_bytes": -1},
            kept(),
            "subagent_result.limit",
        ),
        (
            "read_subagent_result",
            {"ref": "sa_1", "offset_bytes": None},
            kept(),
            "subagent_result.page",
        ),
        ("read_subagent_result", {"ref": "sa 1"}, kept("sa 1"), "subagent.ref_bad"),
    ],
)
def test_what_a_call_of_a_delegating_tool_comes_to(
    tool: str, args: Any, world: DelegationWorld, reason: str | None
) -> None:
    """What is null is not given; limits count what they allow."""
    assert reason == JUDGES[tool](args, world).reason


@pytest.mark.parametrize(
    ("tool", "second", "world", "reason"),
    [
        ("parallel_tasks", {"model": "m2"}, ONE_MODEL, "subagent.model"),
        ("fleet", {"model": "m2"}, ONE_MODEL, "subagent.model"),
        ("fleet", {"tools": ["no_tool"], "read_only": True}, ONE_MODEL, "subagent.no_tools"),
    ],
)
def test_a_refusal_names_the_item_that_it_is_about(
    tool: str, second: dict[str, Any], world: DelegationWorld, reason: str
) -> None:
    """A model with sixty of them finds it by its number."""
    verdict = JUDGES[tool]({"tasks": [{"prompt": "a"}, {"prompt": "b", **second}]}, world)

    assert reason == verdict.reason
    assert verdict.message.startswith("item 2: ")
    assert {"started": 0, "item": 2} == verdict.facts["state_after"]


def test_a_refusal_of_the_one_child_names_no_item() -> None:
    assert "the prompt is blank" == JUDGES["task"]({}, DelegationWorld()).message


def test_a_reader_finds_its_slot_beside_the_most_writers() -> None:
    """Only another writer would have to wait."""
    world = DelegationWorld(active_total=3, active_writers=3)

    state = JUDGES["read_only_task"]({"prompt": "a"}, world).facts["state_after"]

    assert {"started": 1, "running": 4, "queued": 0} == state


LONG = Child(answer_bytes=9, persisted=True)


@pytest.mark.parametrize(
    ("tool", "told", "head", "state"),
    [
        (
            "parallel_tasks",
            {"children": (LONG, Child(status="pending"))},
            "Completed 2 parallel tasks:",
            {"statuses": ["completed", "pending"], "started": 1, "references": 1},
        ),
        (
            "parallel_tasks",
            {"children": (LONG, Child(status="failed", answer_bytes=40000))},
            "Completed 2 parallel tasks:",
            {"truncated": [False, False], "started": 2, "references": 1},
        ),
        (
            "parallel_tasks",
            {"children": (LONG, LONG), "persisted": False},
            "Completed 2 parallel tasks:",
            {"references": 0, "started": 2},
        ),
        (
            "fleet",
            {"children": (LONG,)},
            "Completed fleet of 2 tasks:",
            {"statuses": ["completed", "completed"], "references": 2},
        ),
        (
            "fleet",
            {"cancel_after_start": 1},
            "Cancelled fleet after completing 0 of 2 tasks:",
            {"statuses": ["cancelled", "skipped"], "started": 1, "completed": "0 of 2"},
        ),
        (
            "parallel_tasks",
            {"cancel_after_start": True, "children": (LONG,)},
            "Cancelled parallel tasks after completing 1 of 2 tasks:",
            {"statuses": ["completed", "cancelled"], "started": 2, "completed": "1 of 2"},
        ),
        (
            "parallel_tasks",
            {"cancel_after_start": True},
            "Cancelled parallel tasks after completing 0 of 2 tasks:",
            {"statuses": ["cancelled", "cancelled"], "started": 2, "completed": "0 of 2"},
        ),
    ],
)
def test_many_children_come_to_one_text(
    tool: str, told: dict[str, Any], head: str, state: dict[str, Any]
) -> None:
    """Its first line says how far they came, and each has what can be shown of it."""
    items = TWO if tool == "fleet" else PLAIN_TWO

    verdict = JUDGES[tool]({"tasks": items}, DelegationWorld(**told))

    assert head == verdict.message.splitlines()[0]
    assert state == {name: verdict.facts["state_after"][name] for name in state}
    assert ("_000000001_" in verdict.message) is (
        told.get("persisted", True) and "completed" in verdict.facts["state_after"]["statuses"]
    )
