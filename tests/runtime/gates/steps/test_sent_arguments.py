"""Arguments are decoded in one go where they fit, and read member by member where they do not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.gates.policy import CLASSIC, CONTRACT, Policy
from reasonix_runtime.gates.steps import claim, todo_write

POLICIES = pytest.mark.parametrize("policy", [CLASSIC, CONTRACT], ids=lambda policy: policy.name)

texts = st.sampled_from(["", " ", "s1", " Step ", "pytest -q"])
oddities = st.sampled_from([None, True, 7, 1.0, 2**70, "x", [], [None], ["a", 3], {}, {"a": 1}])


def member(usual: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return a member that is nearly always of its type."""
    return st.sampled_from([usual] * 19 + [oddities]).flatmap(lambda chosen: chosen)


def record(**members: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return objects with most of these members, seldom in capitals or beside another one."""
    full = st.fixed_dictionaries({name: member(values) for name, values in members.items()})
    part = st.tuples(full, st.sets(st.sampled_from(sorted(members)), max_size=2)).map(
        lambda drawn: {key: value for key, value in drawn[0].items() if key not in drawn[1]}
    )
    loud = part.map(lambda found: {key.upper(): value for key, value in found.items()})
    more = part.map(lambda found: {**found, "more": 1})
    return st.sampled_from([part] * 18 + [loud, more]).flatmap(lambda chosen: chosen)


evidence = record(
    kind=texts, summary=texts, command=texts, paths=st.lists(texts, max_size=2), criterion_id=texts
)
claims = record(
    step_id=texts,
    step=texts,
    step_index=st.integers(-1, 3),
    result=texts,
    evidence=st.lists(evidence, max_size=2),
    notes=texts,
)
items = record(
    content=texts, status=texts, activeForm=texts, level=st.integers(-1, 2), step_id=texts
)


@POLICIES
@given(args=member(claims))
def test_a_claim_is_the_same_either_way(policy: Policy, args: Any) -> None:
    """CS-01: how it is decoded says nothing about what is claimed, nor about its faults."""
    expected = claim.read_claim(args, policy.steps)

    assert expected == claim.claim_of(args, policy.steps)


@POLICIES
@given(args=member(record(todos=st.lists(items, max_size=3))))
def test_a_list_is_the_same_either_way(policy: Policy, args: Any) -> None:
    """TW-01."""
    expected, faults = todo_write.read_list(args, policy.todo)
    tasks, problems = todo_write.list_of(args, policy.todo)

    assert (expected, list(faults)) == (tasks, list(problems))
