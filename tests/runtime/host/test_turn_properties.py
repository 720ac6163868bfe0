"""Properties of the delivery gates over random runs of a host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reasonix_runtime.gates.policy import CLASSIC, CONTRACT, FACTS, UNGATED, Policy
from reasonix_runtime.gates.verdict import Decision, Verdict
from reasonix_runtime.host.setup import Setup
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import Event, ToolCall, ToolResult, TurnEnd, TurnStart

Step = tuple[str, dict[str, Any], bool]

PATHS = ["src/parser.py", "README.md", "src/auth/login.py"]
TASKS = {"todos": [{"content": "Write the parser", "status": "in_progress"}]}


def proof(command: str) -> dict[str, Any]:
    """Return the arguments of a sign-off that cites a command."""
    evidence = [{"kind": "verification", "summary": "green", "command": command}]
    return {"step": "Write the parser", "result": "done", "evidence": evidence}


CALLS: list[tuple[str, dict[str, Any]]] = [
    *(("edit_file", {"path": path, "old_string": "a", "new_string": "b"}) for path in PATHS),
    *(("read_file", {"path": path}) for path in PATHS),
    ("move_file", {"source_path": "src/parser.py", "destination_path": "src/lexer.py"}),
    *(
        ("bash", {"command": command})
        for command in (
            "pytest -q",
            "pytest -q || true",
            "git diff",
            "git status",
            "sed -i s/a/b/ x",
            "cat README.md",
        )
    ),
    ("todo_write", TASKS),
    ("complete_step", proof("pytest -q")),
    ("remember", {"body": "tabs"}),
    ("ask", {"question": "which?"}),
    *(
        ("review_report", {"kind": kind, "verdict": verdict, "reviewed_paths": PATHS})
        for kind in ("review", "security")
        for verdict in ("pass", "block")
    ),
]
CHANGES: list[tuple[str, dict[str, Any]]] = [
    *(("edit_file", {"path": path, "old_string": "c", "new_string": "d"}) for path in PATHS),
    ("bash", {"command": "sed -i s/c/d/ x"}),
]

STEPS = st.lists(st.tuples(st.sampled_from(CALLS), st.booleans()), max_size=9).map(
    lambda items: [(name, args, ok) for (name, args), ok in items]
)
PROFILES = st.sampled_from(["ordinary", "delivery"])
POLICIES = pytest.mark.parametrize("policy", [CLASSIC, CONTRACT, FACTS], ids=lambda p: p.name)


def events(steps: Sequence[Step]) -> list[Event]:
    """Return one turn: each call a message of its own, with its recorded outcome."""
    found: list[Event] = [TurnStart(turn=1)]
    for number, (name, args, ok) in enumerate(steps, 1):
        uid = f"main#{number}"
        found.append(ToolCall(uid=uid, name=name, args=args, step=f"s{number}"))
        found.append(
            ToolResult(uid=uid, outcome="ok" if ok else "error", text="+x" if ok else "error: x")
        )
    return [*found, TurnEnd(turn=1, status="completed")]


def play(policy: Policy, steps: Sequence[Step], profile: str = "ordinary") -> list[Verdict]:
    """Play a turn and return all verdicts; the last one is that of its end.

    Its reports are its own, so it is a run that has the tool for them.
    """
    state = HostState(policy, Setup(profile=profile, role="review"))
    return [verdict for event in events(steps) for verdict in state.apply(event)]


@POLICIES
@given(STEPS, PROFILES)
@settings(max_examples=60)
def test_verdicts_are_equal_when_they_are_computed_twice(
    policy: Policy, steps: list[Step], profile: str
) -> None:
    """A verdict that depends on anything but the events cannot be trusted."""
    assert play(policy, steps, profile) == play(policy, steps, profile)


@POLICIES
@given(STEPS, PROFILES, st.data())
@settings(max_examples=60)
def test_a_prefix_of_a_run_gives_a_prefix_of_its_verdicts(
    policy: Policy, steps: list[Step], profile: str, data: st.DataObject
) -> None:
    """What comes later never changes what was decided before."""
    cut = data.draw(st.integers(0, len(steps)))

    whole, part = play(policy, steps, profile)[:-1], play(policy, steps[:cut], profile)[:-1]

    assert part == whole[: len(part)]


def turned(value: Any) -> Any:
    """Return a JSON value with the keys of every object the other way round."""
    if isinstance(value, dict):
        return {key: turned(item) for key, item in reversed(value.items())}
    return [turned(item) for item in value] if isinstance(value, list) else value


@POLICIES
@given(STEPS, PROFILES)
@settings(max_examples=60)
def test_the_order_of_keys_means_nothing(policy: Policy, steps: list[Step], profile: str) -> None:
    """JSON objects have no order, and no verdict may have one."""
    other = [(name, turned(args), ok) for name, args, ok in steps]

    assert play(policy, steps, profile) == play(policy, other, profile)


@given(STEPS, PROFILES, st.sampled_from(CHANGES))
@settings(max_examples=200)
def test_a_change_after_everything_else_never_helps(
    steps: list[Step], profile: str, change: tuple[str, dict[str, Any]]
) -> None:
    """Whatever was checked, looked at, reviewed or signed off is older than the change now."""
    assert not play(CONTRACT, [*steps, (*change, True)], profile)[-1].accepted


@given(STEPS, PROFILES, st.sampled_from(CHANGES), st.integers(0, 9))
@settings(max_examples=200)
def test_a_change_after_the_last_verification_never_turns_a_refusal_into_acceptance(
    steps: list[Step], profile: str, change: tuple[str, dict[str, Any]], at: int
) -> None:
    """The check is older than the change, wherever the change stands behind it."""
    checks = [i for i, (name, args, _) in enumerate(steps) if args.get("command") == "pytest -q"]
    place = max([at, *(index + 1 for index in checks)])
    changed = [*steps[:place], (*change, True), *steps[place:]]
    needs_check = profile == "delivery" or change[1].get("path") != "README.md"

    before, after = play(CONTRACT, steps, profile)[-1], play(CONTRACT, changed, profile)[-1]

    if needs_check and not before.accepted:
        assert not after.accepted


def repairs(path: str) -> dict[str, Step]:
    """Return what a change of high risk owes: a look, a check, two reports, a sign-off."""
    report = {"verdict": "pass", "reviewed_paths": [path]}
    return {
        "look": ("read_file", {"path": path}, True),
        "check": ("bash", {"command": "pytest -q"}, True),
        "review": ("review_report", report | {"kind": "review"}, True),
        "security": ("review_report", report | {"kind": "security"}, True),
        "sign-off": ("complete_step", proof("pytest -q"), True),
    }


@pytest.mark.parametrize("left_out", repairs(""))
@given(STEPS)
@settings(max_examples=60)
def test_nothing_from_before_a_change_stands_in_for_what_it_owes(
    left_out: str, steps: list[Step]
) -> None:
    """All but one is made good after the change, and whatever happened before is too old."""
    path = "src/auth/login.py"
    before = [*steps, ("todo_write", TASKS, True), *repairs(path).values()]
    change = ("edit_file", {"path": path, "old_string": "e", "new_string": "f"}, True)
    after = [step for name, step in repairs(path).items() if name != left_out]

    assert not play(CONTRACT, [*before, change, *after], "delivery")[-1].accepted


@POLICIES
@given(STEPS, PROFILES, st.sampled_from(CALLS), st.integers(0, 9))
@settings(max_examples=60)
def test_a_failed_receipt_gives_no_proof(
    policy: Policy, steps: list[Step], profile: str, call: tuple[str, dict[str, Any]], at: int
) -> None:
    """Only a stop by a loop guard, which failures may bring about, makes a difference."""
    failed = [*steps[:at], (*call, False), *steps[at:]]

    before, after = play(policy, steps, profile)[-1], play(policy, failed, profile)[-1]

    if before.decision is Decision.REJECT and not after.facts.get("stood_down"):
        assert not after.accepted


def test_a_turn_that_owes_nothing_can_be_reached_from_every_refusal() -> None:
    """A gate that no call could open would hold a run for ever (GATE-8)."""
    report = {"kind": "review", "verdict": "pass", "reviewed_paths": ["src/auth/login.py"]}
    work = [
        ("todo_write", TASKS, True),
        ("edit_file", {"path": "src/auth/login.py"}, True),
        ("read_file", {"path": "src/auth/login.py"}, True),
        ("review_report", report, True),
        ("review_report", report | {"kind": "security"}, True),
        ("bash", {"command": "pytest -q"}, True),
        ("complete_step", proof("pytest -q"), True),
    ]
    ends = [play(CONTRACT, work[:length], "delivery")[-1] for length in range(len(work) + 1)]

    assert [True, True, *[False] * 5, True] == [end.accepted for end in ends]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)
KEYS = st.sampled_from(["path", "command", "todos", "evidence", "status", "reviewed_paths", "name"])
ODD_ARGS = JSON | st.dictionaries(KEYS, JSON, max_size=4)
ODD_NAMES = st.sampled_from(
    [
        *("bash", "edit_file", "multi_edit", "todo_write", "complete_step", "review_report"),
        *("use_capability", "update_goal", "mcp__s__t", "mcp__", "", "read_file", "kill_shell"),
    ]
)
ODD_CALLS = st.tuples(
    ODD_NAMES,
    ODD_ARGS,
    st.sampled_from(["ok", "error", "blocked", "cancelled", "not_run", "running", "unknown"]),
    st.sampled_from(["m1", "m2", ""]),
    st.none() | ODD_NAMES,
)


@pytest.mark.parametrize("policy", [CLASSIC, CONTRACT, FACTS, UNGATED], ids=lambda p: p.name)
@given(st.lists(ODD_CALLS, max_size=6), PROFILES)
@settings(max_examples=80)
def test_no_call_however_odd_breaks_the_machine(
    policy: Policy, calls: list[tuple[Any, ...]], profile: str
) -> None:
    """Arguments that do not fit are a remark in a replay, never a reason to fall over."""
    state = HostState(policy, Setup(profile=profile, interactive=True))
    state.apply(TurnStart(turn=1))
    for number, (name, args, outcome, step, target) in enumerate(calls, 1):
        uid = f"main#{number}"
        state.apply(
            ToolCall(
                uid=uid, name=name, args=args, step=step, resolved_name=target, resolved_args=args
            )
        )
        state.apply(ToolResult(uid=uid, outcome=outcome, text="x\ny"))

    (verdict,) = state.apply(TurnEnd(turn=1, status="completed", answer="done"))

    assert verdict.gate
