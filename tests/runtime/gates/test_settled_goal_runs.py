"""When the latest change of a goal's run is done with (DL-12)."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.receipts import receipt_of
from reasonix_runtime.gates.delivery.by_loop import LoopTurn, settled
from reasonix_runtime.gates.policy import CLASSIC

EVIDENCE = [{"kind": "verification", "summary": "green", "command": "pytest -q"}]
ALWAYS = ("look", "check", "sign-off")
REVIEWS = ("review", "security")


def calls(path: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """Return a change of a file and all that may be owed for it."""
    report = {"verdict": "pass", "reviewed_paths": [path]}
    return {
        "change": ("edit_file", {"path": path}),
        "look": ("read_file", {"path": path}),
        "check": ("bash", {"command": "pytest -q"}),
        "sign-off": ("complete_step", {"step": "a", "result": "r", "evidence": EVIDENCE}),
        "review": ("review_report", report | {"kind": "review"}),
        "security": ("review_report", report | {"kind": "security"}),
    }


@pytest.mark.parametrize(
    ("path", "left_out", "expected"),
    [
        ("src/auth/login.py", (), True),
        *(("src/auth/login.py", (one,), False) for one in (*ALWAYS, *REVIEWS)),
        ("docs/guide.md", (), True),
        *(("docs/guide.md", (one,), False) for one in ALWAYS),
        ("docs/guide.md", REVIEWS, True),
        ("docs/guide.md", ("change", *REVIEWS), True),
        *(("docs/guide.md", ("change", one, *REVIEWS), False) for one in ALWAYS),
    ],
)
def test_a_change_is_done_with_when_all_that_is_owed_happened(
    path: str, left_out: tuple[str, ...], *, expected: bool
) -> None:
    """What one run leaves open the next one of the goal still owes, also where nothing changed."""
    ledger = Ledger(CLASSIC.ledger)
    for name, (tool, args) in calls(path).items():
        if name not in left_out:
            ledger.record(receipt_of(tool, args, rules=CLASSIC.ledger, outcome="ok", output="x"))

    for criteria in (True, False):
        turn = LoopTurn(
            ledger=ledger,
            reviews=CLASSIC.reviews,
            risk=CLASSIC.risk,
            closed_loop=True,
            criteria=criteria,
        )
        assert (expected and criteria) == settled(turn)
