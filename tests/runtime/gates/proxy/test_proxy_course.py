"""The course of a call through the proxy: where it leads, and the world that it leaves behind."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.gates.capability import Routes
from reasonix_runtime.gates.proxy.course import Course
from reasonix_runtime.gates.proxy.resolution import Kind, Resolution
from reasonix_runtime.gates.proxy.revalidation import before_start, live_refusals
from reasonix_runtime.gates.proxy.world import (
    Changes,
    Flags,
    HostTool,
    Role,
    Server,
    World,
    world_of,
)
from reasonix_runtime.gates.verdict import Verdict, refuse, reject

READ = Flags(read_only=True)
LIVE = {"read page": READ}


def took(
    server: Server, text: str = "mcp-tool:docs/read page", action: str = "call"
) -> tuple[Verdict, Any]:
    """Return the verdict on a call of a server, and the server as it is afterwards."""
    world = World(servers={"docs": server}, tools={"grep": HostTool()}, ordinary_gate="allow")
    course = Course({"action": action, "capability_id": text}, world, Routes())
    verdict = course.judge(lambda: None)
    return verdict, course.world_after(verdict).servers.get("docs")


def state(verdict: Verdict) -> dict[str, Any]:
    """Return what a verdict tells of the state behind it."""
    told: dict[str, Any] = verdict.facts["state_after"]
    return told


@pytest.mark.parametrize(
    ("text", "tools"),
    [
        ("tool:grep", None),
        ("mcp-server:docs", ["read page"]),
        ("mcp-tool:docs/read page", ["read page"]),
    ],
)
def test_only_of_a_server_an_inspection_tells_tools(text: str, tools: list[str] | None) -> None:
    """A tool of the host has none beside it."""
    verdict, _ = took(Server(connected=True, live=LIVE), text, "inspect")

    assert tools == state(verdict).get("tools")


MODEL_NAME = "mcp__docs__read_page_24bf55"


@pytest.mark.parametrize(
    ("asked", "server", "reached"),
    [
        ("read page", Server(connected=True, live=LIVE), "read page"),
        (MODEL_NAME, Server(connected=True, live={"other": READ, **LIVE}), "read page"),
        (MODEL_NAME, Server(connected=True, live={**LIVE, MODEL_NAME: READ}), MODEL_NAME),
        (MODEL_NAME, Server(cache=LIVE, live=LIVE), MODEL_NAME),
    ],
    ids=["raw", "as-the-model-knows-it", "raw-first", "not-before-it-is-connected"],
)
def test_a_tool_of_a_connected_server_goes_by_either_name(
    asked: str, server: Server, reached: str
) -> None:
    """The server is asked for the raw one."""
    world = World(servers={"docs": server})
    call = {"action": "call", "capability_id": f"mcp-tool:docs/{asked}"}

    assert reached == Course(call, world, Routes()).reached.tool


DESTROYS = Flags(destructive=True)


@pytest.mark.parametrize(
    ("server", "destructive"),
    [
        (Server(connected=True, live=LIVE, catalogue={"read page": DESTROYS}), False),
        (Server(cache=LIVE, catalogue={"read page": DESTROYS}), True),
        (Server(catalogue={"read page": DESTROYS}), True),
        (Server(cache={"read page": DESTROYS}), True),
        (Server(), False),
    ],
)
def test_a_catalogue_tells_what_destroys_until_the_server_itself_does(
    server: Server, *, destructive: bool
) -> None:
    """What is connected knows best; what nobody tells of is a writer that destroys nothing."""
    call = {"action": "call", "capability_id": "mcp-tool:docs/read page"}

    reached = Course(call, World(servers={"docs": server}), Routes()).reached

    assert destructive is reached.destructive


@pytest.mark.parametrize(
    ("text", "args", "name", "arguments"),
    [
        ("skill:notes", {"query": "x"}, "read_skill", {"query": "x", "name": "notes"}),
        ("tool:grep", {"query": "x"}, "grep", {"query": "x"}),
    ],
)
def test_a_skill_is_called_by_its_name(
    text: str, args: dict[str, Any], name: str, arguments: dict[str, Any]
) -> None:
    """The tool behind it carries many out."""
    world = World(tools={"grep": HostTool(), "read_skill": HostTool()}, skills=("notes",))
    call = {"action": "call", "capability_id": text, "arguments": args}

    reached = Course(call, world, Routes()).reached

    assert (name, arguments) == (reached.name, reached.arguments)


@pytest.mark.parametrize(
    ("asked", "server", "reason"),
    [
        ({"action": "inspect", "capability_id": "tool:use_capability"}, None, "proxy.id_unknown"),
        ({"action": "inspect", "capability_id": "mcp-tool:docs/x"}, None, "proxy.id_unknown"),
        ({"action": "inspect", "capability_id": "nonsense"}, None, "proxy.id_unknown"),
        ({"action": "list", "arguments": [3]}, None, "proxy.list"),
        ({"action": "call", "capability_id": "tool:grep", "arguments": [3]}, None, "proxy.args"),
        ({"action": "call", "capability_id": "tool:use_capability"}, None, "proxy.self"),
        ({"action": "call", "capability_id": "mcp-tool:docs/use_capability"}, None, "proxy.off"),
        (
            {"action": "call", "capability_id": "mcp-tool:docs/read page"},
            Server(connected=True, live=LIVE, start_seconds=31, start_fails=True),
            "proxy.call",
        ),
    ],
)
def test_what_is_asked_of_the_proxy_is_answered_by_what_is_there(
    asked: dict[str, Any], server: Server | None, reason: str
) -> None:
    """A server that runs is not started, and a tool of one may have any name."""
    world = World(
        servers={"docs": server} if server else {},
        tools={"grep": HostTool(), "use_capability": HostTool()},
        ordinary_gate="allow",
    )

    assert reason == Course(asked, world, Routes()).judge(lambda: None).reason


@pytest.mark.parametrize(
    ("text", "reason"),
    [("mcp-server:docs", "proxy.directory"), ("mcp-tool:docs/read page", "finish.no_action")],
)
def test_the_gates_of_delivery_are_asked_of_what_is_called(text: str, reason: str) -> None:
    """The directory of a server that runs is only looked at."""
    world = World(servers={"docs": Server(connected=True, live=LIVE)})
    course = Course({"action": "call", "capability_id": text}, world, Routes())

    verdict = course.judge(lambda: reject("preflight", refuse("finish.no_action", "no")))

    assert reason == verdict.reason


@pytest.mark.parametrize(("text", "target"), [("nonsense", None), ("tool:other", "other")])
def test_what_leads_nowhere_has_no_target(text: str, target: str | None) -> None:
    """Where its id was no id; else it goes by the name that it would have."""
    verdict, _ = took(Server(), text)

    assert not verdict.accepted
    assert target == state(verdict)["target"]


DEFERRED = Resolution(
    kind=Kind.MCP_TOOL, name="mcp__docs__x", deferred=True, server="docs", tool="x"
)


@pytest.mark.parametrize(
    ("servers", "reasons"),
    [
        ({}, ["proxy.no_server"]),
        ({"docs": Server(after_resolve=Changes(removed=True))}, ["proxy.no_server"]),
        ({"docs": Server(after_resolve=Changes(enabled=False))}, ["proxy.off"]),
        ({"docs": Server(after_resolve=Changes(authorized=False))}, ["proxy.unauth"]),
        ({"docs": Server(after_resolve=Changes(identity="another"))}, ["proxy.changed"]),
        ({"docs": Server()}, []),
    ],
)
def test_what_changed_since_a_call_was_resolved_stops_it(
    servers: dict[str, Server], reasons: list[str]
) -> None:
    """Before anything is started for it."""
    found = before_start(DEFERRED, World(servers=servers))

    assert reasons == [refusal.reason for refusal in found]


@pytest.mark.parametrize(
    ("server", "role", "reasons"),
    [
        (Server(live={"x": READ}), Role.PLANNER, []),
        (Server(live={"x": READ}, authorized=False), Role.PLANNER, ["proxy.live_planner"]),
        (Server(live={"x": READ}, authorized=False), Role.EXECUTOR, []),
        (Server(live={"x": DESTROYS}), Role.PLANNER, ["proxy.live_planner"]),
    ],
)
def test_a_planner_leaves_what_the_live_server_is_not_trusted_with(
    server: Server, role: Role, reasons: list[str]
) -> None:
    """Of a tool that nobody knew before its server ran."""
    assert reasons == [refusal.reason for refusal in live_refusals(DEFERRED, server, role)]


@pytest.mark.parametrize(
    ("told", "role", "plan_mode", "expected"),
    [
        ({}, "review", False, (Role.SUBAGENT, False)),
        ({}, "planner", True, (Role.PLANNER, True)),
        ({"role": "path_bound_subagent", "plan_mode": False}, "executor", True,
         (Role.PATH_BOUND_SUBAGENT, False)),
        ({"results": [{"ref": "sa_1"}]}, "executor", False, (Role.EXECUTOR, False)),
    ],
)  # fmt: skip
def test_the_world_of_a_proxy_is_told_with_that_of_its_run(
    told: dict[str, Any], role: str, expected: tuple[Role, bool], *, plan_mode: bool
) -> None:
    """Its own role goes before; a reviewer is any sub-agent, and answers are no results."""
    world = world_of(told, role=role, plan_mode=plan_mode)

    assert expected == (world.role, world.plan_mode)
    assert () == world.results


ANEW = Changes(identity="another")


READY, OLD, NOT_STARTED, FAILED = "ready", "connected", "configured", "failed"


@pytest.mark.parametrize(
    ("server", "reason", "after"),
    [
        (Server(connected=True, live=LIVE, after_resolve=ANEW), "proxy.identity", OLD),
        (Server(live=LIVE, after_resolve=ANEW), "proxy.changed", NOT_STARTED),
        (Server(live=LIVE, after_resolve=Changes(removed=True)), "proxy.no_server", ""),
        (Server(live=LIVE), "proxy.call", READY),
        (Server(live=LIVE, failed=True), "proxy.call", READY),
        (Server(live=LIVE, start_seconds=30), "proxy.slow", READY),
        (Server(live=LIVE, start_seconds=31), "proxy.slow", FAILED),
        (Server(live=LIVE, start_fails=True), "proxy.start_failed", FAILED),
    ],
    ids=["client-of-before", "anew", "gone", "started", "again", "slow", "too-slow", "broken"],
)
def test_what_became_of_a_server_stays(server: Server, reason: str, after: str) -> None:
    """A start goes on when a call does not wait any longer, but not for ever."""
    verdict, left = took(server)
    stands = {
        "": left is None,
        READY: left is not None and left.current and not left.failed,
        OLD: left is not None and left.connected and not left.current,
        NOT_STARTED: left is not None and not (left.connected or left.failed),
        FAILED: left is not None and left.failed and not left.connected,
    }

    assert (reason, [after]) == (verdict.reason, [name for name, so in stands.items() if so])


def test_what_a_start_found_is_known_from_then_on() -> None:
    """Another session finds it in the cache."""
    _, after = took(Server(live=LIVE))

    assert LIVE == after.cache


@pytest.mark.parametrize("action", ["list", "inspect", "decline"])
def test_what_looks_or_declines_leaves_a_server_as_it_is(action: str) -> None:
    """Also where its configuration changed meanwhile: nothing was asked of it."""
    server = Server(live=LIVE, after_resolve=ANEW)

    verdict, after = took(server, action=action)

    assert server == after
    assert (None, False) == (state(verdict)["target"], state(verdict)["process_started"])


def test_what_was_configured_anew_is_started_by_the_next_call() -> None:
    """No client of an earlier configuration stands in its way."""
    _, after = took(Server(live=LIVE, after_resolve=ANEW))
    verdict, _ = took(after)

    assert "proxy.call" == verdict.reason
