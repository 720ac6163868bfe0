"""What the proxy shows: everything that can be reached, and nothing that is started for it."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.gates.proxy.answers import inspected, listing
from reasonix_runtime.gates.proxy.ids import parse_id
from reasonix_runtime.gates.proxy.world import Flags, HostTool, Server, World

READ = Flags(read_only=True, description="Reads.", input_schema={"type": "object"})
WORLD = World(
    servers={
        "git hub": Server(connected=True, live={"read": READ, "write": Flags()}),
        "docs": Server(cache={"page": READ}),
    },
    tools={
        "bash": HostTool(visible=True),
        "grep": HostTool(read_only=True, description="Searches."),
        "fleet": HostTool(),
        "run_skill": HostTool(),
    },
    skills=("notes",),
)


def inspect(text: str, world: World = WORLD) -> Any:
    asked = parse_id(text)
    assert asked is not None
    return inspected(asked, world)


def test_a_list_leaves_out_what_is_visible_anyway() -> None:
    """The model sees those tools; the list is for the others."""
    ids = [entry["id"] for entry in listing(WORLD)["capabilities"]]

    assert ids == [
        "task:fleet", "tool:grep", "tool:run_skill", "skill:notes", "session:tool_result"
    ]  # fmt: skip


def test_what_nothing_can_carry_out_is_not_listed() -> None:
    """Neither the proxy through itself, nor skills of a host without a tool for them."""
    world = World(tools={"use_capability": HostTool()}, skills=("notes",), session_reader=False)

    assert [] == listing(world)["capabilities"]


@pytest.mark.parametrize(("name", "kind"), [("fleet", "sub-agent"), ("grep", "tool")])
def test_a_list_tells_who_works_by_itself(name: str, kind: str) -> None:
    """A sub-agent is called by its task, and shown as one."""
    kinds = {entry["name"]: entry["kind"] for entry in listing(WORLD)["capabilities"]}

    assert kind == kinds[name]


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        ("Searches.", "Searches"),
        ("Searches. Takes a pattern.", "Searches"),
        ("Reads v1.2 of a file. Fast.", "Reads v1.2 of a file"),
    ],
)
def test_a_list_has_room_for_one_sentence_of_each(told: str, shown: str) -> None:
    """`inspect` shows the rest."""
    world = World(tools={"grep": HostTool(description=told)}, session_reader=False)

    assert [shown] == [entry["description"] for entry in listing(world)["capabilities"]]
    assert told == inspect("tool:grep", world)["description"]


def test_a_list_names_what_can_be_called_of_a_server() -> None:
    """Sorted by name, and `connected` says the same as the status."""
    assert listing(WORLD)["servers"] == [
        {
            "name": "docs",
            "capability_id": "mcp-server:docs",
            "status": "configured",
            "authorized": True,
            "connected": False,
        },
        {
            "name": "git hub",
            "capability_id": "mcp-server:git hub",
            "status": "ready",
            "authorized": True,
            "connected": True,
        },
    ]


def test_without_a_session_there_are_no_results_to_list() -> None:
    """A front end that is bound to no session cannot read any."""
    world = World(session_reader=False, tools={})

    assert [] == listing(world)["capabilities"]


def test_a_restricted_list_shows_its_own_results_and_its_servers() -> None:
    """Host tools and other servers are none of a restricted child's affair."""
    shown = listing(World(servers=WORLD.servers, allowed_ids=frozenset({"mcp-tool:docs/page"})))

    assert [("session:tool_result", True)] == [
        (entry["id"], entry["read_only"]) for entry in shown["capabilities"]
    ]
    assert [server["name"] for server in shown["servers"]] == ["docs"]


def test_an_inspected_tool_of_a_server_stands_alone() -> None:
    """With the id and the name by which it is called, its flags and its schema."""
    shown = inspect("mcp-tool:git hub/read")

    assert shown["tool_name"] == "mcp__git_hub_a4bc41__read"
    assert shown["read_only"] is True
    assert shown["tools"] == [
        {
            "id": "mcp-tool:git hub/read",
            "name": "mcp__git_hub_a4bc41__read",
            "description": "Reads.",
            "read_only": True,
            "input_schema": {"type": "object"},
        }
    ]


@pytest.mark.parametrize(
    ("text", "kind", "status", "name", "tool", "read_only"),
    [
        ("tool:grep", "tool", "ready", "grep", "grep", True),
        ("task:fleet", "sub-agent", "ready", "fleet", "fleet", False),
        ("skill:notes", "skill", "ready", "notes", "run_skill", False),
        ("session:tool_result", "session", "ready", "tool_result", "session_tool_result", True),
        ("mcp-server:docs", "mcp-server", "configured", "docs", "mcp_connect__docs", False),
        ("mcp-tool:docs/page", "mcp-tool", "configured", "page", "mcp__docs__page", True),
        (
            "mcp-tool:git hub/write",
            "mcp-tool",
            "ready",
            "write",
            "mcp__git_hub_a4bc41__write",
            False,
        ),
    ],
)
def test_everything_is_inspected_in_one_form(
    text: str, kind: str, status: str, name: str, tool: str, *, read_only: bool
) -> None:
    """A reader of the answer needs no second form for another family."""
    shown = inspect(text)

    assert (shown["id"], shown["kind"], shown["status"]) == (text, kind, status)
    assert (shown["name"], shown["tool_name"], shown["read_only"]) == (name, tool, read_only)
    assert (shown["auto_use"], shown["auto_start"]) == (False, False)
    assert ([], []) == (shown["requires"], shown["profiles"])
    assert "description" in shown


@pytest.mark.parametrize(
    ("tools", "runner"),
    [(("run_skill",), "run_skill"), (("read_skill",), "read_skill"), ((), "run_skill")],
)
def test_a_skill_goes_by_the_tool_that_this_host_has_for_it(
    tools: tuple[str, ...], runner: str
) -> None:
    """By the name under which its evidence arrives; without any, by the first there may be."""
    world = World(tools={tool: HostTool() for tool in tools}, skills=("notes",))

    assert runner == inspect("skill:notes", world)["tool_name"]


def test_inspected_results_tell_the_sizes_of_pages() -> None:
    """The model chooses a limit without trying."""
    shown = inspect("session:tool_result")

    assert (shown["tool_name"], shown["limit_default"], shown["limit_max"]) == (
        "session_tool_result", 16384, 24576
    )  # fmt: skip
