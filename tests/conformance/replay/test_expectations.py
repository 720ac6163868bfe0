"""Expectations of transcripts against verdicts: `expectations.py`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reasonix_conformance.replay.expectations import mismatches, same
from reasonix_runtime.gates.verdict import Decision, Verdict
from reasonix_runtime.trace.transcript import Expectation


def verdict(decision: str = "accept", reason: str | None = None, **facts: Any) -> Verdict:
    return Verdict(gate="g", decision=Decision(decision), reason=reason, facts=facts)


def expect(verdict: str = "accept", **keys: Any) -> Expectation:
    reason, reason_in = keys.pop("reason", None), keys.pop("reason_in", ())
    return Expectation(verdict=verdict, reason=reason, reason_in=tuple(reason_in), facts=keys)


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (expect(), verdict()),
        (expect(), verdict(reason="goal.recorded")),
        (expect("reject", reason="a.b"), verdict("reject", "a.b")),
        (expect("reject", reason_in=["a.b", "a.c"]), verdict("reject", "a.c")),
        (expect(missing=["todo", "review"]), verdict(missing=("review", "todo"))),
        (expect(missing=[]), verdict(missing=())),
        (expect(partial=False), verdict()),
        (expect(todo_after=["completed"]), verdict(todo_after=("completed",))),
        (expect(state_after={"epoch": 7}), verdict(state_after={"epoch": 7, "text": "x"})),
        (expect(state_after={"scope": "<new>"}), verdict(state_after={"scope": "goal-1"})),
        (
            expect(state_after={"header": {"offset": 0}}),
            verdict(state_after={"header": {"offset": 0, "x": 1}}),
        ),
        (expect("not_assessable"), verdict("not_assessable")),
    ],
)
def test_what_is_as_written_holds(expected: Expectation, got: Verdict) -> None:
    """Only what was written is compared."""
    assert () == mismatches(expected, got)


@pytest.mark.parametrize(
    ("expected", "got", "text"),
    [
        (expect(), verdict("reject", "a.b"), "expected accept, got reject"),
        (expect(), verdict("not_assessable"), "expected accept, got not_assessable"),
        (expect("reject", reason="a.b"), verdict("reject", "a.c"), "reason: expected a.b, got a.c"),
        (expect("reject", reason="a.b"), verdict("reject"), "reason: expected a.b, got none"),
        (
            expect("reject", reason_in=["a.b"]),
            verdict("reject", "a.c"),
            "reason: expected one of a.b, got a.c",
        ),
        (expect(missing=["todo"]), verdict(missing=()), "missing: expected [todo], got []"),
        (expect(missing=[]), verdict(), "missing: expected [], got nothing"),
        (expect(risk="low"), verdict(risk="high"), "risk: expected low, got high"),
        (
            expect(host_verified=1),
            verdict(host_verified=True),
            "host_verified: expected 1, got true",
        ),
        (expect(mutates=False), verdict(), "mutates: expected false, got nothing"),
        (
            expect(todo_after=["a", "b"]),
            verdict(todo_after=("b", "a")),
            "todo_after: expected [a, b], got [b, a]",
        ),
        (
            expect(state_after={"epoch": 7, "text": ""}),
            verdict(state_after={"epoch": 8, "text": ""}),
            "state_after.epoch: expected 7, got 8",
        ),
        (
            expect(state_after={"scope": "<new>"}),
            verdict(state_after={"scope": ""}),
            "state_after.scope: expected <new>, got ''",
        ),
        (
            expect(state_after={"ledger": {"a": "used"}}),
            verdict(state_after={"ledger": {"a": "used", "b": "used"}}),
            "state_after.ledger: expected {a: used}, got {a: used, b: used}",
        ),
        (expect(risk="<new>"), verdict(risk=7), "risk: expected <new>, got 7"),
        (expect(missing=[]), verdict(missing=None), "missing: expected [], got null"),
        (expect(missing="todo"), verdict(missing=["todo"]), "missing: expected todo, got [todo]"),
        (expect(state_after={}), verdict(state_after=[]), "state_after: expected {}, got []"),
        (expect(state_after=[]), verdict(state_after={}), "state_after: expected [], got {}"),
    ],
)
def test_what_is_not_as_written_is_said(expected: Expectation, got: Verdict, text: str) -> None:
    """A mismatch names the key, what was expected and what there is."""
    assert (text,) == mismatches(expected, got)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (True, 1),
        (False, 0),
        ([True], [1]),
        ({"a": 0}, {"a": False}),
        ("1", 1),
        (None, False),
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}),
        ({"a": 1}, {"a": 1, "b": 2}),
        ([], {}),
        ([1], [1, 2]),
        ([1], 1),
    ],
)
def test_true_is_not_one(one: object, other: object) -> None:
    """Python says that it is; JSON says that it is not."""
    assert not same(one, other)
    assert not same(other, one)


@pytest.mark.parametrize(
    "value", [True, 0, 0.5, None, "x", [1, {"a": False}], {"a": [0], "b": None}, {}, []]
)
def test_a_value_is_the_same_when_it_is_read_again(value: object) -> None:
    """However deep it is, and whichever objects hold it."""
    assert same(value, json.loads(json.dumps(value)))
