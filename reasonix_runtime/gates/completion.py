"""The completion account: what a `complete` report claims, held against what happened.

The account of the latest successful report is reconciled with the receipts of the goal (goal
format, section 8). A claim can only add gaps; a backed claim never removes one that the host found
itself. The result is what the user is told; it does not move the goal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from reasonix_runtime.evidence.commands import classify, matches
from reasonix_runtime.evidence.effects.after_check import changes_behind
from reasonix_runtime.gates.goal.report import Completion, claim_of
from reasonix_runtime.gates.goal.turn import CHECKS_ONLY, Readiness
from reasonix_runtime.gates.verdict import Refusal, Verdict, accept, decide, is_on, refuse

if TYPE_CHECKING:
    from reasonix_runtime.evidence.ledger import Ledger
    from reasonix_runtime.evidence.receipts import Receipt
    from reasonix_runtime.gates.presets import Preset

ACCOUNT_GATE = "goal_account"
WAIVER_GATE = "goal_readiness"


class GapKind(StrEnum):
    """The kinds of gaps, in the order in which they are reported."""

    UNBACKED_CLAIM = "unbacked_claim"
    UNPROVEN_CRITERION = "unproven_criterion"
    MISSING_CHECK = "missing_check"
    FAILED_VERIFICATION = "failed_verification"
    STALE_VERIFICATION = "stale_verification"
    UNVERIFIED_CHANGE = "unverified_change"
    UNREVIEWED_CHANGE = "unreviewed_change"
    DECLARED_UNVERIFIED = "declared_unverified"


_ORDER = {kind: position for position, kind in enumerate(GapKind)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """One thing that is not proven: a command, a path, a criterion or a declared item.

    `why` is the reason code for gaps that come from the account; `grounds` the receipts meant.
    """

    kind: GapKind
    subject: str = ""
    why: str = ""
    grounds: tuple[int, ...] = ()


class WorkReport(StrEnum):
    """What the user is told about the whole work."""

    DONE = "done"
    PARTIAL = "partial"
    INCOMPLETE = "incomplete"
    UNKNOWN = "unknown"


class WorkContract(StrEnum):
    """Whether the host holds a contract of acceptance criteria, and whether it is fulfilled."""

    NONE = "none"
    COMPLETE = "complete"
    INCOMPLETE = "incomplete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The reconciled account: gaps in report order, risks as given, and the report."""

    gaps: tuple[Gap, ...]
    risks: tuple[str, ...]
    report: WorkReport


def latest_claim(receipts: Sequence[Receipt]) -> Completion | None:
    """Return the account of the latest successful `update_goal`, if that said `complete`."""
    for receipt in reversed(receipts):
        if receipt.tool == "update_goal" and receipt.success:
            return claim_of(receipt.args)
    return None


def reconcile(
    ledger: Ledger, *, host_gaps: Iterable[Gap] = (), contract: WorkContract = WorkContract.NONE
) -> tuple[Account, Verdict]:
    """Hold the latest account against the receipts of the goal.

    The verdict refuses when an entry of `verified` is refuted, with the first such reason.
    """
    claim = latest_claim(ledger.receipts)
    claimed = tuple(_claimed_gaps(claim, ledger)) if claim else ()
    gaps = sorted((*claimed, *host_gaps), key=lambda gap: _ORDER[gap.kind])
    risks = claim.risks if claim else ()
    judged = _anything_to_judge(ledger, claim, contract)
    account = Account(gaps=tuple(gaps), risks=risks, report=_report(judged, gaps, contract))
    facts = account_facts(account)
    verdict = decide(
        ACCOUNT_GATE,
        _refuted(claimed, facts),
        lambda: accept(
            ACCOUNT_GATE, reason=_account_reason(claim), message=_told(account), **facts
        ),
    )
    return account, verdict


def account_facts(account: Account) -> dict[str, Any]:
    """Return an account as a transcript compares it."""
    return {
        "gaps": [
            {"kind": gap.kind.value, "subject": gap.subject} | ({"why": gap.why} if gap.why else {})
            for gap in account.gaps
        ],
        "risks": list(account.risks),
        "report": account.report.value,
    }


def judge_waiver(
    readiness: Readiness,
    *,
    preset: Preset,
    claim: Completion | None,
    tests_forbidden: bool = False,
) -> Verdict:
    """Decide whether missing checks may be waived because they are declared."""
    return decide(
        WAIVER_GATE,
        _waiver_refusals(readiness, preset, claim, tests_forbidden=tests_forbidden),
        lambda: accept(
            WAIVER_GATE,
            reason="account.waived",
            message="the user forbade running tests"
            if tests_forbidden
            else "the missing checks are declared as unverified",
            missing=[],
        ),
    )


def _waiver_refusals(
    readiness: Readiness, preset: Preset, claim: Completion | None, *, tests_forbidden: bool
) -> Iterator[Refusal]:
    missing = list(readiness.missing)
    if not (preset.partial_completion or tests_forbidden):
        yield refuse(
            "account.not_waived",
            f"preset {preset.name} allows no partial completion",
            missing=missing,
        )
    if not (tests_forbidden or (claim and claim.unverified)):
        yield refuse(
            "account.not_waived",
            "the latest complete report declares nothing as unverified"
            if claim
            else "no complete report was taken, so nothing is declared as unverified",
            missing=missing,
        )
    if others := [entry for entry in missing if entry not in CHECKS_ONLY]:
        yield refuse(
            "account.not_waived",
            f"only checks can be waived, never {', '.join(others)}",
            missing=missing,
        )


def _claimed_gaps(claim: Completion, ledger: Ledger) -> Iterator[Gap]:
    """Yield what the account itself leaves open: refuted entries, then declared items."""
    change = _latest_change(claim, ledger)
    for entry in claim.verified:
        index = _last_run(entry, ledger)
        for why, holds in (
            ("account.never_ran", index is None),
            ("account.last_failed", index is not None and not ledger[index].success),
            (
                "account.before_change",
                index is not None and (index < change or _undone(entry, index, ledger)),
            ),
        ):
            if holds and is_on(why):
                grounds = () if index is None else (index,)
                yield Gap(kind=GapKind.UNBACKED_CLAIM, subject=entry, why=why, grounds=grounds)
                break
    for item in claim.unverified:
        yield Gap(kind=GapKind.DECLARED_UNVERIFIED, subject=item, why="account.declared")


def _undone(cited: str, index: int, ledger: Ledger) -> bool:
    """Whether the cited run changed something itself, after the command that is cited of it."""
    return bool(changes_behind(cited, ledger[index].command, ledger.rules.commands))


def _last_run(cited: str, ledger: Ledger) -> int | None:
    """Return the last run that tells how a cited command ended, None if no run does.

    A run tells nothing if its end was not seen, or if it succeeded with an exit status that is not
    that of the cited command.
    """
    for index in range(len(ledger) - 1, -1, -1):
        receipt = ledger[index]
        if not receipt.command or not _tells(receipt, ledger):
            continue
        match = ledger.match(cited, receipt.command)
        if cited == receipt.command or match:
            if receipt.success and not ledger.proves(cited, receipt.command):
                continue
            return index
    return None


def _tells(receipt: Receipt, ledger: Ledger) -> bool:
    """Whether a run says how its command ended: seen to end, and not stopped from outside."""
    if receipt.success:
        return receipt.settled and not receipt.ran_nothing
    exits = ledger.rules.inconclusive_exits
    return receipt.outcome == "error" and receipt.exit_code not in exits


def _latest_change(claim: Completion, ledger: Ledger) -> int:
    """Return the latest change; a run that the account itself cites is a check, not a change."""
    for index in range(len(ledger) - 1, -1, -1):
        receipt = ledger[index]
        if not receipt.changed:
            continue
        if not receipt.command or not _cites(claim, receipt.command, ledger):
            return index
    return -1


def _cites(claim: Completion, command: str, ledger: Ledger) -> bool:
    return any(
        entry == command or matches(entry, command, ledger.rules.commands)
        for entry in claim.verified
    )


def _anything_to_judge(ledger: Ledger, claim: Completion | None, contract: WorkContract) -> bool:
    rules = ledger.rules.commands
    return (
        contract is not WorkContract.NONE
        or (claim is not None and not claim.empty)
        or ledger.latest_mutation >= 0
        or any(
            receipt.command and classify(receipt.command, rules).verification for receipt in ledger
        )
    )


def _report(judged: bool, gaps: Sequence[Gap], contract: WorkContract) -> WorkReport:
    """Return the verdict on the whole work: the first of the four that holds."""
    if not judged:
        return WorkReport.UNKNOWN
    if contract is WorkContract.INCOMPLETE:
        return WorkReport.INCOMPLETE
    return WorkReport.PARTIAL if gaps else WorkReport.DONE


def _refuted(claimed: Iterable[Gap], facts: dict[str, Any]) -> Iterator[Refusal]:
    told = {
        "account.never_ran": "no run of {!r} was seen",
        "account.last_failed": "the last run of {!r} failed",
        "account.before_change": "the last run of {!r} is older than the latest change",
    }
    for gap in claimed:
        if gap.kind is GapKind.UNBACKED_CLAIM:
            message = told[gap.why].format(gap.subject)
            yield refuse(gap.why, message, grounds=gap.grounds, **facts)


def _account_reason(claim: Completion | None) -> str | None:
    """Return the reason of an account in which nothing is refuted."""
    claim = claim or Completion()
    for reason, holds in (
        ("account.declared", bool(claim.unverified)),
        ("account.risk", bool(claim.risks)),
        ("account.backed", bool(claim.verified)),
        ("account.no_account", True),
    ):
        if holds and is_on(reason):
            return reason
    return None


def _told(account: Account) -> str:
    counts = f"{len(account.gaps)} gaps, {len(account.risks)} risks"
    return f"the work is reported as {account.report}: {counts}"
