"""What the items of a session come to together: coverage, known failures, the report.

Made from the records of the items in the process that sees them all, never in a worker.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from reasonix_conformance import coverage, known_failures, known_register
from reasonix_conformance.errors import KnownFailuresError
from reasonix_conformance.findings import Finding, Outcome
from reasonix_conformance.known_failures import KnownFailures
from reasonix_conformance.known_register import Failure
from reasonix_conformance.settings import Settings
from reasonix_conformance.suite.cases import COVERAGE, FAILING
from reasonix_conformance.words import count

TRACE, TRANSCRIPT, LIST = "trace", "transcript", "known-failures"
_FAILING = (Outcome.FAILED, Outcome.KNOWN)


class Conclusion(NamedTuple):
    """The files that were written, what is wrong with the session, and what else to say."""

    written: tuple[str, ...]
    problems: tuple[str, ...]
    remarks: tuple[str, ...]


def conclude(
    settings: Settings, records: Sequence[dict[str, Any]], replayed: Collection[str]
) -> Conclusion:
    """Write what was asked for; `replayed` are the files of traces that belong to the session.

    Raises:
        ConformanceError: a file cannot be written.
    """
    written: list[str] = []
    problems: list[str] = []
    remarks: list[str] = []
    if settings.report is not None:
        from reasonix_conformance.suite import report

        report.write(settings.report, records)
        written.append(settings.show(settings.report))
    if settings.covers:
        document = _coverage(records)
        remarks.append(coverage.summary_line(document["summary"]))
        if settings.coverage is not None:
            coverage.write(settings.coverage, document)
            written.append(settings.show(settings.coverage))
        problems += coverage.too_little(document, settings.coverage_min)
    try:
        known = known_failures.of_run(settings)
    except KnownFailuresError as error:
        return Conclusion(tuple(written), (*problems, *str(error).splitlines()), tuple(remarks))
    findings = _entries(settings, known, records, replayed)
    problems += [finding.sentence for finding in findings]
    if settings.write_known is not None:
        blamed = {one.at for one in findings if one.outcome is not Outcome.UNKNOWN}
        useless = blamed | set(_met(known, records))
        _write_known(settings.write_known, known, records, useless)
        written.append(settings.show(settings.write_known))
        remarks += _not_listed(records)
    return Conclusion(tuple(written), tuple(problems), tuple(remarks))


def _coverage(records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    counted = coverage.Coverage()
    for record in records:
        counts = record.get("facts", {}).get(COVERAGE)
        if counts is not None:
            counted.merge(counts)
    return counted.document()


def _entries(
    settings: Settings,
    known: KnownFailures,
    records: Sequence[dict[str, Any]],
    replayed: Collection[str],
) -> list[Finding]:
    """Judge the entries about traces, where every trace of the session ran.

    Those about transcripts are judged by an item of the contract suite.
    """
    if not settings.replay:
        return []
    findings = [] if settings.contract else known.past(settings.today)
    facts = [record.get("facts", {}) for record in records if record["kind"] == TRACE]
    if set(replayed) <= {str(found.get("path")) for found in facts}:
        counts = (found["known"] for found in facts if "known" in found)
        findings += known_register.of_counts(known, counts)
    return findings


def _met(known: KnownFailures, records: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the places of entries that speak of what was judged, or that the list's item blames."""
    for record in records:
        counts = record.get("facts", {}).get("known", {})
        yield from (at for at, (_, _, left_open) in counts.items() if not left_open)
        if record["kind"] == TRANSCRIPT:
            name, rules = _transcript(record)
            yield from (entry.at for entry in known.entries if entry.covers(name, rules))
        elif record["kind"] == LIST:
            yield from (finding["at"] for finding in record["findings"])


def _write_known(
    path: Path, known: KnownFailures, records: Sequence[dict[str, Any]], useless: Container[str]
) -> None:
    register = known_register.Register(known)
    for failure in _failing(records):
        register.hear(failure.name, failure.rules, failure=failure.reason)
    known_register.write(path, register.failures, register.kept(useless))


def _not_listed(records: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield how many items failed that no list can name: of the contract, or not to be read."""
    failed = sum(
        any(map(_fails, record["findings"])) and not any(_failing([record])) for record in records
    )
    if failed:
        yield (
            f"{count(failed, 'failed item')} not written: a list of known failures "
            "names transcripts and verdicts on traces alone"
        )


def _failing(records: Sequence[dict[str, Any]]) -> Iterator[Failure]:
    """Yield each transcript and each verdict that fails."""
    for record in records:
        failing = [one for one in record["findings"] if _fails(one)]
        if record["kind"] == TRACE:
            yield from (Failure(*one) for one in record.get("facts", {}).get(FAILING, ()))
        elif record["kind"] == TRANSCRIPT and failing:
            name, rules = _transcript(record)
            first = failing[0]
            yield Failure(name, rules, f"{first['check']}: {first['what']}")


def _fails(finding: dict[str, Any]) -> bool:
    """Whether a finding is a failure of what was judged; one of the list itself is none."""
    return finding["outcome"] in _FAILING and finding["check"] != known_failures.CHECK


def _transcript(record: dict[str, Any]) -> tuple[str, str]:
    """Return the id of a transcript and the rule set of its record."""
    name, _, rules = record["name"].rpartition("[")
    return name, rules.rstrip("]")
