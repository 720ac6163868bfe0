"""Output that is handed to a program beside the line: `pytest > >(tee log)`, `tee >(wc -l)`.

The exit status is that of the command that prints. What only reads leaves nothing, and `tee` leaves
the files that it names, as redirects to them would.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.command_tables import KEEPING, OUTPUT_OPERATORS
from reasonix_runtime.evidence.effects.reads_by_arguments import reads_by_arguments
from reasonix_runtime.evidence.effects.redirects import is_safe, leaves_log
from reasonix_runtime.evidence.shell.script import Redirect, Word, parse
from reasonix_runtime.evidence.shell.state import program_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reasonix_runtime.evidence.shell.script import Segment

_START: Final = ">("
_NOWHERE: Final = Word("/dev/null", "/dev/null")


def without_readers(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return words in which what stands for programs that only read is no place at all."""
    return tuple(_NOWHERE if _is_left_by(word) == [] else word for word in words)


def with_files(redirects: tuple[Redirect, ...]) -> tuple[Redirect, ...]:
    """Return redirects in which the files stand that programs keep what they are handed in."""
    return tuple(left for redirect in redirects for left in _files_of(redirect))


def _files_of(redirect: Redirect) -> list[Redirect]:
    target = redirect.target
    if redirect.operator not in OUTPUT_OPERATORS or target is None:
        return [redirect]
    files = _is_left_by(target)
    return [redirect] if files is None else [replace(redirect, target=file) for file in files]


def _is_left_by(word: Word) -> list[Word] | None:
    """Return the files that are left of what is written to a word; None where nobody can tell."""
    if not word.text.startswith(_START) or len(word.substitutions) != 1:
        return None
    script = parse(word.substitutions[0].command)
    if not script.splittable:
        return None
    left = [file for segment in script.segments for file in _left_by(segment)]
    return None if None in left else [file for file in left if file is not None]


def _left_by(segment: Segment) -> Iterator[Word | None]:
    """Yield the files that one command leaves, None for what nobody can tell."""
    values = segment.values
    told = all(is_safe(one) or leaves_log(one) for one in segment.redirects)
    if not (values and told) or segment.assignments:
        yield None
    elif program_of(segment) in KEEPING:
        yield from (word for word in segment.words[1:] if not (word.value or "").startswith("-"))
    elif not reads_by_arguments(values):
        yield None
