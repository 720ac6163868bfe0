"""Looks and sign-offs behind a change (EL-13): what receipts tell of them one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reasonix_runtime.evidence.commands import classify
from reasonix_runtime.evidence.looking.content import is_light_inspection, mentions
from reasonix_runtime.evidence.receipts import cited_verifications

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reasonix_runtime.evidence.ledger import Ledger
    from reasonix_runtime.evidence.receipts import Receipt


def light_inspection(ledger: Ledger, mutation: int, before: int | None = None) -> bool:
    """Whether some inspection of a change stands after it (EL-13, first part)."""
    paths = ledger.receipts[mutation].paths if mutation >= 0 else ()
    return any(
        receipt.success and _inspects(ledger, receipt, paths)
        for _, receipt in ledger.after(mutation, before)
    )


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
    return any(
        receipt.tool == "complete_step" and _verifies(ledger, index, receipt, mutation)
        for index, receipt in ledger.successes(mutation)
    )


def _verifies(ledger: Ledger, index: int, signoff: Receipt, mutation: int) -> bool:
    if mutation >= 0 and not light_inspection(ledger, mutation, index):
        return False
    rules = ledger.rules.commands
    return any(
        classify(cited, rules).verification and _ran_between(ledger, cited, mutation, index)
        for cited in cited_verifications(signoff.args)
    )


def _ran_between(ledger: Ledger, cited: str, after: int, before: int) -> bool:
    return any(
        receipt.success
        and receipt.settled
        and bool(receipt.command)
        and ledger.proves(cited, receipt.command)
        for _, receipt in ledger.after(after, before)
    )
