"""The proxy at work: it reaches what the rules let it, under its real name."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from front_bench import Front, Told, not_at_all

from reasonix_runtime.capabilities.connections import Start
from reasonix_runtime.capabilities.settings import ServerSettings
from reasonix_runtime.gates.capability import Route, RoutePolicy, outcomes
from reasonix_runtime.gates.policy import CONTRACT
from reasonix_runtime.gates.proxy.world import Flags, Role
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import Event, ToolCall, TurnStart
from reasonix_runtime.trace.neutral import line_of

MakeFront = Callable[..., Front]
DOCS = ServerSettings(command="none", authorized=True)


# -- host tools ----------------------------------------------------------------------------------


def test_a_host_tool_runs_under_its_own_name(front: Front) -> None:
    """Two receipts: the proxy's, which changes nothing, and that of the tool."""
    (front.root / "a.py").write_text("x = 1\n")

    result = front.call("tool:grep", pattern="x =", path="a.py")

    assert "x = 1" in result.text
    assert [("use_capability", True, False), ("grep", True, False)] == front.receipts()


def test_a_writer_is_a_change_of_its_own_name(front: Front) -> None:
    """What the gates ask about is the target, with its arguments."""
    (front.root / "a.py").write_text("x = 1\n")
    front.box.call("read_file", {"path": "a.py"})

    result = front.call("tool:edit_file", path="a.py", old_string="1", new_string="2")

    assert result.ok, result.text
    assert (front.root / "a.py").read_text() == "x = 2\n"
    assert ("edit_file", True, True) in front.receipts()
    call = next(e for e in front.events if isinstance(e, ToolCall) and e.name == "use_capability")
    assert (call.resolved_name, call.resolved_read_only) == ("edit_file", False)


def test_arguments_of_a_target_are_held_against_its_schema(front: Front) -> None:
    """Hiding a tool does not make it take anything."""
    result = front.call("tool:grep", patern="x")

    assert result.text.startswith("error: ")
    assert "patern" in result.text


def test_a_gate_asks_the_same_through_the_proxy(front: Front) -> None:
    """A sign-off without evidence is refused however it is reached."""
    front.box.call("todo_write", {"todos": [{"content": "Fix", "status": "in_progress"}]})
    evidence = [{"kind": "verification", "summary": "s", "command": "pytest -q"}]

    result = front.call("tool:complete_step", step="Fix", result="done", evidence=evidence)

    assert not result.ok
    assert "verification.command_not_run" in [verdict.reason for verdict in result.verdicts]


@pytest.mark.parametrize(
    ("args", "beginning"),
    [
        ([], "error: the arguments must be"),
        ({"action": "start"}, "error: action must be one of"),
        ({"action": "call"}, "error: call needs a capability_id"),
        ({"action": "call", "capability_id": "grep"}, "error: 'grep' is no capability id"),
        (
            {"action": "call", "capability_id": "tool:use_capability"},
            "error: use_capability cannot",
        ),
        ({"action": "call", "capability_id": "tool:none"}, "capability unavailable: "),
        (
            {"action": "call", "capability_id": "mcp-server:x"},
            "capability unavailable: there is no server x",
        ),
    ],
)
def test_what_stops_a_call_is_told(front: Front, args: Any, beginning: str) -> None:
    """An unavailable capability is told by its own words, and never as a success."""
    result = front.box.call("use_capability", args)

    assert result.text.startswith(beginning)
    assert result.outcome == "error"


def test_one_level_of_text_around_arguments_is_undone(front: Front) -> None:
    """Models write an object into a string now and then."""
    (front.root / "a.py").write_text("x = 1\n")

    result = front.ask("call", "tool:grep", arguments=json.dumps({"pattern": "x ="}))

    assert result.ok, result.text


# -- stored results ------------------------------------------------------------------------------


def test_the_pages_of_a_cut_result_are_its_body(front: Front) -> None:
    """From the marker that the model sees to the last byte."""
    (front.root / "big").write_text("汉字\n" * 12_000)
    cut = front.box.call("read_file", {"path": "big", "limit": 12_000}, call_id="c7")
    assert cut.ref is not None
    assert cut.ref in cut.text

    joined, offset, complete = "", 0, False
    while not complete:
        answer = front.call(
            "session:tool_result", tool_call_id="c7", result_ref=cut.ref, offset=offset
        )
        head, page = answer.text.split("\n", 1)
        assert answer.ref is None
        joined += page
        offset, complete = json.loads(head)["next_offset"], json.loads(head)["complete"]

    assert joined == cut.body


def test_an_unknown_result_is_an_error(front: Front) -> None:
    """With what to do about it."""
    result = front.call("session:tool_result", tool_call_id="none")

    assert result.text.startswith("error: this session has no result of the call none")


def test_front_ends_do_not_share_results(make_front: MakeFront, told: Told) -> None:
    """A child cannot read what its parent was answered."""
    parent, child = (make_front({"docs": DOCS}, opener=told.open) for _ in range(2))
    parent.box.call("ls", {}, call_id="c1")

    assert parent.call("session:tool_result", tool_call_id="c1").ok
    assert not child.call("session:tool_result", tool_call_id="c1").ok


# -- servers -------------------------------------------------------------------------------------


def test_looking_starts_nothing(front: Front, told: Told) -> None:
    """Neither a list nor an inspection, nor a call that permission stops."""
    front.answer("list")
    assert front.answer("inspect", "mcp-server:docs")["tools"] == []
    assert told.opened == 0


def test_the_first_call_of_a_server_starts_it_and_shows_its_tools(front: Front, told: Told) -> None:
    """It stays for the next call, and the list says so."""
    shown = front.answer("call", "mcp-server:docs")

    assert [tool["name"] for tool in shown["tools"]] == [
        "mcp__docs__fail", "mcp__docs__read", "mcp__docs__wipe", "mcp__docs__write"
    ]  # fmt: skip
    assert front.call("mcp-tool:docs/read", page=1).text == "read done"
    assert (told.opened, told.called) == (1, [("read", {"page": 1})])
    assert front.answer("list")["servers"][0]["status"] == "ready"
    assert ("mcp_connect__docs", True, False) in front.receipts()


def test_a_writer_of_a_server_is_a_change(front: Front) -> None:
    """And one that failed is a failure."""
    front.call("mcp-tool:docs/write")
    failed = front.call("mcp-tool:docs/fail")

    assert ("mcp__docs__write", True, True) in front.receipts()
    assert failed.text.startswith("error: fail done")
    assert ("mcp__docs__fail", False, True) in front.receipts()


def test_a_deny_rule_stops_the_start(make_front: MakeFront, told: Told) -> None:
    """Before any process, and under the name of the start."""
    front = make_front({"docs": DOCS}, opener=told.open, options={"deny": ["mcp_connect__docs"]})

    assert front.ask("call", "mcp-server:docs").text == "blocked: a rule denies mcp_connect__docs"
    assert told.opened == 0


def test_a_server_without_authorization_is_unavailable(make_front: MakeFront, told: Told) -> None:
    """The routes of the turn know it, so the answer can say so."""
    front = make_front({"docs": replace(DOCS, authorized=False)}, opener=told.open)
    front.state.main.gates.routes = (Route(id="mcp-server:docs", policy=RoutePolicy.REQUIRE),)

    result = front.ask("call", "mcp-server:docs")

    assert result.text.startswith("capability unavailable: the server docs is not authorized")
    assert front.outcomes() == {"mcp-server:docs": "unavailable"}
    assert [("use_capability", False, False)] == front.receipts()


def test_a_slow_start_goes_on_and_a_retry_finds_it(make_front: MakeFront, told: Told) -> None:
    """The call ends, the start does not."""
    front = make_front({"docs": DOCS}, opener=told.open, wait=not_at_all)
    assert "still initializing" in front.ask("call", "mcp-server:docs").text
    assert front.outcomes() == {"mcp-server:docs": "unavailable"}

    front.connections._wait = lambda future, _: future.exception() is None
    front.connections.start("docs")

    assert front.answer("list")["servers"][0]["status"] == "ready"
    assert told.opened == 1


def test_a_tool_that_turned_into_a_writer_is_not_called(front: Front, told: Told) -> None:
    """It was judged as a reader; the next attempt is judged by what it is now."""
    front.ask("call", "mcp-server:docs")
    told.offers["read"] = Flags()

    first, second = (front.call("mcp-tool:docs/read") for _ in range(2))

    assert "does not declare read read-only any more" in first.text
    assert first.outcome == "blocked"
    assert second.ok
    assert len(told.called) == 1


def test_a_tool_that_is_gone_is_not_called(front: Front, told: Told) -> None:
    """The cache knows it, the server does not."""
    front.ask("call", "mcp-server:docs")
    del told.offers["write"]

    assert "has no tool write" in front.call("mcp-tool:docs/write").text
    assert told.called == []


def test_a_planner_leaves_what_is_destructive(make_front: MakeFront, told: Told) -> None:
    """From the live hint, though nobody knew before the start."""
    front = make_front({"docs": DOCS}, opener=told.open, options={"role": Role.PLANNER})

    assert "leaves to the executor" in front.call("mcp-tool:docs/wipe").text
    assert "put the operation into the handoff" in front.call("mcp-tool:docs/wipe").text
    assert told.called == []


def test_switching_a_server_off_waits_for_its_calls(front: Front, told: Told) -> None:
    """A call that runs is not cut; the next one finds the server off."""
    order: list[str] = []
    switching = threading.Thread(
        target=lambda: (front.connections.enable("docs", on=False), order.append("off"))
    )

    def during() -> None:
        switching.start()
        order.append("called")

    told.during = during
    assert front.call("mcp-tool:docs/write").ok
    switching.join()

    assert order == ["called", "off"]
    assert front.call("mcp-tool:docs/write").text.startswith("capability unavailable: ")


def test_a_connection_of_an_old_configuration_is_not_used(front: Front, told: Told) -> None:
    """Values of variables count for it, although no cache knows them."""
    front.ask("call", "mcp-server:docs")
    front.connections.configure("docs", replace(DOCS, env={"TOKEN": "new"}))

    result = front.call("mcp-tool:docs/read")

    assert "belongs to another configuration" in result.text
    assert told.called == []
    assert front.answer("list")["servers"][0]["status"] == "configured"


def test_what_changes_after_a_call_was_announced_stops_it(front: Front, told: Told) -> None:
    """It was judged by another configuration; the next attempt is judged by the new one."""
    changed = replace(DOCS, args=("other",))
    front.box._listener = lambda event: (
        front.connections.configure("docs", changed) if isinstance(event, ToolCall) else None
    )

    stopped = front.call("mcp-tool:docs/read")
    opened, front.box._listener = told.opened, None

    assert "was configured anew" in stopped.text
    assert opened == 0
    assert front.outcomes() == {"mcp-tool:docs/read": "failed"}
    assert front.call("mcp-tool:docs/read").ok


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(None, "action must be"), ("", "action must be"), ("{", "the arguments must be")],
)
def test_arguments_as_they_come_are_read(front: Front, arguments: Any, words: str) -> None:
    """Nothing is an empty object; what is no JSON is no object."""
    assert words in front.box.call("use_capability", arguments).text


def test_a_run_that_is_recorded_comes_to_the_same(make_front: MakeFront, told: Told) -> None:
    """What became of capabilities, and what stands in the ledger, is told by the events alone."""
    front = make_front({"docs": DOCS, "off": replace(DOCS, authorized=False)}, opener=told.open)
    front.call("mcp-tool:docs/write")
    front.call("mcp-server:off")
    front.call("tool:grep", pattern="x")

    state = HostState(CONTRACT)
    for line in map(line_of, [TurnStart(turn=1), *front.events]):
        state.apply(msgspec.json.decode(line, type=Event))

    again = [(r.tool, r.success, r.mutation) for r in state.main.ledger.receipts]
    assert front.receipts() == again
    assert {"mcp-server:off": "unavailable"} == outcomes(state.main.gates.routes)
    assert front.outcomes() == outcomes(state.main.gates.routes)


def test_a_server_that_is_there_is_not_started_again(front: Front, told: Told) -> None:
    """Two agents may have found it missing at the same time."""
    assert [Start.READY, Start.READY] == [front.connections.start("docs") for _ in range(2)]
    assert told.opened == 1


def test_nothing_is_started_after_the_session(front: Front, told: Told) -> None:
    """A late call does not bring a process back that nobody would end."""
    front.connections.close()

    assert "the session has ended" in front.ask("call", "mcp-server:docs").text
    assert told.opened == 0
