"""A turn of the loop: what the model is told, when the turn ends, and what is on record of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from run_bench import Live, calls, says

from reasonix_runtime.agents.model import Finish
from reasonix_runtime.agents.talk import CUT_OFF
from reasonix_runtime.agents.turn import Ending, Limits
from reasonix_runtime.gates.policy import CLASSIC, CONTRACT, UNGATED
from reasonix_runtime.tools.behaviours import built_in_behaviours
from reasonix_runtime.trace.events import (
    Host,
    HostVerdict,
    Session,
    ToolCall,
    ToolResult,
    TurnEnd,
    User,
)

Make = Callable[..., Live]

WRITE = says("", calls("write_file", path="a.py", content="x = 1\n"))
LOOK = says("", calls("read_file", path="a.py"))
CHECK = says("", calls("bash", command="python3 -m unittest -q"))
PLAN = says("", calls("todo_write", todos=[{"content": "Write it", "status": "in_progress"}]))
TEST = "import unittest\nclass T(unittest.TestCase):\n    def test(self): import a\n"


def statuses(live: Live) -> list[str]:
    """Return how the turns ended."""
    return [event.status for event in live.told(TurnEnd)]


def test_an_answer_without_calls_ends_a_turn_that_owes_nothing(make_live: Make) -> None:
    """A question needs one answer and no tool."""
    live = make_live(says("It is a parser."))

    result = live.turn("What is this?")

    assert (result.ending, result.answer) == (Ending.ACCEPTED, "It is a parser.")
    assert ["completed"] == statuses(live)
    assert ["accept"] == [event.result for event in live.told(HostVerdict)]


def test_the_model_is_offered_what_works_and_no_other_tool(make_live: Make) -> None:
    """The array is the visible part of the registry, in wire order, the same in every request."""
    live = make_live(LOOK, says("done"))
    live.turn()

    first, second = (request.tools for request in live.model.requests)
    assert first == second
    assert [entry.name for entry in first] == [
        "bash",
        "bash_output",
        "complete_step",
        "edit_file",
        "kill_shell",
        "read_file",
        "todo_write",
        "update_goal",
        "use_capability",
        "wait",
        "write_file",
    ]


def test_results_go_back_to_the_model_in_the_order_of_the_calls(make_live: Make) -> None:
    """Each is bound to its call by the id that the model gave."""
    live = make_live(
        says("", calls("bash", command="echo one"), calls("bash", command="echo two")), says("done")
    )
    live.turn()

    answers = [message for message in live.model.requests[-1].messages if message.role == "tool"]
    assert [("call_1", "one\n"), ("call_2", "two\n")] == [
        (message.answers, message.text) for message in answers
    ]


def test_broken_arguments_and_unknown_tools_are_results_like_any_other(make_live: Make) -> None:
    """A model that errs is told, and the loop goes on."""
    live = make_live(
        says("", calls("bash", raw='{"command": "ec')),
        says("", calls("bahs", command="x")),
        says("done"),
    )

    assert live.turn().ending is Ending.ACCEPTED
    cut, unknown = live.heard("tool")
    assert cut.startswith("error: invalid args: the arguments were cut off after 15 characters")
    assert unknown == "error: unknown tool \"bahs\" (did you mean 'bash'?)\n"


def test_what_the_rules_refuse_is_told_as_the_result_of_the_call(make_live: Make) -> None:
    """Without a plan a delivery run may not change anything."""
    live = make_live(WRITE, says("done"), profile="delivery")
    live.turn()

    (told,) = live.heard("tool")
    assert told.startswith("blocked: ")
    assert not (live.root / "a.py").exists()


@pytest.mark.parametrize("call", [calls("write_file", raw='{"path"'), calls("nothing", path="a")])
def test_a_refusal_comes_before_what_is_wrong_with_a_call(make_live: Make, call: Any) -> None:
    """A replay judges every call, so the run must have been judged by the same."""
    live = make_live(says("", *LOOK.calls, *WRITE.calls, call), says("done"), profile="delivery")
    live.turn()

    assert ["error", "blocked", "blocked"] == [event.outcome for event in live.told(ToolResult)]


def test_the_verdict_of_a_gate_is_the_result_of_its_call(make_live: Make) -> None:
    """A sign-off of what never ran is refused, and the model reads why."""
    evidence = [{"kind": "verification", "summary": "green", "command": "pytest -q"}]
    live = make_live(
        says("", calls("todo_write", todos=[{"content": "Fix it", "status": "in_progress"}])),
        says("", calls("complete_step", step="Fix it", result="done", evidence=evidence)),
        says("done"),
    )
    live.turn()

    told = live.heard("tool")[-1]
    assert told.startswith("error: ")
    assert "pytest -q" in told


def held(live: Live) -> list[str]:
    """Return the answers that were held back."""
    return [event.data["answer"] for event in live.told(Host) if event.name == "held_back"]


def test_a_held_back_turn_goes_on_and_is_let_end_when_the_rest_is_done(make_live: Make) -> None:
    """The model is told what is open, does it, and ends."""
    live = make_live(WRITE, says("Written."), LOOK, CHECK, says("Checked."))
    (live.root / "test_a.py").write_text(TEST)

    result = live.turn()

    assert ["Written."] == held(live)
    told = [event.text for event in live.told(User) if event.origin == "host"]
    assert ["the turn cannot end yet; in this order:"] == [text.split("\n")[0] for text in told]
    assert told[0] in live.heard("user")
    assert (Ending.ACCEPTED, "Checked.") == (result.ending, result.answer)
    assert ["completed"] == statuses(live)


@pytest.mark.parametrize(
    ("settings", "times"),
    [
        ({"policy": CONTRACT}, 4),
        ({"policy": CLASSIC, "profile": "delivery"}, 7),
        ({"policy": CONTRACT, "limits": Limits(follow_ups=1)}, 2),
        ({"policy": CONTRACT, "limits": Limits(follow_ups=0)}, 1),
    ],
    ids=["contract", "classic", "one", "none"],
)
def test_a_model_that_repeats_itself_is_stopped_incomplete(
    make_live: Make, settings: Any, times: int
) -> None:
    """As often as the gate says, else as the limits do; it is never taken for a good end."""
    live = make_live(PLAN, WRITE, *[says("Done.")] * 9, **settings)

    result = live.turn()

    assert (Ending.INCOMPLETE, "Done.") == (result.ending, result.answer)
    assert ["Done."] * times == held(live)
    assert result.verdict is not None
    assert not result.verdict.accepted
    assert ["failed"] == statuses(live)
    assert [] == live.told(HostVerdict)
    assert f"incomplete: the turn was held back {times} times" == live.told(TurnEnd)[0].error


def test_new_receipts_allow_more_tries(make_live: Make) -> None:
    """A model that makes headway may be asked again, up to the bound of the gate (GATE-5)."""
    looks = [answer for _ in range(9) for answer in (LOOK, says("Done."))]
    live = make_live(WRITE, *looks)

    assert live.turn().ending is Ending.INCOMPLETE
    assert 7 == len(held(live))


def test_a_turn_has_no_more_responses_than_its_limit(make_live: Make) -> None:
    """The calls of the last one are run, and what they left is on record."""
    live = make_live(*[LOOK] * 9, limits=Limits(steps=3))

    result = live.turn()

    assert (Ending.INCOMPLETE, "the limit of 3 responses is reached") == (result.ending, result.why)
    assert 3 == len(live.told(ToolResult)) == len(live.model.requests)
    assert "incomplete: the limit of 3 responses is reached" == live.told(TurnEnd)[0].error


def test_a_rule_set_without_a_gate_judges_no_end(make_live: Make) -> None:
    """It ends, and nobody says that it was accepted."""
    live = make_live(WRITE, says("Done."), policy=UNGATED)

    assert (Ending.UNJUDGED, "Done.") == ((result := live.turn()).ending, result.answer)
    assert [] == live.told(HostVerdict)
    assert ["completed"] == statuses(live)


def test_a_model_that_fails_ends_the_turn_as_failed(make_live: Make) -> None:
    """What it did before stays on record; an end that fails is no end that was judged."""
    live = make_live(WRITE, says(error="the provider is on fire"))

    assert (Ending.FAILED, "the provider is on fire") == (
        (result := live.turn()).ending,
        result.why,
    )
    assert (live.root / "a.py").exists()
    assert [("failed", "the provider is on fire")] == [
        (event.status, event.error) for event in live.told(TurnEnd)
    ]


def test_a_script_that_is_too_short_fails_the_turn(make_live: Make) -> None:
    """It does not end well by accident."""
    assert "the script ends after 1 answers" == make_live(LOOK).turn().why


def test_an_answer_that_was_cut_off_is_asked_for_again(make_live: Make) -> None:
    """Half an answer is none, and asking for ever is bounded."""
    live = make_live(says("It is a", finish=Finish.CUT), says("A parser."))

    assert "A parser." == live.turn().answer
    assert [CUT_OFF] == [event.text for event in live.told(User) if event.origin == "host"]
    endless = make_live(*[says("It", finish=Finish.CUT)] * 9, limits=Limits(follow_ups=2))
    result = endless.turn()
    assert (Ending.INCOMPLETE, "It") == (result.ending, result.answer)
    assert "the turn was held back 3 times, at last for an answer that was cut off" == result.why
    assert 3 == len(endless.model.requests)


def test_an_answer_that_its_provider_withheld_is_none(make_live: Make) -> None:
    """An empty answer of a filter must not pass for the model's own."""
    result = make_live(says("", finish=Finish.WITHHELD)).turn()

    assert (Ending.FAILED, "the provider withheld the answer") == (result.ending, result.why)


def test_a_change_is_owed_in_the_next_turn_as_well(make_live: Make) -> None:
    """An end that was not let pass takes no change off the books."""
    live = make_live(WRITE, says("Done."), says("Nothing more."), limits=Limits(follow_ups=0))

    first, second = live.turn(), live.turn("and?")

    assert [Ending.INCOMPLETE] * 2 == [first.ending, second.ending]
    assert [1, 2] == [event.turn for event in live.told(TurnEnd)]


def test_the_session_tells_what_it_is_held_to(make_live: Make) -> None:
    """Who replays a record needs the rule set, the preset and the tools that were there."""
    live = make_live(says("Hi."), policy=CLASSIC, preset="light", profile="delivery")
    live.turn()

    session, setup = live.events[:2]
    assert isinstance(session, Session)
    assert isinstance(setup, Host)
    assert ("live", "neutral/1", "classic") == (session.sid, session.format, session.profile)
    assert (str(live.root), "light", "delivery") == tuple(
        setup.data[key] for key in ("workspace", "preset", "profile")
    )
    assert {"bash", "task", "review"} <= set(setup.data["tools"])
    assert {"compress", "run_skill", "remember"}.isdisjoint(setup.data["tools"])


def test_every_event_has_the_time_of_the_clock_that_was_given(make_live: Make) -> None:
    """No event asks the time by itself, so a run can be made twice with the same record."""
    live = make_live(LOOK, says("Done."))
    live.turn()

    times = [event.at for event in live.events]
    assert None not in times
    assert times == sorted(set(map(str, times)))


def test_an_interrupt_leaves_a_whole_record(
    make_live: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each call that began has a result, none begins after it, and the turn has its end."""
    ran = []

    def interrupted(arguments: Any, _context: Any) -> Any:
        ran.append(arguments)
        raise KeyboardInterrupt

    from reasonix_runtime.tools.read_file import behaviour

    monkeypatch.setattr(behaviour, "run", interrupted)
    built_in_behaviours.cache_clear()
    live = make_live(says("", calls("bash", command="true"), *LOOK.calls, *WRITE.calls))
    with pytest.raises(KeyboardInterrupt):
        live.turn()
    built_in_behaviours.cache_clear()

    assert 1 == len(ran)
    assert not (live.root / "a.py").exists()
    assert ["ok", "cancelled"] == [event.outcome for event in live.told(ToolResult)]
    assert 2 == len(live.told(ToolCall))
    assert ["interrupted"] == statuses(live)


def test_an_interrupt_of_the_model_leaves_a_whole_record(
    make_live: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most of the time of a run is spent waiting for an answer."""
    live = make_live()
    monkeypatch.setattr(live.model, "answer", _interrupt)
    with pytest.raises(KeyboardInterrupt):
        live.turn()

    assert ["interrupted"] == statuses(live)


def test_a_fault_of_ours_ends_the_turn_as_failed_and_is_not_hidden(
    make_live: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bug shows its traceback, and the record still ends."""
    live = make_live()
    monkeypatch.setattr(live.model, "answer", _break)
    with pytest.raises(ZeroDivisionError):
        live.turn()

    assert ["failed"] == statuses(live)


def _interrupt(_request: Any) -> Any:
    raise KeyboardInterrupt


def _break(_request: Any) -> Any:
    raise ZeroDivisionError
