"""What the result of a call says of the host's own decision on it, and what says nothing."""

from __future__ import annotations

import pytest

from reasonix_conformance.replay.host_decisions import (
    deciding_of,
    lets_pass,
    told_by_audit,
    told_by_result,
)
from reasonix_runtime.gates.verdict import Decision, Verdict, accept, refuse, reject
from reasonix_runtime.trace.events import Basis, HostVerdict, Judgement, Outcome, ToolResult

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
        ("ok", "flag", "", SIGNED, YES),
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
        ("blocked", "flag", "blocked: no list", LET_PASS, NO),
        ("blocked", "flag", "blocked: no list", SIGNED, None),
        *(
            ("blocked", "flag", f"{words}x", verdict, None)
            for words in (
                "blocked by permission policy",
                "blocked: Matched permission rule",
                "blocked: denied by ",
                "blocked: hook [",
                "blocked: plan mode forbids ",
                "blocked: the tool-call round budget ",
                "blocked: the user declined",
                "blocked: this directory is outside ",
                "blocked: this sub-agent cannot ",
            )
            for verdict in (LET_PASS, KEPT, UNSIGNED)
        ),
        *(
            ("error", "flag", f"{words}x", verdict, told)
            for words in (
                "unknown tool ",
                "invalid args",
                "argument_validation:",
                "argument validation failed for ",
            )
            for verdict, told in ((SIGNED, None), (UNSIGNED, NO))
        ),
        ("unknown", "flag", "", SIGNED, None),
        ("cancelled", "flag", "", KEPT, None),
    ],
)
def test_a_result_tells_a_decision_where_it_tells_how_the_call_ended(
    outcome: Outcome, basis: Basis, text: str, verdict: Verdict, told: Decision | None
) -> None:
    """Words that are not there may have been those of a refusal, and words may belie a flag."""
    error = None if outcome == "ok" or not text else text
    result = ToolResult(uid="main#1", outcome=outcome, basis=basis, text=text, error=error)

    assert told is told_by_result(result, verdict)


@pytest.mark.parametrize(("result", "told"), [("accept", YES), ("reject", NO), ("unknown", None)])
def test_an_audit_tells_what_it_says(result: Judgement, told: Decision | None) -> None:
    """A host that does not know has decided nothing."""
    assert told is told_by_audit(HostVerdict(gate="preflight", result=result))


@pytest.mark.parametrize(
    ("verdicts", "deciding"),
    [
        ((), None),
        ((LET_PASS,), LET_PASS),
        ((LET_PASS, SIGNED), SIGNED),
        ((KEPT, SIGNED), KEPT),
        ((LET_PASS, UNSIGNED, KEPT), UNSIGNED),
    ],
)
def test_the_first_refusal_settles_an_event_and_else_the_last_verdict(
    verdicts: tuple[Verdict, ...], deciding: Verdict | None
) -> None:
    """What stands behind a refusal was not asked any more."""
    assert deciding is deciding_of(verdicts)


@pytest.mark.parametrize(
    ("verdict", "host", "passes"),
    [
        (LET_PASS, None, True),
        (LET_PASS, YES, True),
        (LET_PASS, NO, False),
        (KEPT, YES, False),
        (SIGNED, YES, False),
        (accept("permission"), YES, True),
    ],
)
def test_a_gate_before_a_call_that_both_let_pass_is_nothing_to_report(
    verdict: Verdict, host: Decision | None, *, passes: bool
) -> None:
    """What the host refused and we would not is."""
    assert passes is lets_pass(verdict, host)
