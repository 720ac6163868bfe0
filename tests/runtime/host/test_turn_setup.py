"""What the delivery gates read of a setup, and what they say of one that cannot be read."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.errors import HostDataError
from reasonix_runtime.gates.policy import CLASSIC, CONTRACT, Policy
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import Host, Session, ToolCall, ToolResult, TurnEnd, TurnStart


@pytest.mark.parametrize(
    ("setup", "named"),
    [
        ({"capabilities": [{"policy": "require"}]}, "id"),
        ({"capabilities": [{"id": "skill:x", "policy": "must"}]}, "must"),
        ({"capabilities": [{"id": "skill:x", "outcome": "done"}]}, "done"),
        ({"constraints": {"forbid_tests": "yes"}}, "forbid_tests"),
        ({"constraints": {"allowed_commands": "ls"}}, "allowed_commands"),
        ({"host": {"ledger": {"skill:x": {"policy": 1}}}}, "policy"),
        ({"host": {"ledger": {"skill:x": "pending"}}}, "object"),
        ({"host": {"ledger": ["skill:x"]}}, "object"),
    ],
)
def test_a_setup_that_cannot_be_read_names_what_is_wrong(setup: dict[str, Any], named: str) -> None:
    """A fault of the writer is told as one, never as a traceback of ours."""
    with pytest.raises(HostDataError, match=named):
        HostState(CONTRACT).apply(Host(name="setup", data=setup))


def call(state: HostState, uid: str, tool: str, **args: str) -> None:
    state.apply(ToolCall(uid=uid, name=tool, args=args, turn=1))
    state.apply(ToolResult(uid=uid, outcome="ok", basis="flag", text="x"))


@pytest.mark.parametrize(
    ("cwd", "looked", "accepted"),
    [
        ("/repo", "docs/a.md", True),
        ("/repo", "lib/a.md", False),
        (None, "docs/a.md", False),
        ("D:/repo", "DOCS\\a.md", False),
    ],
)
def test_the_folder_of_a_session_is_its_workspace(
    cwd: str | None, looked: str, *, accepted: bool
) -> None:
    """One tool is told the whole path, another the part below the folder it stands in."""
    state = HostState(CONTRACT)
    state.apply(Session(sid="s", format="f", cwd=cwd))
    state.apply(TurnStart(turn=1))
    call(state, "main#1", "write_file", path="/repo/docs/a.md", content="x")
    call(state, "main#2", "read_file", path=looked)

    assert [accepted] == [v.accepted for v in state.apply(TurnEnd(turn=1, status="completed"))]


def test_a_folder_that_is_told_later_is_no_workspace() -> None:
    """What was compared before would be compared in another way then."""
    state = HostState(CONTRACT)
    state.apply(TurnStart(turn=1))
    call(state, "main#1", "read_file", path="a.md")
    state.apply(Session(sid="s", format="f", cwd="/repo"))

    assert state.main.ledger.workspace == ""


@pytest.mark.parametrize(("policy", "root"), [(CONTRACT, "/told"), (CLASSIC, "/told")])
def test_a_workspace_that_was_told_stands(policy: Policy, root: str) -> None:
    """Where a run was recorded is weaker than what its setup says."""
    state = HostState(policy)
    state.apply(Host(name="setup", data={"workspace": root}))
    state.apply(Session(sid="s", format="f", cwd="/repo"))

    assert root == state.main.ledger.workspace
