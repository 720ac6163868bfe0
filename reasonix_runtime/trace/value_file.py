"""One parsed text file of JSON values that still knows on which line each of them stands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reasonix_runtime.errors import ReasonixError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

# Neither half is a character, so what holds one can be written to no file and compared to nothing.
_HALF = re.compile("[\ud800-\udfff]")


class ValueFileError(ReasonixError):
    """A file is not what it should be: `source`, `line` (from 1, or None), `what` is wrong."""

    def __init__(self, source: str, line: int | None, what: str) -> None:
        super().__init__(f"{source}:{line}: {what}" if line else f"{source}: {what}")
        self.source = source
        self.line = line
        self.what = what


@dataclass(frozen=True, slots=True)
class ValueFile:
    """A JSON value, the file it comes from, and the line of each of its keys and list items."""

    value: Any
    source: str
    first_line: int
    lines: Mapping[int, Sequence[int]]
    """By `id` of a mapping or list (alive as long as `value`): lines of its entries in order."""

    def line(self, path: Sequence[str | int]) -> int:
        """Return the line (from 1) of the key or item at `path`, or of its nearest parent."""
        here, line = self.value, self.first_line
        for step in path:
            marks = self.lines.get(id(here))
            if marks is None:
                break
            if isinstance(here, dict) and step in here:
                line = marks[list(here).index(step)]
                here = here[step]
            elif isinstance(here, list) and isinstance(step, int) and step < len(here):
                line = marks[step]
                here = here[step]
            else:
                break
        return line


def whole(document: ValueFile, text: str) -> ValueFile:
    """Return a document whose texts are; an escape in `text` can make what is none.

    Raises:
        ValueFileError: with the line, for half of a surrogate pair.
    """
    if "\\u" not in text:
        return document
    path = next(_halves(document.value, ()), None)
    if path is None:
        return document
    what = "half of a surrogate pair, which is no character; write the character itself"
    raise ValueFileError(document.source, document.line(path), what)


def _halves(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    """Yield where a text or key holds half of a surrogate pair; loaders bound the depth."""
    if isinstance(value, str):
        if _HALF.search(value):
            yield path
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _halves(key, (*path, key))
            yield from _halves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _halves(item, (*path, index))
