"""What a check finds, and what an item of the suite comes to.

A check is named by its requirement id. It yields nothing where the requirement holds, one finding
for each breach, and a finding of outcome `unknown` where the subject does not tell what the check
needs. The id is the same for pass, fail and unknown.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from reasonix_runtime.masking import mask
from reasonix_runtime.plain import plain, readable


class Level(StrEnum):
    """How binding a requirement is; SHOULD fails in strict runs only."""

    MUST = "must"
    SHOULD = "should"


class Outcome(StrEnum):
    """What came out; only `passed` is a pass."""

    PASSED = "passed"
    FAILED = "failed"
    UNKNOWN = "not_assessable"
    ADVICE = "advice"
    """A SHOULD that does not hold, in a run that is not strict."""
    KNOWN = "known_failure"
    """What does not hold is on the list of known failures."""
    UPDATED = "updated"
    """What did not hold was accepted: the run may write, and the new state has been recorded."""


class Finding(NamedTuple):
    """One breach of a requirement, or (`outcome` unknown) why it could not be judged.

    `at` is where to look (`file:line` or a pointer into the subject), `what` one sentence, `hint`
    what to do. `expected` and `found` may be left empty where the sentence says both; `details`
    are further lines, such as the changes of a schema.
    """

    check: str
    what: str
    at: str = ""
    expected: str = ""
    found: str = ""
    hint: str = ""
    details: tuple[str, ...] = ()
    level: Level = Level.MUST
    outcome: Outcome = Outcome.FAILED

    @property
    def sentence(self) -> str:
        """Where, what and what to do, in one line."""
        return f"{self.at}: {self.what}; {self.hint}"

    def listed(self, why: str) -> Finding:
        """Return a failure as one that is known, with the reason; any other finding as it is."""
        if self.outcome is not Outcome.FAILED:
            return self
        return self._replace(outcome=Outcome.KNOWN, details=(*self.details, why))

    def lines(self) -> list[str]:
        """Return the finding as lines of text for a person."""
        head = f"{self.check}: {self.what}"
        return [
            head,
            *(
                f"  {label:<9} {text}"
                for label, text in (
                    ("where", self.at),
                    ("expected", self.expected),
                    ("found", self.found),
                )
                if text
            ),
            *(f"    {line}" for detail in self.details for line in detail.split("\n")),
            *([f"  to do     {self.hint}"] if self.hint else []),
        ]


def unknown(check: str, why: str) -> Finding:
    """Return the finding of a check that cannot be made, with the reason."""
    return Finding(check=check, what=why, outcome=Outcome.UNKNOWN)


class Result(NamedTuple):
    """What one item came to: the checks that passed, and every finding of the others."""

    passed: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    facts: Mapping[str, object] = MappingProxyType({})
    """Further values for reports, JSON types only."""

    def of(self, outcome: Outcome) -> tuple[Finding, ...]:
        """Return the findings of one outcome, in the order of the checks."""
        return tuple(finding for finding in self.findings if finding.outcome is outcome)

    @property
    def outcome(self) -> Outcome:
        """The worst that happened; unknown only if nothing else could be judged."""
        for worst in (Outcome.FAILED, Outcome.KNOWN):
            if self.of(worst):
                return worst
        if self.passed or self.of(Outcome.UPDATED) or self.of(Outcome.ADVICE):
            return Outcome.PASSED
        return Outcome.UNKNOWN

    def text(self, subject: str) -> str:
        """Return the failure text: what failed and where, then what passed beside it."""
        failed = (*self.of(Outcome.FAILED), *self.of(Outcome.KNOWN))
        checks = dict.fromkeys(finding.check for finding in failed)
        lines = [f"{plain(subject)}: not met: {', '.join(checks)}", ""]
        for finding in failed:
            lines += [*finding.lines(), ""]
        for finding in self.of(Outcome.UNKNOWN):
            lines.append(f"not assessed: {finding.check}: {finding.what}")
        if self.passed:
            lines.append(f"passed: {', '.join(self.passed)}")
        return readable("\n".join(lines).rstrip(), lines=True)

    def record(self, kind: str, name: str) -> str:
        """Return the result as one line of JSON, the form in which it travels to reports."""
        return json.dumps(
            {
                "kind": kind,
                "name": mask(name),
                "outcome": self.outcome.value,
                "passed": list(self.passed),
                "findings": [
                    {
                        "check": finding.check,
                        "level": finding.level.value,
                        "outcome": finding.outcome.value,
                        "at": mask(finding.at),
                        "what": mask(finding.what),
                        "expected": mask(finding.expected),
                        "found": mask(finding.found),
                        "hint": mask(finding.hint),
                        "details": [mask(detail) for detail in finding.details],
                    }
                    for finding in self.findings
                ],
                **({"facts": dict(self.facts)} if self.facts else {}),
            },
            ensure_ascii=False,
        )
