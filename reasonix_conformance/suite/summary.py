"""What the summary at the end of a pytest run says of the suite, counted from reports of items."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from reasonix_conformance.findings import Outcome
from reasonix_conformance.suite import nodes
from reasonix_conformance.suite.cases import NOTES, Accepted
from reasonix_conformance.words import count

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

    from reasonix_conformance.findings import Result

RERUN = "rerun"
"""Outcome that plugins give to the report of a run that they repeat."""

TITLES = {
    Outcome.UNKNOWN: "not assessed",
    Outcome.ADVICE: "recommended, not met",
    Outcome.UPDATED: "accepted",
}
"""How the summary calls what is neither passed nor failed."""

MOST_PLACES, MOST_UNTOLD = 5, 3
"""How many places the summary names of one sentence, and of one that nobody was told."""

MOST_NOTED = 20
"""How many traces the summary tells notes of; it says how many it left out."""


class Summary:
    """What the items of a session came to, as far as a summary tells it."""

    def __init__(self, *, keep: bool) -> None:
        """Start with nothing judged; `keep` keeps every record for what is made of them all."""
        self._keep = keep
        self.records: list[dict[str, Any]] = []
        self.assessed = 0
        self.judged = 0
        self.others = 0
        """How many items of the suite were judged, and how many other tests ran."""
        self.skipped: list[str] = []
        """The ids of whatever was skipped before it ran."""
        self.accepted: list[Accepted] = []
        self.written: list[str] = []
        self.problems: list[str] = []
        self.remarks: list[str] = []
        self._noted: dict[str, dict[str, int]] = {}
        self._open: dict[Outcome, dict[tuple[str, str], list[str]]] = {
            outcome: {} for outcome in TITLES
        }
        """The places of what is told of each check, by the check and the sentence."""

    def add(self, report: pytest.TestReport) -> None:
        """Take the report of an item of the suite; of others only that they ran."""
        if report.when == "setup" and report.skipped:
            self.skipped.append(report.nodeid)
        if report.when != "call" or report.outcome == RERUN:
            return
        records = [value for name, value in report.user_properties if name == nodes.PROPERTY]
        self.others += not records
        for value in records:
            self._take(report.nodeid, json.loads(str(value)))

    def uncollected(self, nodeid: str, result: Result) -> None:
        """Take what is said of a file of the suite that has no items."""
        self._take(nodeid, json.loads(result.record("document", "document")))

    def _take(self, nodeid: str, record: dict[str, Any]) -> None:
        """Count what an item of the suite came to."""
        self.judged += 1
        if self._keep:
            self.records.append({"id": nodeid, **record})
        facts = record.get("facts", {})
        if facts.get(NOTES):
            self._noted[str(facts["path"])] = facts[NOTES]
        self.assessed += record["outcome"] != Outcome.UNKNOWN
        updated = frozenset(
            finding["check"]
            for finding in record["findings"]
            if finding["outcome"] == Outcome.UPDATED
        )
        if updated:
            file = nodeid.removesuffix(f"::{record['name']}")
            self.accepted.append(Accepted(record["kind"], record["name"], file, updated))
        for finding in record["findings"]:
            told = self._open.get(Outcome(finding["outcome"]))
            if told is not None and record["outcome"] != Outcome.UNKNOWN:
                places = told.setdefault((finding["check"], finding["what"]), [])
                places.append(_place(record["name"], finding["at"]))

    def lines(self) -> list[str]:
        """Return the summary as lines, nothing if there is nothing to tell."""
        lines = [
            f"{TITLES[outcome]}: {check} ({len(places)}x): {what}{_shown(outcome, places)}"
            for outcome, told in self._open.items()
            for (check, what), places in sorted(told.items())
        ]
        lines += self._notes()
        lines += [f"written: {name}" for name in self.written]
        return [*lines, *self.remarks, *self.problems]

    def _notes(self) -> list[str]:
        """Return what the readers remarked, a line a trace, in the order of the paths."""
        lines = []
        for path, counts in sorted(self._noted.items())[:MOST_NOTED]:
            said = ", ".join(f"{code} ({number})" for code, number in sorted(counts.items()))
            lines.append(f"notes of the readers: {path}: {said}")
        if len(self._noted) > MOST_NOTED:
            left = count(len(self._noted) - MOST_NOTED, "more trace")
            lines.append(f"notes of the readers: {left} not listed here")
        return lines


def _place(name: str, at: str) -> str:
    """Return the name of an item, with the place that a finding is about."""
    return f"{name} ({at})" if at else name


def _shown(outcome: Outcome, places: Sequence[str]) -> str:
    """Return where something stands that somebody may mend; what is only untold names a few."""
    if outcome is Outcome.UNKNOWN and len(places) > MOST_UNTOLD:
        return ""
    more = len(places) - MOST_PLACES
    shown = sorted(places)[:MOST_PLACES]
    return f": {', '.join(shown)}{f' and {more} more' if more > 0 else ''}"
