"""The goal checkpoint: what a host keeps of a goal's evidence between its runs (DL-12).

A run of a goal may end with a change that nobody verified, and its receipts are gone with the turn.
The checkpoint remembers that there was a change, so that the next run of the same goal owes the
inspection, the verification and the sign-off of it. Another goal (another scope id) owes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Evidence of earlier runs of one goal."""

    scope: str = ""
    criteria: bool = False
    work: bool = False
    mutation: bool = False
    pending: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEvidence:
    """What one run of the goal leaves for the checkpoint.

    `mutation` is a change in the ledger; `memory_only` says that the run was ready and asked for
    durable memory alone; `settled` that it ended without error, with criteria, and that its latest
    change is inspected, verified, reviewed and signed off.
    """

    criteria: bool = False
    work: bool = False
    mutation: bool = False
    memory_only: bool = False
    settled: bool = False


def advance(before: Checkpoint, run: RunEvidence) -> Checkpoint:
    """Return the checkpoint after a run of its goal."""
    return replace(
        before,
        criteria=before.criteria or run.criteria,
        work=before.work or run.work,
        mutation=before.mutation or run.mutation or run.memory_only,
        pending=not run.settled and (before.pending or (run.mutation and not run.memory_only)),
    )


def checkpoint_of(data: Mapping[str, Any] | None) -> Checkpoint | None:
    """Read a stored checkpoint (keys of the goal's sidecar file); absent flags are false."""
    if data is None:
        return None
    return Checkpoint(
        scope=str(data.get("scopeID", "")),
        criteria=bool(data.get("criteriaEstablished")),
        work=bool(data.get("workObserved")),
        mutation=bool(data.get("mutationObserved")),
        pending=bool(data.get("pendingMutation")),
    )
