"""What the end of a turn says of the latest change (DL-05, DL-06)."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.receipts import receipt_of
from reasonix_runtime.gates.delivery.by_loop import LoopTurn, judge
from reasonix_runtime.gates.policy import CLASSIC
from reasonix_runtime.gates.verdict import Verdict

EDIT = ("edit_file", {"path": "src/a.py"})
SHELL = ("bash", {"command": "./generate"})
LIST = ("bash", {"command": "ls"})


def end(*calls: tuple[str, dict[str, Any]], **given: Any) -> Verdict:
    """Judge the end of a closed loop after calls that succeeded."""
    ledger = Ledger(CLASSIC.ledger)
    for tool, args in calls:
        ledger.record(receipt_of(tool, args, rules=CLASSIC.ledger, outcome="ok", output="x"))
    return judge(
        LoopTurn(
            ledger=ledger,
            reviews=CLASSIC.reviews,
            risk=CLASSIC.risk,
            closed_loop=True,
            **given,
        )
    )


@pytest.mark.parametrize(
    ("calls", "said"),
    [
        ((EDIT,), "nobody looked at `src/a.py` after the change"),
        ((SHELL,), "nobody looked at what `bash` changed after the change"),
        ((EDIT,), "No command ran since."),
        ((LIST, EDIT), "No command ran since."),
        ((EDIT, LIST), "What ran since: `ls`."),
    ],
)
def test_a_refusal_names_the_change_and_what_ran_since(
    calls: tuple[tuple[str, dict[str, Any]], ...], said: str
) -> None:
    """Who reads it sees which change is meant, and which of the runs could have been the check."""
    assert said in end(*calls).message


def test_what_the_pass_of_a_guard_does_not_forgive_is_told_alone() -> None:
    """DL-10: a memory that was not saved is owed as in any turn, and nothing else is."""
    verdict = end(expects=frozenset({"persistent"}), stands_down=True)

    assert ("finish.memory_not_saved",) == verdict.facts["reasons"]
