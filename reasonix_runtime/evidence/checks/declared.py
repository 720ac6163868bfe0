"""The checks that a project declares: what it wants to see pass after a change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from reasonix_runtime.evidence.shell.script import parse
from reasonix_runtime.evidence.tool_kinds import HOST_STATE_TOOLS

if TYPE_CHECKING:
    from reasonix_runtime.evidence.receipts import Receipt


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


def owes_nothing(receipt: Receipt, checks: Sequence[str]) -> bool:
    """Whether a call owes nothing although it is a mutation by its class.

    What the host itself holds is no change of the workspace. A command that is a declared check,
    or several of them, and nothing else is what the project wants to see after a change: if it were
    one, no run of it could ever stand after the latest change.
    """
    if receipt.tool in HOST_STATE_TOOLS:
        return True
    return bool(checks and receipt.command) and is_made_of(receipt.command, checks)
