"""Recompute recorded verdicts and count how often we agree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from reasonix_conformance.redact import redact, redact_json
from reasonix_conformance.replay.expectations import same
from reasonix_conformance.verdicts import KINDS, Adapter
from reasonix_conformance.verdicts.inputs import Kind
from reasonix_conformance.verdicts.records import (
    SUFFIX,
    InvalidInputError,
    Recorded,
    VerdictFileError,
    find_files,
    read,
)
from reasonix_runtime.errors import UnknownRuleSetError
from reasonix_runtime.gates.policy import Policy, rule_set

SCHEMA: Final = "reasonix-conformance/verdicts/1"


@dataclass(slots=True)
class KindCount:
    """The stable lines of one kind: all, and those that agree in `accept`, in all of `out`."""

    lines: int = 0
    accept: int = 0
    out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """A stable line whose recomputed `out` differs from the recorded one.

    `expected` and `actual` are as they were compared; what shows them masks their secrets.
    """

    file: str
    line: int
    id: str
    kind: str
    expected: Mapping[str, Any]
    actual: Mapping[str, Any]

    def differing(self) -> list[str]:
        """Return the fields in which the two differ, sorted."""
        one, other = self.expected, self.actual
        keys = one.keys() | other.keys()
        return sorted(key for key in keys if not same(one.get(key), other.get(key)))


@dataclass(slots=True)
class Agreement:
    """What came out of a run over recorded verdict files.

    `unstable` are lines that are advisory, `not_assessable` lines of kinds that nothing here can
    recompute; neither counts as agreeing. `empty` are the files without a line, `repeated` the
    places of lines with an id that an earlier one has, `unread` those of members that are not read.
    """

    rules: str
    kinds: dict[str, KindCount] = field(default_factory=dict)
    unstable: dict[str, int] = field(default_factory=dict)
    not_assessable: dict[str, int] = field(default_factory=dict)
    disagreements: list[Disagreement] = field(default_factory=list)
    folders: list[Path] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    @property
    def assessed(self) -> int:
        """How many lines were recomputed and compared."""
        return sum(count.lines for count in self.kinds.values())

    def remarks(self) -> Iterator[str]:
        """Yield what to say of the files beside what came out."""
        for folder in self.folders:
            yield f"{folder}: no recorded verdict file (*{SUFFIX}) in this folder"
        for path in self.empty:
            yield f"{path}: no line in this file"
        if self.repeated:
            more = _and_more(self.repeated)
            yield f"{self.repeated[0]}: an earlier line has this id{more}; ids are to be unique"
        if self.unread:
            more = _and_more(self.unread)
            yield f"{self.unread[0]} is not read{more}; a misspelt field has its zero value"

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form, `reasonix-conformance/verdicts/1`."""
        return {
            "schema": SCHEMA,
            "rules": self.rules,
            "kinds": {
                kind: {"lines": count.lines, "accept": count.accept, "out": count.out}
                for kind, count in sorted(self.kinds.items())
            },
            "unstable": dict(sorted(self.unstable.items())),
            "not_assessable": dict(sorted(self.not_assessable.items())),
            "disagreements": [
                {
                    "file": item.file,
                    "line": item.line,
                    "id": item.id,
                    "kind": item.kind,
                    "expected": redact_json(dict(item.expected)),
                    "actual": redact_json(dict(item.actual)),
                }
                for item in self.disagreements
            ],
        }


def _and_more(places: list[str]) -> str:
    return f" and {len(places) - 1} more" if len(places) > 1 else ""


def assess(paths: Iterable[Path], *, rules: str, kinds: Mapping[str, Adapter] = KINDS) -> Agreement:
    """Recompute every line of the files under `rules`, or under the rule set a line names.

    Raises:
        VerdictFileError: a file or a line cannot be read, or a line names no rule set.
        UnknownRuleSetError: `rules` names no rule set.
    """
    agreement = Agreement(rules=rules)
    default = rule_set(rules)
    ids: set[str] = set()
    for path in find_files(paths, agreement.folders):
        number = 0
        for number, record in read(path):
            if record.id in ids:
                agreement.repeated.append(f"{path}:{number}")
            ids.add(record.id)
            policy = default if record.rules is None else _named(record.rules, path, number)
            try:
                _assess_line(agreement, path, number, record, policy, kinds.get(record.kind))
            except RecursionError:  # what decodes may still be too deep to be looked into
                raise VerdictFileError(
                    path, number, "not a recorded verdict: nested too deeply"
                ) from None
        if not number:
            agreement.empty.append(str(path))
    return agreement


def _named(rules: str, path: Path, number: int) -> Policy:
    try:
        return rule_set(rules)
    except UnknownRuleSetError as error:
        raise VerdictFileError(path, number, str(error)) from error


def _assess_line(
    agreement: Agreement,
    path: Path,
    number: int,
    record: Recorded,
    policy: Policy,
    adapter: Adapter | None,
) -> None:
    kind = redact(record.kind)
    if adapter is None:
        agreement.not_assessable[kind] = agreement.not_assessable.get(kind, 0) + 1
        return
    if not record.stable:
        agreement.unstable[kind] = agreement.unstable.get(kind, 0) + 1
        return
    try:
        actual = adapter(record.data, policy)
    except InvalidInputError as error:
        raise VerdictFileError(path, number, f"{kind} {redact(record.id)}: {error}") from error
    if isinstance(adapter, Kind):
        agreement.unread += (f"{path}:{number}: {place}" for place in adapter.unread(record.data))
    count = agreement.kinds.setdefault(kind, KindCount())
    count.lines += 1
    count.accept += actual.get("accept") == record.out["accept"]
    if same(_known(actual), _known(record.out)):
        count.out += 1
        return
    agreement.disagreements.append(
        Disagreement(
            file=str(path),
            line=number,
            id=redact(record.id),
            kind=kind,
            expected=record.out,
            actual=actual,
        )
    )


def _known(out: Mapping[str, Any]) -> dict[str, Any]:
    """Drop the fields that are null: they say the same as an absent field."""
    return {key: value for key, value in out.items() if value is not None}
