"""A replay as SARIF 2.1.0: one result a finding, its place the file and line of the trace."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from reasonix_conformance.replay.results import Judged, Lost, TraceResult
from reasonix_conformance.reports.levels import KNOWN, Level, explained_with_part, level
from reasonix_conformance.reports.notes import MEANING, note_level, notes, place, said
from reasonix_runtime.gates.rules import RULES
from reasonix_runtime.plain import plain
from reasonix_runtime.trace.events import Diag

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
UNNAMED = "reasonix/verdict"
"""The rule of a finding that no rule of the catalogue decided (an expectation that failed)."""
NOTES = "reader/"
"""What the rule of a note of a reader begins with; the diagnostic code follows."""


def render(
    results: Iterable[TraceResult], lost: Sequence[Lost] = (), problems: Sequence[str] = ()
) -> str:
    """Return the log as text; rules are those that a finding names, in the catalogue's order.

    A run that could not read a file, or is wrong as a whole, was not successful, and its invocation
    says why.
    """
    results = list(results)
    found = [
        _result(result, judged)
        for result in results
        for judged in result.verdicts
        if level(judged) is not Level.NONE
    ]
    found += [_note(result, diag) for result in results for diag in notes(result)]
    used = {entry["ruleId"] for entry in found}
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver(used)},
                "columnKind": "unicodeCodePoints",
                "results": found,
                "invocations": [_invocation(lost, problems)],
            }
        ],
    }
    return json.dumps(log, indent=2, ensure_ascii=True) + "\n"


def _invocation(lost: Sequence[Lost], problems: Sequence[str]) -> dict[str, Any]:
    if not (lost or problems):
        return {"executionSuccessful": True}
    told: list[dict[str, Any]] = [
        {
            "level": "error",
            "message": {"text": plain(file.text, lines=True)},
            "locations": [{"physicalLocation": _place(file.path, None)}],
        }
        for file in lost
    ]
    told += [
        {"level": "error", "message": {"text": plain(problem, lines=True)}} for problem in problems
    ]
    return {"executionSuccessful": False, "toolExecutionNotifications": told}


def _driver(used: set[str]) -> dict[str, Any]:
    rules = [
        {"id": rule.id, "shortDescription": {"text": rule.sentence}}
        for rule in RULES.values()
        if rule.id in used
    ]
    if UNNAMED in used:
        rules.append({"id": UNNAMED, "shortDescription": {"text": "A verdict is as expected."}})
    rules += [
        {"id": f"{NOTES}{code}", "shortDescription": {"text": f"{meaning}."}}
        for code, meaning in MEANING.items()
        if f"{NOTES}{code}" in used
    ]
    return {
        "name": "reasonix-conformance",
        "version": version("reasonix-conformance"),
        "rules": rules,
    }


def _result(result: TraceResult, judged: Judged) -> dict[str, Any]:
    verdict = judged.verdict
    known = {"suppressions": [{"kind": "external", "justification": KNOWN}]}
    return {
        **(known if judged.known else {}),
        "ruleId": verdict.rule or UNNAMED,
        "level": level(judged).value,
        "message": {"text": plain(explained_with_part(result, judged), lines=True)},
        "locations": [{"physicalLocation": _place(*_where(result, judged))}],
        "partialFingerprints": {"verdict/v1": f"{result.id}/{result.rules}/{judged.name}"},
        "properties": {
            "gate": verdict.gate,
            "decision": verdict.decision.value,
            "reason": verdict.reason,
            "agreement": judged.agreement.value,
            "rules": result.rules,
        },
    }


def _note(result: TraceResult, diag: Diag) -> dict[str, Any]:
    return {
        "ruleId": f"{NOTES}{diag.code}",
        "level": note_level(diag.code).value,
        "message": {"text": plain(said(diag), lines=True)},
        "locations": [{"physicalLocation": _place(*place(result, diag))}],
    }


def _where(result: TraceResult, judged: Judged) -> tuple[str, int | None]:
    return (judged.src.file, judged.src.line) if judged.src else (result.path, None)


def _place(file: str, line: int | None) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": _uri(file)}}
    if line:
        location["region"] = {"startLine": line}
    return location


def _uri(path: str) -> str:
    """Return a path as a URI reference; an absolute one gets the `file` scheme.

    An address of another file system is one already, but for its odd characters.
    """
    scheme, mark, rest = path.partition("://")
    if mark:
        return f"{scheme}{mark}{quote(rest)}"
    pure = PurePath(path)
    return pure.as_uri() if pure.is_absolute() else quote(pure.as_posix(), errors="surrogateescape")
