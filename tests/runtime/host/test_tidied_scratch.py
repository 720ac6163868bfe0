"""Tidying up after the checks owes nothing, however the workspace is told and the calls are fed."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.gates.policy import CONTRACT
from reasonix_runtime.gates.verdict import Verdict
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import (
    Host,
    Session,
    SharedArguments,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
)

Calls = list[tuple[str, dict[str, Any]]]
CHECKED: Calls = [
    ("edit_file", {"path": "app.py", "old_string": "a", "new_string": "b"}),
    ("bash", {"command": "git diff"}),
    ("bash", {"command": "pytest -q"}),
]


def told_by_setup(root: str) -> HostState:
    state = HostState(CONTRACT)
    state.apply(Host(name="setup", data={"workspace": root}))
    return state


def told_by_session(root: str) -> HostState:
    state = HostState(CONTRACT)
    state.apply(Session(sid="s", format="f", cwd=root or None))
    return state


WAYS = pytest.mark.parametrize("tell", [told_by_setup, told_by_session])


def end_of(state: HostState, calls: Calls, *, at_once: bool) -> Verdict:
    """Return the verdict on the end of a turn with these calls."""
    state.apply(TurnStart(turn=1))
    pairs = [
        (
            ToolCall(uid=f"main#{n}", name=tool, args=SharedArguments(args), turn=1),
            ToolResult(uid=f"main#{n}", outcome="ok", basis="flag", text="+x"),
        )
        for n, (tool, args) in enumerate(calls)
    ]
    passed = state.pass_by(pairs) if at_once else 0
    for pair in pairs[passed:]:
        for event in pair:
            state.apply(event)
    (verdict,) = state.apply(TurnEnd(turn=1, status="completed", answer="done"))
    return verdict


@WAYS
@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize(
    ("root", "command", "accepted"),
    [
        ("/srv/app", "rm -rf /tmp/x", True),
        ("/srv/app", "rm -rf build", False),
        ("/tmp/ws", "rm -rf /tmp/x", True),
        ("/tmp/ws", "rm -rf /tmp/ws/app.py", False),
        ("", "rm -rf /tmp/x", False),
        ("", "rm -f /tmp/out.txt", True),
        ("", 'd=$(mktemp -d); ls "$d"; rm -rf "$d"', True),
    ],
)
def test_what_is_tidied_up_after_the_check_owes_nothing(
    tell: Any, root: str, command: str, *, accepted: bool, at_once: bool
) -> None:
    """Of what may be the work nobody knows; that the workspace is somewhere else has to be told."""
    verdict = end_of(tell(root), [*CHECKED, ("bash", {"command": command})], at_once=at_once)

    assert accepted == verdict.accepted


@WAYS
@pytest.mark.parametrize(
    ("after", "accepted"),
    [
        ([], False),
        (["rm /tmp/probe/run.py"], True),
        (["rm -rf /tmp/probe"], True),
        (["rm -rf /tmp/probe/*"], True),
        (["cd /tmp && rm -rf /tmp/probe && ls"], True),
        (["rm -rf /tmp/other"], False),
    ],
)
def test_a_file_of_scratch_that_is_gone_again_owes_no_look(
    tell: Any, after: list[str], *, accepted: bool
) -> None:
    """Nobody can read it any more, and nothing of it is delivered."""
    probe = ("write_file", {"path": "/tmp/probe/run.py", "content": "x"})
    tidied: Calls = [("bash", {"command": one}) for one in after]

    verdict = end_of(tell("/srv/app"), [probe, *CHECKED, *tidied], at_once=False)

    assert accepted == verdict.accepted


def test_a_goal_knows_the_workspace_that_a_session_told_later() -> None:
    """Its receipts are compared as those of the turn are."""
    state = HostState(CONTRACT)
    state.apply(Host(name="goal_set", data={"text": "Ship it"}))
    state.apply(Session(sid="s", format="f", cwd="/srv/app"))
    state.apply(TurnStart(turn=1))
    state.goals.turn_starts()

    ledger = state.goals.work.ledger
    assert ("/srv/app", "apart") == (ledger.workspace, ledger.rules.commands.work)
