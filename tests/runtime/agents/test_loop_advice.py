"""What a live host makes of its loop guards: it tells the model, and pauses what stands still."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from child_bench import task, texts
from run_bench import Live, assert_circle, calls, says

from reasonix_runtime.agents.model import Request
from reasonix_runtime.agents.talk import STALLED
from reasonix_runtime.agents.turn import Ending
from reasonix_runtime.gates.loop_guards import ADVICE, STALL_NUDGE, STALL_PAUSE
from reasonix_runtime.gates.policy import CONTRACT, UNGATED, Policy
from reasonix_runtime.trace.events import User

Make = Callable[..., Live]

PLAN = says("", calls("todo_write", todos=[{"content": "Write it", "status": "in_progress"}]))
FAILS = says("", calls("read_file", path="none.py"))
FAILS_TWICE = says("", *FAILS.calls, *FAILS.calls)
LOOKS = says("", calls("read_file", path="a.py"))
BLOCKED = says("", calls("write_file", path="a.py", content="x"))
DONE = says("done")


def advice(live: Live) -> list[str]:
    """Return what the host said to the model by itself, but for what holds the turn back."""
    return [
        one.text for one in live.told(User) if one.origin == "host" and "cannot end" not in one.text
    ]


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ([FAILS] * 2, []),
        ([FAILS] * 3, ["identical_responses"]),
        ([FAILS] * 5, ["identical_responses"]),
        ([FAILS_TWICE] * 2, []),
        ([BLOCKED] * 3, ["identical_responses"]),
        ([LOOKS] * 2, []),
        ([LOOKS] * 3, ["no_new_evidence"]),
        ([LOOKS] * 5, ["no_new_evidence"] * 2),
        ([LOOKS, FAILS, FAILS, LOOKS, FAILS, FAILS], []),
    ],
)
def test_a_model_that_turns_in_circles_is_told_once(
    make_live: Make, answers: list[object], told: list[str]
) -> None:
    """What it reads before its next answer, and not with every further response."""
    live = make_live(*answers, DONE, profile="delivery")
    (live.root / "a.py").write_text("x = 1\n")
    live.turn()

    assert [ADVICE[guard] for guard in told] == advice(live)
    assert set(advice(live)) <= set(live.heard("user"))
    assert_circle(live)


def test_a_run_whose_list_stands_still_is_told_and_then_pauses(make_live: Make) -> None:
    """It ends incomplete; the next turn begins anew."""
    live = make_live(PLAN, *[FAILS] * (STALL_PAUSE - 1), DONE, FAILS, *[DONE] * 9)
    result = live.turn()

    assert (Ending.INCOMPLETE, STALLED) == (result.ending, result.why)
    assert STALL_PAUSE == len(live.model.requests)
    stalls = [ADVICE["todo_stall"] in request.messages[-1].text for request in live.model.requests]
    assert [STALL_NUDGE] == [at for at, told in enumerate(stalls) if told]
    assert STALLED not in (live.turn().why, live.turn().why)
    assert_circle(live)


@pytest.mark.parametrize(("policy", "told"), [(CONTRACT, 1), (UNGATED, 0)])
def test_where_there_are_no_gates_nobody_is_told(
    make_live: Make, policy: Policy, told: int
) -> None:
    """A rule set without them leaves the model alone."""
    live = make_live(*[FAILS] * 4, DONE, policy=policy)
    live.turn()

    assert told == len(advice(live))


def test_a_child_whose_list_stands_still_is_told_and_fails(
    make_live: Make, requests: list[Request]
) -> None:
    """Its parent hears why, and nothing of the advice."""
    live = make_live(task(PLAN, *[FAILS] * STALL_PAUSE, steps=STALL_PAUSE + 2), DONE)
    live.turn()

    of_child, of_parent = requests[-2].messages, requests[-1].messages
    assert ADVICE["todo_stall"] in [message.text for message in of_child]
    assert "user" not in [message.role for message in of_parent[-2:]]
    assert f"error: the sub-agent failed: {STALLED}" == texts(live)[0].split("\n")[0]
    assert_circle(live)
