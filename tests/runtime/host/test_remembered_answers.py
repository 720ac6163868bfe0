"""What is remembered or put off never changes a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasonix_runtime.evidence.recent import Recent
from reasonix_runtime.gates.policy import rule_set
from reasonix_runtime.gates.verdict import Verdict
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import (
    Event,
    Host,
    SharedArguments,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    User,
)

COMMANDS = (
    *("pytest -q", "pytest -q | tail -1", "git diff", "git status", "cat a.py"),
    *("echo x > b.py", "sed -i s/a/b/ a.py", "pytest -q; echo $?", "make lint", "rm b.py"),
)
PATHS = ("a.py", "./a.py", "b.py", "docs/x.md", "auth.py")
LIST = [
    {"content": "Repair a", "status": "in_progress"},
    {"content": "Write docs", "status": "pending"},
]
PROOF = [{"kind": "verification", "summary": "passes", "command": "pytest -q"}]

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    *(("bash", {"command": command}) for command in COMMANDS),
    ("bash", {"command": "pytest -q", "run_in_background": True}),
    *(("read_file", {"path": path}) for path in PATHS),
    ("read_file", {"path": "a.py", "limit": 3}),
    *(("edit_file", {"path": path, "old_string": "x", "new_string": "y"}) for path in PATHS),
    ("delete_range", {"path": "a.py", "start": 1, "end": 2}),
    ("grep", {"pattern": "def", "path": "a.py"}),
    ("todo_write", {"todos": LIST}),
    ("todo_write", {"todos": [{**LIST[0], "status": "completed"}, LIST[1]]}),
    ("complete_step", {"step": "Repair a", "result": "works", "evidence": PROOF}),
    ("complete_step", {"step": "2", "result": "", "evidence": PROOF}),
    ("remember", {"text": "x"}),
    ("wait", {"job_id": "job-1"}),
    ("kill_shell", {"job_id": "job-1"}),
    ("review", {"prompt": "look"}),
    ("mcp__fs__write", {"path": "a.py"}),
)
OUTCOMES = ("ok", "ok", "ok", "ok", "error", "blocked", "cancelled", "running", "unknown", "none")
TEXTS = ("done", "", "  \n", 'Started background job "job-1"', "[job-1] done: exit 0")

steps = st.tuples(
    st.sampled_from(range(len(CALLS))),
    st.sampled_from(OUTCOMES),
    st.sampled_from(TEXTS),
    st.sampled_from((None, 0, 1, 137)),
    st.booleans(),
)
turns = st.lists(st.lists(steps, max_size=14), min_size=1, max_size=4)


def trace(
    plan: Sequence[Sequence[tuple[int, str, str, int | None, bool]]], *, shared: bool
) -> list[Event]:
    """Return the events of a plan; equal calls share their arguments, or each has its own."""
    pool = [SharedArguments(args) for _, args in CALLS]
    events: list[Event] = []
    number = 0
    for turn, calls in enumerate(plan, 1):
        events += [TurnStart(turn=turn), User(turn=turn, text="go on")]
        for at, outcome, text, exit_code, new_message in calls:
            number += 1
            name, args = CALLS[at]
            uid = f"main#{number}"
            step = f"s{number}" if new_message else f"t{turn}"
            given_args = pool[at] if shared else dict(args)
            events.append(ToolCall(uid=uid, name=name, turn=turn, step=step, args=given_args))
            events.append(
                ToolResult(uid=uid, outcome=outcome, text=text, exit_code=exit_code)  # type: ignore[arg-type]
            )
        events.append(TurnEnd(turn=turn, status="completed", answer="done"))
    return events


def ask_everything(state: HostState) -> None:
    """Ask for all that waits, and forget all that is remembered of calls."""
    for run in state.runs.values():
        gates = run.gates
        assert gates.criteria in (True, False)
        assert gates.changes is not None
        assert gates.duties is not None
        assert gates.guards.fired in (True, False)
        assert run.ledger.latest_mutation >= -1
        assert run.session.recent() is not None
    state._know_nothing()


def verdicts(
    events: Sequence[Event], rules: str, profile: str, *, eager: bool
) -> list[list[Verdict]]:
    """Replay events and return the verdicts of each."""
    state = HostState(rule_set(rules))
    state.apply(Host(name="setup", data={"profile": profile, "project_checks": ["make lint"]}))
    found = []
    for event in events:
        if eager:
            ask_everything(state)
        found.append(list(state.apply(event)))
    return found


@pytest.mark.parametrize("rules", ["contract", "classic", "facts"])
@pytest.mark.parametrize("profile", ["ordinary", "delivery"])
@given(plan=turns)
@settings(max_examples=40, deadline=None)
def test_verdicts_do_not_depend_on_what_is_remembered_or_put_off(
    rules: str, profile: str, plan: Any
) -> None:
    """Speed must not decide: asked at once and of nothing remembered, every answer is the same."""
    lazy = verdicts(trace(plan, shared=True), rules, profile, eager=False)
    direct = verdicts(trace(plan, shared=False), rules, profile, eager=True)

    assert direct == lazy


@given(st.lists(st.integers(0, 12), max_size=60), st.integers(1, 5))
def test_a_bounded_memory_never_makes_an_answer_up(keys: list[int], most: int) -> None:
    """What it finds is what was kept, it keeps what was used just now, and it stays small."""
    memory: Recent[int, str] = Recent(most)
    for key in keys:
        assert memory.find(key) in (None, str(key))
        memory.keep(key, str(key))
        assert str(key) == memory.find(key)
        assert len(memory.now) <= most
