"""Runs that speak against a citation: failed, not over, or without an answer (CS-07, CS-08)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reasonix_runtime.evidence.checks.reach import outweighs
from reasonix_runtime.evidence.commands import classify, matches
from reasonix_runtime.evidence.kept import packed
from reasonix_runtime.evidence.latest import Run

if TYPE_CHECKING:
    from reasonix_runtime.evidence.ledger import Ledger


def failure_of(ledger: Ledger, cited: str) -> Run | None:
    """Return the latest failed run that covers the citation."""
    found = [
        Run(index, ledger.began(index), command, match)
        for command, index in ledger.ran(ledger.latest.failed, cited)
        if (match := matches(cited, command, ledger.rules.commands))
    ]
    return max(found, key=lambda run: run.began, default=None)


def failed_after(ledger: Ledger, cited: str, began: int) -> bool:
    """Whether a run that covers the citation failed and began after an index."""
    rules = ledger.rules.commands
    return any(
        ledger.began(index) > began and matches(cited, command, rules)
        for command, index in ledger.ran(ledger.latest.failed, cited)
    )


def failed_beside(ledger: Ledger, run: Run) -> Run | None:
    """Return a failed test run on the same work that came before a run, if nothing outweighs it.

    A run that passed later outweighs it if it takes in all of its tests (`checks/reach.py`).
    """
    index, rules = ledger.latest, ledger.rules.commands
    for command, at in ledger.ran(index.failed):
        began = ledger.began(at)
        if (
            not index.latest_mutation < began < run.began
            or not classify(command, rules).verification
        ):
            continue
        later = [one for one, when in ledger.ran(index.passed) if ledger.began(when) > at]
        if not any(outweighs(one, command, rules, ledger.key) for one in (run.command, *later)):
            return Run(at, began, command, run.match)
    return None


def unsettled(ledger: Ledger, cited: str) -> int | None:
    """Return a background start of the citation whose end was not seen."""
    for index in ledger.latest.unanswered:
        receipt = ledger[index]
        started = receipt.success and not receipt.settled
        if started and matches(cited, receipt.command, ledger.rules.commands):
            return index
    return None


def inconclusive(ledger: Ledger, cited: str) -> int | None:
    """Return a run of the citation that ended without an answer (killed, not started, idle)."""
    for index in ledger.latest.unanswered:
        receipt = ledger[index]
        if (
            (receipt.ran_nothing or not receipt.success)
            and packed(receipt.command) not in ledger.latest.failed
            and matches(cited, receipt.command, ledger.rules.commands)
        ):
            return index
    return None
