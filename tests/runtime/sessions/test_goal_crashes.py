"""A goal through random lives with crashes between every two steps of a save."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from reasonix_runtime.evidence.tasks import Task
from reasonix_runtime.gates.goal.life import (
    Admit,
    ClearGoal,
    PauseGoal,
    ResumeGoal,
    SetGoal,
    StopGoal,
    Usage,
)
from reasonix_runtime.gates.goal.machine import GoalEvent, advance
from reasonix_runtime.gates.goal.policy import CLASSIC_GOAL, CONTRACT_GOAL, GoalRules
from reasonix_runtime.gates.goal.report import Recorder, judge_report, read_report, record
from reasonix_runtime.gates.goal.sidecar import encode_goal
from reasonix_runtime.gates.goal.state import NO_GOAL, GoalState, GoalStatus, binding
from reasonix_runtime.gates.goal.turn import Evaluation, GoalTurnEnd, Opinion, Readiness
from reasonix_runtime.sessions.goal_file import GoalStore, read_goal


class CrashError(BaseException):
    """The process is gone: nothing after it runs, not even the cleaning up."""


class TornStream:
    """A file that takes half of what is written to it before the process dies."""

    def __init__(self, handle: int, die: Callable[[], None]) -> None:
        self._handle = handle
        self._die = die

    def __enter__(self) -> TornStream:
        return self

    def __exit__(self, *error: object) -> None:
        os.close(self._handle)

    def write(self, data: bytes) -> None:
        os.write(self._handle, data[: len(data) // 2])
        self._die()


STEPS = ("write", "fsync", "replace", "replaced")


@contextmanager
def crash_at(step: str) -> Iterator[None]:
    """Let the process die at one step of a save: half written, not flushed, before, after."""
    gone = False

    def die(*args: Any, **kwargs: Any) -> None:
        nonlocal gone
        gone = True
        raise CrashError

    def torn(handle: int, mode: str) -> TornStream:
        return TornStream(handle, die)

    real_replace, real_unlink = Path.replace, Path.unlink

    def replace(path: Path, target: Path) -> Path:
        if step == "replace":
            die()
        moved = real_replace(path, target)
        if step == "replaced":
            die()
        return moved

    def unlink(path: Path, *args: Any, **kwargs: Any) -> None:
        if gone:
            raise CrashError
        real_unlink(path, *args, **kwargs)

    with (
        mock.patch.object(os, "fsync", die if step == "fsync" else lambda handle: None),
        mock.patch.object(os, "fdopen", torn if step == "write" else os.fdopen),
        mock.patch.object(Path, "replace", replace),
        mock.patch.object(Path, "unlink", unlink),
    ):
        yield


texts = st.sampled_from(["Ship it", "Ship it", "Fix the parser", " "])
statuses = st.sampled_from(["continue", "continue", "complete", "blocked", "done"])
todos = st.lists(st.sampled_from(["pending", "completed", ""]), max_size=3).map(
    lambda found: tuple(Task(content=f"item {n}", status=status) for n, status in enumerate(found))
)
reasons = st.sampled_from(["half", "half", ""])


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What the host sees at the end of a turn."""

    readiness: Readiness
    evaluation: Evaluation | None
    progress: bool
    todos: tuple[Task, ...]


seen = st.builds(
    Seen,
    readiness=st.builds(
        Readiness,
        missing=st.lists(st.sampled_from(["verification", "todo"]), max_size=1).map(tuple),
        reason=st.sampled_from(["", "no check ran"]),
    ),
    evaluation=st.none() | st.builds(Evaluation, opinion=st.sampled_from(Opinion)),
    progress=st.booleans(),
    todos=todos,
)
crashes = st.none() | st.sampled_from(STEPS)


class GoalLife(RuleBasedStateMachine):
    """One session: its store, the recorder of the running turn, and what was prepared earlier."""

    policy: GoalRules = CONTRACT_GOAL

    @initialize()
    def open_session(self) -> None:
        self.unflushed = mock.patch.object(os, "fsync", return_value=None)
        self.unflushed.start()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "s.goal-state.json"
        self.store = GoalStore(self.path, rules=self.policy)
        self.recorder: Recorder | None = None
        self.older: list[tuple[str, int]] = []
        self.scopes = 0

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()
            self.unflushed.stop()

    @property
    def goal(self) -> GoalState:
        return self.store.goal

    def apply(self, event: GoalEvent, crash: str | None) -> None:
        """Apply an event; a crash loses the process, and the next one loads the file."""
        before = binding(self.goal)
        stored = read_goal(self.path).goal
        expected, _ = advance(self.goal, event, self.policy)
        if crash is None:
            self.store.apply(event)
            if binding(self.goal) != before:
                self.older.append(before)
            return
        try:
            with crash_at(crash):
                self.store.apply(event)
        except CrashError:
            self.restart(old=stored, new=expected)

    def restart(self, *, old: GoalState | None, new: GoalState) -> None:
        """Load what the crash left: the old state or the new one, whole."""
        found = read_goal(self.path)
        assert found.problem is None
        left = encode_goal(found.goal) if found.goal else None
        assert left in (encode_goal(old) if old else None, encode_goal(new))
        self.store = GoalStore(self.path, rules=self.policy)
        self.store.load()
        self.recorder = None
        self.older.clear()

    @rule(text=texts, crash=crashes)
    def set_goal(self, text: str, crash: str | None) -> None:
        self.scopes += 1
        self.apply(SetGoal(text=text, scope=f"goal-{self.scopes}"), crash)

    @rule(event=st.sampled_from([ClearGoal(), StopGoal(), PauseGoal()]), crash=crashes)
    def change_life(self, event: GoalEvent, crash: str | None) -> None:
        self.apply(event, crash)

    @rule(crash=crashes)
    def resume(self, crash: str | None) -> None:
        self.apply(ResumeGoal(), crash)

    @rule()
    def start_turn(self) -> None:
        self.recorder = Recorder(bound=binding(self.goal)) if self.goal.running else None

    @rule(status=statuses, reason=reasons)
    def report(self, status: str, reason: str) -> None:
        """Report whenever the model likes; only a report in its own turn may be taken."""
        args = {"status": status, "reason": reason}
        goal, recorder = self.goal, self.recorder
        verdict = judge_report(args, goal=goal, recorder=recorder, rules=self.policy)
        own_turn = recorder is not None and recorder.bound == binding(goal) and goal.running

        assert own_turn or not verdict.accepted
        assert goal == self.goal
        report = read_report(args)
        if verdict.accepted and recorder is not None and report is not None:
            self.recorder = record(recorder, report)

    @rule(seen=seen, crash=crashes)
    def end_turn(self, seen: Seen, crash: str | None) -> None:
        recorder, self.recorder = self.recorder, None
        end = GoalTurnEnd(
            bound=recorder.bound if recorder else None,
            report=recorder.readable(self.goal) if recorder else None,
            readiness=seen.readiness,
            evaluation=seen.evaluation,
            host_progress=seen.progress,
            todos=seen.todos,
        )
        before = self.goal
        self.apply(end, crash)

        if self.goal.status is GoalStatus.COMPLETE and self.goal.epoch != before.epoch:
            assert all(todo.status == "completed" for todo in seen.todos)
            assert seen.readiness.reason == "" or seen.readiness.missing == ("verification",)

    @rule(status=statuses, reason=reasons, seen=seen, turns=st.sampled_from([1, 3, 12]))
    def play_turns(self, status: str, reason: str, seen: Seen, turns: int) -> None:
        """Play whole turns in a row, as an unattended loop does."""
        for _ in range(turns):
            self.start_turn()
            self.report(status, reason)
            self.end_turn(seen, None)

    @rule(status=statuses, reason=reasons, seen=seen, text=texts)
    def play_a_replaced_turn(self, status: str, reason: str, seen: Seen, text: str) -> None:
        """Give another goal in the middle of a turn that reports and ends all the same."""
        self.start_turn()
        recorder = self.recorder
        self.set_goal(text, None)
        replaced = self.goal
        self.report(status, reason)
        self.end_turn(seen, None)

        if recorder is None or recorder.bound != binding(replaced):
            assert replaced == self.goal

    @precondition(lambda self: self.older)
    @rule(data=st.data(), tokens=st.integers(1, 9))
    def arrive_late(self, data: st.DataObject, tokens: int) -> None:
        """Everything that was prepared for an older moment comes in now."""
        scope, epoch = data.draw(st.sampled_from(self.older))
        before = self.goal
        for event in (
            Usage(scope=scope, epoch=epoch, tokens=tokens),
            Admit(epoch=epoch),
            GoalTurnEnd(bound=(scope, epoch)),
        ):
            self.store.apply(event)

        assert before == self.goal

    @rule()
    def reload(self) -> None:
        before = self.goal
        self.store = GoalStore(self.path, rules=self.policy)
        self.store.load()
        self.recorder = None
        self.older.clear()

        assert encode_goal(before) == encode_goal(self.goal)

    @invariant()
    def complete_has_no_open_task(self) -> None:
        if hasattr(self, "store") and self.goal.status is GoalStatus.COMPLETE:
            assert () == self.goal.open_todos
            assert self.goal.text == ""

    @invariant()
    def turns_stay_within_their_limit(self) -> None:
        if hasattr(self, "store") and self.goal.text:
            assert self.goal.turns_used <= self.goal.turns_limit
            quota = 20 if self.goal.budget_class == "write" else 10
            assert self.goal.turns_limit == quota * (1 + self.goal.budget_extensions)

    @invariant()
    def a_running_goal_has_budget(self) -> None:
        if hasattr(self, "store") and self.goal.running:
            assert self.goal.turns_used < self.goal.turns_limit
            assert self.goal.no_progress_turns < self.goal.no_progress_limit

    @invariant()
    def the_file_is_whole(self) -> None:
        if hasattr(self, "path"):
            assert read_goal(self.path).problem is None


class ClassicGoalLife(GoalLife):
    """The same life under the classic rules."""

    policy = CLASSIC_GOAL


GoalLife.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
ClassicGoalLife.TestCase.settings = settings(max_examples=30, stateful_step_count=30, deadline=None)
TestGoalLife = GoalLife.TestCase
TestClassicGoalLife = ClassicGoalLife.TestCase


@pytest.mark.parametrize("step", STEPS)
def test_each_crash_is_really_a_crash(step: str, tmp_path: Path) -> None:
    """An injection that misses would let the life above pass for the wrong reason."""
    store = GoalStore(tmp_path / "s.goal-state.json")
    store.apply(SetGoal(text="First", scope="goal-aa"))

    with pytest.raises(CrashError), crash_at(step):
        store.apply(SetGoal(text="Second", scope="goal-bb"))

    after = read_goal(store.path).goal or NO_GOAL
    assert ("Second" if step == "replaced" else "First") == after.text
    assert (step == "replaced") == (len(list(tmp_path.iterdir())) == 1)
