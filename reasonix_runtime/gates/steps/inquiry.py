"""What the evidence of a sign-off is held against, and how its refusals name a change."""

from __future__ import annotations

import msgspec

from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.masking import shown
from reasonix_runtime.evidence.receipts import Receipt
from reasonix_runtime.evidence.session import SessionHistory
from reasonix_runtime.gates.policy import Policy


class Inquiry(msgspec.Struct, kw_only=True):
    """What evidence is held against.

    Attributes:
        policy: the rule set.
        ledger: the receipts of this turn.
        history: the memory of earlier turns.
        closed_loop: whether only recognised checks count once something changed.
        cited: all commands that the sign-off cites.
        latest_uncited: index of the latest change that none of these covers, None until asked.
    """

    policy: Policy
    ledger: Ledger
    history: SessionHistory
    closed_loop: bool
    cited: tuple[str, ...]
    latest_uncited: int | None = None


def named(receipt: Receipt) -> str:
    """Name a change by its tool and its command or paths."""
    if receipt.command:
        return f"`{shown(receipt.command)}`"
    where = f" of {', '.join(shown(path) for path in receipt.paths[:3])}" if receipt.paths else ""
    return f"{receipt.tool}{where}"
