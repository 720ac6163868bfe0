"""A duty book that a test feeds by calls."""

from __future__ import annotations

from typing import Any

from reasonix_runtime.evidence.commands import FACTS_COMMANDS
from reasonix_runtime.evidence.effects.profile import profile_of
from reasonix_runtime.evidence.ledger_rules import FACTS_LEDGER
from reasonix_runtime.evidence.receipts import receipt_of
from reasonix_runtime.gates.duties import DutyBook, DutyRules
from reasonix_runtime.trace.events import Outcome


class Run:
    """A duty book that is fed by calls."""

    def __init__(self, **settings: Any) -> None:
        self.book = DutyBook(DutyRules(commands=FACTS_COMMANDS, **settings))
        self.taken = 0

    def take(
        self,
        tool: str,
        *,
        outcome: Outcome = "ok",
        output: str = "+x",
        exit_code: int | None = None,
        **args: Any,
    ) -> Run:
        """Take one call in."""
        receipt = receipt_of(
            tool, args, rules=FACTS_LEDGER, outcome=outcome, output=output, exit_code=exit_code
        )
        profile = profile_of(
            tool, receipt.command, receipt.paths, mutates=receipt.mutation, rules=FACTS_COMMANDS
        )
        self.book.record(receipt, profile, at=self.taken, has_list=True)
        self.taken += 1
        return self

    @property
    def open(self) -> list[str]:
        """Return the open duties, in order."""
        return [str(duty.kind) for duty in self.book.open()]
