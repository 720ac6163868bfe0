"""Commands at the end of a pipe that keep what a program printed: `pytest | tee /tmp/log`.

What is put aside like that is no work (policy point `scratch_is_work`), unless it is a text that
the line says itself: `echo x | tee /tmp/run`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.verification import is_option
from reasonix_runtime.evidence.command_tables import KEEPING
from reasonix_runtime.evidence.effects.redirects import is_aside, says_something_new
from reasonix_runtime.evidence.effects.temporaries import stands_for_scratch
from reasonix_runtime.evidence.shell.script import Pipe, Simple
from reasonix_runtime.evidence.shell.state import program_of
from reasonix_runtime.evidence.shell.statements import parts_of

if TYPE_CHECKING:
    from reasonix_runtime.evidence.command_rules import CommandRules
    from reasonix_runtime.evidence.running.reading import Plain
    from reasonix_runtime.evidence.shell.script import Script, Segment, Statement

_VALUES: Final = ("'", '"', "$", "@", "(")
_NONE: Final[frozenset[int]] = frozenset()


def collecting(script: Script) -> frozenset[int]:
    """Return the commands of a text that take what others print, and nothing that it says."""
    kept = [program_of(segment).lower() in KEEPING for segment in script.segments]
    return frozenset(_behind_programs(script.body, script)) if any(kept) else _NONE


def _behind_programs(statement: Statement, script: Script) -> Iterator[int]:
    if isinstance(statement, Pipe) and all(isinstance(part, Simple) for part in statement.parts):
        first, *rest = [part.index for part in statement.parts if isinstance(part, Simple)]
        for at in rest:
            if _says_its_text(script.segments[first]):
                return
            yield at
            first = at
        return
    for part in parts_of(statement):
        yield from _behind_programs(part, script)


def _says_its_text(segment: Segment) -> bool:
    """Whether a part of a pipe hands on a text of the line; to PowerShell a quoted word is one."""
    value = bool(segment.words) and segment.words[0].text[:1] in _VALUES
    return value or says_something_new(segment)


def keeps_aside(plain: Plain, rules: CommandRules) -> bool:
    """Whether a command puts what a program prints into scratch, and nothing elsewhere."""
    if (
        rules.scratch_is_work
        or not plain.collects
        or program_of(plain.segment).lower() not in KEEPING
    ):
        return False
    files = [word for word in plain.segment.words[1:] if not is_option(word.text)]
    return all(
        stands_for_scratch(word.text, word.value, plain.temporary, rules.work)
        or is_aside(word.value or "", rules.work)
        for word in files
    )
