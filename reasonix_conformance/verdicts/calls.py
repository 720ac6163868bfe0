"""The calls of a recorded line, and the ledger and conversation that they leave."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.ledger_rules import LedgerRules
from reasonix_runtime.evidence.receipts import Receipt, receipt_of
from reasonix_runtime.evidence.session import SessionHistory, history_of
from reasonix_runtime.evidence.tasks import Task, task_of
from reasonix_runtime.trace.events import FAILURE_MARKS, Outcome


class RecordedCall(msgspec.Struct, frozen=True, kw_only=True):
    """One call as it is recorded; `child` are the calls of a run that it delegated to."""

    tool: str
    args: Any = None
    read_only: bool = False
    success: bool = False
    output: str = ""
    child: tuple[RecordedCall, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """How the call ended."""
        return "ok" if self.success else "error"


def receipt(call: RecordedCall, rules: LedgerRules, tasks: tuple[Task, ...] = ()) -> Receipt:
    """Make the receipt of one recorded call."""
    return receipt_of(
        call.tool,
        call.args,
        rules=rules,
        outcome=call.outcome,
        output=call.output,
        read_only=call.read_only,
        tasks=tasks,
    )


def ledger_of(calls: Iterable[RecordedCall], rules: LedgerRules) -> Ledger:
    """Fill a ledger; what a delegated run left comes just before the delegating call."""
    ledger = Ledger(rules)
    for call in calls:
        if call.child:
            ledger.merge_child(ledger_of(call.child, rules))
        ledger.record(receipt(call, rules, ledger.todos or ()))
    return ledger


def conversation_of(calls: Iterable[RecordedCall], rules: LedgerRules) -> SessionHistory:
    """Fill the memory of a conversation; every call has its result."""
    history = history_of(rules)
    for number, call in enumerate(calls):
        history.called(str(number), call.tool, call.args)
        fails = call.output.startswith(FAILURE_MARKS)
        history.answered(str(number), "error" if fails else call.outcome)
        history.message_ended()
    return history


def earlier_turn(
    history: SessionHistory, calls: Iterable[RecordedCall], rules: LedgerRules
) -> None:
    """Let a memory take in the ledger of an earlier turn."""
    history.turn_ended(ledger_of(calls, rules))


def tasks_of(items: Iterable[Any]) -> tuple[Task, ...]:
    """Read a recorded task list."""
    return tuple(task_of(item) for item in items)
