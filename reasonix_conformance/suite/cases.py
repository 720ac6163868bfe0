"""Cases: what the suite judges, one by one, before pytest or a command gives them a face.

A case has a name that is stable and unique within its file, and a function that judges it. Making
cases is cheap; judging happens in `judge` only, so that what was not selected costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from reasonix_conformance.findings import Result

Judge = Callable[[], Result]

COVERAGE = "coverage"
FAILING = "failing"
TRACES = "traces"
NOTES = "notes"
"""Facts of a result that are told for all items together: what was exercised, which verdicts on
traces fail, the traces, and how often the readers remarked what, by diagnostic code; absent where
they did not."""


class Case(NamedTuple):
    """One thing to judge.

    `kind` is what it is (`tool`, `surface`, `document`, `transcript`), `line` where it stands in
    its file (from 1), `known` why it is known to fail (the text names the entry), or None.
    """

    name: str
    kind: str
    judge: Judge
    line: int = 1
    known: str | None = None


class Accepted(NamedTuple):
    """An item that an update accepted: its kind, name and file, and the checks it settled."""

    kind: str
    name: str
    file: str
    checks: frozenset[str]


class CaseFile(NamedTuple):
    """The cases of one file, in the order of their names in it; `make` reads the file."""

    path: Path
    make: Callable[[], Sequence[Case]]
