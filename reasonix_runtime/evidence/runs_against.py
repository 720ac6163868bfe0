"""Runs that speak against a citation: failed, not over, or without an answer (CS-07, CS-08)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reasonix_runtime.evidence.checks.failed_tests import FailedTests
from reasonix_runtime.evidence.commands import classify, matches
from reasonix_runtime.evidence.kept import packed
from reasonix_runtime.evidence.latest import Latest, Run

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


def belied_after(ledger: Ledger, cited: str, began: int) -> bool:
    """Whether a run that covers the citation and says that tests failed began after an index."""
    rules = ledger.rules.commands
    return any(
        ledger.began(index) > began and matches(cited, command, rules)
        for command, index in ledger.ran(ledger.latest.belied, cited)
    )


def failed_beside(ledger: Ledger, run: Run) -> Run | None:
    """Return a failed test run on the same work that came before a run, if nothing outweighs it.

    A run that passed later outweighs it if it takes in all of its tests (`checks/reach.py`).
    """
    index = ledger.latest
    if not index.failed:
        return None
    for command, at in _failed_tests(ledger, index).not_in(run.command):
        if index.latest_mutation < (began := ledger.began(at)) < run.began:
            return Run(at, began, command, run.match)
    return None


def _failed_tests(ledger: Ledger, index: Latest) -> FailedTests:
    """Return the tests that failed since the latest change; of each receipt that is asked once."""
    rules, receipts = ledger.rules.commands, ledger.receipts
    tests, since = index.failed_tests, index.sorted_out
    if tests is None or since <= index.latest_mutation:
        tests, since = FailedTests(rules, ledger.key), index.latest_mutation + 1
    index.failed_tests, index.sorted_out = tests, len(receipts)
    for at, receipt in enumerate(receipts[since:], since):
        command = receipt.command
        if not command or receipt.ran_nothing:
            continue
        if receipt.success:
            if tests.last and receipt.settled:
                tests.passed(command, ledger.began(at))
        elif (
            receipt.outcome == "error"
            and receipt.exit_code not in ledger.rules.inconclusive_exits
            and classify(command, rules).verification
        ):
            tests.failed(command, at)
    return tests


def unsettled(ledger: Ledger, cited: str) -> int | None:
    """Return a background start of the citation whose end was not seen."""
    rules = ledger.rules.commands
    runs = ledger.ran(ledger.latest.started, cited)
    return next((at for command, at in runs if matches(cited, command, rules)), None)


def inconclusive(ledger: Ledger, cited: str) -> int | None:
    """Return a run of the citation that ended without an answer (killed, not started, idle)."""
    rules, failed = ledger.rules.commands, ledger.latest.failed
    for command, at in ledger.ran(ledger.latest.stopped, cited):
        if packed(command) not in failed and matches(cited, command, rules):
            return at
    return None
