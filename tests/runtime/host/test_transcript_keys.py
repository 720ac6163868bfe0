"""The keys that a transcript may write are those that the machine reads, and no others."""

from __future__ import annotations

import msgspec
import pytest

from reasonix_conformance.replay.replay import replay_transcript
from reasonix_runtime.gates.capability import Route
from reasonix_runtime.gates.policy import rule_set
from reasonix_runtime.gates.writer_guards import Constraints
from reasonix_runtime.host.goal_event_data import AdmitData, PauseData, SetData, UsageData
from reasonix_runtime.host.goal_events import GOAL_EVENTS
from reasonix_runtime.host.goal_setup import (
    EvaluatorFact,
    GapFact,
    GoalFacts,
    GoalSetup,
    ReadinessFact,
)
from reasonix_runtime.trace import transcript_keys as keys
from reasonix_runtime.trace.transcript import loads, schema


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


ANSWERED = "{host: stop, expect: {verdict: accept, reason: goal_life.stop}}"
TEXT = """
- id: a
  title: what is written here
  setup:
    {setup}
  turns:
  - events:
    - {event}
"""


def told(setup: str = "plan_mode: false", event: str = "host: stop") -> list[tuple[int, str]]:
    """Return the lines and texts told of a transcript with such a setup and such an event."""
    (transcript,) = loads(TEXT.replace("{setup}", setup).replace("{event}", event), "t.yaml")
    return [(unread.line, unread.text) for unread in transcript.unread]


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
def test_a_key_of_the_setup_that_means_nothing_is_told(setup: str, key: str, hint: str) -> None:
    """It changes nothing, and whoever wrote it believes that it does."""
    assert [(5, f"setup.{key}: unknown key; {hint}")] == told(setup=setup)


@pytest.mark.parametrize(
    ("event", "key", "hint"),
    [
        ("{host: usage, token: 3}", "token", "did you mean 'tokens'?"),
        ("{host: turn_end, readyness: {}}", "readyness", "did you mean 'readiness'?"),
        ("{host: reconcile, evaluator: {eror: x}}", "evaluator.eror", "did you mean 'error'?"),
        ("{host: loop_guard, after: 3}", "after", "known are expect, host"),
    ],
)
def test_a_key_of_a_host_event_that_means_nothing_is_told(event: str, key: str, hint: str) -> None:
    """The same, where something happened."""
    assert [(8, f"turns[0].events[0].{key}: unknown key; {hint}")] == told(event=event)


def test_its_transcript_is_judged_without_it() -> None:
    """The format leaves these keys open: one that is not known here costs no other verdict."""
    text = TEXT.replace("{setup}", "goal: {mood: 3}").replace("{event}", ANSWERED)
    (transcript,) = loads(text, "t.yaml")
    trace = replay_transcript(transcript, rule_set("contract"))

    assert [True] == [judged.held for judged in trace.verdicts]
    assert [("unknown_key", "t.yaml:5")] == [(diag.code, diag.where) for diag in trace.diagnostics]


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
    assert [] == told(setup=setup, event=event)
