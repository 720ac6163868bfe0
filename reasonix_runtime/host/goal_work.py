"""What was done for a goal: its receipts over its turns, and whether a turn did anything new."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.gates.goal.progress import Fact, progress_facts

if TYPE_CHECKING:
    from reasonix_runtime.evidence.receipts import Receipt
    from reasonix_runtime.gates.goal.state import GoalState
    from reasonix_runtime.gates.policy import Policy
    from reasonix_runtime.host.run import Run


class GoalWork:
    """The receipts of one goal.

    Args:
        policy: the rule set.
        run: the run that works on the goal; its ledger is emptied between turns, this one is not.
        workspace: the folder that paths are relative to.
        given: whether a setup tells the goal, so that all that is done is done for it.
    """

    def __init__(self, policy: Policy, run: Run, *, workspace: str, given: bool) -> None:
        self.ledger = Ledger(policy.ledger, workspace=workspace)
        self._rules = policy.goal
        self._run = run
        self._given = given
        self._seen: frozenset[Fact] = frozenset()
        self._followed = 0
        self._latest: Receipt | None = None

    def begin(self) -> None:
        """Begin with another goal, for which nothing was done yet."""
        self.ledger.clear()
        self._seen = frozenset()

    def follow(self, goal: GoalState) -> None:
        """Take over the receipts that the run left since the last time, if there is a goal."""
        # The session may have told the workspace after the goal.
        self.ledger.workspace = self._run.ledger.workspace
        self.ledger.rules = self._run.gates.policy.ledger
        receipts = self._run.ledger.receipts
        cleared = self._latest is not None and (
            len(receipts) < self._followed or receipts[self._followed - 1] is not self._latest
        )
        if goal.text or self._given:
            for receipt in receipts[0 if cleared else self._followed :]:
                self.ledger.record(receipt)
        self._followed = len(receipts)
        self._latest = receipts[-1] if receipts else None

    def is_new(self) -> bool:
        """Whether the turn left a fact that no earlier turn of the goal left."""
        found = progress_facts(self.ledger, self._run.tasks, self._rules)
        before, self._seen = self._seen, self._seen | found
        return not before or not found <= before
