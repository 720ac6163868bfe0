"""What the verdicts on a call make of it: whether it ran, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from reasonix_runtime.gates import preflight
from reasonix_runtime.gates.capability import RouteOutcome
from reasonix_runtime.gates.proxy.course import GATE as PROXY_GATE
from reasonix_runtime.gates.verdict import Decision, Verdict
from reasonix_runtime.trace.events import Outcome


def refusing(verdicts: Sequence[Verdict]) -> Verdict | None:
    """Return the first verdict that refuses."""
    for verdict in verdicts:
        if verdict.decision is Decision.REJECT:
            return verdict
    return None


def failing(verdict: Verdict | None) -> Verdict | None:
    """Return the refusal of a proxy's target, if it is one, noted as a target that failed."""
    if verdict is None or verdict.accepted:
        return None
    facts = {**verdict.facts, "settles": RouteOutcome.FAILED}
    return msgspec.structs.replace(verdict, facts=facts)


def _keeps_from_running(refusal: Verdict) -> bool:
    """Whether a refused call never ran: a preflight refusal, or a second sign-off (CS-16).

    What the proxy stops never ran either, unless it went as far as the ledger of capabilities.
    """
    if refusal.gate == PROXY_GATE:
        return "settles" not in refusal.facts
    return refusal.gate == preflight.GATE or refusal.reason == "batch.second_signoff"


def settled(recorded: Outcome, verdicts: Sequence[Verdict]) -> Outcome:
    """Return the recorded outcome, or what the verdicts say of a call without one.

    Preflight only says that a call may run, not that it did. So a call that was never answered,
    and whose tool has no gate of its own, keeps the outcome `none` and leaves nothing.
    """
    if recorded != "none" or not verdicts:
        return recorded
    refusal = refusing(verdicts)
    if refusal is not None:
        return "blocked" if _keeps_from_running(refusal) else "error"
    own = [verdict for verdict in verdicts if verdict.gate != preflight.GATE]
    if not own:
        return recorded
    return "ok" if all(verdict.accepted for verdict in own) else "unknown"
