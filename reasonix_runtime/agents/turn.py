"""One turn of the main conversation: from the user's text to an end that the gates let pass.

The model answers without calls when it wants to end. Whether it may is for the end-of-turn gate:
an answer that is held back goes back to the model with what is open, as often as the gate and the
limits allow. After that the turn stops incomplete, which is never taken for an end that passed.

A goal turn is not held back: what is open begins the next one (`agents/pursuit.py`). Whether there
is one is for the goal machine, which is told the end of the turn like everything else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from reasonix_runtime.agents.errors import ModelError
from reasonix_runtime.agents.model import Answer, Finish
from reasonix_runtime.agents.talk import CUT_OFF, STALLED
from reasonix_runtime.gates.delivery.turn_end import GATE
from reasonix_runtime.gates.goal.evaluator import Question, ask
from reasonix_runtime.gates.goal.turn import READY, Opinion
from reasonix_runtime.gates.policy import EndOfTurn
from reasonix_runtime.gates.verdict import Decision, Verdict
from reasonix_runtime.host.goal_facts import readiness_of
from reasonix_runtime.host.goals import TURN_GATE
from reasonix_runtime.trace.events import MAIN, Host, HostVerdict, TurnEnd, TurnStart
from reasonix_runtime.trace.host_events import GOAL_TURN_ENDED, GOAL_USAGE, HELD_BACK

if TYPE_CHECKING:
    from reasonix_runtime.agents.journal import Journal
    from reasonix_runtime.agents.talk import Talk
    from reasonix_runtime.gates.goal.evaluator import Evaluator
    from reasonix_runtime.trace.events import Judgement, TextOrigin


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How long a turn may be: responses of the model, and how often it is sent back in it."""

    steps: int = 50
    follow_ups: int = 6


class Ending(StrEnum):
    """How a turn ended."""

    ACCEPTED = "accepted"
    """The gate let it end."""
    UNJUDGED = "unjudged"
    """The rule set has no gate at the end of a turn."""
    INCOMPLETE = "incomplete"
    """The gate held it back until a limit was reached."""
    FAILED = "failed"
    """The model gave no answer to work with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnResult:
    """What came of a turn: the latest answer, the verdict on it, and why it stopped.

    `goal` is what the goal machine made of the end of a goal turn.
    """

    ending: Ending
    answer: str = ""
    verdict: Verdict | None = None
    why: str = ""
    goal: Verdict | None = None


class Turn:
    """Takes one turn; make one for each.

    Args:
        talk: the conversation.
        journal: who is told what happens.
        limits: how long it may be.
        evaluator: who is asked about the goal at the end of a goal turn without a report.
    """

    def __init__(
        self, talk: Talk, journal: Journal, limits: Limits, *, evaluator: Evaluator
    ) -> None:
        self._talk = talk
        self._journal = journal
        self._limits = limits
        self._evaluator = evaluator
        self._number = journal.state.turn + 1
        self._follow_ups = 0
        self._latest = TurnResult(ending=Ending.INCOMPLETE)

    def take(self, text: str, *, origin: TextOrigin = "user") -> TurnResult:
        """Take the turn; however it ends, its end is told.

        An interrupt, and a fault of ours, goes on to the caller.
        """
        self._journal.apply(TurnStart(turn=self._number))
        of_goal: Host | None = None
        try:
            self._talk.hear(text, origin=origin)
            result = self._steps()
            of_goal = self._goal_turn_end(result)
        except ModelError as error:
            result = TurnResult(ending=Ending.FAILED, answer=self._latest.answer, why=str(error))
        except BaseException as error:
            self._tell_usage()
            stopped = isinstance(error, KeyboardInterrupt)
            self._end(TurnEnd(turn=self._number, status="interrupted" if stopped else "failed"))
            raise
        return self._close(result, of_goal)

    def _steps(self) -> TurnResult:
        for _ in range(self._limits.steps):
            answer = self._talk.step()
            if self._talk.pauses:
                return self._stopped(STALLED)
            if answer.calls:
                continue
            result = self._asked(answer)
            if result is not None:
                return result
        return self._stopped(f"the limit of {self._limits.steps} responses is reached")

    def _asked(self, answer: Answer) -> TurnResult | None:
        """Ask whether the turn may end with an answer; None when the model is to go on."""
        if answer.finish is Finish.CUT:
            self._latest = TurnResult(ending=Ending.INCOMPLETE, answer=answer.text)
            at_last = ", at last for an answer that was cut off"
            return self._sent_back(CUT_OFF, left=self._limits.follow_ups, at_last=at_last)
        verdict = self._journal.may_end(MAIN, answer.text)
        if self._is_goal_turn and verdict.decision is Decision.REJECT:
            return TurnResult(ending=Ending.INCOMPLETE, answer=answer.text, verdict=verdict)
        if verdict.accepted:
            return TurnResult(ending=Ending.ACCEPTED, answer=answer.text, verdict=verdict)
        if self._journal.state.policy.end_of_turn is EndOfTurn.NONE:
            return TurnResult(ending=Ending.UNJUDGED, answer=answer.text, verdict=verdict)
        self._latest = TurnResult(ending=Ending.INCOMPLETE, answer=answer.text, verdict=verdict)
        data = {"answer": answer.text}
        self._journal.apply(Host(name=HELD_BACK, turn=self._number, data=data))
        left = verdict.facts.get("continuations", self._limits.follow_ups)
        return self._sent_back(verdict.message, left=left)

    def _sent_back(self, message: str, *, left: int, at_last: str = "") -> TurnResult | None:
        """Send the model back with a message, if it may; `left` is what the gate still allows."""
        if left <= 0 or self._follow_ups >= self._limits.follow_ups:
            return self._stopped(f"the turn was held back {self._follow_ups + 1} times{at_last}")
        self._follow_ups += 1
        self._talk.hear(message, origin="host")
        return None

    def _stopped(self, why: str) -> TurnResult:
        latest = self._latest
        return TurnResult(
            ending=Ending.INCOMPLETE, answer=latest.answer, verdict=latest.verdict, why=why
        )

    @property
    def _is_goal_turn(self) -> bool:
        return self._journal.state.goals.recorder is not None

    def _close(self, result: TurnResult, of_goal: Host | None) -> TurnResult:
        """Tell the end: judged where the model was let end, and never accepted where it was not.

        `of_goal` lets the goal machine end a goal turn, by what the end-of-turn gate found.
        """
        self._tell_usage()
        verdict = result.verdict
        if of_goal is not None:
            result = replace(result, goal=self._journal.decide(of_goal, TURN_GATE))
        if verdict is not None and (of_goal is not None or result.ending is Ending.ACCEPTED):
            self._end_judged(result, verdict)
        elif result.ending is Ending.UNJUDGED:
            self._end(TurnEnd(turn=self._number, status="completed", answer=result.answer))
        else:
            failed = result.ending is Ending.FAILED
            error = result.why if failed else f"{result.ending}: {result.why}"
            self._end(TurnEnd(turn=self._number, status="failed", error=error))
        return result

    def _end_judged(self, result: TurnResult, verdict: Verdict) -> None:
        """Tell an end that the gate has judged, and how."""
        decided: Judgement = "accept" if verdict.accepted else "reject"
        self._journal.apply(HostVerdict(gate=GATE, result=decided, turn=self._number))
        self._end(TurnEnd(turn=self._number, status="completed", answer=result.answer))

    def _goal_turn_end(self, result: TurnResult) -> Host | None:
        """Return the end of a goal turn with what the host found; an evaluator may be asked.

        None for a turn of no goal, and for one that nobody judged.
        """
        verdict = result.verdict
        if not self._is_goal_turn or verdict is None or result.why:
            return None
        found = readiness_of(verdict) or READY
        data: dict[str, Any] = {
            "readiness": {"missing": found.missing, "reason": found.reason},
            "host_progress": "observed",
        }
        if self._journal.state.goals.asks_evaluator(verdict):
            data["evaluator"] = self._evaluated(result.answer)
        return Host(name=GOAL_TURN_ENDED, turn=self._number, data=data)

    def _evaluated(self, answer: str) -> dict[str, str]:
        """Ask the evaluator, and return what it says as an event tells it."""
        state = self._journal.state
        goal = state.goals.goal
        question = Question(
            goal=goal.text,
            last_answer=answer,
            todos="\n".join(f"{task.status}: {task.content}" for task in state.main.tasks),
            turn_status=f"goal turn {goal.turns_used + 1} of {goal.turns_limit}, nothing missing",
            last_reason=goal.last_continuation_reason,
        )
        evaluation = ask(self._evaluator, question)
        if evaluation.opinion is Opinion.FAILED:
            return {"error": evaluation.reason}
        return {"outcome": evaluation.opinion.value, "reason": evaluation.reason}

    def _tell_usage(self) -> None:
        """Tell what the turn cost, while the goal that it was for is still the same."""
        spent = self._journal.take_spent()
        bound = self._journal.state.goals.recorder
        if spent and bound is not None:
            scope, epoch = bound.bound
            data = {"scope": scope, "epoch": epoch, "tokens": spent}
            self._journal.apply(Host(name=GOAL_USAGE, turn=self._number, data=data))

    def _end(self, event: TurnEnd) -> None:
        self._journal.apply(event)
