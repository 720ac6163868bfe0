"""What a run found, held against the list of known failures, and the list of what fails now."""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.files import failing_as, write_whole
from reasonix_conformance.findings import Finding, Outcome
from reasonix_conformance.known_failures import (
    CHECK,
    OF_TRACES,
    Entry,
    KnownFailures,
    names_nothing,
)

MOST_NAMES = 10_000
"""How many names are kept to find the one that a mistyped entry may have meant."""


class Failure(NamedTuple):
    """Something that failed: its name, the rule set, and what is wrong."""

    name: str
    rules: str
    reason: str


def name_of(path: str, verdict: str) -> str:
    """Return the name under which a list speaks of a verdict on a trace."""
    return f"{path}{OF_TRACES}{verdict}"


class Register:
    """Hears what passed and what failed; says which entries of a list are of no use.

    Entries about transcripts are judged where transcripts were heard of, entries about traces
    where verdicts on traces were. A transcript that is listed has to fail. An entry about traces
    may be a pattern that verdicts which pass fit, too; one of those that fit has to fail.
    """

    def __init__(self, known: KnownFailures) -> None:
        self._known = known
        self._failed: Counter[str] = Counter()
        self._passed: dict[str, list[str]] = {}
        self._unjudged: dict[str, str] = {}
        self._names: dict[bool, set[str]] = {True: set(), False: set()}
        #: What failed and is on the list, and what is not on it.
        self.listed: list[Failure] = []
        self.failures: list[Failure] = []

    def hear(self, name: str, rules: str, *, failure: str | None, is_judged: bool = True) -> bool:
        """Hear of a transcript or verdict, and what is wrong with it; return if that is known."""
        names = self._names[OF_TRACES in name]
        if len(names) < MOST_NAMES:
            names.add(name)
        covering = [entry for entry in self._known.entries if entry.covers(name, rules)]
        for entry in covering:
            if failure is not None:
                self._failed[entry.at] += 1
            elif not is_judged:
                self._unjudged[entry.at] = name
            elif len(passed := self._passed.setdefault(entry.at, [])) < 3:
                passed.append(name)
        if failure is not None:
            (self.listed if covering else self.failures).append(Failure(name, rules, failure))
        return failure is not None and bool(covering)

    def counts(self) -> dict[str, list[int]]:
        """Return how often each entry that was met failed, passed and was left open, by place."""
        met = sorted(self._failed.keys() | self._passed.keys() | self._unjudged.keys())
        return {
            at: [self._failed[at], len(self._passed.get(at, ())), int(at in self._unjudged)]
            for at in met
        }

    def kept(self, useless: Container[str]) -> KnownFailures:
        """Return the entries that something failed by, or that nobody found to be useless.

        What did not run, or was not judged, may still fail; its entry has a reason and an owner.
        """
        return KnownFailures(
            entry
            for entry in self._known.entries
            if self._failed[entry.at] or entry.at in self._unjudged or entry.at not in useless
        )

    def findings(self) -> list[Finding]:
        """Return a finding for each entry that passes or names nothing."""
        return [
            finding
            for entry in self._known.entries
            if self._names[entry.of_traces]
            for finding in [self._judge(entry)]
            if finding is not None
        ]

    def _judge(self, entry: Entry) -> Finding | None:
        passed, unjudged = self._passed.get(entry.at, []), self._unjudged.get(entry.at)
        if not passed and unjudged is None and not self._failed[entry.at]:
            return names_nothing(entry, sorted(self._names[entry.of_traces]))
        if self._failed[entry.at] and (entry.of_traces or not passed):
            return None
        return passes(entry, passed[0]) if unjudged is None else undecided(entry, unjudged)


def of_counts(known: KnownFailures, counts: Iterable[Mapping[str, list[int]]]) -> list[Finding]:
    """Return the findings on entries about traces, from the counts of every file."""
    failed: Counter[str] = Counter()
    unjudged: Counter[str] = Counter()
    met: set[str] = set()
    for found in counts:
        met |= found.keys()
        for at, (failures, _, open_ones) in found.items():
            failed[at] += failures
            unjudged[at] += open_ones
    return [
        _of_no_failure(entry, is_met=entry.at in met, is_open=unjudged[entry.at] > 0)
        for entry in known.entries
        if entry.of_traces and not failed[entry.at]
    ]


def _of_no_failure(entry: Entry, *, is_met: bool, is_open: bool) -> Finding:
    if not is_met:
        return names_nothing(entry, [])
    return undecided(entry, entry.id) if is_open else passes(entry, entry.id)


def passes(entry: Entry, name: str) -> Finding:
    """Return the finding of an entry that is listed and does not fail."""
    return Finding(
        check=CHECK,
        what=f"{name} passes, but is listed as a known failure",
        at=entry.at,
        hint="delete the entry",
    )


def undecided(entry: Entry, name: str) -> Finding:
    """Return the finding of an entry of which nobody knows whether it still fails."""
    return Finding(
        check=CHECK,
        what=f"{name} could not be assessed, so nobody knows whether it still fails as listed",
        outcome=Outcome.UNKNOWN,
        at=entry.at,
        hint="give the run what is missing to judge it, or delete the entry",
    )


def write(path: Path, failures: Iterable[Failure], keep: KnownFailures) -> None:
    """Write the list of what fails now, with the entries that are kept.

    Raises:
        ConformanceError: the file cannot be written.
    """
    import yaml

    entries = [_kept(entry) for entry in keep.entries]
    fresh = {(failure.name, failure.rules): failure.reason for failure in failures}
    entries += [
        {"id": _literally(name), "rules": rules, "reason": reason}
        for (name, rules), reason in sorted(fresh.items())
    ]
    text = yaml.safe_dump(entries, sort_keys=False, allow_unicode=True, width=96)
    with failing_as(ConformanceError, f"{path}: cannot be written"):
        write_whole(path, text.encode())


def _literally(name: str) -> str:
    """Return the pattern of a name; for what no text file can hold it takes any character."""
    return glob.escape(name).encode("utf-8", "replace").decode()


def _kept(entry: Entry) -> dict[str, object]:
    form: dict[str, object] = {"id": entry.id}
    if entry.rules is not None:
        form["rules"] = entry.rules[0] if len(entry.rules) == 1 else list(entry.rules)
    form["reason"] = entry.reason
    if entry.owner is not None:
        form["owner"] = entry.owner
    if entry.until is not None:
        form["until"] = entry.until.isoformat()
    return form
