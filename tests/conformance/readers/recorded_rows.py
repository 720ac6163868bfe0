"""The rows of a recording's `expected.yaml`, held against what a reader made of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from places import TRACES

from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_runtime.trace import yaml12
from reasonix_runtime.trace.events import (
    Diag,
    Event,
    HostVerdict,
    Session,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    scope_of,
)

SCENARIOS = sorted(path.parent for path in TRACES.glob("*/*/expected.yaml"))

_VERDICT = {"ok": "accept", "error": "reject", "blocked": "reject", "not_run": "reject"}


@dataclass
class Seen:
    """What a reader told: model calls by scope in order, turn ends, host verdicts, diagnostics."""

    calls: dict[str, list[ToolCall]] = field(default_factory=dict)
    results: dict[str, ToolResult] = field(default_factory=dict)
    turn_of: dict[str, int] = field(default_factory=dict)
    ends: list[TurnEnd] = field(default_factory=list)
    verdicts: dict[int, HostVerdict] = field(default_factory=dict)
    diagnostics: list[Diag] = field(default_factory=list)
    turns: int = 0

    def verdict(self, uid: str) -> str | None:
        """Return what the host said to a call, as `expected.yaml` writes it."""
        result = self.results.get(uid)
        return _VERDICT.get(result.outcome) if result else None


def seen_in(path: Path) -> Seen:
    """Read a file and sort its events."""
    return sort(events(Recording(path=path, shown=path.name)))


def sort(stream: Iterable[Event]) -> Seen:
    """Sort events into what rows speak of."""
    seen = Seen()
    known: set[str] = set()
    for event in stream:
        if isinstance(event, Session):
            # Another session counts its calls anew.
            known.clear()
            seen.results = {}
        elif isinstance(event, TurnStart):
            seen.turns += 1
        elif isinstance(event, ToolCall):
            if event.origin == "model" and event.uid not in known:
                seen.calls.setdefault(scope_of(event.uid), []).append(event)
                seen.turn_of[event.uid] = event.turn
            known.add(event.uid)
        elif isinstance(event, ToolResult):
            assert event.uid in known, "a result without its call"
            assert event.uid not in seen.results, "a second result for one call"
            seen.results[event.uid] = event
        elif isinstance(event, TurnEnd):
            seen.ends.append(event)
        elif isinstance(event, HostVerdict):
            seen.verdicts[event.turn] = event
        elif isinstance(event, Diag):
            seen.diagnostics.append(event)
    return seen


def expected(scenario: Path) -> dict[str, Any]:
    """Load the rows of a scenario."""
    path = scenario / "expected.yaml"
    value: dict[str, Any] = yaml12.load(path.read_bytes(), str(path)).value
    return value


def call_rows(rows: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the rows that speak of a call."""
    return (row for row in rows if "call" in row)


def end_rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows that speak of the end of a turn."""
    return [{**row["end"], "turn": row["turn"]} for row in rows if "end" in row]


def wrong_calls(seen: Seen, rows: list[dict[str, Any]]) -> list[str]:
    """Say which rows of one run do not fit the calls of a file that holds exactly that run."""
    problems = []
    for row in call_rows(rows):
        calls = seen.calls.get(row.get("scope", "main"), [])
        name = f"{row['tool']} {row['id']}"
        if len(calls) < row["call"]:
            problems.append(f"{name}: not there")
            continue
        call = calls[row["call"] - 1]
        if (call.name, call.native_id) != (row["tool"], row["id"]):
            problems.append(f"{name}: found {call.name} {call.native_id}")
        elif seen.verdict(call.uid) != row["verdict"]:
            problems.append(f"{name}: {seen.verdict(call.uid)}, expected {row['verdict']}")
        elif call.turn != row["turn"]:
            problems.append(f"{name}: in turn {call.turn}, expected {row['turn']}")
    return problems


def wrong_ends(seen: Seen, rows: list[dict[str, Any]]) -> list[str]:
    """Say which turn ends of one run do not fit."""
    problems = []
    ends = end_rows(rows)
    if len(ends) != len(seen.ends):
        problems.append(f"{len(seen.ends)} turns, expected {len(ends)}")
    for row in ends:
        verdict = seen.verdicts.get(row["turn"])
        got = verdict.result if verdict and verdict.result != "unknown" else None
        if got != row["verdict"]:
            problems.append(f"end of turn {row['turn']}: {got}, expected {row['verdict']}")
    return problems


def wrong_in_order(seen: Seen, runs: list[dict[str, Any]]) -> list[str]:
    """Say which rows of all runs do not fit a file that holds them one after the other.

    A run that was killed is missing in some files; its rows may be missing, too.
    """
    problems = []
    at: dict[str, int] = {}
    for run in runs:
        for row in call_rows(run["host"]):
            scope = row.get("scope", "main")
            calls = seen.calls.get(scope, [])
            found = next(
                (
                    index
                    for index in range(at.get(scope, 0), len(calls))
                    if (calls[index].native_id, calls[index].name) == (row["id"], row["tool"])
                ),
                None,
            )
            name = f"{row['tool']} {row['id']}"
            if found is None:
                if run["ended"] != "SIGKILL":
                    problems.append(f"{name}: not there")
                continue
            at[scope] = found + 1
            got = seen.verdict(calls[found].uid)
            if got != row["verdict"]:
                problems.append(f"{name}: {got}, expected {row['verdict']}")
    return problems
