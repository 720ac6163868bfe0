"""Which checks run the work, and which only read it."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.checks.strength import is_static
from reasonix_runtime.evidence.commands import CONTRACT_COMMANDS, classify

STATIC = (
    "ruff check .",
    "uv run ruff check .",
    "mypy src",
    "python -m mypy src",
    "npx eslint .",
    "npm run lint",
    "npm run typecheck",
    "npm run lint:css",
    "pnpm lint",
    "tsc --noEmit",
    "go vet ./...",
    "cargo clippy",
    "cargo check",
    "node --check a.js",
    "make lint",
    "git diff --check",
    "cd app && ruff check . && mypy .",
)
TESTS = (
    "pytest -q",
    "python -m unittest",
    "npm test",
    "npm run test",
    "go test ./...",
    "cargo test",
    "make check",
    "make verify",
    "node --test",
    "ruff check . && pytest -q",
)


@pytest.mark.parametrize("command", [*STATIC, *TESTS])
def test_only_checks_are_weighed(command: str) -> None:
    """An example that is no check would witness nothing."""
    assert classify(command, CONTRACT_COMMANDS).verification


@pytest.mark.parametrize("command", STATIC)
def test_a_check_that_reads_the_work_is_static(command: str) -> None:
    assert is_static(command, CONTRACT_COMMANDS)


@pytest.mark.parametrize("command", [*TESTS, "ls", ""])
def test_anything_else_is_none(command: str) -> None:
    assert not is_static(command, CONTRACT_COMMANDS)


@pytest.mark.parametrize(
    ("command", "static"),
    [
        ("pytest -q || true; mypy src", True),
        ("pytest -q | tail; ruff check .", True),
        ("pytest -q && mypy src", False),
        ("mypy src || true; pytest -q", False),
    ],
)
def test_of_what_passed_only_checks_count_that_surely_did(command: str, *, static: bool) -> None:
    """A linter behind a hidden test outweighs no test that failed."""
    assert static == is_static(command, CONTRACT_COMMANDS, passed=True)
    assert not is_static(command, CONTRACT_COMMANDS)
