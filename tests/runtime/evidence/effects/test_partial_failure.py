"""What a command that failed may have changed before it did."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import CONTRACT_COMMANDS
from reasonix_runtime.evidence.effects.partial_failure import may_have_changed
from reasonix_runtime.evidence.ledger_rules import CLASSIC_LEDGER, CONTRACT_LEDGER
from reasonix_runtime.evidence.receipts import receipt_of


@pytest.mark.parametrize(
    ("command", "may_have"),
    [
        ("sed -i s/a/b/ x", False),
        ("cd d && sed -i s/a/b/ x", False),
        ("sed -i s/a/b/ x; false", True),
        ("sed -i s/a/b/ x && pytest -q", True),
        ("sed -i s/a/b/ x || exit 1", False),
        ("cd d && (rm x; false)", True),
        ("grep x f || (rm x; false)", True),
        ("(rm x; false) || exit 1", True),
        ("sed -i s/a/b/ x && false || exit 1", True),
        ("rm x & false", True),
        ("(cd d && rm x && false)", True),
        ("{ rm x; }", False),
        ("{ echo x; false; } > f", True),
        ("! rm x", True),
        ("ls | tee f | false", True),
        ("for f in a b; do sed -i s/a/b/ $f; done", True),
        ("for f in a b; do grep x $f; done", False),
        ("bash -c 'rm x; false'", True),
        ("bash -c 'rm x'", False),
        ("ruff check . && pytest -q", False),
        ("ls a; ls b", False),
    ],
)
def test_a_part_may_have_changed_unless_its_own_failure_is_told(
    command: str, may_have: bool
) -> None:
    """The status of the whole is that of one part; the others may have done their work."""
    assert may_have is may_have_changed(command, CONTRACT_COMMANDS)


@pytest.mark.parametrize(
    ("outcome", "exit_code", "changed"),
    [
        ("ok", 0, True),
        ("error", 1, False),
        ("error", 127, False),
        ("error", 124, True),
        ("error", 130, True),
        ("error", 137, True),
        ("error", 143, True),
        ("cancelled", None, True),
        ("unknown", None, False),
    ],
)
def test_what_was_stopped_on_its_way_may_have_changed(
    outcome: str, exit_code: int | None, changed: bool
) -> None:
    """One program that failed by itself changed nothing; one that was stopped may have."""
    args = {"command": "python migrate.py"}

    ours = receipt_of("bash", args, rules=CONTRACT_LEDGER, outcome=outcome, exit_code=exit_code)
    theirs = receipt_of("bash", args, rules=CLASSIC_LEDGER, outcome=outcome, exit_code=exit_code)

    assert changed is ours.changed
    assert (outcome == "ok") is theirs.changed


def test_a_check_that_was_stopped_changed_nothing() -> None:
    """A verification leaves the tree as it was, however it ended."""
    receipt = receipt_of(
        "bash", {"command": "pytest -q"}, rules=CONTRACT_LEDGER, outcome="error", exit_code=124
    )

    assert not receipt.changed
