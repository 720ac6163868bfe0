"""Which receipts an end rests on is read off what the outstanding changes remember."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.owed.bearings import MOST_NAMED, Role, in_order
from reasonix_runtime.evidence.owed.changes import ChangeSet
from reasonix_runtime.evidence.owed.workplace import Workplace
from reasonix_runtime.evidence.receipts import receipt_of
from reasonix_runtime.gates.policy import rule_set

CONTRACT = rule_set("contract")
RULES = CONTRACT.ledger

CHANGE, LOOK, CHECK = Role.CHANGE, Role.LOOK, Role.CHECK
EDIT_A, EDIT_B = "edit a.py", "edit b.py"
OKAY, FAILS = "pytest -q", "! pytest -q"


def bearing(*calls: str) -> list[tuple[int, Role]]:
    """Return what bears on an end after calls: commands (`!`: failed), tools with paths."""
    ledger = Ledger(RULES)
    changes = ChangeSet(
        RULES.commands,
        where=Workplace(key=ledger.key, fits=ledger.fits, inside=ledger.inside, holds=ledger.holds),
    )
    for at, call in enumerate(calls):
        tool, _, path = call.partition(" ")
        if tool in ("good", "blocking"):
            changes.report("review", [path], blocking=tool == "blocking")
            continue
        name = {"edit": "edit_file", "read": "read_file"}.get(tool)
        failed = call.startswith("! ")
        receipt = receipt_of(
            name or ("complete_step" if tool == "signed" else "bash"),
            {"path": path} if name else {"command": call.removeprefix("! ")},
            rules=RULES,
            outcome="error" if failed else "ok",
            exit_code=1 if failed else 0,
            output="+x",
        )
        changes.record(receipt, at=at, criteria=True)
    return [(bearing.at, bearing.role) for bearing in in_order(changes.bearings()).named]


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        pytest.param((OKAY, "read a.py"), [], id="nothing-changed"),
        pytest.param((EDIT_A,), [(0, CHANGE)], id="a-change"),
        pytest.param(
            (EDIT_A, EDIT_A, EDIT_B), [(1, CHANGE), (2, CHANGE)], id="the-last-change-of-each-path"
        ),
        pytest.param((EDIT_A, "read a.py"), [(0, CHANGE), (1, LOOK)], id="a-look"),
        pytest.param(("read a.py", EDIT_A), [(1, CHANGE)], id="a-look-before-it"),
        pytest.param(
            (EDIT_A, "read a.py", "git status"), [(0, CHANGE), (1, LOOK)], id="content-before-names"
        ),
        pytest.param((EDIT_A, "git status"), [(0, CHANGE), (1, LOOK)], id="names-only"),
        pytest.param(
            (EDIT_A, EDIT_B, "git diff"), [(0, CHANGE), (1, CHANGE), (2, LOOK)], id="one-for-all"
        ),
        pytest.param(
            (EDIT_A, "git diff", EDIT_A), [(2, CHANGE)], id="a-look-that-a-change-made-old"
        ),
        pytest.param(
            (EDIT_A, EDIT_B, "git diff", EDIT_B),
            [(0, CHANGE), (2, LOOK), (3, CHANGE)],
            id="a-look-that-still-shows-the-other-file",
        ),
        pytest.param((EDIT_A, OKAY), [(0, CHANGE), (1, CHECK)], id="a-check"),
        pytest.param((EDIT_A, FAILS), [(0, CHANGE), (1, CHECK)], id="a-failed-check"),
        pytest.param(
            (EDIT_A, FAILS, OKAY), [(0, CHANGE), (2, CHECK)], id="a-check-that-outweighs-it"
        ),
        pytest.param(
            (OKAY, EDIT_A), [(0, CHECK), (1, CHANGE)], id="a-check-that-the-refusal-calls-old"
        ),
        pytest.param(
            (EDIT_A, OKAY, EDIT_B), [(0, CHANGE), (1, CHECK), (2, CHANGE)], id="a-stale-check"
        ),
        pytest.param(
            (EDIT_A, OKAY, EDIT_B, OKAY), [(0, CHANGE), (2, CHANGE), (3, CHECK)], id="the-newer-run"
        ),
        pytest.param(
            ("sed -i s/a/b/ a.py && git diff && pytest",),
            [(0, CHANGE), (0, LOOK), (0, CHECK)],
            id="one-call-that-does-it-all",
        ),
        pytest.param(("./generate",), [(0, CHANGE)], id="a-change-without-a-path"),
        pytest.param(
            ("./generate", "git diff"), [(0, CHANGE), (1, LOOK)], id="a-look-at-everything"
        ),
        pytest.param((EDIT_A, "signed"), [(0, CHANGE), (1, Role.SIGN_OFF)], id="a-sign-off"),
        pytest.param((EDIT_A, "signed", EDIT_A), [(2, CHANGE)], id="an-old-sign-off"),
    ],
)
def test_an_end_rests_on_what_was_changed_and_what_was_done_about_it_since(
    calls: tuple[str, ...], expected: list[tuple[int, Role]]
) -> None:
    """Who reads a verdict wants to see the calls behind it, and none that count no more."""
    assert expected == bearing(*calls)


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ((EDIT_A, "read a.py", "good a.py"), [(1, Role.REVIEW)]),
        ((EDIT_A, "read a.py", "blocking a.py"), [(1, Role.REVIEW)]),
        ((EDIT_A, "read a.py", "blocking a.py", EDIT_A), [(1, Role.REVIEW)]),
        ((EDIT_A, "read a.py", "good a.py", EDIT_A), []),
        ((EDIT_A, "read a.py", "good other.py"), []),
        (("./generate", "read x.py", "good other.py"), [(1, Role.REVIEW)]),
        (("./generate", "read x.py", "blocking other.py", EDIT_A), [(1, Role.REVIEW)]),
        (("./generate", "read x.py", "good other.py", "./generate"), []),
    ],
    ids=[
        *("good", "blocking", "mended-after-it", "made-old", "of-something-else"),
        *("of-no-path", "of-no-path-and-mended", "of-no-path-and-made-old"),
    ],
)
def test_a_report_bears_on_the_end_as_long_as_it_says_something(
    calls: tuple[str, ...], expected: list[tuple[int, Role]]
) -> None:
    """A refusal stays until another report came; what covers no change says nothing."""
    assert expected == [found for found in bearing(*calls) if found[1] is Role.REVIEW]


def test_a_declared_check_bears_on_the_end_whatever_it_is() -> None:
    """`make everything` is no known check; the project says that it is one."""
    changes = ChangeSet(RULES.commands, checks=["make everything"])
    for at, (tool, args) in enumerate(
        [("edit_file", {"path": "a.py"}), ("bash", {"command": "make everything"})]
    ):
        changes.record(receipt_of(tool, args, rules=RULES, output="x"), at=at, criteria=True)

    assert [(0, CHANGE), (1, CHECK)] == [(one.at, one.role) for one in changes.bearings()]


def test_a_call_of_which_nobody_knows_what_it_did_bears_on_the_end() -> None:
    """The verdict is then that nobody knows, and the call is the ground."""
    changes = ChangeSet(RULES.commands)
    receipt = receipt_of("edit_file", {"path": "a.py"}, rules=RULES, outcome="unknown")
    changes.record(receipt, at=4, criteria=True)

    assert [(4, Role.UNKNOWN)] == [(one.at, one.role) for one in changes.bearings()]


def test_an_end_that_passed_leaves_nothing_to_rest_on() -> None:
    """The next turn owes what it changes itself."""
    changes = ChangeSet(RULES.commands)
    changes.record(receipt_of("edit_file", {"path": "a.py"}, rules=RULES), at=0, criteria=True)
    changes.settle()

    assert [] == list(changes.bearings())


def test_of_thousands_of_changed_files_only_the_latest_are_looked_up() -> None:
    """A session that owes them to its end is asked at the end of every turn."""
    changes = ChangeSet(RULES.commands)
    for at in range(100 * MOST_NAMED):
        changes.record(
            receipt_of("edit_file", {"path": f"m{at}.py"}, rules=RULES), at=at, criteria=True
        )

    assert MOST_NAMED == len(list(changes.bearings()))


def test_runs_that_a_change_made_old_are_forgotten() -> None:
    """A session may check thousands of things before one of its turns ends well."""
    changes = ChangeSet(RULES.commands)
    for at in range(100):
        tool, args = ("edit_file", {"path": "a.py"}) if at % 2 else ("bash", {})
        args = args or {"command": f"pytest -q tests/test_{at}.py"}
        changes.record(receipt_of(tool, args, rules=RULES, output="x"), at=at, criteria=True)

    assert ["pytest -q tests/test_98.py"] == list(changes.checks.ran)
