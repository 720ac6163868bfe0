"""Looks and sign-offs after a change (EL-13): what receipts tell of them one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reasonix_runtime.evidence.claims import cited_verifications
from reasonix_runtime.evidence.commands import classify
from reasonix_runtime.evidence.looking.content import is_light_inspection, mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reasonix_runtime.evidence.ledger import Ledger
    from reasonix_runtime.evidence.receipts import Receipt


def light_inspection(ledger: Ledger, mutation: int, before: int | None = None) -> bool:
    """Whether some inspection of a change stands after it (EL-13, first part)."""
    return next(inspections(ledger, mutation, before), None) is not None


def inspections(ledger: Ledger, mutation: int, before: int | None = None) -> Iterator[int]:
    """Yield the inspections of a change after it, by their indices."""
    paths = ledger.receipts[mutation].paths if mutation >= 0 else ()
    for index, receipt in ledger.after(mutation, before):
        if receipt.success and _inspects(ledger, receipt, paths):
            yield index


def _inspects(ledger: Ledger, receipt: Receipt, paths: Sequence[str]) -> bool:
    if receipt.tool == "bash":
        if is_light_inspection(receipt.command):
            return True
        if not receipt.mutation and any(mentions(receipt.command, path) for path in paths):
            return True
    if not receipt.read:
        return False
    wanted = {ledger.key(path) for path in paths}
    return not wanted or any(ledger.key(path) in wanted for path in receipt.paths)


def verified_signoff(ledger: Ledger, mutation: int) -> bool:
    """Whether a sign-off after a change cites a verification that ran in between (EL-13)."""
    return next(verified_signoffs(ledger, mutation), None) is not None


def verified_signoffs(ledger: Ledger, mutation: int) -> Iterator[tuple[int, int]]:
    """Yield the sign-offs that do, and the runs of the verifications that they cite, by index."""
    for index, receipt in ledger.successes(mutation):
        if receipt.tool == "complete_step":
            run = next(_cited_runs(ledger, index, receipt, mutation), None)
            if run is not None:
                yield index, run


def _cited_runs(ledger: Ledger, index: int, signoff: Receipt, mutation: int) -> Iterator[int]:
    if mutation >= 0 and not light_inspection(ledger, mutation, index):
        return
    rules = ledger.rules.commands
    for cited in cited_verifications(signoff.args):
        if classify(cited, rules).verification:
            yield from _ran_between(ledger, cited, mutation, index)


def _ran_between(ledger: Ledger, cited: str, after: int, before: int) -> Iterator[int]:
    for index, receipt in ledger.after(after, before):
        if (
            receipt.success
            and receipt.settled
            and bool(receipt.command)
            and ledger.proves(cited, receipt.command)
        ):
            yield index
