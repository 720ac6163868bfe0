"""One parsed text file of JSON values that still knows on which line each of them stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reasonix_runtime.errors import ReasonixError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


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
