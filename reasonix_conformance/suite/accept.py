"""Accepting what is: the one place that writes for `--reasonix-update`.

Snapshots are written when their item runs, one file a tool, so parallel workers never meet.
Documents are shared by many items, so an item only says that it was accepted, and the session
(under xdist: the controller) writes each document once, at its end, with what was accepted and
nothing else.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from reasonix_conformance import docs, document_edits, snapshots
from reasonix_conformance.checks.tool_names import is_tool_name
from reasonix_conformance.findings import Finding, Outcome, Result
from reasonix_runtime.contract.canonical import well_formed
from reasonix_runtime.contract.document_parse import parse
from reasonix_runtime.contract.document_render import render
from reasonix_runtime.contract.entry import Contract, ContractEntry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from reasonix_conformance.checks.tool import ToolCase
    from reasonix_conformance.suite.cases import Accepted
    from reasonix_conformance.suite.contract_cases import ContractSuite

SNAPSHOT = frozenset(("tool/schema-snapshot", "snapshot/stale"))
"""Checks that a snapshot settles."""

ROW = frozenset(
    ("tool/documented", "tool/flag", "tool/description-text", "tool/fingerprint", "row/stale")
)
"""Checks that a row of the document settles."""

_WANT_A_ROW = frozenset(("tool/flag", "tool/description-text"))
"""Checks that nothing can be said about without a row; the one that is added meets them."""

BY_HAND = "edit the document by hand: an update fills only rows of the usual three cells"
"""What to do about a row that an update leaves to its author."""


def tool(case: ToolCase, result: Result) -> Result:
    """Accept the findings of a tool, if all that fails can be; a broken tool is never recorded.

    What is only recommended and cannot be accepted stays a recommendation.
    """
    if not all(_acceptable(case, one) for one in result.of(Outcome.FAILED)):
        return held_up(case, result)
    open_findings = (*result.of(Outcome.FAILED), *result.of(Outcome.ADVICE))
    accepted = [one for one in open_findings if _acceptable(case, one)]
    if any(finding.check in SNAPSHOT for finding in accepted) and case.snapshots:
        if case.tools and case.canonical is not None:
            snapshots.write(case.snapshots, case.name, case.canonical)
        else:
            snapshots.delete(case.snapshots, case.name)
    return _updated(result, frozenset(one.check for one in accepted))


def held_up(case: ToolCase, result: Result) -> Result:
    """Return a result whose advice to update tells what has to be done before that works."""
    failed = result.of(Outcome.FAILED)
    first = dict.fromkeys(one.check for one in failed if not _acceptable(case, one))
    return result._replace(
        findings=tuple(_hold_up(case, one, ", ".join(first)) for one in result.findings)
    )


def _hold_up(case: ToolCase, finding: Finding, first: str) -> Finding:
    if not first or f"`{case.update}`" not in finding.hint:
        return finding
    if not _acceptable(case, finding):
        return finding._replace(hint=BY_HAND)
    return finding._replace(hint=f"first mend {first}; after that, {finding.hint}")


def _acceptable(case: ToolCase, finding: Finding) -> bool:
    """Whether an update can settle a finding without touching what is written by hand."""
    if finding.check in SNAPSHOT:
        return True
    rows = case.rows or case.document.rows
    usual = all(row.standard for row in rows) if rows else case.document.table is not None
    return finding.check in ROW and usual


def whole(result: Result, checks: frozenset[str]) -> Result:
    """Accept the findings of a surface or document, if all of them are of these checks."""
    failed = result.of(Outcome.FAILED)
    if failed and all(finding.check in checks for finding in failed):
        return _updated(result, checks)
    return result


def _updated(result: Result, checks: frozenset[str]) -> Result:
    """Return a result in which what these checks found is accepted."""
    return result._replace(
        findings=tuple(
            finding._replace(outcome=Outcome.UPDATED)
            if finding.outcome in (Outcome.FAILED, Outcome.ADVICE) and finding.check in checks
            else finding
            for finding in result.findings
            if not (
                "tool/documented" in checks
                and finding.check in _WANT_A_ROW
                and finding.outcome is Outcome.UNKNOWN
            )
        ),
    )


def write(suite: ContractSuite, accepted: Sequence[Accepted]) -> list[str]:
    """Write what the items of a session accepted into the documents; return what changed.

    Snapshots are written already; they are told as their folder and how many.
    """
    tools: set[str] = set()
    surfaces: set[str] = set()
    documents: set[str] = set()
    for item in accepted:
        if item.kind == "tool" and item.checks & ROW:
            tools.add(item.name)
        elif item.kind == "surface":
            surfaces.add(item.name.removeprefix("surface:"))
        elif item.kind == "document":
            documents.add(item.file)
    untold = {one.name for one in suite.subject.tools if one.canonical() is None}
    written = []
    for path, language in suite.documents():
        shown = suite.settings.show(path)
        present = docs.text_of(path, shown) if path.is_file() else ""
        fresh = _fresh(suite, language, present)
        if shown in documents:
            text = fresh()
        elif present and (tools or surfaces):
            text = document_edits.accept(
                present,
                fresh(),
                tools=tools,
                untold=untold,
                surfaces=surfaces,
                own_words=not suite.generated and language != docs.LANGUAGES[0],
            )
        else:
            continue
        if text != present:
            docs.write(path, text)
            written.append(shown)
    return [*_snapshots_told(suite, accepted), *written]


def _snapshots_told(suite: ContractSuite, accepted: Iterable[Accepted]) -> Iterator[str]:
    """Tell how many snapshots the items of a session wrote and deleted."""
    counts = Counter(check for item in accepted for check in item.checks & SNAPSHOT)
    recorded, deleted = counts["tool/schema-snapshot"], counts["snapshot/stale"]
    if suite.settings.snapshots is None or not counts:
        return
    told = [f"{recorded} snapshot{'s' if recorded > 1 else ''}"] if recorded else []
    told += [f"{deleted} deleted"] if deleted else []
    yield f"{suite.settings.show(suite.settings.snapshots)} ({', '.join(told)})"


def _fresh(suite: ContractSuite, language: str, present: str) -> Callable[[], str]:
    """Return what renders the document that the subject of a suite has now."""
    if suite.subject.reference:
        return lambda: docs.render(language, present)
    return lambda: render(_contract(suite, present), language)


def _contract(suite: ContractSuite, present: str) -> Contract:
    """Return the subject as a contract; what it does not tell stays as the document has it."""
    told = parse(present)
    entries: dict[str, ContractEntry] = {}
    for one in suite.subject.tools:
        if one.problem or one.apart or one.name in entries or not is_tool_name(one.name):
            continue
        row = told.row(one.name)
        kept = (row.description or "", row.read_only) if row else ("", None)
        entries[one.name] = ContractEntry.of(
            one.name,
            description=kept[0] if one.description is None else well_formed(one.description),
            read_only=kept[1] if one.read_only is None else one.read_only,
            schema=one.schema or b"",
        )
    return Contract(entries.values())
