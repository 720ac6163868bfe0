"""The list of what is known to fail: transcripts, and verdicts on recorded traces.

A YAML list of entries with `id` (an id or a pattern with `*` and `?`), `reason`, and optionally
`rules` (one rule set or several; all by default), `owner` and `until` (a date). An id with `::` in
it means verdicts on traces, `PATH::VERDICT`; any other means transcripts. The list is strict: an
entry that passes, that stands twice, that is past its date or that names nothing is an error, so
the list only gets shorter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase
from glob import escape
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from reasonix_conformance.errors import KnownFailuresError
from reasonix_conformance.files import failing_as
from reasonix_conformance.findings import Finding
from reasonix_runtime.plain import plain
from reasonix_runtime.whole_files import read_whole

if TYPE_CHECKING:
    from pathlib import Path

    from reasonix_conformance.settings import Settings
    from reasonix_runtime.trace.value_file import ValueFile

KEYS = ("id", "reason", "rules", "owner", "until")

OF_TRACES = "::"
"""Stands between the path of a trace and the name of a verdict on it."""

_OF_A_TRACE = re.compile(r"[/\\]|\.(?:jsonl?|ndjson|log|txt|gz|zst)$")
"""What a file or a verdict has in its name, and no transcript in its id."""

CHECK = "known-failures/entry"

EXPECTED = "expected a YAML list of entries with the keys id and reason"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry; `rules` None means every rule set, `at` is its file and line."""

    id: str
    reason: str
    rules: tuple[str, ...] | None
    owner: str | None
    at: str
    until: date | None = None
    """The last day on which the entry counts."""

    @property
    def of_traces(self) -> bool:
        """Whether the entry means verdicts on traces, and not transcripts."""
        return OF_TRACES in self.id

    def covers(self, name: str, rules: str) -> bool:
        """Whether the entry speaks of a transcript, or a verdict, under a rule set."""
        return (self.rules is None or rules in self.rules) and fnmatchcase(name, self.id)


class KnownFailures:
    """The entries of a list, in its order."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        """Take the entries."""
        self.entries = tuple(entries)

    def reason(self, name: str, rules: str) -> str | None:
        """Return why something is known to fail, with the place of the entry, or None."""
        for entry in self.entries:
            if entry.covers(name, rules):
                owner = f" ({entry.owner})" if entry.owner else ""
                return f"{entry.at}: {entry.reason}{owner}"
        return None

    def past(self, today: date | None = None) -> list[Finding]:
        """Return a finding for each entry past its date; the clock is read if one has a date."""
        dated = [(entry.until, entry) for entry in self.entries if entry.until is not None]
        if not dated:
            return []
        now = today or date.today()
        return [
            Finding(
                check=CHECK,
                what=f"the entry {entry.id!r} counted until {until}",
                at=entry.at,
                hint="repair what fails, or agree on a new date",
            )
            for until, entry in dated
            if until < now
        ]

    def unmatched(self, known: Iterable[tuple[str, str]]) -> list[Finding]:
        """Return a finding for each entry that speaks of nothing in `known` (id, rule set)."""
        pairs = tuple(known)
        ids = sorted({transcript for transcript, _ in pairs})
        return [
            names_nothing(entry, ids)
            for entry in self.entries
            if not entry.of_traces
            and not any(entry.covers(transcript, rules) for transcript, rules in pairs)
        ]


def of_contract(known: KnownFailures, document: str) -> list[Finding]:
    """Return a finding for each entry that names an item of the contract, which none can excuse."""
    return [
        Finding(
            check=CHECK,
            what=f"{entry.id!r} is an item of the contract, and no entry excuses one",
            at=entry.at,
            hint="mend what fails or accept what is (--reasonix-update), and delete the entry",
        )
        for entry in known.entries
        if entry.id.startswith(f"{document}{OF_TRACES}")
    ]


def names_nothing(entry: Entry, ids: list[str]) -> Finding:
    """Return the finding of an entry that speaks of nothing; `ids` are those that exist."""
    from difflib import get_close_matches

    same = [one for one in ids if fnmatchcase(one, entry.id)]
    near = get_close_matches(entry.id, ids, n=1)
    if same:
        hint = f"{same[0]} exists, but not under {', '.join(entry.rules or ())}; correct the rules"
    elif entry.of_traces:
        hint = _from_anywhere(entry, ids, near)
    elif near:
        hint = f"did you mean {near[0]!r}? correct the id or delete the entry"
    else:
        hint = f"delete the entry; one about a trace is named PATH{OF_TRACES}VERDICT"
    kind = "verdict" if entry.of_traces else "transcript"
    return Finding(check=CHECK, what=f"no {kind} has the id {entry.id!r}", at=entry.at, hint=hint)


def _from_anywhere(entry: Entry, ids: list[str], near: list[str]) -> str:
    """Return what to do about an entry whose path may be that of a run from another folder."""
    path, _, verdict = entry.id.partition(OF_TRACES)
    anywhere = f"*{PurePosixPath(path).name.lstrip('*')}{OF_TRACES}{verdict}"
    there = [one for one in ids if fnmatchcase(one, anywhere)] or near
    if there:
        found = f"did you mean {escape(there[0])!r}? correct the id"
    else:
        found = "paths are those that reports of this run show: correct the id"
    known = "" if anywhere == entry.id else f", write {anywhere!r}, which fits from any folder,"
    return f"{found}{known} or delete the entry"


def of_run(settings: Settings) -> KnownFailures:
    """Return the list that the settings of a run name, an empty one where there is no such file.

    Raises:
        KnownFailuresError: the file is no list of entries.
    """
    path = settings.known_failures
    if path is None or not path.is_file():
        return KnownFailures()
    return load(path, settings.show(path))


def load(path: Path, shown: str) -> KnownFailures:
    """Return the list of a file; `shown` is what messages call it.

    Raises:
        KnownFailuresError: the file is no list of entries; every problem with its line.
    """
    from reasonix_runtime.trace import yaml12
    from reasonix_runtime.trace.value_file import ValueFileError

    with failing_as(KnownFailuresError, f"{shown}: {EXPECTED}; it cannot be read"):
        data = read_whole(path)
    try:
        document = yaml12.load(data, shown)
    except ValueFileError as error:
        raise KnownFailuresError(str(error)) from None
    if document.value is None:
        return KnownFailures()
    if not isinstance(document.value, list):
        raise KnownFailuresError(f"{shown}: {EXPECTED}")
    problems: list[str] = []
    entries = [_entry(document, number, problems) for number in range(len(document.value))]
    problems += _twice([entry for entry in entries if entry])
    if problems:
        raise KnownFailuresError("\n".join(map(plain, problems)))
    return KnownFailures(entry for entry in entries if entry)


def _entry(document: ValueFile, number: int, problems: list[str]) -> Entry | None:
    value = document.value[number]
    at = f"{document.source}:{document.line([number])}"
    if not isinstance(value, dict):
        problems.append(f"{at}: expected an entry with the keys id and reason, found {value!r}")
        return None
    before = len(problems)
    for key in value:
        if key not in KEYS:
            line = document.line([number, key])
            problems.append(f"{document.source}:{line}: {key}: {_unknown_key(key)}")
    for key in ("id", "reason"):
        if not isinstance(value.get(key), str) or not value[key].strip():
            problems.append(f"{at}: {key}: expected a text, found {value.get(key)!r}")
        elif key == "id" and (meant := _meant(value[key])):
            problems.append(f"{at}: id: {meant}")
    rules = _rules(value.get("rules"), f"{at}: rules", problems)
    until = _until(value.get("until"), f"{at}: until", problems)
    owner = value.get("owner")
    if owner is not None and not isinstance(owner, str):
        problems.append(f"{at}: owner: expected a text, found {owner!r}")
    if len(problems) > before:
        return None
    return Entry(
        id=value["id"],
        reason=value["reason"].strip(),
        rules=rules,
        owner=owner,
        at=at,
        until=until,
    )


def _meant(ident: str) -> str | None:
    """Return what is wrong with an id that can be no transcript's and is no verdict's either."""
    if OF_TRACES in ident or not _OF_A_TRACE.search(ident):
        return None
    whole = f"*{OF_TRACES}{ident}" if ident.startswith("turn-") else f"{ident}{OF_TRACES}*"
    return (
        f"{ident!r} is no id of a transcript, and a verdict on a trace is named "
        f"PATH{OF_TRACES}VERDICT; did you mean {whole!r}?"
    )


def _until(value: Any, at: str, problems: list[str]) -> date | None:
    if value is None:
        return None
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        problems.append(f"{at}: expected a date such as 2026-12-31, found {value!r}")
        return None


def _unknown_key(key: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(key, KEYS, n=1)
    return f"unknown key; {f'did you mean {near[0]!r}?' if near else 'known: ' + ', '.join(KEYS)}"


def _rules(value: Any, at: str, problems: list[str]) -> tuple[str, ...] | None:
    from reasonix_runtime.errors import UnknownRuleSetError
    from reasonix_runtime.gates.policy import rule_set

    if value is None:
        return None
    names = value if isinstance(value, list) and value else [value]
    for name in names:
        try:
            rule_set(str(name))
        except UnknownRuleSetError as error:
            problems.append(f"{at}: {error}")
    return tuple(map(str, names))


def _twice(entries: list[Entry]) -> list[str]:
    """Report entries that speak of the same id under the same rule set."""
    problems = []
    for number, entry in enumerate(entries):
        for earlier in entries[:number]:
            shared = (
                earlier.rules is None
                or entry.rules is None
                or bool(set(earlier.rules) & set(entry.rules))
            )
            if earlier.id == entry.id and shared:
                problems.append(f"{entry.at}: {entry.id!r} stands twice, first at {earlier.at}")
                break
    return problems
