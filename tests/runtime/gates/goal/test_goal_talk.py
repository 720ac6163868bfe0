"""What the goal says to the model, asks an evaluator, and hears from the user."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from reasonix_runtime.errors import ReasonixError
from reasonix_runtime.evidence.tasks import Task
from reasonix_runtime.gates.goal.command import GoalAction, GoalCommand, parse_goal_command
from reasonix_runtime.gates.goal.evaluator import (
    EVIDENCE_BYTES,
    FIELD_BYTES,
    Question,
    ask,
    cut,
    read_evaluation,
)
from reasonix_runtime.gates.goal.machine import advance
from reasonix_runtime.gates.goal.policy import CONTRACT_GOAL
from reasonix_runtime.gates.goal.prompts import STANDING, active_goal_block, next_prompt
from reasonix_runtime.gates.goal.report import Report
from reasonix_runtime.gates.goal.state import (
    NO_GOAL,
    GoalState,
    GoalStatus,
    ResearchMode,
    binding,
)
from reasonix_runtime.gates.goal.turn import Evaluation, GoalTurnEnd, Opinion, Readiness

RUNNING = GoalState(text="Ship it", status=GoalStatus.RUNNING, scope="goal-aa", turns_limit=10)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ('{"outcome": "complete", "reason": " done "}', ("complete", "done")),
        ('```json\n{"outcome": "continue"}\n```', ("continue", "")),
        ('  {"outcome": "blocked", "reason": "key"}\n', ("blocked", "key")),
        ('{"outcome": "uncertain"}', ("uncertain", "")),
        (f'{{"outcome": "complete", "reason": "{"x" * 4058}"}}', ("complete", "x" * 500)),
    ],
)
def test_an_answer_is_one_object_with_a_known_outcome(
    answer: str, expected: tuple[str, str]
) -> None:
    """Models wrap their JSON in code fences; that is still an answer."""
    found = read_evaluation(answer)

    assert expected == (found.opinion.value, found.reason)


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "complete",
        '{"outcome": "failed"}',
        '{"outcome": "done"}',
        '{"outcome": ["complete"]}',
        '{"outcome": "complete", "reason": 3}',
        '[{"outcome": "complete"}]',
        'Sure! {"outcome": "complete"}',
        '{"outcome": "complete"} {"outcome": "continue"}',
        '{"outcome": "complete", "reason": "' + "x" * 5000 + '"}',
        "[" * 3000,
    ],
)
def test_everything_else_is_a_failure(answer: str) -> None:
    """A guess at what an evaluator meant would let the loop run on it."""
    found = read_evaluation(answer)

    assert Opinion.FAILED is found.opinion
    assert found.reason.startswith("the answer ")


def test_an_evaluator_that_is_missing_or_raises_has_failed() -> None:
    """Trouble with the evaluator pauses the goal; it never ends the process."""

    def broken(question: str) -> str:
        raise TimeoutError("30 s")

    def refused(question: str) -> str:
        raise ReasonixError("the key is not valid")

    assert Evaluation(opinion=Opinion.FAILED, reason="TimeoutError: 30 s") == ask(
        broken, Question(goal="Ship it")
    )
    assert Evaluation(opinion=Opinion.FAILED, reason="the key is not valid") == ask(
        refused, Question(goal="Ship it")
    )
    assert Evaluation(opinion=Opinion.FAILED, reason="no evaluator is configured") == ask(
        None, Question(goal="Ship it")
    )


def test_an_evaluator_sees_the_question_and_nothing_else() -> None:
    """It has no tools and no history, so the fields are all it can judge by."""
    seen: list[str] = []

    def evaluator(question: str) -> str:
        seen.append(question)
        return '{"outcome": "continue"}'

    found = ask(evaluator, Question(goal="Ship it", last_answer="字" * 1000))

    assert Opinion.CONTINUE is found.opinion
    assert set(FIELD_BYTES) == set(json.loads(seen[0]))
    assert "字" * 400 == json.loads(seen[0])["last_answer"]
    assert len(seen[0].encode()) <= EVIDENCE_BYTES


@given(st.fixed_dictionaries({name: st.text(max_size=20) for name in FIELD_BYTES}))
@example(dict.fromkeys(FIELD_BYTES, '"'))
@example(dict.fromkeys(FIELD_BYTES, "\x01"))
@example(dict.fromkeys(FIELD_BYTES, "\n字"))
def test_a_question_is_one_object_with_every_field_however_long(told: dict[str, str]) -> None:
    """An answer of code is full of quotes and line ends; half an object asks nothing."""
    whole = {name: text * 2000 for name, text in told.items()}
    question = Question(**whole).text()

    found = json.loads(question)
    assert list(FIELD_BYTES) == list(found)
    assert all(whole[name].startswith(text) for name, text in found.items())
    assert all(text or not told[name] for name, text in found.items())
    assert len(question.encode("utf-8", "replace")) <= EVIDENCE_BYTES


@pytest.mark.parametrize("status", ["one left", "剩" * 100])
def test_a_short_field_of_a_long_question_stays_whole(status: str) -> None:
    """Only what takes more than its bytes as it is written is cut."""
    long = dict.fromkeys(FIELD_BYTES, "\x01" * 2000)

    found = json.loads(Question(**{**long, "turn_status": status}).text())

    assert status == found["turn_status"]
    assert 600 // 6 == len(found["goal"])


def test_a_question_that_fits_is_not_cut_for_its_quotes() -> None:
    """How a field is written only counts where the whole is too long."""
    assert '"' * 600 == json.loads(Question(goal='"' * 600).text())["goal"]


@given(st.text(), st.integers(0, 20))
def test_a_cut_text_fits_and_is_a_beginning(text: str, size: int) -> None:
    """Half a character would make the question unreadable."""
    found = cut(text, size)

    assert len(found.encode("utf-8", "replace")) <= size
    assert text.startswith(found)


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("", GoalCommand(action=GoalAction.STATUS)),
        (" Status ", GoalCommand(action=GoalAction.STATUS)),
        ("off", GoalCommand(action=GoalAction.CLEAR)),
        ("done", GoalCommand(action=GoalAction.CLEAR)),
        ("stop", GoalCommand(action=GoalAction.CLEAR)),
        ("pause", GoalCommand(action=GoalAction.PAUSE)),
        ("resume", GoalCommand(action=GoalAction.RESUME)),
        ("stop the server", GoalCommand(action=GoalAction.SET, text="stop the server")),
        ("--strict ship it", GoalCommand(action=GoalAction.SET, text="ship it", strict=True)),
        (
            "--deep  --strict ship it",
            GoalCommand(
                action=GoalAction.SET, text="ship it", research_mode=ResearchMode.ON, strict=True
            ),
        ),
        (
            "--simple --verbose",
            GoalCommand(action=GoalAction.SET, text="--verbose", research_mode=ResearchMode.OFF),
        ),
        ("--research", GoalCommand(action=GoalAction.STATUS)),
    ],
)
def test_a_goal_command(rest: str, expected: GoalCommand) -> None:
    """A goal that begins with a command word is still a goal."""
    assert expected == parse_goal_command(rest)


def test_the_block_stands_only_while_the_goal_runs() -> None:
    """A block of a goal that has ended would ask the model to go on."""
    assert "<active-goal>\nShip it\n</active-goal>" == active_goal_block(RUNNING)
    assert "" == active_goal_block(NO_GOAL)


@pytest.mark.parametrize(
    ("report", "readiness", "expected"),
    [
        (Report(status=GoalStatus.COMPLETE), Readiness(), None),
        (
            Report(status=GoalStatus.RUNNING, reason="x", next_action="Port it"),
            Readiness(),
            "Port it",
        ),
        (Report(status=GoalStatus.RUNNING, reason="x"), Readiness(), STANDING),
    ],
)
def test_the_next_turn_begins_with(
    report: Report, readiness: Readiness, expected: str | None
) -> None:
    """The machine chooses the kind of prompt, and the text follows from what was said."""
    end = GoalTurnEnd(bound=binding(RUNNING), report=report, readiness=readiness)
    after, outcome = advance(RUNNING, end, CONTRACT_GOAL)

    assert expected == next_prompt(outcome, goal=after, report=report, readiness=readiness)


@pytest.mark.parametrize(("reason", "told"), [("no check ran", ["- no check ran"]), (" ", [])])
def test_what_is_missing_is_listed(reason: str, told: list[str]) -> None:
    """A refused completion that does not say why is claimed again."""
    report = Report(status=GoalStatus.COMPLETE)
    readiness = Readiness(missing=("verification",), reason=reason)
    end = GoalTurnEnd(
        bound=binding(RUNNING), report=report, readiness=readiness, todos=(Task(content="Docs"),)
    )
    after, outcome = advance(RUNNING, end, CONTRACT_GOAL)

    prompt = next_prompt(outcome, goal=after, report=report, readiness=readiness) or ""

    assert [
        "- open task: Docs",
        "- missing: verification",
        *told,
    ] == prompt.splitlines()[1:]
