"""Which verifications check the whole project (FC-06)."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.broad import is_broad


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
        "tsc --noEmit",
    ],
)
def test_a_broad_command_checks_everything(command: str) -> None:
    """It settles a full verification where nothing is declared."""
    assert is_broad(command)


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
        "cargo test parser",
        "tsc",
        "ls",
        "",
    ],
)
def test_a_narrow_or_hidden_command_does_not(command: str) -> None:
    """A part that passed says nothing about the rest."""
    assert not is_broad(command)
