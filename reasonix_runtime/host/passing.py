"""The fast path: calls that may run, whose end nothing waits for, and that no gate looks at.

Nearly all calls of a long trace are of this kind. All that the state machine does about one of them
is to add a receipt, an entry in the memory of the session and one for the loop guards. Here that is
done for many calls at once; the first call that could need more is left to the state machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from reasonix_runtime.evidence.checks.tests_ran import ran_nothing
from reasonix_runtime.evidence.session import Call
from reasonix_runtime.gates.preflight import Attempt, MayRun
from reasonix_runtime.host.message_log import failed
from reasonix_runtime.host.run import Message

if TYPE_CHECKING:
    from reasonix_runtime.evidence.session import SessionHistory
    from reasonix_runtime.host.known_calls import KnownCalls
    from reasonix_runtime.host.run import Run
    from reasonix_runtime.trace.events import Outcome, ToolCall, ToolResult

Pair: TypeAlias = "tuple[ToolCall, ToolResult]"
"""A call and its result, with nothing between them that a gate hears of."""


def pass_by(run: Run, pairs: Sequence[Pair], known_calls: KnownCalls) -> int:
    """Take in calls, of one or more, up to the first that needs a look; return how many."""
    message = run.enter(pairs[0][0].step)
    gates, session, step = run.gates, run.session, message.step
    may_pass = gates.may_pass_by
    if may_pass is MayRun.NONE or session.awaits or message.change_failed:
        return 0
    writers_pass, is_open, ledger = may_pass is MayRun.ANY, run.open, run.ledger
    log, receipts, rules = gates.memory.log, ledger.receipts, ledger.rules
    ended, repeats_well, hears_calls = log.ended, gates.repeats_well, session.hears_calls
    told: list[Call] = []
    count, began, begun = 0, 0, 0
    for call, result in pairs:
        known, outcome = known_calls.of(call), result.outcome
        attempt = known.attempt
        if (
            not known.quick
            or call.uid in is_open
            or not (writers_pass or attempt.inert)
            or (outcome != "ok" and not _fails_alone(attempt, outcome))
            or (hears_calls and result.reads_as_failure)
            or (
                known.counted
                and ran_nothing(result.text, lenient=known.lenient, failed=outcome != "ok")
            )
            or (attempt.repeatable and not repeats_well(call))
        ):
            break
        if call.step != step or not step:
            if is_open:
                run.leave()
            step, began, begun = call.step, count, len(told)
            log.close(receipts, run.tasks)
            ended = log.ended
        says = result.says_something
        kept = known.receipts.get((outcome, result.exit_code, says))
        receipts.append(kept or known.receipt(outcome, result.exit_code, says, rules))
        if outcome == "ok":
            ended.append(known.ended)
            told.append(known.told)
        else:
            ended.append(failed(call.name, result))
        count += 1
    if hears_calls:
        _tell(session, told[:begun], pairs[began:count])
    _note(run, count)
    if message.step != step:
        run.message = Message(step)
    return count


def _note(run: Run, count: int) -> None:
    """Note that so many calls were made and have ended."""
    if count:
        if run.open:
            run.note_changes(len(run.ledger.receipts) - count, run.made + 1)
        run.made += count
        run.ended = run.made


def _tell(session: SessionHistory, ended: list[Call], latest: Sequence[Pair]) -> None:
    """Tell a conversation of messages that are over, and of the calls of the latest one."""
    session.passed(ended)
    for call, result in latest:
        session.called(call.uid, call.name, call.args)
        session.answered(call.uid, result.outcome)


def _fails_alone(attempt: Attempt, outcome: Outcome) -> bool:
    """Whether a failure holds nothing up, and no guard of repeated writes has to hear of it."""
    return outcome == "error" and not (attempt.raises_barrier or attempt.repeatable)
