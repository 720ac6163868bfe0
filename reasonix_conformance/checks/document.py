"""The requirements on a contract document as a whole, in each of its languages."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from reasonix_conformance.checks import Breach, Check, Report, Untold
from reasonix_conformance.findings import Level
from reasonix_runtime.excerpts import clipped

if TYPE_CHECKING:
    from reasonix_runtime.contract.document_model import Document, Row, SurfaceClaim

REBUILD = "write it anew with `reasonix-conformance docs build` or --reasonix-update"

LONGEST_LINE = 120
"""Characters of a line of a document that are shown."""

FLAG = {True: "true", False: "false", None: "not told"}
"""How messages call what a row says."""

_NOT_A_FAULT = frozenset(("table.no_flag", "table.no_description"))
"""Problems that leave something untold, which the checks of the tools say."""


class DocumentCase(NamedTuple):
    """One document: what it is called, what it says, and what would be written in its place.

    `document` is None for a file that is missing. `expected` is None for a document that is not
    generated; `text` is the present text. `main` is the document whose translation this one is.
    """

    source: str
    document: Document | None
    text: str = ""
    expected: str | None = None
    main: Document | None = None
    surfaces_told: bool = True
    """Whether the subject tells a boot surface that a list could be held against."""


def readable(case: DocumentCase) -> Iterator[Report]:
    """Report a document that is missing, and everything in it that cannot be read."""
    if case.document is None:
        yield Breach(what=f"{case.source} does not exist", at=case.source, hint=REBUILD)
        return
    for problem in case.document.problems:
        if problem.code not in _NOT_A_FAULT:
            yield Breach(
                what=problem.message,
                at=f"{case.source}:{problem.line}:{problem.column}",
                hint="repair the line",
            )


def order(case: DocumentCase) -> Iterator[Report]:
    """Report rows that are not in the order of their names."""
    rows = case.document.rows if case.document else ()
    for first, second in itertools.pairwise(rows):
        if first.name > second.name:
            yield Breach(
                what="the rows are not in the order of the tool names",
                at=f"{case.source}:{second.line}",
                expected="bytewise ascending",
                found=f"{first.name}, {second.name}",
                hint="move the row, so that a reader finds it",
            )
            return


def surfaces(case: DocumentCase) -> Iterator[Report]:
    """Report a document that lists no boot surface."""
    if case.document is None or case.document.surfaces:
        return
    if not case.surfaces_told:
        yield Untold("neither the document nor the subject tells a boot surface")
    else:
        yield Breach(
            what="the document lists no boot surface",
            at=case.source,
            expected="a list of names under ## Default Full Boot Surface or "
            "## Unified Boot Surface",
            hint="add the list, so that what a model sees at boot can be checked",
        )


def current(case: DocumentCase) -> Iterator[Report]:
    """Report a generated document that is not what would be generated now."""
    if case.document is None or case.expected is None:
        return
    from reasonix_conformance.docs import difference

    found = difference(case.expected, case.text)
    if found:
        more = "" if found.lines == 1 else f", the first of {found.lines} lines that differ"
        yield Breach(
            what="the document is not up to date",
            at=f"{case.source}:{found.line}{more}",
            expected=_clip(found.expected),
            found=_clip(found.found),
            hint=f"{REBUILD}; keep your own words between the hand-written markers",
        )


def translated(case: DocumentCase) -> Iterator[Report]:
    """Report where a translation tells other facts than the document it translates."""
    if case.document is None or case.main is None:
        return
    yield from _rows_apart(case, case.document, case.main)
    for ours, theirs in _lists_apart(case.document.surfaces, case.main.surfaces):
        yield Breach(
            what=f"the names under {ours.heading!r} are not those under {theirs.heading!r}",
            at=f"{case.source}:{ours.line}",
            details=(
                *(f"{name}: missing here" for name in theirs.names if name not in ours.names),
                *(f"{name}: only here" for name in ours.names if name not in theirs.names),
            ),
            hint=f"make the list that of {case.main.source}:{theirs.line}",
        )


def _rows_apart(case: DocumentCase, ours: Document, theirs: Document) -> Iterator[Report]:
    """Report the rows of a translation that the main document has not, or has otherwise."""
    seen: set[str] = set()
    for row in ours.rows:
        if row.name in seen:
            yield Breach(
                what=f"{row.name!r} has another row here",
                at=f"{case.source}:{row.line}",
                hint="delete all but the right one",
            )
        seen.add(row.name)
    for name in sorted({row.name for row in (*ours.rows, *theirs.rows)}):
        own, other = ours.row(name), theirs.row(name)
        if own is None and other is not None:
            hint = f"translate the row of {theirs.source}:{other.line}; no update writes it"
            yield Breach(what=f"the row of {name!r} is missing", at=case.source, hint=hint)
        elif own is not None and other is None:
            yield Breach(
                what=f"{name!r} has a row here and none in {theirs.source}",
                at=f"{case.source}:{own.line}",
                hint="delete the row, or add it there",
            )
        elif own is not None and other is not None:
            yield from _flags_apart((ours, own), (theirs, other))


def _flags_apart(ours: tuple[Document, Row], theirs: tuple[Document, Row]) -> Iterator[Report]:
    """Report a flag that differs; of a cell that cannot be read its own document is told."""
    (document, row), (main, other) = ours, theirs
    unread = any(
        problem.line == one.line for told, one in (ours, theirs) for problem in told.problems
    )
    if row.read_only is not other.read_only and not unread:
        yield Breach(
            what=f"the read-only flag of {row.name!r} differs",
            at=f"{document.source}:{row.line}",
            expected=f"{FLAG[other.read_only]} ({main.source}:{other.line})",
            found=FLAG[row.read_only],
            hint="correct the flag",
        )


def _lists_apart(
    ours: Sequence[SurfaceClaim], theirs: Sequence[SurfaceClaim]
) -> Iterator[tuple[SurfaceClaim, SurfaceClaim]]:
    """Yield the lists that differ, in pairs: headings are translated, so their order tells."""
    own = [set(claim.names) for claim in ours]
    others = [set(claim.names) for claim in theirs]
    changed = (claim for claim in ours if set(claim.names) not in others)
    return zip(changed, (claim for claim in theirs if set(claim.names) not in own), strict=False)


def _clip(line: str | None) -> str:
    if line is None:
        return "nothing: the text ends before"
    return clipped(line, LONGEST_LINE) or "an empty line"


DOCUMENT: tuple[Check[DocumentCase], ...] = (
    Check("document/readable", Level.MUST, "Every line of the document can be read.", readable),
    Check("document/order", Level.SHOULD, "The rows are in the order of names.", order),
    Check("document/surfaces", Level.SHOULD, "The document lists a boot surface.", surfaces),
)
"""What is demanded of every document."""

GENERATED: tuple[Check[DocumentCase], ...] = (
    Check("document/current", Level.MUST, "The document is what is generated now.", current),
)
"""What is demanded of a generated document."""

TRANSLATION: tuple[Check[DocumentCase], ...] = (
    Check("document/translated", Level.MUST, "A translation tells the same facts.", translated),
)
"""What is demanded of a translation that is written by hand."""


def checks(case: DocumentCase) -> tuple[Check[DocumentCase], ...]:
    """Return what is demanded of a document."""
    return (
        *DOCUMENT,
        *(GENERATED if case.expected is not None else ()),
        *(TRANSLATION if case.main is not None and case.expected is None else ()),
    )
