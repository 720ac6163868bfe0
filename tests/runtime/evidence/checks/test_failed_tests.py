"""Which failed tests stand, and which of thousands are still told apart."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.checks.failed_tests import MOST_APART, FailedTests
from reasonix_runtime.evidence.commands import CONTRACT_COMMANDS
from reasonix_runtime.evidence.kept import LONGEST_WHOLE
from reasonix_runtime.evidence.paths import norm


def _failed(*commands: str) -> FailedTests:
    tests = FailedTests(CONTRACT_COMMANDS, norm)
    for at, command in enumerate(commands):
        tests.failed(command, at)
    return tests


def _named(count: int) -> list[str]:
    return [f"pytest tests/t{at}.py" for at in range(count)]


def test_what_failed_last_is_told_first() -> None:
    """A test that failed again failed last, and one of any length is told whole."""
    long = f"pytest {'x' * LONGEST_WHOLE}.py"

    assert _failed("pytest a.py", long, "pytest a.py").last == "pytest a.py"
    assert _failed("pytest a.py", long).last == long
    assert _failed().last == ""


def test_each_of_a_few_is_taken_back_by_its_own_run() -> None:
    """So they are mended one by one, in any order."""
    names = _named(MOST_APART)
    tests = _failed(*names)

    for at, name in enumerate(names[:0:-1]):
        tests.passed(name)
        assert tests.last == names[-2 - at]
    tests.passed(names[0])

    assert tests.last == ""


@pytest.mark.parametrize(
    ("command", "stands"),
    [
        ("pytest", False),
        ("cd sub && pytest", True),
        ("pytest tests/t0.py", True),
        ("ruff check", True),
        ("go test ./...", True),
        ("make test", False),
    ],
)
def test_of_more_only_a_run_of_all_tests_takes_back_the_first(command: str, stands: bool) -> None:
    """It is not known any longer which those were, so that none of them is forgiven."""
    names = _named(MOST_APART + 2)
    tests = _failed(*names)
    for name in names[2:]:
        tests.passed(name)
    assert tests.last == names[1]

    tests.passed(command)

    assert bool(tests.last) is stands
    assert [*tests.not_in("pytest tests/t1.py")] == ([(names[1], 1)] if stands else [])


def test_a_run_takes_back_what_had_failed_when_it_began() -> None:
    """A job that ends late says nothing of a test that failed while it ran."""
    names = _named(MOST_APART + 1)
    tests = _failed(*names)

    tests.passed("pytest", began=MOST_APART)

    assert [*tests.not_in("pytest")] == []
    assert [*tests.not_in("pytest tests/t0.py")] == [(names[-1], MOST_APART)]


def test_what_is_tried_leaves_the_rest_as_it_is() -> None:
    """The end of a turn asks what would be owed had all untold ends been good."""
    names = _named(MOST_APART + 1)
    tests = _failed(*names)
    twin = tests.copy()

    twin.passed("pytest")
    assert twin.last == ""
    assert tests.last == names[-1]
    assert len([*tests.not_in("pytest other.py")]) == len(names)

    tests.clear()
    assert tests.last == ""
    assert [*tests.not_in("pytest other.py")] == []
