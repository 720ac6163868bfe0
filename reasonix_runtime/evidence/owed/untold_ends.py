"""Calls that may have looked at a change or checked it, and nobody knows how they ended.

They prove nothing. But who refuses for want of a proof accuses an agent, and where the recording
lacks the outcome of the very call that would be one, nobody can say that it is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from reasonix_runtime.evidence.receipts import Receipt

MOST_UNTOLD = 256
"""How many of them are remembered."""


class UntoldEnds:
    """Such calls, each of them once, as it was made last."""

    __slots__ = ("_calls",)

    def __init__(self) -> None:
        self._calls: dict[str, tuple[Receipt, int]] = {}

    @property
    def calls(self) -> Sequence[str]:
        """The calls by their commands and paths."""
        return list(self._calls)

    def take(self, receipt: Receipt, at: int) -> None:
        """Note a call; of very many the earliest are forgotten."""
        call = receipt.command or " ".join(receipt.paths) or receipt.tool
        self._calls.pop(call, None)
        self._calls[call] = receipt, at
        if len(self._calls) > MOST_UNTOLD:
            del self._calls[next(iter(self._calls))]

    def as_good(self) -> Iterator[tuple[Receipt, int]]:
        """Yield what they would have left had they succeeded, and where they stood."""
        for receipt, at in self._calls.values():
            yield msgspec.structs.replace(receipt, success=True, outcome="ok", has_output=True), at
