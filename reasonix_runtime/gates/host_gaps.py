"""What the host finds missing in finished work by itself.

These gaps stand whatever the model claims. Writes to scratch places are ignored, writes outside
the workspace are kept, and a change without a path is still a change.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reasonix_runtime.evidence.commands import classify
from reasonix_runtime.evidence.content_seen import content_coverage
from reasonix_runtime.evidence.options.common import SCRATCH_FOLDERS
from reasonix_runtime.gates.completion import Gap, GapKind

if TYPE_CHECKING:
    from reasonix_runtime.evidence.ledger import Ledger
    from reasonix_runtime.evidence.receipts import Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """A successful change outside the scratch places, with the paths that count."""

    index: int
    paths: tuple[str, ...]


def host_gaps(ledger: Ledger, *, checks: Sequence[str] = ()) -> tuple[Gap, ...]:
    """Return the gaps that the receipts of the goal leave, in report order.

    Whether acceptance criteria hold is not read off receipts: only the host can tell that.

    Args:
        ledger: the receipts of the goal.
        checks: commands that the work's contract demands.
    """
    changes = tuple(_changes(ledger))
    missing = tuple(_missing_checks(ledger, checks, changes))
    return (
        *missing,
        *_failed_verifications(ledger),
        *_stale_or_unverified(ledger, changes, checks_missing=bool(missing)),
        *_unreviewed(ledger, changes),
    )


def _changes(ledger: Ledger) -> Iterator[_Change]:
    for index, receipt in enumerate(ledger):
        if not receipt.changed:
            continue
        paths = tuple(path for path in receipt.paths if not _is_scratch(path, ledger.workspace))
        if paths or not receipt.paths:
            yield _Change(index=index, paths=paths)


def _is_scratch(path: str, workspace: str | None) -> bool:
    if workspace and (path == workspace or path.startswith(f"{workspace}/")):
        return False
    return any(path == place or path.startswith(f"{place}/") for place in SCRATCH_FOLDERS)


def _missing_checks(
    ledger: Ledger, checks: Sequence[str], changes: Sequence[_Change]
) -> Iterator[Gap]:
    """Yield the checks without a successful run that is not older than the latest change."""
    latest = changes[-1].index if changes else -1
    for check in checks:
        proven = any(
            receipt.settled and receipt.command and ledger.proves(check, receipt.command)
            for _, receipt in ledger.successes(latest - 1)
        )
        if not proven:
            yield Gap(kind=GapKind.MISSING_CHECK, subject=check)


def _verifications(ledger: Ledger) -> Iterator[tuple[int, Receipt]]:
    """Yield each run of a recognised verification, with its index."""
    for index, receipt in ledger.after(-1):
        if not receipt.command or not receipt.settled:
            continue
        if classify(receipt.command, ledger.rules.commands).verification:
            yield index, receipt


def _failed_verifications(ledger: Ledger) -> Iterator[Gap]:
    latest = {run.command: (index, run) for index, run in _verifications(ledger)}
    for command, (index, run) in latest.items():
        if not run.success:
            yield Gap(kind=GapKind.FAILED_VERIFICATION, subject=command, grounds=(index,))


def _stale_or_unverified(
    ledger: Ledger, changes: Sequence[_Change], *, checks_missing: bool
) -> Iterator[Gap]:
    """Yield at most one gap: checks that are all too old, or changes that nothing proves."""
    if not changes:
        return
    first, last = changes[0].index, changes[-1].index
    passed = {run.command: index for index, run in _verifications(ledger) if run.success}
    if any(index > last for index in passed.values()):
        return
    for command, index in passed.items():
        yield Gap(kind=GapKind.STALE_VERIFICATION, subject=command, grounds=(index, last))
    if not checks_missing and all(index < first for index in passed.values()):
        yield Gap(kind=GapKind.UNVERIFIED_CHANGE, grounds=tuple(c.index for c in changes))


def _unreviewed(ledger: Ledger, changes: Sequence[_Change]) -> Iterator[Gap]:
    """Yield the changed paths whose content was not read or compared after their last write."""
    last_write = {path: change.index for change in changes for path in change.paths}
    for path, index in last_write.items():
        if not content_coverage(ledger, index, (path,)):
            yield Gap(kind=GapKind.UNREVIEWED_CHANGE, subject=path, grounds=(index,))
