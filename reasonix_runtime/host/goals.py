"""The goal of a session inside the host: the goal tool and goal turns.

Everything that is decided here is decided by the pure gates; this module holds the goal and the
recorder of the running goal turn, and turns events into verdicts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from reasonix_runtime.gates.goal.life import (
    NewSession,
    ResumeGoal,
    SetGoal,
    StopGoal,
)
from reasonix_runtime.gates.goal.machine import GoalEvent, advance
from reasonix_runtime.gates.goal.prompts import active_goal_block, next_prompt
from reasonix_runtime.gates.goal.report import GATE, Recorder, judge_report, read_report, record
from reasonix_runtime.gates.goal.state import (
    NO_GOAL,
    GoalState,
    GoalStatus,
    binding,
    new_scope,
)
from reasonix_runtime.gates.goal.table import Step
from reasonix_runtime.gates.goal.turn import (
    GoalTurnEnd,
    needs_evaluator,
)
from reasonix_runtime.gates.goal.ungated import UPDATE
from reasonix_runtime.gates.verdict import Verdict, not_assessable
from reasonix_runtime.host.goal_facts import (
    given_goal,
    goal_facts,
    going_on,
    readiness_of,
    step_verdict,
)
from reasonix_runtime.host.goal_setup import (
    GoalFacts,
)
from reasonix_runtime.host.goal_work import GoalWork
from reasonix_runtime.host.prompt_blocks import blocks_around, inside
from reasonix_runtime.host.revised_goals import RevisedGoals
from reasonix_runtime.trace.events import (
    MAIN,
    Outcome,
    Session,
    ToolCall,
    ToolResult,
    TurnEnd,
    User,
    scope_of,
)

if TYPE_CHECKING:
    from reasonix_runtime.gates.policy import Policy
    from reasonix_runtime.host.run import Run
    from reasonix_runtime.host.setup import Setup

TURN_GATE = "goal_turn"

_BLOCK = "active-goal"
_REPLACED = "active goal changed during this turn"


class Goals:
    """The goal of one session.

    A goal turn is bound when a turn starts while the goal is running. In a recording that does not
    tell goal events, the `<active-goal>` block of the user text says that a goal turn is running.
    """

    def __init__(self, policy: Policy, setup: Setup, run: Run) -> None:
        self.policy = policy
        self.run = run
        given = given_goal(setup)
        self.facts: GoalFacts = given or GoalFacts(preset=setup.preset)
        self.goal: GoalState = given.goal() if given else NO_GOAL
        self.recorder: Recorder | None = None
        self.work = GoalWork(policy, run, workspace=setup.workspace, given=given is not None)
        self._initial = self.goal
        self._first = given
        #: Whether a setup tells the goal, and with it what a live host would find out.
        self.given = given is not None
        #: Whether only the texts of the user tell of the goal.
        self.by_text = given is None
        self.revised = RevisedGoals()
        self._session: str | None = None
        self._continued = False
        self._ended: tuple[Step, GoalTurnEnd] | None = None

    def turn_starts(self) -> None:
        """Bind the turn to the goal when one is running; a setup says so for the first turn.

        Called before the ledger of the last turn is emptied.
        """
        self.work.follow(self.goal)
        self._ended = None
        self.revised.turn_starts()
        if self._first is not None:
            bound = self._first.first_turn()
            self._first = None
        else:
            bound = binding(self.goal) if self.goal.running and not self.by_text else None
        self.recorder = Recorder(bound=bound) if bound else None

    def user_spoke(self, event: User) -> None:
        """Read the running goal out of a user's text; a setup tells it by itself."""
        self.revised.user_spoke(event)
        spoken = event.raw_text or event.text
        around = "" if self.given else blocks_around(_BLOCK, spoken)
        found = inside(_BLOCK, around) if around else None
        if found is None:
            return
        # A goal that is known may hold anything, blank lines and the end of a block included.
        if not (self.goal.running and active_goal_block(self.goal) in spoken):
            self._set_by_text(found.strip().partition("\n\n")[0])
        self.recorder = Recorder(bound=binding(self.goal)) if self.goal.running else None

    def _set_by_text(self, text: str) -> None:
        if self.goal.text != text:
            self.move(SetGoal(text=text, scope=self.fresh_scope(text)))
        elif not self.goal.running:
            self.move(ResumeGoal())

    def asks_evaluator(self, verdict: Verdict) -> bool:
        """Whether the end of this turn is a question for an evaluator; a live host asks it then.

        `verdict` is that of the end-of-turn gate.
        """
        recorder, readiness = self.recorder, readiness_of(verdict)
        if recorder is None or readiness is None:
            return False
        return needs_evaluator(self.goal, recorder.readable(self.goal), readiness)

    def turn_ended(self, verdict: Verdict) -> Verdict | None:
        """End a goal turn by what the end-of-turn gate found.

        None where no goal turn of this goal is running, where a host event ended it, or where an
        evaluator would have been asked: a recording does not tell its answer.
        """
        recorder, self.recorder = self.recorder, None
        if self.given or recorder is None or recorder.bound != binding(self.goal):
            return None
        self.work.follow(self.goal)
        readiness = readiness_of(verdict)
        report = recorder.readable(self.goal)
        if readiness is None or needs_evaluator(self.goal, report, readiness):
            return None
        end = GoalTurnEnd(
            bound=recorder.bound,
            report=report,
            readiness=readiness,
            host_progress=self.work.is_new(),
            todos=self.run.tasks,
            preset=self.facts.completion_preset,
        )
        step = self.end_turn(end)
        ended = step_verdict(TURN_GATE, step, self.state_after(**going_on(step)))
        told = f"{ended.message}\n{verdict.message}".strip()
        return msgspec.structs.replace(ended, told=told, facts={**verdict.facts, **ended.facts})

    @property
    def next_prompt(self) -> str | None:
        """What begins the next turn by itself, None where the host does not go on."""
        if self._ended is None:
            return None
        step, end = self._ended
        return next_prompt(step, goal=self.goal, report=end.report, readiness=end.readiness)

    def turn_broke(self, event: TurnEnd) -> None:
        """Let a turn go that did not end: a cancel stops the goal, a failure leaves it running."""
        self.recorder = None
        if event.status == "interrupted" and not self.given and self.goal.running:
            self.move(StopGoal())

    def judge(self, call: ToolCall, result: ToolResult) -> Verdict:
        """Judge a call of a goal tool; what was recorded stands, else our verdict decides."""
        if self.policy.goal.exact_revision:
            return self.revised.judge(call, result)
        if call.name != UPDATE:
            return not_assessable(call.name, "This rule set knows no goal tool of that name.")
        if not self.given:
            self._learn(result)
        if self._continued and self.recorder is None and not self.goal.text:
            return not_assessable(
                GATE, "The recording continues a session and does not tell of a goal before it."
            )
        return self._report(call, result.outcome)

    def _learn(self, result: ToolResult) -> None:
        """Take in what only the result of a report tells of the goal.

        A goal can be replaced, stopped or resumed beside the recording. That it was replaced is
        known from the host's refusal; that it was resumed, from a report that was taken.
        """
        if result.outcome == "error" and _REPLACED in result.text:
            self.goal = replace(self.goal, epoch=self.goal.epoch + 1)
        elif result.outcome == "ok" and self.recorder is None and self._resumable():
            self.move(ResumeGoal())
            self.recorder = Recorder(bound=binding(self.goal))

    def _resumable(self) -> bool:
        return bool(self.goal.text) and self.goal.status in (GoalStatus.BLOCKED, GoalStatus.STOPPED)

    def _report(self, call: ToolCall, recorded: Outcome) -> Verdict:
        """Judge a report and take it when it stands; only the main conversation has goal turns."""
        recorder = self.recorder if scope_of(call.uid) == MAIN else None
        given, rules = call.given, self.policy.goal
        verdict = judge_report(given, goal=self.goal, recorder=recorder, rules=rules)
        taken = verdict.accepted if recorded == "none" else recorded == "ok"
        report = read_report(given)
        if taken and recorder is not None and report is not None:
            self.recorder = record(recorder, report)
        return msgspec.structs.replace(verdict, facts={"state_after": self.state_after()})

    def session_starts(self, event: Session) -> None:
        """Leave the goal of another session behind; a resumed one may have a goal from before."""
        if self._session not in (None, event.sid):
            self.move(NewSession())
            self.recorder = None
        self._session = event.sid
        self._continued = event.resumed_from is not None
        self.revised = RevisedGoals(complete=event.resumed_from is None)

    def end_turn(self, end: GoalTurnEnd) -> Step:
        """Move the goal by the end of a turn, and keep that for the prompt of the next one."""
        step = self.move(end)
        self._ended = (step, end)
        return step

    def move(self, event: GoalEvent) -> Step:
        """Move the goal by an event; another goal begins with no work done for it."""
        scope = self.goal.scope
        self.goal, step = advance(self.goal, event, self.policy.goal)
        if self.goal.scope != scope:
            self.work.begin()
        return step

    def fresh_scope(self, text: str) -> str:
        """Return a scope that no goal of this session has had."""
        return new_scope(f"{self.goal.scope}:{self.goal.epoch}:{text}")

    def state_after(self, **more: Any) -> dict[str, Any]:
        """Return everything that `state_after` of a transcript may name."""
        report = self.recorder.report if self.recorder else None
        return {
            **goal_facts(self.goal),
            "unchanged": self.goal == self._initial,
            "candidate": report.word if report else "none",
            **more,
        }
