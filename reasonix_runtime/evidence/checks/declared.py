"""The checks that a project declares: what it wants to see pass after a change."""

from __future__ import annotations

from collections.abc import Iterable

from reasonix_runtime.evidence.shell.script import parse


def words_of(command: str) -> str:
    """Return a command with single blanks between its words."""
    return " ".join(command.split())


def is_made_of(command: str, checks: Iterable[str]) -> bool:
    """Whether a command is one of some checks, or several of them and nothing else."""
    known = frozenset(map(words_of, checks))
    if words_of(command) in known:
        return True
    script = parse(command)
    return script.splittable and all(words_of(one.text) in known for one in script.segments)
