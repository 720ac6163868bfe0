"""Command lines that make a file and then run it: as a program, or as a text that the shell reads.

What such a program is called says nothing of what it does (`Reading.replaced`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.verification import is_option, program_name
from reasonix_runtime.evidence.command_tables import KEEPING, OUTPUT_OPERATORS
from reasonix_runtime.evidence.word_lists import words as word_set

if TYPE_CHECKING:
    from reasonix_runtime.evidence.running.reading import Plain

# Programs that leave a file under the last name that they are given.
_PLACING: Final = word_set("cp mv ln install")
_DOTS: Final = re.compile(r"\A(?:\./+)+")


def made_programs(commands: Iterable[Plain]) -> frozenset[str]:
    """Return the programs that run under the name of a file that an earlier command made."""
    made: set[str] = set()
    found: set[str] = set()
    for plain in commands:
        words = plain.segment.known_values
        if words and program_name(words[0]) in made:
            found.add(program_name(words[0]))
        made.update(map(program_name, _made(plain, words)))
    return frozenset(found)


def runs_made_text(commands: Iterable[Plain]) -> bool:
    """Whether the shell reads a file that an earlier command made: `echo … > x; source x`."""
    made: set[str] = set()
    for plain in commands:
        words = plain.segment.known_values
        if (
            words[:1]
            and words[0] in {"source", "."}
            and not made.isdisjoint(map(_here, words[1:2]))
        ):
            return True
        made.update(map(_here, _made(plain, words)))
    return False


def _here(file: str) -> str:
    """Return a file without the dots that only say that it stands here."""
    return _DOTS.sub("", file)


def _made(plain: Plain, words: list[str]) -> Iterator[str]:
    """Yield the files that a command makes, as far as its words tell."""
    for redirect in (*plain.segment.redirects, *plain.aside):
        if redirect.operator in OUTPUT_OPERATORS and redirect.target is not None:
            yield redirect.target.value or ""
    operands = [word for word in words[1:] if not is_option(word)]
    program = program_name(words[0]) if words else ""
    if program in _PLACING:
        yield from operands[-1:]
    elif program.lower() in KEEPING:
        yield from operands
