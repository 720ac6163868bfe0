"""Calls that pass by: they may run, they ended well, and no gate looks at them.

Nearly all calls of a long trace are of this kind. What the state machine does about one of them
comes to a receipt, an entry in the memory of the session and one in that of the loop guards; here
this is done for many calls at once. Whatever could be more than that is left to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from reasonix_runtime.evidence.session import Call
from reasonix_runtime.host.run import Message

if TYPE_CHECKING:
    from reasonix_runtime.host.known_calls import KnownCalls
    from reasonix_runtime.host.run import Run
    from reasonix_runtime.trace.events import ToolCall, ToolResult

Pair: TypeAlias = "tuple[ToolCall, ToolResult]"
"""A call and its result, with nothing between them that a gate hears of."""


def pass_by(run: Run, pairs: Sequence[Pair], known_calls: KnownCalls) -> int:
    """Take in the first calls of a sequence, as far as they pass by; return how many they are."""
    if not pairs:
        return 0
    message = run.enter(pairs[0][0].step)
    gates, session, step = run.gates, run.session, message.step
    writers_pass = gates.writers_pass
    if writers_pass is None or session.awaits or message.change_failed:
        return 0
    log, receipts, rules, is_open = gates.log, run.ledger.receipts, run.ledger.rules, run.open
    ended, known_of, repeats_well = log.ended, known_calls.of, gates.repeats_well
    told: list[Call] = []
    began = 0
    for call, result in pairs:
        known = known_of(call)
        attempt = known.attempt
        if (
            not known.quick
            or result.outcome != "ok"
            or call.uid in is_open
            or not (writers_pass or attempt.inert)
            or (attempt.repeatable and not repeats_well(call))
        ):
            break
        if call.step != step or not step:
            step, began = call.step, len(told)
            log.close(receipts, run.tasks)
            ended = log.ended
        ended.append(known.ended)
        says = result.says_something
        kept = known.receipts.get(("ok", result.exit_code, says))
        receipts.append(kept or known.receipt("ok", result.exit_code, says, rules))
        told.append(known.told)
    if session.hears_calls:
        session.passed(told[:began])
        for call, _ in pairs[began : len(told)]:
            session.called(call.uid, call.name, call.args)
    if message.step != step:
        run.message = Message(step)
    return len(told)
