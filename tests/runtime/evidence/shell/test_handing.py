"""Functions that only run what they are handed."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import CONTRACT_COMMANDS, classify, matches
from reasonix_runtime.evidence.shell.script import parse

CITED = "pytest -q"


@pytest.mark.parametrize(
    ("function", "taken"),
    [
        ('run() { "$@"; }', 1),
        ("run() { $@; }", 1),
        ('function run { echo "+ $*" >&2; "${@}"; }', 1),
        ('run() { echo "[$(date)] $*"; "$@"; }', 1),
        ('run() { local name="$1"; shift; echo "$name"; "$@"; }', 2),
        ('run() { "$@" || { echo failed; exit 1; }; }', 1),
        ('run() { if ! "$@"; then echo failed; exit 1; fi; }', 1),
        ('run() { [ -z "$DRY" ] && "$@"; }', 1),
        ('run() { : start; printf "%s" "$*"; "$@"; }', 1),
        ('run() { "$@" || true; }', 0),
        ('run() { "$@"; echo done; }', 0),
        ('run() { [ -n "$DRY" ] || "$@"; }', 0),
        ('run() { [ -n "$DRY" ] && return 0; "$@"; }', 0),
        ('run() { "$@" > log; }', 0),
        ('run() { "$@" & }', 0),
        ('run() { ! "$@"; }', 0),
        ('run() { A=1 "$@"; }', 0),
        ('run() { "$@" -k x; }', 0),
        ('run() { echo "$@"; }', 0),
        ('run() { cd web; "$@"; }', 0),
        ('run() { echo x > a; "$@"; }', 0),
        ('run() { echo $(rm a); "$@"; }', 0),
        ('run() { shift 2; "$@"; }', 0),
        ('run() { [ -n "$1" ] && { shift; "$@"; }; }', 2),
        ('run() { if [ -n "$1" ]; then shift; fi; "$@"; }', 0),
        ('run() { pytest() { :; }; "$@"; }', 0),
        ('run() ( "$@" )', 0),
        ('run() { "$@"; }; run() { :; }', 0),
    ],
)
def test_a_function_takes_words_only_where_it_ends_as_what_it_runs(
    function: str, taken: int
) -> None:
    """Whatever else it does is what the call of it does."""
    assert {"run": taken} == {"run": parse(function).handing.get("run", 0)}


@pytest.mark.parametrize(
    ("command", "kind", "proves"),
    [
        ("run pytest -q", "check", True),
        ("run ruff check . && run pytest -q", "check", True),
        ("run pytest -q; run ruff check .", "check", False),
        ("run pytest -q || true", "check", False),
        ("run pytest -q -k x", "check", False),
        ("run uv run pytest -q", "check", True),
        ("run pytest -q && run sed -i s/a/b/ app.py", "change", True),
        ("run rm -rf src", "change", False),
        ("run", "change", False),
    ],
)
def test_what_is_handed_to_a_function_is_what_runs(
    command: str, kind: str, *, proves: bool
) -> None:
    """Agents show each command before it runs; that hides nothing."""
    ran = f'run() {{ echo "+ $*"; "$@"; }}; {command}'
    found, match = classify(ran, CONTRACT_COMMANDS), matches(CITED, ran, CONTRACT_COMMANDS)

    assert (kind == "check", kind == "change") == (found.verification, found.mutates)
    assert proves == (bool(match) and match.status_owned)


def test_the_words_of_the_command_may_stand_in_its_name_too() -> None:
    """Of a function with a title the second word begins the command."""
    ran = 'step() { local n=$1; shift; echo "$n"; "$@"; }; step test make test'

    assert matches("make test", ran, CONTRACT_COMMANDS).status_owned
