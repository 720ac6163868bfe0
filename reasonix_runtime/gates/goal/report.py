"""`update_goal`: the model reports on its goal, the host takes a candidate or fails closed.

A call changes no goal. Its checks are asked in this order: first the arguments, then whether a goal
turn runs at all, then whether the goal is still the one that the turn began with, then what was
already reported in the turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from reasonix_runtime.evidence.arguments import Fields
from reasonix_runtime.gates.goal.state import Binding, GoalState, GoalStatus, binding
from reasonix_runtime.gates.verdict import Refusal, Verdict, accept, decide, is_on, refuse

if TYPE_CHECKING:
    from reasonix_runtime.gates.goal.policy import GoalRules

GATE = "update_goal"

WIRE_STATUS: Mapping[str, GoalStatus] = {
    "continue": GoalStatus.RUNNING,
    "complete": GoalStatus.COMPLETE,
    "blocked": GoalStatus.BLOCKED,
}
"""The word of a call and the state that it stands for."""

_WIRE_WORD = {status: word for word, status in WIRE_STATUS.items()}

UNCHANGED = "No goal state was changed."
"""Ends every refusal of a goal tool."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """The account that a report gives: commands said to have passed, items not checked, risks."""

    verified: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    risks: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether the account says nothing."""
        return not (self.verified or self.unverified or self.risks)


NO_ACCOUNT = Completion()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One accepted call; texts are trimmed, blank `unverified` and `risks` are dropped."""

    status: GoalStatus
    reason: str = ""
    next_action: str = ""
    completion: Completion = NO_ACCOUNT

    @property
    def terminal(self) -> bool:
        """Whether the report ends the goal: everything but `continue`."""
        return self.status is not GoalStatus.RUNNING

    @property
    def word(self) -> str:
        """The word of the call, `continue` for a running goal."""
        return _WIRE_WORD[self.status]

    def same_as(self, other: Report) -> bool:
        """Whether both say the same; the account plays no part in that (check 9)."""
        mine = (self.status, self.reason, self.next_action)
        return mine == (other.status, other.reason, other.next_action)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorder:
    """What a goal turn remembers: the goal it began with and the report it has taken."""

    bound: Binding
    report: Report | None = None

    def readable(self, goal: GoalState) -> Report | None:
        """Return the report, unless the goal was replaced or stopped since the turn began."""
        return self.report if self.bound == binding(goal) else None


@dataclass(frozen=True, slots=True)
class _Arguments:
    """The arguments as far as they can be read; `wrong` names what has the wrong type."""

    status: str = ""
    reason: str = ""
    next_action: str = ""
    completion: Completion = NO_ACCOUNT
    blank_verified: int | None = None
    wrong: str = ""

    @property
    def report(self) -> Report | None:
        """The report that these arguments make, None without a known status."""
        status = WIRE_STATUS.get(self.status)
        if self.wrong or status is None:
            return None
        return Report(
            status=status,
            reason=self.reason,
            next_action=self.next_action,
            completion=self.completion,
        )


def read_report(args: Any) -> Report | None:
    """Return what a call would report, whatever the goal; None when its arguments do not fit."""
    return _read(args).report


def claim_of(args: Any) -> Completion | None:
    """Return the account of a call that reports `complete`; None for every other call."""
    report = read_report(args)
    if report is None or report.status is not GoalStatus.COMPLETE:
        return None
    return report.completion


def judge_report(
    args: Any, *, goal: GoalState, recorder: Recorder | None, rules: GoalRules
) -> Verdict:
    """Judge one call of `update_goal`; `recorder` is None when no goal turn is running.

    An accepted verdict carries the word of the report as fact `candidate`. The caller stores the
    report with :func:`record`; the goal itself never moves here.
    """
    given = _read(args)
    return decide(
        GATE,
        _refusals(given, goal=goal, recorder=recorder, rules=rules),
        lambda: _accepted(given, recorder),
    )


def record(recorder: Recorder, report: Report) -> Recorder:
    """Return the recorder with this report as its candidate; an equal repeat changes nothing."""
    if recorder.report is not None and recorder.report.same_as(report):
        return recorder
    return replace(recorder, report=report)


def result_text(report: Report) -> str:
    """Return what the model is told after an accepted call."""
    taken = f"Recorded: {report.word}. The host decides when this turn has ended."
    if report.status is not GoalStatus.COMPLETE:
        return taken
    account = report.completion
    if account.empty:
        return f"{taken} No account was given, so only what the host observed will be reported."
    return (
        f"{taken} Account: {len(account.verified)} verified, {len(account.unverified)} unverified, "
        f"{len(account.risks)} risks."
    )


def _refusals(
    given: _Arguments, *, goal: GoalState, recorder: Recorder | None, rules: GoalRules
) -> Iterator[Refusal]:
    """Ask checks 1 to 7 and 11, in their order."""
    yield from _argument_refusals(given)
    if recorder is None:
        yield refuse("goal.no_turn", f"No goal turn is running. {UNCHANGED}")
        return
    if recorder.bound != binding(goal) or not goal.running:
        yield refuse(
            "goal.stale", f"The goal was replaced or stopped since this turn began. {UNCHANGED}"
        )
    earlier, report = recorder.report, given.report
    if earlier is None or report is None:
        return
    follows = rules.upgrade_after_continue if report.terminal else rules.repeat_continue
    if earlier.terminal or not follows:
        yield refuse(
            "goal.final", f"This turn already reported {earlier.word!r}; that stands. {UNCHANGED}"
        )
    elif not report.terminal and not earlier.same_as(report):
        yield refuse(
            "goal.conflict",
            f"This turn already reported 'continue' with another {_other(earlier, report)}; "
            f"the first one stands. {UNCHANGED}",
        )


def _other(earlier: Report, report: Report) -> str:
    """Name what two reports of the same word tell differently."""
    parts = (
        ("reason", earlier.reason, report.reason),
        ("next_action", earlier.next_action, report.next_action),
    )
    return " and another ".join(name for name, one, other in parts if one != other)


def _argument_refusals(given: _Arguments) -> Iterator[Refusal]:
    """Ask checks 1 to 4: what the call says, whether or not a goal turn is running."""
    if given.wrong:
        yield refuse("goal.args", f"{given.wrong}. {UNCHANGED}")
    if given.status not in WIRE_STATUS:
        yield refuse(
            "goal.status",
            f"status is {given.status!r}: expected 'continue', 'complete' or 'blocked'. "
            f"{UNCHANGED}",
        )
    if given.status in ("continue", "blocked") and not given.reason:
        yield refuse(
            "goal.reason", f"status {given.status!r} needs a reason that is not blank. {UNCHANGED}"
        )
    if given.blank_verified is not None:
        yield refuse(
            "goal.verified_blank",
            f"completion.verified[{given.blank_verified}] is blank: name the command that ran, or "
            f"leave the entry out. {UNCHANGED}",
        )


def _accepted(given: _Arguments, recorder: Recorder | None) -> Verdict:
    """Say how the report was taken (checks 8 to 10)."""
    report = given.report
    if report is None:
        return accept(GATE, message="taken without a readable report")
    earlier = recorder.report if recorder else None
    reason = _taken_as(report, earlier)
    return accept(GATE, reason=reason, message=result_text(report), candidate=report.word)


def _taken_as(report: Report, earlier: Report | None) -> str | None:
    """Return the reason of an accepted report: first, repeated or raised."""
    candidates = (
        ("goal.same", earlier is not None and earlier.same_as(report)),
        ("goal.upgrade", earlier is not None and report.terminal),
        ("goal.recorded", earlier is None),
    )
    return next((reason for reason, holds in candidates if holds and is_on(reason)), None)


def _read(args: Any) -> _Arguments:
    """Read the arguments: keys in any case, null as absent, unknown keys ignored."""
    given = Fields(args)
    account = given.object("completion")
    verified = tuple(entry.strip() for entry in account.texts("verified"))
    return _Arguments(
        status=given.text("status").strip().lower(),
        reason=given.text("reason").strip(),
        next_action=given.text("next_action").strip(),
        completion=Completion(
            verified=_said(verified),
            unverified=_said(account.texts("unverified")),
            risks=_said(account.texts("risks")),
        ),
        blank_verified=next((i for i, entry in enumerate(verified) if not entry), None),
        wrong="; ".join(given.problems),
    )


def _said(entries: tuple[str, ...]) -> tuple[str, ...]:
    """Return the entries that say something, trimmed."""
    return tuple(entry.strip() for entry in entries if entry.strip())
