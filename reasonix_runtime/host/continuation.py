"""An explicit continuation: the user lets a refused turn go on, and its ledger with it (EL-17).

In a closed loop the end of a turn is refused at once, without a hidden retry. A user who then only
says "continue" means the same work, so what was done for it still counts. That holds once: a turn
that was continued and refused again is not continued a second time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reasonix_runtime.evidence.receipts import Receipt

_WORDS = frozenset(
    {"carry on", "continue", "continue please", "go ahead", "go on", "keep going"}
    | {"please continue", "please go on", "proceed", "resume"}
    | {"接着", "接着做", "继续", "继续吧", "继续做", "请继续"}
)


def asks_to_continue(text: str) -> bool:
    """Whether a text says that the work shall go on, and nothing else."""
    return " ".join(text.strip().rstrip(".!。！").lower().split()) in _WORDS


@dataclass(slots=True)
class Continuation:
    """What a refused turn left, until it is known whether the next one continues it."""

    _refused: bool = False
    _continues: bool = False
    _kept: Sequence[Receipt] = ()

    def turn_ended(self, *, refused: bool) -> None:
        """Note how a turn of a closed loop ended; a continuation is not continued again."""
        self._refused = refused and not self._continues

    def turn_starts(self, receipts: Sequence[Receipt]) -> None:
        """Hold the receipts of the turn before back when it was refused."""
        self._kept = tuple(receipts) if self._refused else ()
        self._refused = self._continues = False

    def of(self, text: str) -> Sequence[Receipt]:
        """Return the receipts that the turn goes on with, given what the user said."""
        if not self._kept or not asks_to_continue(text):
            return ()
        kept, self._kept, self._continues = self._kept, (), True
        return kept
