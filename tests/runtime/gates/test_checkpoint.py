"""The goal checkpoint: what it remembers and when a pending change is settled."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.gates.checkpoint import (
    Checkpoint,
    RunEvidence,
    advance,
    checkpoint_of,
)

CHECKPOINTS = st.builds(
    Checkpoint,
    scope=st.sampled_from(["g1", "g2"]),
    criteria=st.booleans(),
    work=st.booleans(),
    mutation=st.booleans(),
    pending=st.booleans(),
)
RUNS = st.builds(
    RunEvidence,
    criteria=st.booleans(),
    work=st.booleans(),
    mutation=st.booleans(),
    memory_only=st.booleans(),
    settled=st.booleans(),
)


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (RunEvidence(mutation=True), Checkpoint(mutation=True, pending=True)),
        (RunEvidence(mutation=True, memory_only=True), Checkpoint(mutation=True)),
        (RunEvidence(mutation=True, settled=True), Checkpoint(mutation=True)),
        (RunEvidence(criteria=True, work=True), Checkpoint(criteria=True, work=True)),
    ],
)
def test_a_run_leaves_what_it_did(run: RunEvidence, expected: Checkpoint) -> None:
    """The table of DL-12."""
    assert expected == advance(Checkpoint(), run)


@given(CHECKPOINTS, RUNS)
def test_nothing_that_was_observed_is_forgotten(before: Checkpoint, run: RunEvidence) -> None:
    """Only a settled run takes anything back, and then only the pending change."""
    after = advance(before, run)

    assert (after.criteria, after.work, after.mutation) >= (
        before.criteria,
        before.work,
        before.mutation,
    )
    assert not (before.pending and not after.pending) or run.settled


def test_a_checkpoint_is_read_by_the_keys_of_its_file() -> None:
    """What comes back from the sidecar decides what the next run owes; absent flags are false."""
    stored = {"scopeID": "g1", "workObserved": True, "pendingMutation": True}

    assert Checkpoint(scope="g1", work=True, pending=True) == checkpoint_of(stored)
    assert Checkpoint(criteria=True, mutation=True) == checkpoint_of(
        {"criteriaEstablished": True, "mutationObserved": True}
    )
    assert checkpoint_of(None) is None
