"""What a command line that failed may have changed before it did.

A call has one exit status, and a failure is that of one part: in `a && b` the part behind may have
failed after `a` had written, in `a; b` the status is that of `b` alone. A part that may change
something and whose own failure is not told by that of the whole may have changed it.
"""

from __future__ import annotations

from collections.abc import Iterator

from reasonix_runtime.evidence.command_rules import CommandRules
from reasonix_runtime.evidence.commands import classify
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.running.reading import read
from reasonix_runtime.evidence.running.wrappers import peel
from reasonix_runtime.evidence.shell.script import (
    AndOr,
    Background,
    Group,
    Loop,
    Pipe,
    Script,
    Sequence,
    Simple,
    Statement,
    Uncertain,
)
from reasonix_runtime.evidence.shell.statements import texts_of
from reasonix_runtime.evidence.shell.told_values import parse_told


@memoised(2048)
def may_have_changed(command: str, rules: CommandRules) -> bool:
    """Whether a command that failed may have changed something before it did.

    A single command that failed counts as one that changed nothing. What cannot be read may have.
    """
    if not classify(command, rules).mutates:
        return False
    if read(command, rules).writes_groups:
        return True
    return any(classify(text, rules).mutates for text in _on_the_way(command))


def _on_the_way(command: str) -> Iterator[str]:
    """Yield the parts of a failed command line that may have succeeded all the same."""
    script = parse_told(command)
    return _of_failed(script.body, script)


def _of_failed(statement: Statement, script: Script) -> Iterator[str]:
    """Yield the parts that may have succeeded although the statement failed."""
    match statement:
        case Simple(index):
            yield from _of_failed_segment(script, index)
        case AndOr(parts, operators):
            for part, operator in zip(parts, operators, strict=False):
                yield from texts_of(part, script) if operator == "&&" else _of_failed(part, script)
            yield from _of_failed(parts[-1], script)
        case Pipe(parts) | Sequence(parts):
            for part in parts[:-1]:
                yield from texts_of(part, script)
            if parts:
                yield from _of_failed(parts[-1], script)
        case Group(body):
            yield from _of_failed(body, script)
        case Background() | Loop() | Uncertain():
            yield from texts_of(statement, script)


def _of_failed_segment(script: Script, index: int) -> Iterator[str]:
    """Yield a command whose negation failed, or what stands after a `bash -c` that failed."""
    segment = script.segments[index]
    nested = peel(segment).nested
    if segment.negated:
        yield segment.text
    elif nested is not None:
        yield from _of_failed(nested.body, nested)
