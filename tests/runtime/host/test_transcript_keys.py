"""The keys that a transcript may write are those that the machine reads, and no others."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from reasonix_runtime.gates.capability import Route
from reasonix_runtime.gates.writer_guards import Constraints
from reasonix_runtime.host.goal_event_data import AdmitData, PauseData, SetData, UsageData
from reasonix_runtime.host.goal_setup import (
    EvaluatorFact,
    GapFact,
    GoalFacts,
    GoalSetup,
    ReadinessFact,
)
from reasonix_runtime.host.goals import GOAL_EVENTS
from reasonix_runtime.trace import transcript_keys as keys
from reasonix_runtime.trace.transcript import MOST_PROBLEMS, TranscriptError, loads, schema


def read_by(kind: type[msgspec.Struct]) -> set[str]:
    """Return the keys that a record is made of, as they are written."""
    return {field.encode_name for field in msgspec.structs.fields(kind)}


@pytest.mark.parametrize(
    ("known", "kind", "more"),
    [
        (keys.GOAL, GoalSetup, {"class"}),
        (keys.CONSTRAINTS, Constraints, set()),
        (keys.ROUTE, Route, set()),
        (keys.EVENTS["set"], SetData, set()),
        (keys.EVENTS["pause"], PauseData, set()),
        (keys.EVENTS["usage"], UsageData, {"cached_tokens"}),
        (keys.EVENTS["admit"], AdmitData, set()),
        (keys.EVENTS["turn_end"], GoalFacts, set()),
        (keys.EVENTS["readiness"], GoalFacts, set()),
        (keys.EVENTS["reconcile"], GoalFacts, set()),
        (keys.READINESS, ReadinessFact, set()),
        (keys.EVALUATOR, EvaluatorFact, set()),
        (keys.GAP, GapFact, set()),
    ],
)
def test_what_may_be_written_is_what_is_read(
    known: set[str], kind: type[msgspec.Struct], more: set[str]
) -> None:
    """A key that is read and refused here, or taken here and read by nobody, is a fault of ours."""
    assert known == read_by(kind) | more


def test_an_item_of_a_goals_list_is_an_item_of_any_list() -> None:
    """The same words for the same thing."""
    assert set(schema()["$defs"]["task"]["properties"]) == keys.TASK


def test_every_event_of_the_goal_machine_has_its_keys() -> None:
    """An event that is left out would take everything."""
    assert set(GOAL_EVENTS) == set(keys.EVENTS) - {"capability", "loop_guard"}


TEXT = """
- id: a
  title: what is written here
  setup:
    {setup}
  turns:
  - events:
    - {event}
"""


def refusal(setup: str = "plan_mode: false", event: str = "host: stop") -> str:
    """Return what is said of a transcript with such a setup and such an event."""
    with pytest.raises(TranscriptError) as caught:
        loads(TEXT.replace("{setup}", setup).replace("{event}", event), "t.yaml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("setup", "key", "hint"),
    [
        ("goal: {turn_used: 3}", "goal.turn_used", "did you mean 'turns_used'?"),
        ("goal: {readiness: {missng: []}}", "goal.readiness.missng", "did you mean 'missing'?"),
        ("goal: {evaluator: {outcom: x}}", "goal.evaluator.outcom", "did you mean 'outcome'?"),
        ("goal: {host_gaps: [{y: z}]}", "goal.host_gaps[0].y", "known are kind, subject, why"),
        ("goal: {todos: [{stat: y}]}", "goal.todos[0].stat", "did you mean 'status'?"),
        (
            "constraints: {forbid_test: 1}",
            "constraints.forbid_test",
            "did you mean 'forbid_tests'?",
        ),
        (
            "capabilities: [{wish: y}]",
            "capabilities[0].wish",
            "known are id, outcome, policy, reminded",
        ),
    ],
)
def test_a_key_of_the_setup_that_means_nothing_is_an_error(setup: str, key: str, hint: str) -> None:
    """It would change nothing, and whoever wrote it believes that it does."""
    assert f"t.yaml:5: [0].setup.{key}: unknown key; {hint}" == refusal(setup=setup)


@pytest.mark.parametrize(
    ("event", "key", "hint"),
    [
        ("{host: usage, token: 3}", "token", "did you mean 'tokens'?"),
        ("{host: turn_end, readyness: {}}", "readyness", "did you mean 'readiness'?"),
        ("{host: reconcile, evaluator: {eror: x}}", "evaluator.eror", "did you mean 'error'?"),
        ("{host: loop_guard, after: 3}", "after", "known are expect, host"),
    ],
)
def test_a_key_of_a_host_event_that_means_nothing_is_an_error(
    event: str, key: str, hint: str
) -> None:
    """The same, where something happened."""
    told = f"t.yaml:8: [0].turns[0].events[0].{key}: unknown key; {hint}"

    assert told == refusal(event=event)


def test_many_of_them_are_cut() -> None:
    """A file of another format has hundreds."""
    goal = ", ".join(f"key{n}: 1" for n in range(100))
    with pytest.raises(TranscriptError) as caught:
        loads(
            TEXT.replace("{setup}", f"goal: {{{goal}}}").replace("{event}", "host: stop"), "t.yaml"
        )

    assert MOST_PROBLEMS + 1 == len(caught.value.problems)


@pytest.mark.parametrize(
    ("setup", "event"),
    [
        ("goal: {turns: 3, blocks: [], tokens_limit: 0, class: simple}", "host: stop"),
        ("goal_checkpoint: {anything: 1}", "{host: restore, sidecar: {anything: 1}}"),
        ("host: {servers: {}, whatever: 1}", "{host: provider_tools, calls: []}"),
        ("goal: {}", "{host: usage, prompt_tokens: 1, cached_tokens: 1}"),
    ],
)
def test_what_is_the_affair_of_others_is_left_to_them(setup: str, event: str) -> None:
    """Stored records and the proxy's setup have formats of their own."""
    assert loads(TEXT.replace("{setup}", setup).replace("{event}", event), "t.yaml")


def test_a_single_transcript_names_its_keys_without_an_index() -> None:
    """As every other error of such a file does."""
    document: Any = '{"id": "a", "setup": {"goal": {"zz": 1}}, "turns": [{}]}'

    with pytest.raises(TranscriptError, match=r"t\.json:1: setup\.goal\.zz: unknown key"):
        loads(document, "t.json")
