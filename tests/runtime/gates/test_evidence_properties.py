"""Properties that hold for every turn, not for chosen ones."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from step_turn import MANUAL, StepTurn, changed, touched, verified

from reasonix_runtime.evidence.receipts import receipt_of
from reasonix_runtime.gates.policy import CLASSIC, CONTRACT, FACTS, Policy
from reasonix_runtime.gates.verdict import Verdict

COMMANDS = (
    "pytest -q",
    "cd app && pytest -q",
    "pytest -q || true",
    "CI=1 pytest -q",
    "make lint; ls",
    "go test ./...",
    "git diff",
    "sed -i s/a/b/ a.py",
    "printf x > gen.txt",
    "npm test | tail -3",
)
PATHS = ("a.py", "b.py", "gen.txt", "src/a.py")
RULE_SETS = st.sampled_from([CONTRACT, CLASSIC, FACTS])

Call = tuple[str, dict[str, Any], str]

calls = st.lists(
    st.one_of(
        st.tuples(
            st.just("bash"),
            st.builds(dict, command=st.sampled_from(COMMANDS)),
            st.sampled_from(["ok", "ok", "error", "running"]),
        ),
        st.tuples(
            st.sampled_from(["read_file", "edit_file", "write_file", "ls"]),
            st.builds(dict, path=st.sampled_from(PATHS)),
            st.sampled_from(["ok", "ok", "error"]),
        ),
        st.tuples(
            st.just("move_file"),
            st.just({"source_path": "a.py", "destination_path": "b.py"}),
            st.sampled_from(["ok", "error"]),
        ),
        st.tuples(st.sampled_from(["remember", "review", "ask"]), st.just({}), st.just("ok")),
    ),
    max_size=8,
)
evidence = st.lists(
    st.one_of(
        st.sampled_from(COMMANDS).map(verified),
        st.sampled_from(PATHS).map(changed),
        st.sampled_from(PATHS).map(touched),
        st.just({"kind": "review", "summary": "s"}),
        st.just(MANUAL),
    ),
    min_size=1,
    max_size=3,
)


def turn_of(policy: Policy, taken: list[Call]) -> StepTurn:
    turn = StepTurn(policy)
    for tool, args, outcome in taken:
        turn.call(tool, outcome=outcome, **args)
    return turn


def judged(
    policy: Policy, taken: list[Call], items: list[dict[str, Any]], *, closed_loop: bool
) -> Verdict:
    return turn_of(policy, taken).sign(*items, closed_loop=closed_loop)


@given(RULE_SETS, st.sampled_from(COMMANDS))
def test_a_citation_matches_its_own_run(policy: Policy, command: str) -> None:
    """Matching is reflexive: what ran is never answered with "did not run"."""
    verdict = StepTurn(policy).run(command).sign(verified(command))

    assert "verification.command_not_run" != verdict.reason


@given(RULE_SETS, calls, evidence, st.booleans(), st.data())
def test_a_failed_call_never_turns_a_refusal_into_acceptance(
    policy: Policy,
    taken: list[Call],
    items: list[dict[str, Any]],
    closed_loop: bool,
    data: st.DataObject,
) -> None:
    """Attempts are no proof, wherever they stand."""
    before = judged(policy, taken, items, closed_loop=closed_loop)
    tool, args, _ = data.draw(calls.filter(bool).map(lambda found: found[0]))
    at = data.draw(st.integers(0, len(taken)))
    with_failure = [*taken[:at], (tool, args, "error"), *taken[at:]]

    after = judged(policy, with_failure, items, closed_loop=closed_loop)

    assert before.accepted or not after.accepted


checked = st.lists(st.sampled_from(COMMANDS[:4]).map(verified), min_size=1, max_size=2)


@given(calls, checked, st.booleans(), st.sampled_from(PATHS))
def test_a_change_after_a_verification_never_turns_a_refusal_into_acceptance(
    taken: list[Call], items: list[dict[str, Any]], closed_loop: bool, path: str
) -> None:
    """Under the contract a change only makes evidence older."""
    before = judged(CONTRACT, taken, items, closed_loop=closed_loop)

    changing: Call = ("edit_file", {"path": path}, "ok")
    after = judged(CONTRACT, [*taken, changing], items, closed_loop=closed_loop)

    assert before.accepted or not after.accepted


@given(calls, checked, st.sampled_from(PATHS))
def test_a_check_before_a_change_is_never_enough(
    taken: list[Call], items: list[dict[str, Any]], path: str
) -> None:
    """Under the contract nothing that ran before the change verifies it."""
    changing: Call = ("edit_file", {"path": path}, "ok")

    assert not judged(CONTRACT, [*taken, changing], items, closed_loop=False).accepted


def reordered(value: Any) -> Any:
    """Return equal data whose objects hold their members in the opposite order."""
    if isinstance(value, dict):
        return {key: reordered(value[key]) for key in reversed(value)}
    return [reordered(item) for item in value] if isinstance(value, list) else value


@given(RULE_SETS, calls, evidence, st.booleans())
def test_a_verdict_does_not_depend_on_the_order_of_members(
    policy: Policy, taken: list[Call], items: list[dict[str, Any]], closed_loop: bool
) -> None:
    """JSON objects have no order."""
    straight = judged(policy, taken, items, closed_loop=closed_loop)
    turn = turn_of(policy, [(tool, reordered(args), outcome) for tool, args, outcome in taken])
    args = reordered({"step": "Step", "result": "done", "evidence": items})

    assert straight == turn.judge_step(args, closed_loop=closed_loop)


@given(RULE_SETS, calls, evidence, st.booleans())
def test_a_verdict_is_the_same_when_it_is_asked_twice(
    policy: Policy, taken: list[Call], items: list[dict[str, Any]], closed_loop: bool
) -> None:
    """Gates are pure: judging changes nothing of what is judged."""
    turn = turn_of(policy, taken)
    first = turn.sign(*items, closed_loop=closed_loop)

    assert first == turn.sign(*items, closed_loop=closed_loop)
    assert len(taken) == len(turn.ledger)


MEMBERS = [
    "step",
    "step_index",
    "result",
    "evidence",
    "kind",
    "summary",
    "command",
    "paths",
    "todos",
    "content",
    "status",
    "level",
    "verdict",
    "reviewed_paths",
    "findings",
]

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(MEMBERS),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@pytest.mark.parametrize("policy", [CONTRACT, CLASSIC, FACTS])
@given(args=anything)
def test_no_arguments_break_a_gate(policy: Policy, args: Any) -> None:
    """A model may send anything; the answer is a verdict, never a traceback."""
    turn = StepTurn(policy).edit("a.py").run("pytest -q")

    for tool in ("complete_step", "todo_write", "review_report", "bash", "edit_file"):
        turn.ledger.record(receipt_of(tool, args, rules=policy.ledger))

    assert turn.judge_step(args).decision
    assert turn.write(args).decision if isinstance(args, dict) else True
    assert turn.report(["a.py"], findings=args).decision
