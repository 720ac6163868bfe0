"""What a run knows of its background jobs: commands whose end is awaited, evidence on lease.

A command that was started in the background leaves a second receipt once its end was seen. The
receipts of a delegated run in the background are merged when its end is seen, and count as
collected for good only when the turn then passes; otherwise the next turn gets them again (EL-16).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from reasonix_runtime.evidence.jobs import ended, started
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.receipts import Receipt


@dataclass(slots=True)
class Lease:
    """The receipts of a delegated run in the background; `job` is None until its id is known."""

    receipts: Sequence[Receipt]
    uid: str
    job: str | None = None
    finished: bool = False
    merged: bool = False


@dataclass(slots=True)
class Jobs:
    """The background jobs of one run."""

    commands: dict[str, tuple[Receipt, int]] = field(default_factory=dict)
    """Commands that still run: their start receipt and its position in the session."""
    leases: list[Lease] = field(default_factory=list)

    @property
    def running(self) -> frozenset[str]:
        """Ids of the jobs that were started and whose end was not seen."""
        delegated = (lease.job for lease in self.leases if lease.job and not lease.finished)
        return frozenset(self.commands).union(delegated)

    def lease(self, receipts: Sequence[Receipt], uid: str) -> None:
        """Hold the receipts of a delegated run back until its end is seen."""
        self.leases.append(Lease(receipts, uid))

    def note_start(self, text: str, receipt: Receipt, uid: str, position: int) -> None:
        """Take in the result of a call that may have started a job."""
        job = started(text)
        if job is None:
            return
        if receipt.background:
            self.commands[job] = (receipt, position)
        for lease in self.leases:
            if lease.uid == uid:
                lease.job = job

    def note_ends(self, text: str, ledger: Ledger, *, settle: bool) -> None:
        """Take in a result that tells how jobs stand.

        `settle` tells whether the end of a command leaves a receipt of its own.
        """
        for job, outcome in ended(text):
            start = self.commands.pop(job, None)
            if start is not None and settle:
                ledger.record(_end_of(*start, outcome))
            for lease in self.leases:
                lease.finished = lease.finished or lease.job == job
        self.merge(ledger)

    def merge(self, ledger: Ledger) -> None:
        """Merge the evidence of finished jobs, once per turn and job."""
        for lease in self.leases:
            if lease.finished and not lease.merged:
                lease.merged = True
                ledger.merge_child(lease.receipts)

    def end_turn(self, *, passed: bool) -> None:
        """Forget what was collected in a turn that passed; offer it again otherwise."""
        if passed:
            self.leases = [lease for lease in self.leases if not lease.merged]
        for lease in self.leases:
            lease.merged = False


def _end_of(start: Receipt, position: int, outcome: str) -> Receipt:
    """Make the receipt of a command whose end was seen."""
    return Receipt(
        tool=start.tool,
        args=start.args,
        success=outcome == "ok",
        command=start.command,
        mutation=start.mutation,
        outcome=outcome,
        began=position,
    )
