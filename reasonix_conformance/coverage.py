"""Which rules a run exercised, each way: by a refusal of the rule, and by an accept of its gate.

A gate that never refused anything was perhaps never asked a hard question, and a green run over
such traces says little. Counted are our own verdicts, whatever a host did. The JSON form is
`reasonix-conformance/coverage/1`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from reasonix_conformance import rule_examples
from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.files import failing_as, write_whole
from reasonix_conformance.replay.results import Judged, TraceResult
from reasonix_runtime.gates.rule import Rule
from reasonix_runtime.gates.rulebook.arguments import AREA as ARGUMENTS
from reasonix_runtime.gates.rules import RULES
from reasonix_runtime.gates.verdict import Decision

SCHEMA: Final = "reasonix-conformance/coverage/1"
ACCEPTED, REFUSED = "accepted", "refused"


class Coverage:
    """Counts what it hears; counts of several processes add up with `merge`."""

    def __init__(self) -> None:
        self._gates: dict[str, Counter[str]] = {}
        self._reasons: dict[str, Counter[str]] = {}

    def begin(self, result: TraceResult) -> None:
        """Hear that a trace begins; nothing is counted for it."""

    def verdict(self, judged: Judged) -> None:
        """Count a verdict: for its gate, and for each reason that it gives."""
        verdict = judged.verdict
        decision = verdict.decision
        self._gates.setdefault(verdict.gate, Counter())[decision.value] += 1
        way = REFUSED if decision is Decision.REJECT else ACCEPTED
        reasons = {verdict.reason, *(verdict.facts.get("reasons", ()) if way == REFUSED else ())}
        for reason in reasons - {None}:
            self._reasons.setdefault(str(reason), Counter())[way] += 1

    def end(self, result: TraceResult) -> None:
        """Count the calls that a gate let pass without a word."""
        for gate, passed in result.let_pass.items():
            self._gates.setdefault(gate, Counter())[Decision.ACCEPT.value] += passed

    def counts(self) -> dict[str, dict[str, dict[str, int]]]:
        """Return the bare counts, in which form they travel between processes."""
        return {
            "gates": {gate: dict(found) for gate, found in sorted(self._gates.items())},
            "reasons": {reason: dict(found) for reason, found in sorted(self._reasons.items())},
        }

    def merge(self, counts: Mapping[str, Mapping[str, Mapping[str, int]]]) -> None:
        """Add the counts of another run."""
        for mine, other in ((self._gates, counts["gates"]), (self._reasons, counts["reasons"])):
            for name, found in other.items():
                mine.setdefault(name, Counter()).update(found)

    def document(self) -> dict[str, Any]:
        """Return the JSON form: every rule of the catalogue, in its order.

        Those on arguments stand in it where calls were held against a contract.
        """
        rules = [self._rule(rule) for rule in RULES.values() if self._asks(rule)]
        ways = sum(len(rule["ways"]) for rule in rules)
        exercised = sum(len(rule["exercised"]) for rule in rules)
        gates = {
            gate: {decision.value: found[decision.value] for decision in Decision}
            for gate, found in sorted(self._gates.items())
        }
        return {
            "schema": SCHEMA,
            "rules": rules,
            "gates": gates,
            "summary": {
                "rules": len(rules),
                "ways": ways,
                "exercised": exercised,
                "percent": percent(exercised, ways),
            },
        }

    def _asks(self, rule: Rule) -> bool:
        """Whether a run like this can exercise a rule: what only moves a goal decides nothing."""
        return bool(rule.reasons) and (rule.area != ARGUMENTS or ARGUMENTS in self._gates)

    def _rule(self, rule: Rule) -> dict[str, Any]:
        gates = sorted({gate for reason in rule.reasons for gate in [gate_of(reason)] if gate})
        accepted = sum(self._gates.get(gate, Counter())["accept"] for gate in gates)
        refused = {
            reason: self._reasons.get(reason, Counter())[REFUSED]
            for reason in rule.reasons
            if refuses(reason)
        }
        given = {
            reason: self._reasons.get(reason, Counter())[ACCEPTED]
            for reason in rule.reasons
            if not refuses(reason)
        }
        ways = [*([REFUSED] if refused else []), ACCEPTED]
        # A rule that only says how something is accepted is exercised by its own reasons.
        counts = {
            ACCEPTED: accepted if refused else sum(given.values()),
            REFUSED: sum(refused.values()),
        }
        return {
            "id": rule.id,
            "area": rule.area,
            "gates": gates,
            "accepted": counts[ACCEPTED],
            "refused": counts[REFUSED],
            "reasons": {**refused, **given},
            "ways": ways,
            "exercised": [way for way in ways if counts[way]],
        }


def percent(exercised: int, ways: int) -> float:
    """Return a share in percent with one decimal, rounded down: 100 means everything."""
    return exercised * 1000 // ways / 10 if ways else 0.0


@cache
def _examples() -> Mapping[str, Mapping[str, Any]]:
    return rule_examples.shipped()["reasons"]


def gate_of(reason: str) -> str | None:
    """Return the gate that gives a reason, None for a reason that no example shows."""
    if reason.startswith(f"{ARGUMENTS}."):
        return ARGUMENTS  # its examples are recordings and no transcripts
    example = _examples().get(reason)
    return None if example is None else str(example["gate"])


@cache
def refuses(reason: str) -> bool:
    """Whether a reason is one of a refusal; some say how something was accepted."""
    example = _examples().get(reason)
    if example is None:
        return True
    transcript = example["transcript"]
    return "reject" in (
        set(_verdicts_of(reason, transcript)) or set(_verdicts_of(None, transcript))
    )


def _verdicts_of(reason: str | None, value: Any) -> Iterator[str]:
    """Yield the verdicts that a transcript expects with a reason, or with any."""
    if isinstance(value, list):
        for item in value:
            yield from _verdicts_of(reason, item)
    elif isinstance(value, dict):
        named = (value.get("reason"), *value.get("reason_in", ()))
        if "verdict" in value and (reason is None or reason in named):
            yield str(value["verdict"])
        for inner in value.values():
            yield from _verdicts_of(reason, inner)


def table(document: Mapping[str, Any]) -> str:
    """Return the table for people: a line a rule, what was not seen, and the share."""
    rows = document["rules"]
    width = max((len(rule["id"]) for rule in rows), default=4)
    lines = [f"{'rule':<{width}}  {'accepted':>8}  {'refused':>8}  not seen"] if rows else []
    for rule in rows:
        unseen = [reason for reason, count in rule["reasons"].items() if not count]
        refused = str(rule["refused"]) if REFUSED in rule["ways"] else "-"
        line = f"{rule['id']:<{width}}  {rule['accepted']:>8}  {refused:>8}  {', '.join(unseen)}"
        lines.append(line.rstrip())
    return "\n".join([*lines, summary_line(document["summary"])]) + "\n"


def summary_line(summary: Mapping[str, Any]) -> str:
    """Return the share as a sentence."""
    return (
        f"coverage: {summary['exercised']} of {summary['ways']} ways of {summary['rules']} rules "
        f"exercised ({summary['percent']} %)"
    )


def too_little(document: Mapping[str, Any], least: float | None) -> Iterator[str]:
    """Yield what is wrong where less was exercised than was asked for, in percent."""
    share = document["summary"]["percent"]
    if least is not None and share < least:
        yield f"coverage is {share} %, less than the {least} % that are asked for"


def write(path: Path, document: Mapping[str, Any]) -> None:
    """Write the JSON form to a file that ends in `.json`, else the table.

    Raises:
        ConformanceError: the file cannot be written.
    """
    as_json = path.suffix == ".json"
    text = f"{json.dumps(document, indent=1)}\n" if as_json else table(document)
    with failing_as(ConformanceError, f"{path}: cannot be written"):
        write_whole(path, text.encode())
