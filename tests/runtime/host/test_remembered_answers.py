"""What is remembered or put off never changes a verdict."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise, product
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasonix_runtime.evidence.receipts import receipt_of
from reasonix_runtime.evidence.recent import Recent
from reasonix_runtime.evidence.tasks import Task
from reasonix_runtime.gates.policy import rule_set
from reasonix_runtime.gates.verdict import Verdict
from reasonix_runtime.host.known_calls import KnownCalls
from reasonix_runtime.host.passing import Pair
from reasonix_runtime.host.state import HostState
from reasonix_runtime.host.tool_gates import JUDGED
from reasonix_runtime.trace.events import (
    Event,
    Host,
    Outcome,
    SharedArguments,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    TurnStatus,
    User,
    has_text,
)

COMMANDS = (
    *("pytest -q", "pytest -q | tail -1", "git diff", "git status", "cat a.py"),
    *("echo x > b.py", "sed -i s/a/b/ a.py", "pytest -q; echo $?", "make lint", "rm b.py"),
    *("rm -rf /tmp/x", "pytest -q && rm -rf /tmp/x"),
)
PATHS = ("a.py", "./a.py", "b.py", "docs/x.md", "auth.py")
LIST = [
    {"content": "Repair a", "status": "in_progress"},
    {"content": "Write docs", "status": "pending"},
]
PROOF = [{"kind": "verification", "summary": "passes", "command": "pytest -q"}]

UNDER_ALL_RULES = pytest.mark.parametrize(
    ("rules", "profile"), [*product(("contract", "classic", "facts"), ("ordinary", "delivery"))]
)

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
OUTCOMES: Sequence[Outcome] = (
    *("ok", "ok", "ok", "ok"),
    *("error", "blocked", "cancelled", "running", "unknown", "none"),
)
TEXTS = (
    *("done", "", "  \n", 'Started background job "job-1"', "[job-1] done: exit 0"),
    *("error: no such file", "blocked: not now", "cancelled: by the user"),
)

SETUP = {"workspace": "/srv/app", "project_checks": ["make lint"]}
SETTLED: Sequence[Outcome] = ("ok", "error", "unknown")
STATUSES: Sequence[TurnStatus] = ("completed", "completed", "interrupted")


def trace(seed: int, *, shared: bool) -> list[Event]:
    """Return a trace of a few turns in which calls repeat, as an agent's in circles do.

    Equal calls share their arguments, or each has its own.
    """
    rng = random.Random(seed)
    pool = [SharedArguments(args) for _, args in CALLS]
    events: list[Event] = []
    number = 0
    for turn in range(1, rng.randint(2, 5)):
        events += [TurnStart(turn=turn), User(turn=turn, text="go on")]
        few = rng.sample(range(len(CALLS)), 6)
        for _ in range(rng.randint(0, 8)):
            at = rng.choice(few)
            name, args = CALLS[at]
            outcome, text = rng.choice(OUTCOMES), rng.choice(TEXTS)
            exit_code, messages = rng.choice((None, 0, 1, 137)), rng.random() < 0.7
            for _ in range(rng.choice((1, 1, 1, 2, 3, 7))):
                number += 1
                uid = f"main#{number}"
                call_args = pool[at] if shared else dict(args)
                step = f"s{number}" if messages else f"t{turn}"
                events.append(ToolCall(uid=uid, name=name, turn=turn, step=step, args=call_args))
                events.append(ToolResult(uid=uid, outcome=outcome, text=text, exit_code=exit_code))
        status = rng.choice(STATUSES)
        events.append(TurnEnd(turn=turn, status=status, answer="done"))
    return events


def ask_everything(state: HostState) -> None:
    """Ask for all that waits, and forget all that is remembered of calls."""
    for run in state.runs.values():
        gates = run.gates
        assert gates.memory.criteria in (True, False)
        assert gates.memory.changes is not None
        assert gates.memory.duties is not None
        assert gates.memory.guards.fired in (True, False)
        assert run.ledger.latest_mutation >= -1
        list(run.session.recent())
    state._forget_known_calls()


def verdicts(
    events: Sequence[Event], rules: str, profile: str, *, eager: bool
) -> list[list[Verdict]]:
    """Replay events and return the verdicts of each."""
    state = HostState(rule_set(rules))
    state.apply(Host(name="setup", data={**SETUP, "profile": profile}))
    found = []
    for event in events:
        if eager:
            ask_everything(state)
        found.append(list(state.apply(event)))
    return found


@UNDER_ALL_RULES
@given(seed=st.integers(0, 2**32))
@settings(max_examples=50)
def test_verdicts_do_not_depend_on_what_is_remembered_or_put_off(
    rules: str, profile: str, seed: int
) -> None:
    """Speed must not decide: asked at once and of nothing remembered, every answer is the same."""
    lazy = verdicts(trace(seed, shared=True), rules, profile, eager=False)
    direct = verdicts(trace(seed, shared=False), rules, profile, eager=True)

    assert direct == lazy


def in_batches(events: Sequence[Event], rules: str, profile: str, size: int) -> Seen:
    """Replay events, calls with their results as many at once as pass by; `size` 0 takes none so.

    What preflight lets pass is not among the verdicts: calls that pass by have no other.
    """
    state = HostState(rule_set(rules))
    state.apply(Host(name="setup", data={**SETUP, "profile": profile}))
    found: list[Verdict] = []

    def apply(event: Event) -> None:
        verdicts = state.apply(event)
        found.extend(v for v in verdicts if not (v.gate == "preflight" and v.accepted))

    waiting: list[Pair] = []
    for event, after in pairwise((*events, TurnStart(turn=99))):
        if isinstance(event, ToolCall) and isinstance(after, ToolResult):
            waiting.append((event, after))
        elif not isinstance(event, ToolResult):
            settle(state, waiting, apply, size)
            apply(event)
    settle(state, waiting, apply, size)
    gates, ledger = state.main.gates, state.main.ledger
    memory = (
        gates.memory.criteria,
        repr(gates.memory.guards),
        gates.memory.changes.paths,
        tuple(ledger.receipts),
        ledger.doubted,
    )
    return Seen(found, memory, list(state.main.session.recent()), state.main.tasks)


class Seen(NamedTuple):
    """The verdicts of a replay, and what is known at its end."""

    verdicts: list[Verdict]
    memory: tuple[object, ...]
    recent: list[str]
    tasks: tuple[Task, ...]


def settle(
    state: HostState, waiting: list[Pair], apply: Callable[[Event], None], size: int
) -> None:
    """Take in the pairs that wait, `size` of them at once."""
    while waiting:
        passed = state.pass_by(waiting[:size])
        del waiting[:passed]
        if (waiting and passed < size) or not size:
            call, result = waiting.pop(0)
            apply(call)
            apply(result)


@UNDER_ALL_RULES
@given(seed=st.integers(0, 2**32), size=st.integers(1, 9))
@settings(max_examples=50)
def test_calls_that_pass_by_leave_what_each_of_them_would(
    rules: str, profile: str, seed: int, size: int
) -> None:
    """Taken in one by one, or many at once: the same verdicts, receipts, memories and list."""
    events = trace(seed, shared=True)

    assert in_batches(events, rules, profile, size) == in_batches(events, rules, profile, 0)


KEEPING = (
    *("evidence.kept", "evidence.ledger", "evidence.receipts", "evidence.session"),
    *("gates.loop_guards", "host.known_calls"),
)


@UNDER_ALL_RULES
@given(seed=st.integers(0, 2**32))
@settings(max_examples=50)
def test_verdicts_do_not_depend_on_what_is_kept_of_a_long_text(
    rules: str, profile: str, seed: int
) -> None:
    """Where every text counts as long, nothing is decided by how it is kept."""
    events = trace(seed, shared=False)
    whole = in_batches(events, rules, profile, 0)
    with pytest.MonkeyPatch.context() as patch:
        for module in KEEPING:
            patch.setattr(f"reasonix_runtime.{module}.LONGEST_WHOLE", 3)
        kept = in_batches(events, rules, profile, 0)

    assert (whole.verdicts, whole.recent, whole.tasks) == (kept.verdicts, kept.recent, kept.tasks)


@pytest.mark.parametrize("most", [0, 3])
def test_few_receipts_wait_however_long_a_turn_is(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a command is must not be forgotten before it is taken in; that changes no verdict."""
    events = [event for seed in range(20) for event in trace(seed, shared=True)]
    at_the_end = verdicts(events, "contract", "ordinary", eager=False)
    monkeypatch.setattr("reasonix_runtime.host.turn_memory.MOST_WAITING", most)
    state = HostState(rule_set("contract"))
    state.apply(Host(name="setup", data={**SETUP, "profile": "ordinary"}))
    found = []
    for event in events:
        found.append(list(state.apply(event)))
        gates = state.main.gates
        running = len(state.main.ledger) - gates.memory.log.position
        assert len(state.main.ledger) - gates.memory._absorbed <= most + running

    assert at_the_end == found


@pytest.mark.parametrize("rules", ["contract", "classic"])
def test_a_remembered_receipt_is_the_one_that_the_result_leaves(rules: str) -> None:
    """A call that was made before leaves what this result says, not what the last one said."""
    policy = rule_set(rules)
    known_calls = KnownCalls(policy, judged=JUDGED, read_only_shell=False)
    for name, args in CALLS:
        shared = SharedArguments(args)
        for outcome, text, exit_code in product(SETTLED, TEXTS, (None, 0, 1)):
            known = known_calls.of(ToolCall(uid="main#1", name=name, args=shared))
            if not known.plain:
                continue
            direct = receipt_of(
                name, args, rules=policy.ledger, outcome=outcome, output=text, exit_code=exit_code
            )
            assert direct == known.receipt(outcome, exit_code, has_text(text), policy.ledger)


@given(st.lists(st.integers(0, 12), max_size=60), st.integers(1, 5))
def test_a_bounded_memory_never_makes_an_answer_up(keys: list[int], most: int) -> None:
    """What it finds is what was kept, it keeps what was used just now, and it stays small."""
    memory: Recent[int, str] = Recent(most)
    for key in keys:
        assert memory.find(key) in (None, str(key))
        memory.keep(key, str(key))
        assert str(key) == memory.find(key)
        assert len(memory.now) <= most


@given(seed=st.integers(0, 2**32))
@settings(max_examples=20)
def test_calls_that_wait_to_be_remembered_are_taken_in_whenever_they_are_many(seed: int) -> None:
    """A session may have a million of them, and its citations are looked up in all."""
    events = trace(seed, shared=True)
    together = in_batches(events, "classic", "ordinary", 5)
    singly = verdicts(events, "classic", "ordinary", eager=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("reasonix_runtime.evidence.session.MOST_WAITING", 0)

        again = in_batches(events, "classic", "ordinary", 5)
        assert (together.verdicts, together.recent) == (again.verdicts, again.recent)
        assert singly == verdicts(events, "classic", "ordinary", eager=False)
