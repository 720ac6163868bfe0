"""What became of a call of which a recording tells no outcome."""

from __future__ import annotations

import pytest

from reasonix_runtime.gates import preflight
from reasonix_runtime.gates.proxy.course import GATE as PROXY_GATE
from reasonix_runtime.gates.verdict import Decision, Verdict
from reasonix_runtime.host.settling import settled
from reasonix_runtime.trace.events import Outcome

ACCEPT, REJECT, UNKNOWN = Decision.ACCEPT, Decision.REJECT, Decision.NOT_ASSESSABLE


def of(decision: Decision, gate: str = "own", reason: str | None = None, **facts: str) -> Verdict:
    return Verdict(decision=decision, gate=gate, reason=reason, facts=facts)


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([], "none"),
        ([of(ACCEPT)], "ok"),
        ([of(REJECT)], "error"),
        ([of(UNKNOWN)], "unknown"),
        ([of(ACCEPT, preflight.GATE)], "none"),
        ([of(REJECT, preflight.GATE)], "blocked"),
        ([of(REJECT, preflight.GATE), of(ACCEPT)], "blocked"),
        ([of(ACCEPT, preflight.GATE), of(REJECT)], "error"),
        ([of(REJECT, reason="batch.second_signoff")], "blocked"),
        ([of(REJECT, PROXY_GATE)], "blocked"),
        ([of(REJECT, PROXY_GATE, settles="failed")], "error"),
    ],
)
def test_a_call_ended_as_its_verdicts_say(verdicts: list[Verdict], expected: str) -> None:
    """What was kept from running leaves no receipt; what ran and failed leaves one of a failure."""
    assert expected == settled("none", verdicts)


@pytest.mark.parametrize("recorded", ["ok", "error", "blocked", "unknown"])
def test_a_recorded_outcome_stands(recorded: Outcome) -> None:
    """Also where the rules decide otherwise."""
    assert recorded == settled(recorded, [of(REJECT, preflight.GATE)])
