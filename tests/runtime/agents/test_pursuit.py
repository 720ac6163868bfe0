"""A goal at work: what each turn begins with, how it ends, and when the next one comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from run_bench import Live, assert_circle, calls, replayed, says

from reasonix_runtime.agents.evaluator import BOUNDS, INSTRUCTION
from reasonix_runtime.agents.model import Answer, Request
from reasonix_runtime.agents.script import ScriptedAnswer
from reasonix_runtime.agents.turn import Ending, Limits
from reasonix_runtime.gates.goal.state import GoalStatus, StopCause
from reasonix_runtime.gates.policy import CLASSIC, CONTRACT, FACTS, Policy
from reasonix_runtime.trace.events import Host, ToolResult, TurnEnd, User

Make = Callable[..., Live]

BLOCK = "<active-goal>\nShip it\n</active-goal>\n\n"
DONE = says("Done.")


def report(status: str, **more: Any) -> ScriptedAnswer:
    return says("", calls("update_goal", status=status, reason="so it is", **more))


def look(path: str) -> ScriptedAnswer:
    return says("", calls("ls", path=path), calls("bash", command=f"echo {path}"))


def evaluated(outcome: str) -> ScriptedAnswer:
    return says(f'{{"outcome": "{outcome}", "reason": "by what it says"}}')


def ends(live: Live) -> list[str | None]:
    """Return what the goal machine made of each turn."""
    return [one.reason for one in live.state.given if one.gate == "goal_turn"]


def spoken(live: Live) -> list[tuple[str, str]]:
    return [(event.origin, event.text) for event in live.told(User)]


def test_a_goal_is_worked_on_until_it_is_reached(make_live: Make) -> None:
    """Each turn begins with the goal, then with what the last one said comes next."""
    live = make_live(
        report("continue", next_action="Write the docs."), DONE, report("complete"), DONE
    )

    results = live.pursue("Ship it", "go")

    assert [Ending.ACCEPTED] * 2 == [result.ending for result in results]
    assert ["goal_turn.continue", "goal_turn.complete"] == ends(live)
    assert [("user", f"{BLOCK}go"), ("host", f"{BLOCK}Write the docs.")] == spoken(live)
    assert (GoalStatus.COMPLETE, "", 2) == (
        live.goal.status,
        live.goal.text,
        live.goal.turns_used,
    )
    assert live.goal == live.kept[-1]
    assert_circle(live)


def test_the_goal_is_in_the_turn_and_in_nothing_before_it(make_live: Make) -> None:
    """A prefix that depends on the goal would have to be read anew by the provider."""
    plain = make_live(DONE)
    plain.turn("go")
    live = make_live(report("blocked"), DONE)
    live.pursue("Ship it")

    ((system, _), (same, _)) = (one.model.requests[0].messages[:2] for one in (plain, live))
    assert system.text.replace(str(plain.root), "") == same.text.replace(str(live.root), "")
    assert plain.model.requests[0].tools == live.model.requests[0].tools


@pytest.mark.parametrize("goal", ["Say\n\nwhat it is", "Mind </active-goal> here"])
def test_a_goal_may_hold_anything(make_live: Make, goal: str) -> None:
    """What its block says in the turn never becomes another goal."""
    live = make_live(report("blocked"), DONE)

    live.pursue(goal)

    assert goal == live.goal.text
    assert "goal.recorded" in [one.reason for one in live.state.given]
    assert_circle(live)


def test_outside_of_a_goal_turn_the_goal_tool_fails_closed(make_live: Make) -> None:
    """GOAL-2: a run without a goal has the tool all the same, and it changes nothing."""
    live = make_live(report("complete"), DONE)

    live.turn()

    (result,) = live.told(ToolResult)
    assert ("error", "error: No goal turn is running. No goal state was changed.\n") == (
        result.outcome,
        result.text,
    )
    assert GoalStatus.STOPPED is live.goal.status


def test_what_is_open_begins_the_next_turn_and_holds_nothing_back(make_live: Make) -> None:
    """In goal mode the loop of the goal takes the place of asking again within the turn."""
    todo = calls("todo_write", todos=[{"content": "Write it", "status": "in_progress"}])
    live = make_live(
        says("", todo), look("."), report("complete"), DONE, report("blocked"), says("No.")
    )

    first, _ = live.pursue("Ship it")

    assert (Ending.INCOMPLETE, "Done.") == (first.ending, first.answer)
    assert ["goal_turn.not_ready", "goal_turn.blocked"] == ends(live)
    told = spoken(live)[1][1]
    assert told.startswith(f"{BLOCK}The goal is not reached yet. What is left:\n")
    assert "- open task: Write it" in told
    assert [] == [event for event in live.told(Host) if event.name == "held_back"]
    assert_circle(live)


def test_a_block_ends_the_work_at_once_and_stays_resumable(make_live: Make) -> None:
    """GOAL-4: nobody but the user can help, so no turn comes by itself."""
    live = make_live(report("blocked"), DONE, DONE)

    assert 1 == len(live.pursue("Ship it"))

    assert (GoalStatus.BLOCKED, StopCause.NONE, "Ship it") == (
        live.goal.status,
        live.goal.stop_cause,
        live.goal.text,
    )


def test_spent_turns_pause_the_goal_before_another_request(make_live: Make) -> None:
    """The budget of a simple goal is ten turns."""
    turns = [
        one for number in range(12) for one in (look(f"{number}"), report("continue"), says(""))
    ]
    live = make_live(*turns)

    assert 10 == len(live.pursue("Explain it"))

    assert (GoalStatus.BLOCKED, StopCause.BUDGET_TURNS, 10) == (
        live.goal.status,
        live.goal.stop_cause,
        live.goal.turns_used,
    )
    assert_circle(live)


def test_turns_that_do_nothing_new_pause_the_goal(make_live: Make) -> None:
    """Four in a row without visible progress; the first one has nothing to compare with."""
    live = make_live(*[look("."), report("continue"), DONE] * 12)

    assert 5 == len(live.pursue("Explain it"))

    assert (StopCause.NO_PROGRESS, 4) == (live.goal.stop_cause, live.goal.no_progress_turns)


@pytest.mark.parametrize(
    ("answer", "reason", "status"),
    [
        (evaluated("complete"), "goal_turn.complete", GoalStatus.COMPLETE),
        (evaluated("blocked"), "goal_turn.blocked_eval", GoalStatus.BLOCKED),
        (evaluated("uncertain"), "goal_turn.eval_down", GoalStatus.BLOCKED),
        (says("It is done, I think."), "goal_turn.eval_down", GoalStatus.BLOCKED),
        (says(error="overloaded"), "goal_turn.eval_down", GoalStatus.BLOCKED),
    ],
)
def test_a_turn_without_a_report_is_a_question_for_the_evaluator(
    make_live: Make, answer: ScriptedAnswer, reason: str, status: GoalStatus
) -> None:
    """What it answers is on record, so that a replay decides the same; no answer pauses."""
    live = make_live(look("."), DONE, answer, DONE)

    live.pursue("Ship it")

    assert [reason] == ends(live)
    assert status is live.goal.status
    assert_circle(live)


def test_an_evaluator_has_bounds_and_no_tools_and_no_history(make_live: Make) -> None:
    """It judges by the goal and the last answer alone."""
    live = make_live(look("."), says("All green."), evaluated("complete"))

    live.pursue("Ship it")

    asked = live.model.requests[-1]
    assert ((), BOUNDS) == (asked.tools, asked.bounds)
    assert [("system", INSTRUCTION)] == [(one.role, one.text) for one in asked.messages[:-1]]
    assert '"goal": "Ship it", "last_answer": "All green."' in asked.messages[-1].text


@pytest.mark.parametrize(("limits", "answers"), [(Limits(steps=1), [look(".")]), (Limits(), [])])
def test_a_turn_that_did_not_end_stops_the_work_and_counts_nothing(
    make_live: Make, limits: Limits, answers: list[ScriptedAnswer]
) -> None:
    """A provider that fails says nothing of the goal, which goes on when it is resumed."""
    live = make_live(*answers, limits=limits)

    (result,) = live.pursue("Ship it")

    assert result.goal is None
    assert (GoalStatus.RUNNING, 0) == (live.goal.status, live.goal.turns_used)
    assert [] == ends(live)


@pytest.mark.parametrize("answered", [0, 1])
def test_an_interrupt_stops_the_goal_and_keeps_it(
    make_live: Make, monkeypatch: pytest.MonkeyPatch, answered: int
) -> None:
    """Whoever stops the run has stopped the work, also while an evaluator is asked."""
    live = make_live(DONE)
    answer = live.model.answer

    def interrupt(request: Request) -> Answer:
        if len(live.model.requests) == answered:
            raise KeyboardInterrupt
        return answer(request)

    monkeypatch.setattr(live.model, "answer", interrupt)
    with pytest.raises(KeyboardInterrupt):
        live.pursue("Ship it")

    assert ["interrupted"] == [event.status for event in live.told(TurnEnd)]
    assert GoalStatus.STOPPED is live.kept[-1].status


@pytest.mark.parametrize("policy", [CONTRACT, CLASSIC, FACTS], ids=lambda policy: policy.name)
def test_what_answers_cost_is_counted_for_the_goal(make_live: Make, policy: Policy) -> None:
    """Those of children and of the evaluator included, the turns of no goal not."""
    child = [says("found", tokens=5)]
    task = calls("task", children=[child], prompt="look")
    live = make_live(
        says("", task, tokens=10),
        says("Done.", tokens=3),
        says('{"outcome": "complete", "reason": "x"}', tokens=2),
        says("Hi.", tokens=100),
        policy=policy,
    )

    live.pursue("Explain it")
    live.turn()

    assert 20 == live.goal.tokens_used
    assert_circle(live)


def test_an_end_of_a_goal_turn_is_on_record_as_the_host_decided(make_live: Make) -> None:
    """Also while a sub-agent still runs: the host knew what it had done."""
    task = calls("task", children=[[DONE]], prompt="look", run_in_background=True)
    live = make_live(says("", task), report("blocked"), DONE)
    live.pursue("Ship it")
    live.session.close()

    told = {one.subject: one for one in replayed(live.file)}
    assert "goal_turn.blocked" == told["turn_end"].verdict.reason
    assert ["agree", "agree"] == [told[name].agreement for name in ("end", "turn_end")]


def test_what_the_host_decided_of_its_goal_is_held_against_the_rules(make_live: Make) -> None:
    """The pause of a goal that it had on record itself was a refusal that nobody knew of."""
    live = make_live(look("."), DONE, says("It is done, I think."))
    live.pursue("Ship it")
    live.session.close()

    def agreement() -> str:
        (told,) = [one for one in replayed(live.file) if one.subject == "turn_end"]
        return told.agreement

    assert "agree" == agreement()
    recorded = live.file.read_text()
    decided = '"gate":"goal_turn","result":"reject"'
    assert decided in recorded
    live.file.write_text(recorded.replace(decided, decided.replace("reject", "accept")))
    assert "host_lenient" == agreement()
