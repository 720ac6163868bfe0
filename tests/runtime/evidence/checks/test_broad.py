"""Which verifications check the whole project (FC-06)."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.checks.broad import is_broad
from reasonix_runtime.evidence.commands import FACTS_COMMANDS


@pytest.mark.parametrize(
    "command",
    [
        "go test ./...",
        "go vet ./...",
        "go test -race ./...",
        "cd app && go test ./...",
        "pytest",
        "pytest -q",
        "pytest tests",
        "pytest -q tests/ -n 4",
        "python -m pytest .",
        "python3 -m unittest",
        "npm test",
        "npm run lint",
        "make check",
        "cargo test",
        "mypy",
        "mypy --python-version 3.11 src",
        "tsc --noEmit",
        "CI=1 pytest -q",
        "env CI=1 go test ./... 2>&1",
    ],
)
def test_a_broad_command_checks_everything(command: str) -> None:
    """It settles a full verification where nothing is declared."""
    assert is_broad(command, FACTS_COMMANDS)


@pytest.mark.parametrize(
    "command",
    [
        "go test ./pkg",
        "go test -run TestA ./...",
        "go test -bench=. ./...",
        "pytest tests/test_a.py",
        "pytest -k parser",
        "pytest --deselect tests/test_a.py",
        "pytest -q | tail",
        "pytest -q; ls",
        "pytest || true",
        "python -m compileall",
        "npm run test:unit",
        "make -j4 test",
        "make -k",
        "make check lint",
        "cargo test parser",
        "tsc",
        "tsc --noEmit src/a.ts",
        "mypy src/a.py",
        "CI=1 pytest tests/test_a.py",
        "CI=1 pytest -q; ls",
        "ls",
        "",
    ],
)
def test_a_narrow_or_hidden_command_does_not(command: str) -> None:
    """A part that passed says nothing about the rest."""
    assert not is_broad(command, FACTS_COMMANDS)
