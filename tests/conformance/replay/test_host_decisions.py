"""What the result of a call says of the host's own decision on it, and what says nothing."""

from __future__ import annotations

import pytest

from reasonix_conformance.replay.host_decisions import told_by_result
from reasonix_runtime.gates.verdict import Decision, Verdict, accept, refuse, reject
from reasonix_runtime.trace.events import Basis, Outcome, ToolResult

YES, NO = Decision.ACCEPT, Decision.REJECT

SIGNED = accept("complete_step")
UNSIGNED = reject("complete_step", refuse("step.missing", "no step"))
LET_PASS = accept("preflight")
KEPT = reject("preflight", refuse("preflight.criteria_required", "no list"))


@pytest.mark.parametrize(
    ("outcome", "basis", "text", "verdict", "told"),
    [
        ("ok", "host_rule", "signed off", UNSIGNED, YES),
        ("ok", "host_rule", "", UNSIGNED, None),
        ("ok", "host_rule", "", SIGNED, None),
        ("ok", "flag", "", UNSIGNED, YES),
        ("ok", "flag", "error: no step", UNSIGNED, None),
        ("ok", "flag", "no error: none", UNSIGNED, YES),
        ("error", "host_rule", "error: no step", SIGNED, NO),
        ("error", "flag", "", SIGNED, NO),
        ("not_run", "flag", "", SIGNED, None),
        ("not_run", "flag", "", UNSIGNED, NO),
        ("ok", "host_rule", "", LET_PASS, YES),
        ("ok", "host_rule", "", KEPT, None),
        ("ok", "host_rule", "12 files", KEPT, YES),
        ("ok", "exit_code", "", KEPT, YES),
        ("ok", "flag", "error: 3 of 12", KEPT, YES),
        ("error", "flag", "exit status 1", KEPT, YES),
        ("blocked", "flag", "", LET_PASS, NO),
    ],
)
def test_a_result_tells_a_decision_where_it_tells_how_the_call_ended(
    outcome: Outcome, basis: Basis, text: str, verdict: Verdict, told: Decision | None
) -> None:
    """Words that are not there may have been those of a refusal, and words may belie a flag."""
    error = text if outcome == "error" else None
    result = ToolResult(uid="main#1", outcome=outcome, basis=basis, text=text, error=error)

    assert told is told_by_result(result, verdict)
