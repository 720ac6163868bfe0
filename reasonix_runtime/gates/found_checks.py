"""What was found of a check that did not pass: it failed, was stopped, or came too early.

A refusal differs for what never happened, happened and failed, and happened too early.
"""

from __future__ import annotations

from reasonix_runtime.evidence import runs_against
from reasonix_runtime.evidence.commands import classify
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.masking import shown
from reasonix_runtime.evidence.receipts import Receipt


def passed_after(ledger: Ledger, check: str, index: int) -> bool:
    """Whether a run of a declared check passed after a receipt and, where that counts, last."""
    latest_decides = ledger.rules.latest_run_decides
    return any(
        run.match.status_owned
        and not (latest_decides and runs_against.failed_after(ledger, check, run.began))
        for run in ledger.runs(check, index)
    )


def found_of(ledger: Ledger, check: str, index: int) -> str:
    """Say what came of a declared check after a receipt, if it did not pass; else nothing."""
    failed = runs_against.failure_of(ledger, check)
    if failed and failed.index > index:
        return f"`{shown(failed.command)}` ran and failed: mend what it found"
    if masked := _masked_run(ledger, check, index):
        return (
            f"`{shown(masked)}` ran it and can hide that it failed: run it as a command of its own"
        )
    start = runs_against.unsettled(ledger, check)
    stopped = runs_against.inconclusive(ledger, check) if start is None else start
    if stopped is not None and stopped > index:
        return _no_answer(ledger[stopped])
    if ledger.command_ran(check):
        return "it passed, but not after that"
    return ""


def masked_since(ledger: Ledger, check: str, index: int) -> str:
    """Say in a sentence which run of a check after a receipt hid its status; else nothing."""
    masked = _masked_run(ledger, check, index)
    return f"`{shown(masked)}` ran later and can hide that it failed. " if masked else ""


def _masked_run(ledger: Ledger, check: str, index: int) -> str:
    runs = ledger.runs(check, index)
    return next((run.command for run in runs if not run.match.status_owned), "")


def without_answer(ledger: Ledger, after: int) -> str:
    """Say of the latest check behind a position in the session why it has no answer."""
    rules = ledger.rules
    since = [receipt for _, receipt in ledger.after(max(after - ledger.base, -1))]
    for receipt in reversed(since):
        if not (receipt.command and classify(receipt.command, rules.commands).verification):
            continue
        stopped = receipt.outcome == "cancelled" or receipt.exit_code in rules.inconclusive_exits
        if not receipt.settled or stopped:
            return _no_answer(receipt)
    return ""


def _no_answer(receipt: Receipt) -> str:
    """Say how a run ended that is neither a pass nor a failure."""
    command = f"`{shown(receipt.command)}`"
    if not receipt.settled:
        return (
            f"{command} was started in the background and its end was not seen: wait for the job, "
            "or run it in the foreground"
        )
    if receipt.ran_nothing:
        return f"{command} says in its output that it ran no test, or that tests failed"
    if receipt.exit_code is not None:
        how = f"with exit status {receipt.exit_code}"
    else:
        how = f"as {receipt.outcome}"
    return f"{command} ended {how}, which is neither a pass nor a failure: run it to its end"
