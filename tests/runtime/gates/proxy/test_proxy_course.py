"""The course of a call through the proxy: where it leads, and the world that it leaves behind."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.gates.capability import Routes
from reasonix_runtime.gates.proxy.course import Course
from reasonix_runtime.gates.proxy.world import Changes, Flags, HostTool, Server, World
from reasonix_runtime.gates.verdict import Verdict

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
