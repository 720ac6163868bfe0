"""Contract checks: one small generator a requirement, named by its requirement id.

A check yields a `Breach` for each breach, or `Untold` where the subject or the document does not
say what the check needs. It yields nothing where the requirement holds. Its id stands once, in the
table of its module, and is the same for pass, fail and not assessable.

Records that every run needs are named tuples: making a dataclass takes half a millisecond, and the
import is the larger part of what a green run costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

from reasonix_conformance.findings import Finding, Level, Outcome, Result

T = TypeVar("T")


class Breach(NamedTuple):
    """A requirement that is not met; the fields are those of a `Finding`."""

    what: str
    at: str = ""
    expected: str = ""
    found: str = ""
    hint: str = ""
    details: tuple[str, ...] = ()


class Untold(NamedTuple):
    """A requirement that cannot be judged, and why."""

    why: str


Report = Breach | Untold


class Check(NamedTuple, Generic[T]):
    """A requirement: its id, how binding it is, what it demands, and the generator."""

    id: str
    level: Level
    sentence: str
    find: Callable[[T], Iterator[Report]]


def judge(checks: Iterable[Check[T]], case: T, *, strict: bool) -> Result:
    """Return what the checks find in a case, in their order."""
    passed: list[str] = []
    findings: list[Finding] = []
    for check in checks:
        reports = list(check.find(case))
        if not reports:
            passed.append(check.id)
        findings += (_finding(check, report, strict) for report in reports)
    return Result(passed=tuple(passed), findings=tuple(findings))


def _finding(check: Check[T], report: Report, strict: bool) -> Finding:
    if isinstance(report, Untold):
        return Finding(check=check.id, level=check.level, what=report.why, outcome=Outcome.UNKNOWN)
    binding = strict or check.level is Level.MUST
    return Finding(
        check=check.id,
        level=check.level,
        outcome=Outcome.FAILED if binding else Outcome.ADVICE,
        what=report.what,
        at=report.at,
        expected=report.expected,
        found=report.found,
        hint=report.hint,
        details=report.details,
    )
