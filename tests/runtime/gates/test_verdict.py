"""Messages of accepts are written when somebody reads them."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest
from step_turn import StepTurn, verified

from reasonix_runtime.evidence.tasks import CURRENT, Task
from reasonix_runtime.gates.verdict import Verdict

TASKS = (Task(content="Write the parser", status=CURRENT), Task(content="Write its tests"))


def sign(turn: StepTurn) -> Verdict:
    return turn.sign(verified("pytest -q"), step="Write the parser")


def write(turn: StepTurn) -> Verdict:
    return turn.write({"content": "Write the parser", "status": CURRENT})


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        (
            sign,
            'Step "Write the parser" signed off with 1 evidence: verification 1. '
            "Host evidence: host-verified 1, manual/unverified 0. "
            'Todo step: todo-matched 1 ("Write the parser"). '
            'The host advanced the list; the current item is 2 "Write its tests".',
        ),
        (
            write,
            'The list is stored: 0 of 1 completed; the current item is 1 "Write the parser".',
        ),
    ],
)
def test_a_message_says_how_things_stood_when_it_was_decided(
    judge: Callable[[StepTurn], Verdict], message: str
) -> None:
    """It may be read turns later or in another process, and equals that of a like verdict."""
    turn = StepTurn(tasks=TASKS).run("pytest -q")
    verdict, like = judge(turn), judge(turn)
    turn.call("todo_write", todos=[{"content": "Something else", "status": CURRENT}])
    turn.ledger.clear()

    assert message == verdict.message
    assert message == pickle.loads(pickle.dumps(verdict)).message
    assert like == verdict
