"""A refused turn is continued once, by a user who says just that (EL-17)."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.receipts import Receipt
from reasonix_runtime.host.continuation import Continuation, asks_to_continue

RECEIPTS = (Receipt(tool="ls", args={}, success=True),)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("continue", True),
        ("  Continue. ", True),
        ("please   continue!", True),
        ("继续", True),
        ("请继续。", True),
        ("", False),
        ("continue with b.go", False),
        ("do not continue", False),
        ("why?", False),
    ],
)
def test_only_a_text_that_says_nothing_else_continues(text: str, asks: bool) -> None:
    """New work must not inherit the evidence of old work."""
    assert asks is asks_to_continue(text)


def test_a_refused_turn_is_continued_once() -> None:
    """Otherwise old receipts would prove new claims for ever."""
    continuation = Continuation()
    continuation.turn_ended(refused=True)
    continuation.turn_starts(RECEIPTS)
    assert RECEIPTS == continuation.of("continue")
    assert () == continuation.of("continue")

    continuation.turn_ended(refused=True)
    continuation.turn_starts(RECEIPTS)
    assert () == continuation.of("continue")


def test_a_turn_that_passed_leaves_nothing_to_continue() -> None:
    """Its work is done with."""
    continuation = Continuation()
    continuation.turn_ended(refused=False)
    continuation.turn_starts(RECEIPTS)

    assert () == continuation.of("continue")
