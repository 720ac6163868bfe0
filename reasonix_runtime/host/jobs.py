"""The background jobs of a run: commands whose end is awaited, and evidence that is held back.

A command that was started in the background leaves a second receipt once its end was seen. The
receipts of a delegated run in the background are held back as a *lease* until its end is seen, and
then merged. They are handed over for good only if that turn passes: otherwise they are merged again
in the next turn (EL-16).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import msgspec

from reasonix_runtime.evidence.checks.tests_ran import ran_nothing
from reasonix_runtime.evidence.checks.told_failures import ends_with_failure
from reasonix_runtime.evidence.commands import classify
from reasonix_runtime.evidence.jobs import started
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.receipts import (
    LongReceipt,
    Receipt,
    long_receipt,
    reported_paths,
)


class StartedCommand(msgspec.Struct, frozen=True):
    """A command that was started in the background: its receipt, and where that stands."""

    receipt: Receipt
    position: int


@dataclass(slots=True)
class Lease:
    """The receipts of a delegated run in the background; `job` is None until its id is known.

    `began` is the position in the session at which it started, None where that is not known.
    `changed` says whether the run changed something.
    """

    receipts: Sequence[Receipt]
    uid: str
    job: str | None = None
    began: int | None = None
    finished: bool = False
    merged: bool = False
    changed: bool = field(init=False)

    def __post_init__(self) -> None:
        self.changed = any(receipt.changed for receipt in self.receipts)


@dataclass(slots=True)
class Jobs:
    """The background jobs of one run.

    A job is called by the id that the result of its start tells, else by the uid of the call.
    """

    commands: dict[str, StartedCommand] = field(default_factory=dict)
    """Commands that still run."""
    leases: list[Lease] = field(default_factory=list)
    changed_at: int = -1
    """Position in the session of the latest change of the turns before this one."""

    @property
    def running(self) -> frozenset[str]:
        """Ids of the jobs that were started and whose end was not seen."""
        delegated = (lease.job for lease in self.leases if lease.job and not lease.finished)
        return frozenset(self.commands).union(delegated)

    @property
    def may_change(self) -> frozenset[str]:
        """Ids of those of them that may change something: a server is none."""
        idle = {job for job, started in self.commands.items() if not started.receipt.mutation}
        return self.running - idle

    def lease(self, receipts: Sequence[Receipt], uid: str, began: int | None = None) -> None:
        """Hold the receipts of a delegated run back until its end is seen."""
        self.leases.append(Lease(receipts, uid, began=began))

    def note_start(self, text: str, receipt: Receipt, uid: str, position: int) -> None:
        """Take in the result of a call that may have started a job."""
        job = started(text)
        if job is None and receipt.outcome != "running":
            return
        if receipt.background:
            self.commands[job or uid] = StartedCommand(receipt, position)
        for lease in self.leases:
            if lease.uid == uid:
                lease.job, lease.began = job, position

    def note_ends(
        self,
        ends: Iterable[tuple[str, str]],
        ledger: Ledger,
        *,
        text: str,
    ) -> None:
        """Take in the jobs that a result tells to have ended, as id and outcome.

        `text` is that result: a check may say in it that it ran no test.
        """
        for job, outcome in ends:
            self._command_ended(job, outcome, ledger, text=text)
            for lease in self.leases:
                lease.finished = lease.finished or lease.job == job
        self.merge(ledger)

    def end(self, uid: str, outcome: str, ledger: Ledger) -> None:
        """Take in that the job ended which a call started whose result told no id of it."""
        self._command_ended(uid, outcome, ledger)
        for lease in self.leases:
            lease.finished = lease.finished or lease.uid == uid
        self.merge(ledger)

    def _command_ended(self, job: str, outcome: str, ledger: Ledger, *, text: str = "") -> None:
        """Leave the receipt of a command's end, unless its start proved all of it already."""
        started, rules = self.commands.pop(job, None), ledger.rules
        if started is None or rules.background_from_start:
            return
        known = classify(started.receipt.command, rules.commands)
        idle = not rules.empty_runs_pass and ran_nothing(text, lenient=known.lenient)
        belied = idle and ends_with_failure(text)
        ledger.record(_end_of(started, outcome, idle=idle, belied=belied))

    def merge(self, ledger: Ledger) -> None:
        """Merge the evidence of finished jobs, once per turn and job."""
        ready = [lease for lease in self.leases if lease.finished and not lease.merged]
        handed = [tuple(self.as_old_as(lease.receipts, lease.began, ledger)) for lease in ready]
        for lease, receipts in zip(ready, handed, strict=True):
            lease.merged = True
            ledger.merge_child(receipts)

    def as_old_as(
        self, receipts: Sequence[Receipt], began: int | None, ledger: Ledger
    ) -> Iterator[Receipt]:
        """Yield the receipts of a delegated run, those of looks and checks as old as a position.

        That is where it started, None if nothing ran beside it: nobody recorded whether it looked
        before or after what was changed while it ran.
        """
        changed = max(self.changed_at, _position(ledger, ledger.latest_mutation))
        if ledger.rules.background_from_start or began is None or changed <= began:
            yield from receipts
            return
        for receipt in receipts:
            if receipt.command and not receipt.mutation:
                yield msgspec.structs.replace(receipt, began=began)
            elif receipt.mutation or not self._outdated(receipt, began, ledger):
                yield receipt

    def _outdated(self, receipt: Receipt, began: int, ledger: Ledger) -> bool:
        """Whether what a receipt saw, or reported on, may have changed after the start."""
        if self.changed_at > began:
            return True
        seen = (*receipt.paths, *reported_paths(receipt))
        return any(_position(ledger, ledger.last_change_of(path)) > began for path in seen)

    def changing(self) -> Iterator[str]:
        """Yield the delegated jobs that changed something and whose end was not seen."""
        for lease in self.leases:
            if lease.changed and not lease.finished:
                yield lease.job or "a delegated job"

    def turn_over(self, ledger: Ledger) -> None:
        """Remember the latest change of a turn before its ledger is emptied."""
        self.changed_at = max(self.changed_at, _position(ledger, ledger.latest_mutation))

    def end_turn(self, *, passed: bool) -> None:
        """Forget what was collected in a turn that passed; offer it again otherwise."""
        if passed:
            self.leases = [lease for lease in self.leases if not lease.merged]
        for lease in self.leases:
            lease.merged = False


def _position(ledger: Ledger, index: int) -> int:
    """Return where in the session an index of the ledger stands, -1 for none."""
    return -1 if index < 0 else ledger.base + index


def _end_of(started: StartedCommand, outcome: str, *, idle: bool, belied: bool) -> Receipt:
    """Make the receipt of a command whose end was seen; however it ended, it may have changed."""
    start = started.receipt
    make = long_receipt if isinstance(start, LongReceipt) else Receipt
    return make(
        tool=start.tool,
        args=start.args,
        success=outcome == "ok",
        command=start.command,
        paths=start.paths,
        mutation=start.mutation,
        outcome=outcome,
        began=started.position,
        partly=start.mutation and outcome != "ok",
        ran_nothing=idle,
        belied=belied,
    )
