"""What the options of one program mean for a check.

The tables of known programs are in `runners.py` and `linters.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_NONE: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOptions:
    """The options of one program.

    Attributes:
        values: options whose value is the next word (also given as `--option=value`).
        narrows: options that check less, or something else.
        harmless: those of them with a value, as `--option=value`, that do not.
        empties: options with which nothing is checked, or a failure is not told.
        writes: options that change files, or write a report.
        prints: writing options with a value, as `--option=value`, that only print.
        optional: those of `values` whose value is never the next option.
        numbers: options whose value is the next word if that is a number.
    """

    values: frozenset[str] = _NONE
    narrows: frozenset[str] = _NONE
    harmless: frozenset[str] = _NONE
    empties: frozenset[str] = _NONE
    writes: frozenset[str] = _NONE
    prints: frozenset[str] = _NONE
    optional: frozenset[str] = _NONE
    numbers: frozenset[str] = _NONE
