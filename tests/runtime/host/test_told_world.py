"""The world that a setup tells: read when it is asked for, and told apart from a recording."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.errors import HostDataError
from reasonix_runtime.gates.policy import CLASSIC, CONTRACT, Policy
from reasonix_runtime.gates.verdict import Verdict
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import Host, Session, ToolCall, ToolResult


def verdicts(
    setup: dict[str, Any],
    *,
    name: str = "use_capability",
    args: Any = None,
    outcome: Any = "none",
    written: bool = True,
    policy: Policy = CONTRACT,
) -> list[Verdict]:
    """Return what is said of one call in a session with this setup."""
    state = HostState(policy)
    state.apply(Session(sid="s", format="transcript/1" if written else "events/1"))
    state.apply(Host(name="setup", data=setup))
    call = {"action": "call", "capability_id": "tool:grep"} if args is None else args
    state.apply(ToolCall(uid="main#1", name=name, turn=1, step="r1", args=call))
    return list(state.apply(ToolResult(uid="main#1", outcome=outcome)))


def reasons(*args: Any, **more: Any) -> list[str | None]:
    return [verdict.reason for verdict in verdicts(*args, **more)]


def test_a_written_session_has_the_default_world() -> None:
    """Nobody has to write what is usual."""
    assert ["proxy.call"] == reasons({})


def test_of_a_recording_nothing_is_known() -> None:
    """Its servers, rules and tools are not told, so nobody is accused."""
    assert [None] == reasons({}, written=False)


def test_what_was_recorded_is_judged_only_in_a_world_that_was_told() -> None:
    """And it stands all the same: a call that was refused here did run."""
    assert [None] == reasons({}, outcome="ok")
    assert ["proxy.gate"] == reasons({"host": {"ordinary_gate": "deny"}}, outcome="ok")


def test_other_rule_sets_do_not_judge_the_proxy() -> None:
    """Their hosts do it alone."""
    assert [None] == reasons({"host": {}}, policy=CLASSIC)


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ({"servers": {"a": {"enabled": "yes"}}}, "use_capability"),
        ({"results": [{"tool_call_id": 1}]}, "use_capability"),
        ({"results": [5]}, "use_capability"),
        ({"results": 5}, "use_capability"),
        ({"role": "plannr"}, "use_capability"),
        (
            {"results": [{"tool_call_id": "a", "body": {"parts": [{"text": "x", "times": -1}]}}]},
            "use_capability",
        ),
        (
            {
                "results": [
                    {"tool_call_id": "a", "body": {"parts": [{"text": "x", "times": 2**40}]}}
                ]
            },
            "use_capability",
        ),
        ({"results": [5]}, "parallel_tasks"),
        ({"results": [{"ref": "a", "answer_bytes": 2**40}]}, "parallel_tasks"),
        ({"children": [{"answer_bytes": -1}]}, "parallel_tasks"),
        ({"cancel_after_start": -1}, "parallel_tasks"),
        ({"claims": [5]}, "parallel_tasks"),
        ({"claims": [[5]]}, "parallel_tasks"),
        ({"claims": [{"write_paths": 5}]}, "parallel_tasks"),
        ({"children": 3}, "parallel_tasks"),
        ({"registration_order": "grep"}, "grep"),
    ],
)
def test_a_wrong_type_is_a_mistake_of_who_wrote_it(host: dict[str, Any], name: str) -> None:
    """Told when the part is asked for, and never as a fault of ours."""
    with pytest.raises(HostDataError, match="host event 'setup' cannot be read: host: "):
        verdicts({"host": host}, name=name)


LISTED = [{"name": "a", "status": "configured", "authorized": True, "connected": False}]


@pytest.mark.parametrize(
    "server",
    [
        None,
        {"cache": None, "live": None, "after_resolve": None},
        {"identity": None, "failed": None, "enabled": None},
        {"live": {"live": None, "cache": {"read_only": None}}},
    ],
)
def test_what_is_null_is_left_out(server: Any) -> None:
    """A server and a tool are there all the same, with everything at its default."""
    host = {"servers": {"a": server}, "ledger": {"skill:x": None}, "deny": None}
    (verdict,) = verdicts({"host": host}, args={"action": "list"})

    assert verdict.facts["state_after"]["servers"] == LISTED
    assert verdict.facts["state_after"]["ledger"] == {"skill:x": "pending"}


def test_a_tool_that_is_null_is_one() -> None:
    """Nothing is known of it, so it is a writer that destroys nothing."""
    servers = {"a": {"connected": True, "live": {"live": None}}}
    call = {"action": "call", "capability_id": "mcp-tool:a/live"}

    assert ["proxy.call"] == reasons({"host": {"servers": servers}}, args=call)


@pytest.mark.parametrize("name", ["use_capability", "grep"])
def test_a_part_that_nobody_asks_for_may_be_of_another_form(name: str) -> None:
    """Gates share the keys of a setup, and each reads its own."""
    assert verdicts({"host": {"children": 3}}, name=name)
