"""The goal of a session on disk: what is read, what is written, what a failure leaves."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.evidence.tasks import Task
from reasonix_runtime.gates.goal.life import PauseGoal, SetGoal, StopGoal
from reasonix_runtime.gates.goal.sidecar import MalformedGoalError, decode_goal, encode_goal
from reasonix_runtime.gates.goal.state import (
    NO_GOAL,
    BudgetClass,
    GoalState,
    GoalStatus,
    ResearchMode,
)
from reasonix_runtime.sessions.goal_file import (
    LARGEST,
    GoalFileError,
    GoalStore,
    read_goal,
    write_goal,
)

GOAL = GoalState(
    text="Ship it",
    status=GoalStatus.RUNNING,
    scope="goal-aa",
    checkpoint={"scopeID": "goal-aa", "mutation": True},
    budget_class=BudgetClass.WRITE,
    turns_used=3,
    turns_limit=20,
    tokens_used=900,
    no_progress_limit=4,
    last_continuation_reason="半分",
    todos=(
        Task(content="a", status="completed", active_form="Doing a"),
        Task(content="b", level=1, step_id="s2"),
    ),
)

texts = st.text(max_size=6)
goals = st.builds(
    GoalState,
    text=texts.map(str.strip),
    status=st.sampled_from(GoalStatus),
    stop_cause=st.sampled_from(["", "manual", "a_cause_of_tomorrow"]),
    block=texts,
    scope=texts,
    budget_class=st.sampled_from(BudgetClass),
    turns_used=st.integers(0, 99),
    turns_limit=st.integers(0, 99),
    budget_extensions=st.integers(0, 3),
    tokens_used=st.integers(0, 10**12),
    no_progress_turns=st.integers(0, 4),
    last_evaluator_reason=texts,
    research_mode=st.sampled_from(ResearchMode),
    research_task=texts,
    strict=st.booleans(),
    carried=st.dictionaries(st.sampled_from(["blocks", "progressSignatures"]), texts),
)


@given(goals)
def test_what_is_written_is_read_again(goal: GoalState) -> None:
    """A field that a round trip loses is lost at every restart."""
    assert goal == decode_goal(json.loads(json.dumps(encode_goal(goal))))


def test_what_a_file_lacks_is_not_set() -> None:
    """And a ceiling of tokens, which older hosts kept, is none."""
    assert GoalState(text="Ship it") == decode_goal({"text": "Ship it"})
    assert 0 == encode_goal(decode_goal({"text": "Ship it", "tokensLimit": 9}))["tokensLimit"]


def test_a_file_holds_what_the_store_was_told(tmp_path: Path) -> None:
    """PERSIST-1: success is only told when a read-back shows it."""
    path = tmp_path / "s.goal-state.json"

    write_goal(path, GOAL)

    assert GOAL == read_goal(path).goal
    assert [path] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "stored",
    [
        [],
        "goal",
        None,
        {"text": 3},
        {"text": "a", "status": "thinking"},
        {"text": "a", "turnsUsed": "3"},
        {"text": "a", "turnsUsed": -1},
        {"text": "a", "turnsLimit": True},
        {"text": "a", "strict": "yes"},
        {"text": "a", "todos": {"content": "b"}},
        {"text": "a", "todos": ["b"]},
        {"text": "a", "todos": [{"content": 3}]},
        {"text": "a", "todos": [{"content": "b", "status": ["pending"]}]},
        {"text": "a", "todos": [{"content": "b"}, {"content": "c", "level": "1"}]},
        {"text": "a", "deliveryCheckpoint": []},
        {"text": "a", "budgetClass": "huge"},
        {"text": "a", "researchMode": 7},
        {"text": "a", "researchMode": len(ResearchMode)},
        {"text": "a", "researchMode": True},
    ],
)
def test_a_malformed_goal_is_never_half_taken(stored: Any) -> None:
    """A goal that is read in parts would run with limits that nobody set."""
    with pytest.raises(MalformedGoalError):
        decode_goal(stored)


@pytest.mark.parametrize(("stored", "mode"), list(enumerate(ResearchMode)))
def test_an_older_file_holds_the_number_of_its_research_mode(
    stored: int, mode: ResearchMode
) -> None:
    """What it meant it still means, and the name says the same."""
    assert mode is decode_goal({"text": "a", "researchMode": stored}).research_mode
    assert mode is decode_goal({"text": "a", "researchMode": mode.value}).research_mode


def test_every_torn_file_changes_nothing_and_is_told(tmp_path: Path) -> None:
    """Another program may have been cut off anywhere in the file."""
    path = tmp_path / "s.goal-state.json"
    write_goal(path, GOAL)
    whole = path.read_bytes()

    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        store = GoalStore(path)
        store.load()

        assert NO_GOAL == store.goal
        assert len(store.problems) == 1
        assert str(path) in store.problems[0]


@pytest.mark.parametrize(
    "raw", [b"\xff\xfe\x00", b"[" * 100_000, b"{}{}", b"NaN", b'{"text": "a", "x": NaN}', b""]
)
def test_bytes_that_are_no_goal_are_told(raw: bytes, tmp_path: Path) -> None:
    """Whatever stands in the file, a session must open."""
    path = tmp_path / "s.goal-state.json"
    path.write_bytes(raw)

    stored = read_goal(path)

    assert stored.goal is None
    assert stored.problem is not None


def test_a_session_without_a_file_has_no_goal_and_no_problem(tmp_path: Path) -> None:
    """Most sessions never had a goal."""
    store = GoalStore(tmp_path / "s.goal-state.json")
    store.load()

    assert NO_GOAL == store.goal
    assert [] == store.problems


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """A folder in its place is no reason to crash, and none to pretend."""
    path = tmp_path / "s.goal-state.json"
    path.mkdir()

    assert "cannot be read" in (read_goal(path).problem or "")


def test_an_old_token_pause_is_migrated_and_written_back(tmp_path: Path) -> None:
    """Section 9: it runs again, with its tasks, also after the next restart."""
    path = tmp_path / "s.goal-state.json"
    old = {
        "goal": "Fix the parser",
        "status": "blocked",
        "stopCause": "budget_tokens",
        "block": "token budget exhausted",
        "turns": 4,
        "todos": [{"content": "a", "status": "pending"}],
        "blocks": 2,
    }
    path.write_text(json.dumps(old), encoding="utf-8")

    store = GoalStore(path)
    outcome = store.load()
    written = json.loads(path.read_bytes())

    assert outcome.reason == "goal_life.restore_migrate"
    assert store.goal.running
    assert (4, 20) == (store.goal.turns_used, store.goal.turns_limit)
    assert ("running", "", "") == (written["status"], written["stopCause"], written["block"])
    assert [{"content": "a", "status": "pending"}] == written["todos"]
    assert written["blocks"] == 2
    assert store.goal.scope == written["scopeID"] != ""


def fail(*args: object, **kwargs: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_goal_that_cannot_be_stored_is_not_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PERSIST-1: telling the user that a goal is set which the next start forgets is a lie."""
    store = GoalStore(tmp_path / "s.goal-state.json")
    store.apply(SetGoal(text="First", scope="goal-aa"))
    before = store.goal
    monkeypatch.setattr(os, "fsync", fail)

    with pytest.raises(GoalFileError, match="No space left on device"):
        store.apply(SetGoal(text="Second", scope="goal-bb"))

    assert before == store.goal
    assert ["s.goal-state.json"] == [path.name for path in tmp_path.iterdir()]


def test_a_goal_that_would_not_be_read_again_is_not_set(tmp_path: Path) -> None:
    """PERSIST-1: a goal of a whole pasted file is refused now, not forgotten at the next start."""
    store = GoalStore(tmp_path / "s.goal-state.json")
    store.apply(SetGoal(text="First", scope="goal-aa"))
    before = store.goal

    with pytest.raises(GoalFileError, match="are read again"):
        store.apply(SetGoal(text="b" * LARGEST, scope="goal-bb"))

    assert before == store.goal == replace(read_goal(store.path).goal or NO_GOAL, epoch=1)


def test_half_a_surrogate_pair_is_stored_like_any_text(tmp_path: Path) -> None:
    """A model's JSON can hold one, and a save that raises would leave memory and file apart."""
    store = GoalStore(tmp_path / "s.goal-state.json")

    store.apply(SetGoal(text="half \ud800", scope="goal-aa"))

    stored = read_goal(store.path)
    assert (None, store.goal) == (stored.problem, replace(stored.goal or NO_GOAL, epoch=1))


def test_progress_that_cannot_be_stored_is_told_and_kept_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work goes on when the disk is full; the user is told what the file does not hold."""
    store = GoalStore(tmp_path / "s.goal-state.json")
    store.apply(SetGoal(text="First", scope="goal-aa"))
    monkeypatch.setattr(os, "fsync", fail)

    store.apply(PauseGoal(text="wait"))

    assert store.goal.status is GoalStatus.BLOCKED
    assert read_goal(store.path).goal == replace(
        store.goal, status=GoalStatus.RUNNING, stop_cause="", block="", epoch=0
    )
    assert "progress was not stored" in store.problems[0]


def test_an_event_that_changes_nothing_writes_nothing(tmp_path: Path) -> None:
    """Setting the running goal again must not touch the file."""
    store = GoalStore(tmp_path / "s.goal-state.json")
    store.apply(SetGoal(text="First", scope="goal-aa"))
    store.path.unlink()

    store.apply(SetGoal(text="First", scope="goal-bb"))

    assert not store.path.exists()


def test_a_goal_that_was_advanced_elsewhere_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A live host has one state machine; the store only keeps what comes out of it."""
    store = GoalStore(tmp_path / "s.goal-state.json")

    store.keep(GOAL, durable=True)
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(GoalFileError):
        store.keep(replace(GOAL, turns_used=4), durable=True)

    assert GOAL == read_goal(store.path).goal
    assert GOAL == store.goal


def test_a_stopped_goal_survives_a_restart(tmp_path: Path) -> None:
    """The text is kept so that the user can resume."""
    store = GoalStore(tmp_path / "s.goal-state.json")
    store.apply(SetGoal(text="First", scope="goal-aa"))
    store.apply(StopGoal())
    again = GoalStore(store.path)
    again.load()

    assert (GoalStatus.STOPPED, "First") == (again.goal.status, again.goal.text)
    assert 1 == again.goal.epoch
