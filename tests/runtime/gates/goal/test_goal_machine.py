"""The goal machine as a table: total, ordered, and each row of it needed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from goal_states import RUNNING
from hypothesis import assume, given
from hypothesis import strategies as st
from places import TRANSCRIPTS

from reasonix_conformance.replay.replay import replay_transcript
from reasonix_runtime.evidence.tasks import Task
from reasonix_runtime.gates.goal import machine
from reasonix_runtime.gates.goal.life import (
    Admit,
    ClearGoal,
    NewSession,
    PauseGoal,
    RestoreGoal,
    ResumeGoal,
    SetGoal,
    StopGoal,
    Usage,
    quota_of,
)
from reasonix_runtime.gates.goal.machine import TABLE, GoalEvent, advance, mermaid
from reasonix_runtime.gates.goal.policy import CLASSIC_GOAL, CONTRACT_GOAL, GoalRules
from reasonix_runtime.gates.goal.report import Report
from reasonix_runtime.gates.goal.state import (
    NO_GOAL,
    BudgetClass,
    GoalState,
    GoalStatus,
    StopCause,
    binding,
    clean_block,
    clip,
    new_scope,
    notice_text,
)
from reasonix_runtime.gates.goal.table import Place, Row, place_of
from reasonix_runtime.gates.goal.turn import (
    Evaluation,
    GoalTurnEnd,
    Opinion,
    Readiness,
    needs_evaluator,
    readiness_gap,
)
from reasonix_runtime.gates.policy import rule_set
from reasonix_runtime.gates.presets import PRESETS
from reasonix_runtime.gates.rules import REASONS, RULES
from reasonix_runtime.trace.transcript import Transcript, load

Case = tuple[Transcript, str]
TOLD: list[Case] = [
    (transcript, rules)
    for path in sorted(TRANSCRIPTS.glob("*goal*.yaml"))
    for transcript in load(path)
    for rules in transcript.rules
]


@cache
def cases() -> dict[str, list[Case]]:
    """Return the goal transcripts that hold, by the reasons that decide in them."""
    found: dict[str, list[Case]] = defaultdict(list)
    for transcript, rules in TOLD:
        result = replay_transcript(transcript, rule_set(rules))
        reasons = set() if result.failures else {seen.verdict.reason for seen in result.verdicts}
        for reason in reasons:
            found[reason or ""].append((transcript, rules))
    return found


def fixture_fails(reason: str) -> bool:
    """Whether a fixture that this reason decides fails now."""
    return any(
        replay_transcript(transcript, rule_set(rules)).failures
        for transcript, rules in cases()[reason]
    )


def new_session_leaves_the_goal() -> bool:
    """Check the one row that no transcript can show: it needs a second session."""
    after, outcome = advance(RUNNING, NewSession(), CONTRACT_GOAL)
    return after == replace(NO_GOAL, epoch=8) and outcome.reason == "goal_life.new_session"


def unnoticed(reason: str) -> bool:
    return not fixture_fails(reason) and new_session_leaves_the_goal()


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.reason}-{row.key}")
def test_a_row_that_is_taken_out_is_missed(row: Row, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that nobody misses is a row that nobody checks."""
    cases()
    monkeypatch.setattr(machine, "TABLE", tuple(other for other in TABLE if other != row))

    assert not unnoticed(row.reason)


def test_every_reason_of_the_table_stands_in_the_catalogue() -> None:
    """A verdict without a rule could not be explained to anybody."""
    known = {reason for rule in RULES.values() for reason in (*rule.reasons, *rule.moves)}

    assert set() == {row.reason for row in TABLE} - known


def test_what_moves_a_goal_without_a_verdict_is_no_reason_of_one() -> None:
    """No fixture can show it as the answer to anything."""
    moves = {move for rule in RULES.values() for move in rule.moves}

    assert {"goal_life.new_session"} == moves - set(REASONS)
    assert set() == moves & set(REASONS)


def test_keys_are_unique() -> None:
    """A key names one row, in reports and in the mutation check."""
    assert len(TABLE) == len({row.key for row in TABLE})


reports = st.none() | st.builds(
    Report, status=st.sampled_from(list(GoalStatus)[:3]), reason=st.text(min_size=1, max_size=4)
)
readiness = st.builds(
    Readiness,
    missing=st.lists(st.sampled_from(["todo", "verification", "project_check"]), max_size=2).map(
        tuple
    ),
    reason=st.sampled_from(["", "not ready"]),
)
evaluations = st.none() | st.builds(Evaluation, opinion=st.sampled_from(Opinion))
goals = st.builds(
    GoalState,
    text=st.sampled_from(["", "Ship it"]),
    status=st.sampled_from(GoalStatus),
    stop_cause=st.sampled_from(StopCause),
    scope=st.just("goal-aa"),
    epoch=st.integers(0, 3),
    budget_class=st.sampled_from(BudgetClass),
    turns_used=st.integers(0, 11),
    turns_limit=st.sampled_from([0, 10]),
    no_progress_turns=st.integers(0, 4),
    no_progress_limit=st.sampled_from([0, 4]),
)
bindings = st.none() | st.tuples(st.just("goal-aa"), st.integers(0, 3))
events = st.one_of(
    st.builds(SetGoal, text=st.sampled_from(["", " Ship it ", "Other"]), scope=st.just("goal-bb")),
    st.builds(ClearGoal),
    st.builds(StopGoal),
    st.builds(PauseGoal, text=st.sampled_from(["", "why"])),
    st.builds(ResumeGoal),
    st.builds(RestoreGoal, stored=st.none() | goals, scope=st.just("goal-cc")),
    st.builds(NewSession),
    st.builds(Usage, scope=st.just("goal-aa"), epoch=st.integers(0, 3), tokens=st.integers(0, 9)),
    st.builds(Admit, epoch=st.integers(0, 3), continues=st.booleans()),
    st.builds(
        GoalTurnEnd,
        bound=bindings,
        report=reports,
        readiness=readiness,
        evaluation=evaluations,
        host_progress=st.booleans(),
    ),
)


RULE_SETS = st.sampled_from([CONTRACT_GOAL, CLASSIC_GOAL])


@given(goals, events, RULE_SETS)
def test_some_row_answers_every_event_everywhere(
    goal: GoalState, event: GoalEvent, rules: GoalRules
) -> None:
    """An event that falls through the table would be swallowed without a word."""
    after, outcome = advance(goal, event, rules)
    row = next(row for row in TABLE if row.key == outcome.key)

    assert row.reason == outcome.reason
    if row.to is not None:
        assert row.to is place_of(after)
    elif row.reason != "goal_life.restore":
        assert place_of(goal) is place_of(after)


@given(goals, events)
def test_what_is_refused_as_late_changes_nothing_at_all(goal: GoalState, event: GoalEvent) -> None:
    """What was meant for an older goal must not touch this one, not even its counters."""
    after, outcome = advance(goal, event, CONTRACT_GOAL)

    late = {
        "goal_turn.epoch",
        "goal_turn.idle",
        "goal_life.usage_stale",
        "goal_life.admit_stale",
        "goal_life.resume_refused",
    }
    if outcome.reason in late:
        assert goal == after


def turn_ends(goal: GoalState) -> st.SearchStrategy[GoalTurnEnd]:
    """Return the ends of a turn that belongs to this goal."""
    return st.builds(
        GoalTurnEnd,
        bound=st.just(binding(goal)),
        report=reports,
        readiness=readiness,
        evaluation=evaluations,
        host_progress=st.booleans(),
    )


@given(goals, events, RULE_SETS, st.data())
def test_only_a_running_goal_goes_on_by_itself(
    goal: GoalState, event: GoalEvent, rules: GoalRules, data: st.DataObject
) -> None:
    """A loop that nobody asked for is the one thing that a budget cannot bound."""
    running = replace(goal, text="Ship it", status=GoalStatus.RUNNING)

    after, outcome = advance(running, data.draw(turn_ends(running)), rules)
    elsewhere, other = advance(goal, event, rules)

    assert outcome.auto_continue == after.running
    assert not after.running or not 0 < after.turns_limit <= after.turns_used
    assert elsewhere.running or not other.auto_continue


@given(goals)
def test_a_silent_turn_without_an_evaluator(goal: GoalState) -> None:
    """Under the contract trouble with the evaluator pauses; it never becomes a silent continue."""
    running = replace(goal, text="Ship it", status=GoalStatus.RUNNING)

    after, outcome = advance(running, GoalTurnEnd(bound=binding(running)), CONTRACT_GOAL)

    assert not outcome.auto_continue
    assert not after.running


def edges() -> Iterator[tuple[str, str, str]]:
    for line in mermaid().splitlines()[2:]:
        ends, _, code = line.strip().partition(" : ")
        source, _, target = ends.partition(" --> ")
        yield source, target, code


def test_the_diagram_draws_every_row_that_moves() -> None:
    """The picture in the documents is the table, not somebody's memory of it."""
    drawn = set(edges())
    moves = {
        (place.value, row.to.value, row.reason)
        for row in TABLE
        if row.to is not None
        for place in row.at
    }

    assert moves == drawn
    assert {place.value for place in Place} == {end for edge in drawn for end in edge[:2]}


@pytest.mark.parametrize(
    ("given_reason", "expected"),
    [
        ("- Need the API key.", "Need the API key"),
        ("【", "【"),
        ("（等待密码）。", "等待密码"),
        ("  \u3000!!! ", "blocked"),
        ("", "blocked"),
        ("[a] (b)", "a] (b"),
    ],
)
def test_a_block_reason_is_cleaned_at_its_ends(given_reason: str, expected: str) -> None:
    """The reason is shown alone in a line."""
    assert expected == clean_block(given_reason)


def test_stored_texts_are_clipped() -> None:
    """A model's reason must not grow the file without bound."""
    assert "x" * 400 == clip(" " + "x" * 400 + " ")
    assert "x" * 400 + "..." == clip("x" * 401)
    assert "a b " + "c" * 156 + "..." == notice_text("a\n  b " + "c" * 200)


def test_scopes_are_fresh_and_repeatable() -> None:
    """A replay of one trace must name the same scopes each time, and never one twice."""
    assert new_scope("a") == new_scope("a")
    assert new_scope("a") != new_scope("b")
    assert 5 + 32 == len(new_scope("a"))


@pytest.mark.parametrize(("scope", "kept"), [("goal-aa", True), ("goal-bb", False)])
def test_a_restored_goal_has_its_own_checkpoint_only(scope: str, *, kept: bool) -> None:
    """What the run of another goal left speaks for nothing here."""
    checkpoint = {"scopeID": scope, "mutationObserved": True}
    stored = GoalState(text="Ship it", scope="goal-aa", checkpoint=checkpoint)

    after, _ = advance(NO_GOAL, RestoreGoal(stored=stored, scope="goal-cc"), CONTRACT_GOAL)

    assert (checkpoint if kept else {}) == dict(after.checkpoint)


@pytest.mark.parametrize(
    ("limit", "used", "asked"), [(0, 5, True), (1, 0, True), (1, 1, False), (2, 1, True)]
)
def test_nobody_is_asked_for_an_opinion_once_the_turns_are_spent(
    limit: int, used: int, *, asked: bool
) -> None:
    """Without a limit they never are."""
    goal = replace(RUNNING, turns_limit=limit, turns_used=used)

    assert asked is needs_evaluator(goal, None, Readiness())
    assert not needs_evaluator(replace(goal, status=GoalStatus.STOPPED), None, Readiness())


@given(goals, bindings, reports, readiness, evaluations, RULE_SETS)
def test_an_opinion_that_nobody_asked_for_moves_nothing(
    goal: GoalState,
    bound: tuple[str, int] | None,
    report: Report | None,
    ready: Readiness,
    evaluation: Evaluation | None,
    rules: GoalRules,
) -> None:
    """A report decides, and a turn that may not end needs no judge."""
    assume(not needs_evaluator(goal, report, ready))
    end = GoalTurnEnd(bound=bound, report=report, readiness=ready, evaluation=evaluation)

    assert advance(goal, replace(end, evaluation=None), rules) == advance(goal, end, rules)


CHECKS = Readiness(missing=("project_check", "verification"), reason="no check ran")
CLAIMED = GoalTurnEnd(
    bound=binding(RUNNING), report=Report(status=GoalStatus.COMPLETE), readiness=CHECKS
)
TOLD_OF_CHECKS = replace(RUNNING, last_continuation_reason=readiness_gap(CHECKS))


@pytest.mark.parametrize(
    ("goal", "end", "rules", "accepted"),
    [
        pytest.param(TOLD_OF_CHECKS, CLAIMED, CONTRACT_GOAL, True, id="of-checks-and-told"),
        pytest.param(RUNNING, CLAIMED, CONTRACT_GOAL, False, id="not-told"),
        pytest.param(TOLD_OF_CHECKS, CLAIMED, CLASSIC_GOAL, False, id="not-by-these-rules"),
        pytest.param(
            TOLD_OF_CHECKS,
            replace(CLAIMED, report=Report(status=GoalStatus.RUNNING)),
            CONTRACT_GOAL,
            False,
            id="not-claimed",
        ),
        pytest.param(
            TOLD_OF_CHECKS,
            replace(CLAIMED, todos=(Task(content="Build it", status="pending"),)),
            CONTRACT_GOAL,
            False,
            id="open-items",
        ),
        pytest.param(
            TOLD_OF_CHECKS,
            replace(CLAIMED, preset=PRESETS["delivery"]),
            CONTRACT_GOAL,
            False,
            id="not-in-this-preset",
        ),
        pytest.param(
            TOLD_OF_CHECKS,
            replace(CLAIMED, readiness=replace(CHECKS, missing=())),
            CONTRACT_GOAL,
            False,
            id="nobody-knows-what-is-missing",
        ),
        pytest.param(
            TOLD_OF_CHECKS,
            replace(CLAIMED, readiness=replace(CHECKS, missing=("verification", "review"))),
            CONTRACT_GOAL,
            False,
            id="more-than-checks",
        ),
        pytest.param(
            TOLD_OF_CHECKS,
            replace(CLAIMED, readiness=replace(CHECKS, missing=("verification",))),
            CONTRACT_GOAL,
            True,
            id="one-check",
        ),
    ],
)
def test_only_checks_that_the_model_was_told_of_may_stay_undone(
    goal: GoalState, end: GoalTurnEnd, rules: GoalRules, *, accepted: bool
) -> None:
    """A completion that is repeated is a decision; it waives nothing but checks."""
    _, outcome = advance(goal, end, rules)

    assert accepted is ("goal_turn.complete_repeat" == outcome.reason)


@pytest.mark.parametrize(("extensions", "limit", "expected"), [(0, 0, 1), (2, 0, 3), (2, 7, 7)])
def test_a_limit_that_a_file_lacks_is_derived_with_its_extensions(
    extensions: int, limit: int, expected: int
) -> None:
    """Goal format, section 9: older files hold only how often the budget was extended."""
    stored = GoalState(
        text="Ship it",
        budget_class=BudgetClass.SIMPLE,
        budget_extensions=extensions,
        turns_limit=limit,
    )

    after, _ = advance(NO_GOAL, RestoreGoal(stored=stored, scope="a"), CONTRACT_GOAL)

    assert (expected if limit else expected * quota_of(BudgetClass.SIMPLE)) == after.turns_limit


def test_a_file_without_a_goal_makes_earlier_prompts_void() -> None:
    """One epoch on, like every other change of the goal."""
    goal = replace(RUNNING, epoch=4)

    after, _ = advance(goal, RestoreGoal(stored=NO_GOAL, scope="goal-cc"), CONTRACT_GOAL)

    assert replace(NO_GOAL, epoch=5) == after


@pytest.mark.parametrize(("tokens", "added"), [(1, 1), (0, 0), (-3, 0)])
def test_every_token_of_its_own_is_counted(tokens: int, added: int) -> None:
    """And nothing that is none."""
    scope, epoch = binding(RUNNING)

    after, _ = advance(RUNNING, Usage(scope=scope, epoch=epoch, tokens=tokens), CONTRACT_GOAL)

    assert RUNNING.tokens_used + added == after.tokens_used


@pytest.mark.parametrize(
    ("evaluation", "block"),
    [
        (None, "the evaluator could not judge: no evaluator was asked"),
        (Evaluation(opinion=Opinion.FAILED, reason=" "), "no evaluator judged"),
        (
            Evaluation(opinion=Opinion.FAILED, reason="no answer"),
            "the evaluator could not judge: no answer",
        ),
    ],
)
def test_a_pause_says_why_nobody_judged(evaluation: Evaluation | None, block: str) -> None:
    """A person reads it and decides how to go on."""
    end = GoalTurnEnd(bound=binding(RUNNING), evaluation=evaluation)

    after, _ = advance(RUNNING, end, CONTRACT_GOAL)

    assert block == after.block
