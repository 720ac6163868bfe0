"""Duties: the row of a writer, and how long a settled duty stays settled."""

from __future__ import annotations

from typing import Any

import pytest
from duty_bench import Run

from reasonix_runtime.evidence.effects.profile import Effect, Profile
from reasonix_runtime.evidence.owed.bearings import Role
from reasonix_runtime.gates import duties
from reasonix_runtime.gates.duties import Duty, Kind, Row, Strength, row_of
from reasonix_runtime.gates.writer_guards import preconditions
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
        (("internal/a/x/m.go", "internal/a/y/n.go"), False),
        (("lib/a/x.py", "lib/b/y.py"), False),
        (tuple(f"lib/m{n}.py" for n in range(7)), False),
        (tuple(f"lib/m{n}.py" for n in range(8)), True),
        (("lib/mutex.py",), True),
        (("README.md", "docs/a/b.md"), False),
        (("guide/a.md", "docs/a/b.md"), False),
        (("auth/a.py", "app/b.py"), False),
    ],
)
def test_a_wide_call_wants_an_independent_review(paths: tuple[str, ...], *, wanted: bool) -> None:
    """Eight files, two modules, or concurrent code (FC-03)."""
    profile = content(*paths)

    assert wanted == duties.wants_independent_review(profile, row_of(profile))


@pytest.mark.parametrize(
    ("written", "targets", "wanted"),
    [
        (("a.py",), ("b.py",), True),
        (("a.py",), ("a.py",), False),
        (("a.py", "b.py"), ("a.py",), False),
        (("a.py", "b.py"), ("a.py", "c.md"), True),
        ((), ("a.py",), False),
        (("README.md",), ("a.py",), True),
        (("README.md",), ("NOTES.md",), False),
        (("a.py",), (), True),
        (("README.md",), (), False),
        ((), (), False),
    ],
)
def test_a_second_file_wants_a_list_and_not_a_second_write(
    written: tuple[str, ...], targets: tuple[str, ...], *, wanted: bool
) -> None:
    """Of production code, or unknown files beside it (FC-10)."""
    found = preconditions(content(*targets), written=written, has_list=False, interactive=True)

    assert (["guard.preconditions_missing"] if wanted else []) == [one.reason for one in found]


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


@pytest.mark.parametrize(
    ("reports", "asked"),
    [
        ([("review", False)], True),
        ([("review", False), ("review", False)], False),
        ([("review", False), ("review", True)], True),
        ([("review", False), ("security", False)], True),
    ],
)
def test_after_two_good_reviews_no_third_is_asked_for(
    reports: list[tuple[str, bool]], *, asked: bool
) -> None:
    """Reviews come to an end (RV-12); what else a change owes is still owed."""
    run = Run().take("edit_file", path="schema/a.proto")
    for kind, blocking in reports:
        run.book.report(kind, ["schema/a.proto"], blocking=blocking)
    run.take("edit_file", path="schema/b.proto")

    of_it = [str(duty.kind) for duty in run.book.open() if duty.targets == ("schema/b.proto",)]
    assert ["diff_review", *["independent_review"] * asked, "signoff"] == of_it


def test_what_two_good_reviews_left_open_a_third_one_settles() -> None:
    """No duty is without a way out: one that a later change reopened as well (RV-12, GATE-8)."""
    run = Run()
    for _ in range(3):
        run.take("edit_file", path="schema/a.proto")
        assert "independent_review" in run.open

        run.book.report("review", ["schema/a.proto"], blocking=False)
        assert "independent_review" not in run.open


def test_any_report_is_one_of_what_nobody_can_name() -> None:
    """Which files changed is unknown, so no report can cover them all (C1)."""
    run = Run()
    run.book._owe(Kind.INDEPENDENT, None, Strength.STRICT)
    run.book.report("review", [], blocking=False)
    assert ["independent_review"] == run.open

    run.book.report("review", ["a.py"], blocking=False)
    assert [] == run.open


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


def test_declared_checks_that_passed_settle_nothing_that_was_opened_since() -> None:
    """A commit leaves the content as it was checked, and wants the checks all the same (FC-04)."""
    run = Run(checks=("./ci a",)).take("edit_file", path="schema/a.proto")
    run.take("bash", command="./ci a")
    assert "full_verification" not in run.open

    assert "full_verification" in run.take("bash", command="git commit -m x").open
    assert "full_verification" in run.take("bash", command="ls").open
    assert "full_verification" not in run.take("bash", command="./ci a").open


def test_declared_checks_behind_a_change_in_one_command_are_of_what_it_left() -> None:
    """The command that changed something ran them after it (V2)."""
    run = Run(checks=("./ci a",)).take("edit_file", path="schema/a.proto")

    assert "full_verification" in run.take("bash", command="make generate").open
    assert "full_verification" not in run.take("bash", command="make generate && ./ci a").open


@pytest.mark.parametrize(("outcome", "exit_code"), [("error", 1), ("error", None), ("ok", 1)])
def test_a_failing_check_takes_the_pass_back(outcome: Outcome, exit_code: int | None) -> None:
    """The latest answer counts (V3), and the exit code of a call that went well, too."""
    run = Run().take("edit_file", path="schema/a.proto").take("bash", command="pytest")
    assert "full_verification" not in run.open

    run.take("bash", command="pytest", outcome=outcome, exit_code=exit_code)

    assert "full_verification" in run.open


@pytest.mark.parametrize(
    ("tool", "args", "owed"),
    [
        ("edit_file", {"path": "a.py"}, True),
        ("bash", {"command": "git commit -m x"}, True),
        ("bash", {"command": "git push"}, False),
    ],
)
def test_who_wants_full_verification_wants_it_of_changes_of_content_and_repository(
    tool: str, args: dict[str, str], *, owed: bool
) -> None:
    """What was pushed changed no file here (FC-03)."""
    assert owed == ("full_verification" in Run(always_full=True).take(tool, **args).open)


@pytest.mark.parametrize(
    ("tool", "args", "output", "seen"),
    [
        ("read_file", {"path": "a.py"}, "x", True),
        ("grep", {"path": "a.py", "pattern": "x"}, "x", False),
        ("bash", {"command": "git diff"}, "+x", True),
        ("bash", {"command": "git diff"}, "", False),
        ("bash", {"command": "cat a.py"}, "", False),
        ("bash", {"command": "cat a.py"}, "x", True),
    ],
)
def test_a_look_shows_the_content_of_the_file(
    tool: str, args: dict[str, str], output: str, *, seen: bool
) -> None:
    """Lines that fit a pattern are not the file, and no output shows nothing (C2)."""
    run = Run().take("edit_file", path="a.py").take(tool, output=output, **args)

    assert seen == ("diff_review" not in run.open)


@pytest.mark.parametrize(
    ("tool", "args", "seen"),
    [
        ("read_file", {"path": "api/b.py"}, True),
        ("bash", {"command": "cat api/b.py"}, False),
        ("bash", {"command": "cat api/a.py api/b.py"}, True),
    ],
)
def test_a_command_shows_all_that_is_looked_at_together(
    tool: str, args: dict[str, str], *, seen: bool
) -> None:
    """Of a read one of the paths is enough (C2)."""
    run = Run().take("move_file", source_path="api/a.py", destination_path="api/b.py")

    assert seen == ("diff_review" not in run.take(tool, **args).open)


def test_a_change_without_a_command_is_no_declared_check() -> None:
    """Also where an empty line was declared as one."""
    run = Run(checks=("",)).take("edit_file", path="a.py")

    assert ["targeted_verification", "diff_review"] == run.open


@pytest.mark.parametrize("outcome", ["cancelled", "unknown"])
def test_a_check_without_a_known_end_takes_nothing_back(outcome: Outcome) -> None:
    """What is unknown opens nothing and closes nothing; only a failure speaks against a pass."""
    run = Run().take("edit_file", path="schema/a.proto").take("bash", command="pytest")

    run.take("bash", command="pytest", outcome=outcome)

    assert "full_verification" not in run.open


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("edit_file", {"path": "b.py"}),
        ("read_file", {"path": "a.py"}),
        ("complete_step", {"step": "a"}),
        ("bash", {"command": "cat a.py"}),
    ],
)
def test_a_call_that_failed_opens_and_settles_nothing(tool: str, args: dict[str, str]) -> None:
    """Neither a change nor a look came of it."""
    run = Run().take("edit_file", path="a.py")
    before = run.open

    assert before == run.take(tool, outcome="error", **args).open


def test_no_other_command_is_a_check() -> None:
    """V1: of those that ran only a verification settles one."""
    run = Run().take("edit_file", path="a.py")

    assert "targeted_verification" in run.take("bash", command="cat b.py").open
    assert "targeted_verification" not in run.take("bash", command="pytest -q").open


def test_a_run_that_owed_something_strict_stays_closed() -> None:
    """FC-09: settled or not, and whatever comes after it."""
    run = Run().take("edit_file", path="auth/a.py").take("edit_file", path="a.py")

    assert run.book.strict


def test_what_only_advises_is_no_ground_of_an_end() -> None:
    """It decides nothing, and a second look settles what nobody owed any more."""
    run = Run(tests_forbidden=True).take("bash", command="ls").take("edit_file", path="a.py")
    run.take("bash", command="pytest").take("read_file", path="a.py")
    run.take("read_file", path="a.py")

    assert {(1, Role.CHANGE), (3, Role.LOOK)} == {(one.at, one.role) for one in run.book.bearings()}


def test_where_tests_are_forbidden_verification_only_advises() -> None:
    """The user's word weighs more than the rule."""
    run = Run(tests_forbidden=True).take("edit_file", path="schema/a.proto")

    assert "full_verification" not in run.open
    assert "independent_review" in run.open
