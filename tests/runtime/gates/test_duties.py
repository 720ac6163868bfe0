"""Duties: the row of a writer, and how long a settled duty stays settled."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.evidence.commands import FACTS_COMMANDS
from reasonix_runtime.evidence.effects.profile import Effect, Profile, profile_of
from reasonix_runtime.evidence.ledger_rules import FACTS_LEDGER
from reasonix_runtime.evidence.receipts import receipt_of
from reasonix_runtime.gates import duties
from reasonix_runtime.gates.duties import Duty, DutyBook, DutyRules, Kind, Row, Strength, row_of
from reasonix_runtime.trace.events import Outcome


def content(*paths: str, **more: Any) -> Profile:
    """Return the profile of a writer of these paths."""
    return Profile(Effect.CONTENT, paths or None, **more)


@pytest.mark.parametrize(
    ("profile", "row"),
    [
        (content("README.md"), duties.DOCUMENTS),
        (content("a.py"), duties.ORDINARY),
        (content("a.py", "b.py"), duties.SEVERAL),
        (content("a.py", "README.md"), duties.SEVERAL),
        (content("README.md", "NOTES.md"), duties.DOCUMENTS),
        (content(), duties.ORDINARY),
        (content("schema/a.proto"), duties.INTERFACE),
        (content("api/a.py"), duties.INTERFACE),
        (content("auth/a.py"), duties.SENSITIVE),
        (content("auth/a.py", "api/b.py"), duties.SENSITIVE),
        (content("a.py", destructive=True), duties.DRASTIC),
        (content("auth/a.py", destructive=True), duties.SENSITIVE),
        (Profile(Effect.EXTERNAL, None), duties.DRASTIC),
        (Profile(Effect.UNKNOWN, None), duties.ORDINARY),
        (Profile(Effect.OPAQUE, None), duties.OPAQUE),
        (Profile(Effect.HOST_STATE, None), duties.NONE),
        (Profile(Effect.REPOSITORY, None), duties.NONE),
    ],
)
def test_a_writer_has_the_row_of_its_most_binding_target(profile: Profile, row: Row) -> None:
    """The table of FC-03."""
    assert row is row_of(profile)


@pytest.mark.parametrize(
    ("paths", "wanted"),
    [
        (("lib/a.py", "lib/b.py"), False),
        (("lib/a.py", "app/b.py"), True),
        (("internal/a/x.go", "internal/b/y.go"), True),
        (("internal/a/x.go", "internal/a/y.go"), False),
        (tuple(f"lib/m{n}.py" for n in range(7)), False),
        (tuple(f"lib/m{n}.py" for n in range(8)), True),
        (("lib/mutex.py",), True),
        (("README.md", "docs/a/b.md"), False),
    ],
)
def test_a_wide_call_wants_an_independent_review(paths: tuple[str, ...], *, wanted: bool) -> None:
    """Eight files, two modules, or concurrent code (FC-03)."""
    profile = content(*paths)

    assert wanted == duties.wants_independent_review(profile, row_of(profile))


class Run:
    """A duty book that is fed by calls."""

    def __init__(self, **settings: Any) -> None:
        self.book = DutyBook(DutyRules(commands=FACTS_COMMANDS, **settings))
        self.taken = 0

    def take(
        self, tool: str, *, outcome: Outcome = "ok", exit_code: int | None = None, **args: Any
    ) -> Run:
        """Take one call in."""
        receipt = receipt_of(
            tool, args, rules=FACTS_LEDGER, outcome=outcome, output="+x", exit_code=exit_code
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


def test_a_change_reopens_what_it_touches_and_no_more() -> None:
    """A check of one file says nothing about another, and stays good for its own (FC-04)."""
    run = Run().take("edit_file", path="a.py").take("bash", command="pytest -q tests/test_a.py")
    run.take("read_file", path="a.py").take("edit_file", path="b.py")

    assert ["targeted_verification", "diff_review"] == run.open
    assert [("b.py",), ("b.py",)] == [duty.targets for duty in run.book.open()]


def test_a_change_of_unknown_files_reopens_everything() -> None:
    """It may have undone any of it."""
    run = Run().take("edit_file", path="a.py").take("bash", command="pytest -q")
    run.take("read_file", path="a.py")
    assert [] == run.open

    run.take("bash", command="make generate")

    assert {("a.py",), None} == {duty.targets for duty in run.book.open()}


def test_an_equal_open_duty_is_reused_with_the_greater_strength() -> None:
    """Ten edits of one file are one thing to check."""
    run = Run()
    for _ in range(3):
        run.take("edit_file", path="a.py")
    run.book._owe(Kind.DIFF, ("a.py",), Strength.STRICT)

    assert [
        Duty(Kind.TARGETED, ("a.py",), Strength.RECOVERABLE, at=2),
        Duty(Kind.DIFF, ("a.py",), Strength.STRICT, at=2),
    ] == run.book.duties


def test_a_look_is_held_against_duties_of_its_file_name_only() -> None:
    """A run that changes thousands of files reads each of them, too."""
    compared: list[tuple[str, str]] = []

    def fits(seen: str, target: str) -> bool:
        compared.append((seen, target))
        return seen == target

    run = Run(fits=fits)
    for number in range(100):
        run.take("edit_file", path=f"m{number}.py")
    run.take("read_file", path="m7.py").take("bash", command="cat m8.py")

    assert [("m7.py", "m7.py"), ("m8.py", "m8.py")] == compared
    assert 98 == run.open.count("diff_review")


def test_duties_without_targets_are_one() -> None:
    """No target, and an unknown one, are two things to owe."""
    run = Run()
    for targets in ((), None, (), None):
        run.book._owe(Kind.DIFF, targets, Strength.RECOVERABLE)

    assert [(), None] == [duty.targets for duty in run.book.duties]


@pytest.mark.parametrize(
    ("paths", "owed"),
    [
        (["a.py", "b.py"], [("a.py",), ("b.py",)]),
        (["schema/a.proto", "schema/b.proto"], [("schema/a.proto", "schema/b.proto")]),
    ],
)
def test_only_ordinary_files_are_looked_at_one_by_one(
    paths: list[str], owed: list[tuple[str, ...]]
) -> None:
    """FC-03: an interface is looked at as a whole."""
    run = Run().take("move_file", source_path=paths[0], destination_path=paths[1])

    assert owed == [duty.targets for duty in run.book.duties if duty.kind is Kind.DIFF]


def test_after_two_good_reviews_no_third_is_asked_for() -> None:
    """Reviews come to an end (RV-12)."""
    run = Run()
    for number in range(3):
        run.take("edit_file", path=f"schema/{number}.proto")
        if number < 2:
            run.book.report("review", [f"schema/{number}.proto"], blocking=False)

    assert "independent_review" not in run.open


def test_what_two_good_reviews_left_open_a_third_one_settles() -> None:
    """No duty is without a way out: one that a later change reopened as well (RV-12, GATE-8)."""
    run = Run()
    for _ in range(3):
        run.take("edit_file", path="schema/a.proto")
        assert "independent_review" in run.open

        run.book.report("review", ["schema/a.proto"], blocking=False)
        assert "independent_review" not in run.open


def test_a_report_that_forbids_a_part_takes_the_whole_back() -> None:
    """A good report has to cover all targets of a duty, a blocking one is heard for each (C1)."""
    run = Run().take("move_file", source_path="auth/a.py", destination_path="auth/b.py")
    run.book.report("security", ["auth/a.py"], blocking=False)
    assert "security_review" in run.open

    run.book.report("security", ["auth/a.py", "auth/b.py"], blocking=False)
    assert "security_review" not in run.open

    run.book.report("security", ["auth/b.py"], blocking=True)
    assert "security_review" in run.open


@pytest.mark.parametrize(
    ("commands", "settled"),
    [(["./ci a"], False), (["./ci a", "./ci  b"], True), (["pytest"], False)],
)
def test_declared_checks_are_the_full_verification_together(
    commands: list[str], *, settled: bool
) -> None:
    """Where checks are declared a broad command of another kind does not replace them (V2)."""
    run = Run(checks=("./ci a", "./ci b")).take("edit_file", path="schema/a.proto")
    for command in commands:
        run.take("bash", command=command)

    assert settled == ("full_verification" not in run.open)


def test_a_change_between_declared_checks_takes_back_what_passed_before_it() -> None:
    """Together they are the full verification of one state of the work (V2)."""
    run = Run(checks=("./ci a", "./ci b")).take("edit_file", path="schema/a.proto")
    run.take("bash", command="./ci a").take("edit_file", path="schema/a.proto")

    assert "full_verification" in run.take("bash", command="./ci b").open
    assert "full_verification" not in run.take("bash", command="./ci a").open


def test_a_failing_check_takes_the_pass_back() -> None:
    """The latest answer counts (V3)."""
    run = Run().take("edit_file", path="schema/a.proto").take("bash", command="pytest")
    assert "full_verification" not in run.open

    run.take("bash", command="pytest", outcome="error", exit_code=1)

    assert "full_verification" in run.open


@pytest.mark.parametrize("outcome", ["cancelled", "unknown"])
def test_a_check_without_a_known_end_takes_nothing_back(outcome: Outcome) -> None:
    """What is unknown opens nothing and closes nothing; only a failure speaks against a pass."""
    run = Run().take("edit_file", path="schema/a.proto").take("bash", command="pytest")

    run.take("bash", command="pytest", outcome=outcome)

    assert "full_verification" not in run.open


def test_where_tests_are_forbidden_verification_only_advises() -> None:
    """The user's word weighs more than the rule."""
    run = Run(tests_forbidden=True).take("edit_file", path="schema/a.proto")

    assert "full_verification" not in run.open
    assert "independent_review" in run.open
