"""Transcripts about sign-off, task list, ledger and reviews hold under the rule sets they name."""

from __future__ import annotations

from pathlib import Path

import pytest

from reasonix_conformance.replay.replay import replay_transcript
from reasonix_runtime.gates.policy import rule_set
from reasonix_runtime.gates.rules import RULES
from reasonix_runtime.gates.verdict import Decision, switched_off
from reasonix_runtime.trace.transcript import Transcript, load

FOLDER = Path(__file__).parents[2] / "fixtures" / "transcripts"
FILES = (
    "command-match",
    "complete-step-args",
    "contract-review",
    "contract-steps",
    "contract-todo",
    "ledger",
    "policy-steps",
    "review",
    "steps-facts",
    "todo",
)
CASES = [
    pytest.param(transcript, rules, id=f"{transcript.id}[{rules}]")
    for name in FILES
    for transcript in load(FOLDER / f"{name}.yaml")
    for rules in transcript.rules
]
REASONS = [
    reason
    for rule in RULES.values()
    if rule.area in ("steps", "todo", "review")
    for reason in rule.reasons
]
ELSEWHERE = {
    "review.medium_unproven",
    "review.tools_missing",
    "review.high_missing_review",
    "review.high_missing_security",
    "review.blocking",
}
"""Reasons of the structured review, which the transcripts of the end of turn exercise."""


@pytest.mark.parametrize(("transcript", "rules"), CASES)
def test_a_transcript_holds(transcript: Transcript, rules: str) -> None:
    """What people wrote down is what the host decides."""
    result = replay_transcript(transcript, rule_set(rules))

    expected = [judged for judged in result.verdicts if judged.expected is not None]
    assert expected
    assert [] == [text for judged in expected for text in judged.mismatches]


@pytest.mark.parametrize("reason", [reason for reason in REASONS if reason not in ELSEWHERE])
def test_switching_a_reason_off_is_noticed(reason: str) -> None:
    """A rule that no transcript would miss is not tested."""
    for case in CASES:
        transcript, rules = case.values
        expectations = replay_transcript(transcript, rule_set(rules)).verdicts
        if not any(judged.verdict.reason == reason and judged.held for judged in expectations):
            continue
        with switched_off(reason):
            again = replay_transcript(transcript, rule_set(rules)).verdicts
        if any(judged.held is False for judged in again):
            return
    pytest.fail(f"no transcript notices that {reason} is switched off")


def test_every_file_holds_accepted_and_refused_verdicts() -> None:
    """A gate that refuses, or takes, everything must not pass."""
    for name in FILES:
        found = {
            judged.verdict.decision
            for transcript in load(FOLDER / f"{name}.yaml")
            for judged in replay_transcript(transcript, rule_set(transcript.rules[0])).verdicts
        }
        assert {Decision.ACCEPT, Decision.REJECT} <= found, name


def test_the_ungated_line_has_no_such_gates() -> None:
    """There the gates answer that they cannot be assessed, never that all is well."""
    ungated = rule_set("ungated")
    decisions = {
        judged.verdict.decision
        for transcript in load(FOLDER / "complete-step-args.yaml")
        for judged in replay_transcript(transcript, ungated).verdicts
        if judged.subject == "complete_step"
    }

    assert {Decision.NOT_ASSESSABLE} == decisions
