"""Every written transcript is judged as it says, under every rule set that it names.

What `fixtures/known-failures.yaml` lists is not built yet. That a rule which is gone is missed by
some transcript is asked in `test_catalogue.py`.
"""

from __future__ import annotations

import pytest
from places import TRANSCRIPTS
from transcript_cases import CASES, Case, replayed

from reasonix_runtime.gates.verdict import Decision, switched_off
from reasonix_runtime.trace.transcript import load


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0].id}-{case[1]}")
def test_a_transcript_holds(case: Case) -> None:
    """What people wrote down is what the host decides."""
    result = replayed(case)

    assert any(judged.expected is not None for judged in result.verdicts)
    assert [] == [text for judged in result.verdicts for text in judged.mismatches]


def test_every_key_of_a_transcript_is_read() -> None:
    """A misspelt one is only told, and would leave what it was to set as it is."""
    assert [] == [(case.id, unread.text) for case, _ in CASES for unread in case.unread]


def test_a_transcript_notices_when_nothing_is_waived() -> None:
    """The waiver accepts rather than refuses, so its absence shows in accepted turns."""
    with switched_off("finish.partial"):
        noticed = [case for case in CASES if case[1] == "facts" and replayed(case).failures]

    assert len(noticed) > 3


def test_the_ungated_line_has_no_gates_for_steps() -> None:
    """There the gates answer that they cannot be assessed, never that all is well."""
    decisions = {
        judged.verdict.decision
        for transcript in load(TRANSCRIPTS / "complete-step-args.yaml")
        for judged in replayed((transcript, "ungated")).verdicts
        if judged.subject == "complete_step"
    }

    assert {Decision.NOT_ASSESSABLE} == decisions
