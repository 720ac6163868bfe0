"""Whether a Bash text is longer than anybody writes.

The time that its parser takes may grow with the square of a text, and a trace may hold anything.
Of the body of a here-document nothing is counted: files are written so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

_SHORT: Final = 2000
"""Characters of a text that needs no look."""
_LONGEST: Final = 131_072
"""Characters that Linux hands to a program as one argument (its `MAX_ARG_STRLEN`)."""
# The parser needs memory that grows with the square of the operators of a text, and time that grows
# with the square of its brackets, and of signs that it does not understand. Nobody writes this many
# in one call; a text that has them is not read, and so proves nothing.
_MANY_COMMANDS: Final = 1000
_MANY_SIGNS: Final = 3000
_OPERATOR: Final = re.compile(r"[|&;]+|\S[^\S\n]*\n")
_OPENING: Final = re.compile(r"[({\[`]")
_OTHER: Final = re.compile(r"[)}\]<>@|&;]")
_HERE_DOCUMENT: Final = re.compile(r"(?<!<)<<(?!<)-?\s*\\?['\"]?([^\s'\"|&;<>()]+)")


def is_too_long(command: str) -> bool:
    """Whether a text has more characters, operators or brackets than are read."""
    if len(command) <= _SHORT:
        return False
    length = operators = opening = other = 0
    for line in _outside_of_documents(command.splitlines(keepends=True)):
        length += len(line)
        operators += len(_OPERATOR.findall(line))
        opening += len(_OPENING.findall(line))
        other += len(_OTHER.findall(line))
    return length > _LONGEST or operators > _MANY_COMMANDS or max(opening, other) > _MANY_SIGNS


def _outside_of_documents(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines that stand in no here-document; one that nothing ends is none."""
    latest = {line.strip(): at for at, line in enumerate(lines)}
    delimiter: str | None = None
    for at, line in enumerate(lines):
        if delimiter is not None:
            if line.strip() == delimiter:
                delimiter = None
            continue
        yield line
        opened = _HERE_DOCUMENT.search(line)
        if opened and latest.get(opened[1], -1) > at:
            delimiter = opened[1]
