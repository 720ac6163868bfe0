"""The quick look for the pass of a loop guard says yes whenever the guards themselves would."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reasonix_runtime.evidence.receipts import Receipt
from reasonix_runtime.evidence.tasks import Task
from reasonix_runtime.gates.loop_guards import NO_GAIN_STOP, Ended, LoopGuards, stands_down
from reasonix_runtime.host.message_log import MessageLog

LIST = (Task(content="Fix add", status="in_progress"),)
CHECK = {"tool": "bash", "args": {"command": "pytest"}, "command": "pytest"}
LOOK = {"tool": "read_file", "args": {"path": "a"}, "read": True, "has_output": True}

FAILED_CHECK = Receipt(**CHECK, success=False)
RENEWED_LIST = Receipt(tool="todo_write", args={}, success=True, todos=LIST)
RECEIPTS = [
    FAILED_CHECK,
    RENEWED_LIST,
    Receipt(**CHECK, success=True),
    Receipt(**LOOK, success=True, paths=("a",)),
    Receipt(**LOOK, success=False, paths=("a",)),
    Receipt(tool="task", args={}, success=True),
    Receipt(tool="complete_step", args={}, success=True, step_proof=True),
    Receipt(tool="complete_step", args={}, success=True),
    Receipt(tool="remember", args={}, success=True, mutation=True),
    Receipt(tool="write_file", args={"path": "a"}, success=True, mutation=True, write=True),
    Receipt(tool="write_file", args={"path": "a"}, success=False),
]
MESSAGES = st.lists(st.sampled_from(RECEIPTS), min_size=1, max_size=3)


@given(st.lists(MESSAGES, max_size=3), MESSAGES, st.lists(MESSAGES, max_size=2), st.booleans())
@example([], [FAILED_CHECK, RENEWED_LIST], [], True).via("a failure again takes a gain back")
@settings(max_examples=300)
def test_no_pass_of_a_guard_is_missed(
    first: list[list[Receipt]],
    again: list[Receipt],
    last: list[list[Receipt]],
    host_state_counts: bool,
) -> None:
    """Without the look every message would be taken in at every end; a no that is wrong accuses."""
    guards, log = LoopGuards(), MessageLog(0)
    ledger: list[Receipt] = []
    for receipts in (*first, *[again] * (NO_GAIN_STOP + 1), *last):
        calls = [Ended(tool=one.tool, ok=one.success, error="no") for one in receipts]
        position = len(ledger)
        ledger += receipts
        log.ended += calls
        log.close(ledger, LIST)
        log.position = len(ledger)
        guards.message_ended(calls, receipts, position=position, done=0, unfinished=True)

    holds = stands_down(guards, ledger, host_state_counts=host_state_counts)

    assert not holds or log.may_grant_pass(0, host_state_counts=host_state_counts)


@pytest.mark.parametrize(
    ("statuses", "counted"),
    [
        ((), (0, False)),
        (("completed",), (1, False)),
        (("pending",), (0, True)),
        (("completed", "in_progress", ""), (1, True)),
        (("completed", "completed"), (2, False)),
    ],
)
def test_of_the_list_after_a_message_its_counts_are_kept(
    statuses: tuple[str, ...], counted: tuple[int, bool]
) -> None:
    """They are those of the latest list, after each message until another list is written."""
    log, tasks = MessageLog(0), tuple(Task(content="x", status=one) for one in statuses)
    for after in (LIST, tasks, tasks, ()):
        log.ended.append(Ended(tool="bash", ok=True))
        log.close([], after)

    kept = [(message.done, message.unfinished) for message in log.closed]

    assert kept == [(0, True), counted, counted, (0, False)]
