"""What the host itself decided, read off what a recording tells: outcomes of calls, and its audits.

Beside each verdict of ours stands the decision of the host, where the recording shows it. A gate
that judges its own call (a sign-off, a list) shows it by how that call ended; a gate before a call
by whether the call ran at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from reasonix_conformance.readers.hosts.outcomes import BAD_ARGUMENTS
from reasonix_runtime.gates.verdict import Decision, Verdict
from reasonix_runtime.trace.events import HostVerdict, Outcome, ToolResult

BEFORE_CALLS: Final = frozenset({"preflight", "permission"})
"""Gates that are asked before a call, whatever tool it is of."""

_OF_OWN_CALL: Final[Mapping[Outcome, Decision]] = {
    "ok": Decision.ACCEPT,
    "error": Decision.REJECT,
    "blocked": Decision.REJECT,
    "not_run": Decision.REJECT,
}
# A call that ran and failed was let pass.
_BEFORE_CALL: Final[Mapping[Outcome, Decision]] = {
    "ok": Decision.ACCEPT,
    "error": Decision.ACCEPT,
    "running": Decision.ACCEPT,
    "blocked": Decision.REJECT,
}
_AUDIT: Final[Mapping[str, Decision]] = {"accept": Decision.ACCEPT, "reject": Decision.REJECT}
# First words of refusals that come from the user, from permissions, from hooks and budgets.
_NO_GATE: Final = (
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
_FAILED: Final = "error: "
# First words of failures before any gate of the call's own was asked: what a gate would have said
# of such a call is not told, unless it refuses the same call.
_AT_THE_DOOR: Final = ("unknown tool ", *BAD_ARGUMENTS)


def by_no_gate(result: ToolResult) -> bool:
    """Whether somebody else than a gate of the rules refused a call."""
    return (result.error or "").startswith(_NO_GATE)


def by_the_door(result: ToolResult) -> bool:
    """Whether a call failed before a gate of its own was asked."""
    return (result.error or "").startswith(_AT_THE_DOOR)


def told_by_result(result: ToolResult, verdict: Verdict) -> Decision | None:
    """Return what the result of a call says of the gate that gave a verdict on it.

    Where words alone tell how a call ended, none tell nothing: those of a refusal may be lost.
    """
    if by_no_gate(result):
        return None
    if result.basis == "host_rule" and not result.text and not lets_pass(verdict, None):
        return None
    if verdict.gate in BEFORE_CALLS:
        return _BEFORE_CALL.get(result.outcome)
    told = _OF_OWN_CALL.get(result.outcome)
    if told is Decision.REJECT and verdict.accepted and not _was_asked(result):
        return None
    # A success whose words are those of a refusal is one of the two, and nobody knows which.
    return None if told is Decision.ACCEPT and result.text.startswith(_FAILED) else told


def _was_asked(result: ToolResult) -> bool:
    """Whether a call came so far that a gate of its own was asked; that is a failure of the call.

    Who keeps a call from running at all is a gate before it, a hook, the user, or the end of a run.
    """
    return result.outcome == "error" and not by_the_door(result)


def told_by_audit(event: HostVerdict) -> Decision | None:
    """Return what the host says that it decided; None where it does not know."""
    return _AUDIT.get(event.result)


def deciding_of(verdicts: Sequence[Verdict]) -> Verdict | None:
    """Return the verdict that settles an event: the first refusal, else the last one."""
    for verdict in verdicts:
        if verdict.decision is Decision.REJECT:
            return verdict
    return verdicts[-1] if verdicts else None


def lets_pass(verdict: Verdict, host: Decision | None) -> bool:
    """Whether a gate before a call let it pass, as the host did: nothing to report."""
    return (
        verdict.decision is Decision.ACCEPT
        and host is not Decision.REJECT
        and verdict.gate in BEFORE_CALLS
    )
