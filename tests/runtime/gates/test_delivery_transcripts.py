"""The written transcripts of the delivery gates, and the rules that they exercise."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from reasonix_conformance.replay.replay import replay_transcript
from reasonix_runtime.gates.policy import rule_set
from reasonix_runtime.gates.rulebook import capability_routes, delivery, duties
from reasonix_runtime.gates.verdict import switched_off
from reasonix_runtime.trace.transcript import Transcript, load

FOLDER = Path(__file__).parents[3] / "fixtures" / "transcripts"
FILES = (
    "capability",
    "contract-delivery",
    "delivery-classic",
    "delivery-facts",
    "duties",
    "loop-guards",
    "preflight",
)


@cache
def transcripts() -> tuple[Transcript, ...]:
    """Return all transcripts of the delivery gates."""
    return tuple(item for name in FILES for item in load(FOLDER / f"{name}.yaml"))


def cases() -> list[tuple[Transcript, str]]:
    """Return each transcript with each rule set that it names."""
    return [(item, name) for item in transcripts() for name in item.rules]


def failures(transcript: Transcript, rules: str) -> list[str]:
    """Replay and return what is not as expected."""
    result = replay_transcript(transcript, rule_set(rules))
    return [text for judged in result.verdicts for text in judged.mismatches]


@pytest.mark.parametrize(
    ("transcript", "rules"), cases(), ids=[f"{item.id}-{name}" for item, name in cases()]
)
def test_a_written_transcript_is_judged_as_it_says(transcript: Transcript, rules: str) -> None:
    """Each of them is a case that somebody met or could meet."""
    assert [] == failures(transcript, rules)


def refuses(transcript: Transcript, reason: str) -> bool:
    """Whether some expectation of a transcript names this reason for not accepting."""
    for turn in transcript.turns:
        for item in (*turn.steps, turn.end):
            found = item.expect if item is not None else None
            if found is not None and found.verdict != "accept" and found.reason == reason:
                return True
    return False


REASONS = [
    reason
    for area in (delivery, capability_routes, duties)
    for rule in area.RULES
    for reason in rule.reasons
    if reason != "finish.partial"
]


@pytest.mark.parametrize("reason", REASONS)
def test_a_transcript_notices_when_a_rule_is_gone(reason: str) -> None:
    """A rule that nothing notices could be deleted, and nobody would know."""
    concerned = [pair for pair in cases() if refuses(pair[0], reason)]

    with switched_off(reason):
        noticed = [item.id for item, rules in concerned if failures(item, rules)]

    assert noticed


def test_a_transcript_notices_when_nothing_is_waived() -> None:
    """The waiver accepts rather than refuses, so its absence shows in accepted turns."""
    waived = [pair for pair in cases() if pair[1] == "facts"]

    with switched_off("finish.partial"):
        noticed = [item.id for item, rules in waived if failures(item, rules)]

    assert len(noticed) > 3
