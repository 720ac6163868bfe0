"""What a statement is by its shape, whatever its commands do when they run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reasonix_runtime.evidence.shell.script import (
    AndOr,
    Background,
    Group,
    If,
    Loop,
    Pipe,
    Script,
    Sequence,
    Simple,
    Statement,
    Uncertain,
)
from reasonix_runtime.evidence.shell.state import program_of

if TYPE_CHECKING:
    from collections.abc import Iterator

SKIPS = frozenset({"break", "continue"})
"""Commands that leave a round of a loop."""


def commands_in(statement: Statement) -> Iterator[int]:
    """Yield the indices of the commands of a statement among the segments of its script."""
    match statement:
        case Simple(index):
            yield index
        case AndOr(parts) | Pipe(parts) | Sequence(parts) | Uncertain(parts):
            for part in parts:
                yield from commands_in(part)
        case Group(body) | Background(body) | Loop(body):
            yield from commands_in(body)


def parts_of(statement: Statement) -> tuple[Statement, ...]:
    """Return the statements that a statement is made of, none of a simple command."""
    match statement:
        case AndOr(parts) | Pipe(parts) | Sequence(parts) | Uncertain(parts):
            return parts
        case Group(body) | Background(body) | Loop(body):
            return (body,)
        case Simple():
            return ()


def texts_of(statement: Statement, script: Script) -> Iterator[str]:
    """Yield the source texts of the commands of a statement."""
    for index in commands_in(statement):
        yield script.segments[index].text


def leaves_plainly(statement: Statement, script: Script) -> bool:
    """Whether a round is left by plain `break` and `continue`, and by none in a shell of its own.

    Those of a loop within, or of a function, leave that one.
    """
    match statement:
        case Simple(index):
            segment = script.segments[index]
            return program_of(segment) not in SKIPS or segment.text in SKIPS
        case AndOr(parts) | Sequence(parts) | If(parts):
            return all(leaves_plainly(part, script) for part in parts)
        case Group(body, own_shell=False, called=False):
            return leaves_plainly(body, script)
    return all(program_of(script.segments[at]) not in SKIPS for at in commands_in(statement))


def has_arithmetic(statement: Statement) -> bool:
    """Whether arithmetic stands in a statement."""
    match statement:
        case Uncertain(parts, computes):
            return computes or any(map(has_arithmetic, parts))
        case AndOr(parts) | Pipe(parts) | Sequence(parts):
            return any(map(has_arithmetic, parts))
        case Group(body) | Background(body) | Loop(body):
            return has_arithmetic(body)
        case Simple():
            return False


def checked_by_errexit(statement: Statement) -> bool:
    """Whether `set -e` ends the shell when the statement fails."""
    if isinstance(statement, AndOr):
        return statement.operators[-1] == "||"
    if isinstance(statement, Group):  # in a group of the same shell it ended there, or not at all
        return statement.own_shell or statement.called
    return isinstance(statement, Simple | Pipe)
