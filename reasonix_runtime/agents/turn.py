"""One turn of the main conversation: from the user's text to an end that the gates let pass.

The model answers without calls when it wants to end. Whether it may is for the end-of-turn gate:
an answer that is held back goes back to the model with what is open, as often as the gate and the
limits allow. After that the turn stops incomplete, which is never taken for an end that passed.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from reasonix_runtime.agents.errors import ModelError
from reasonix_runtime.agents.model import Answer, Finish
from reasonix_runtime.agents.talk import CUT_OFF
from reasonix_runtime.gates.delivery.turn_end import GATE
from reasonix_runtime.gates.policy import EndOfTurn
from reasonix_runtime.gates.verdict import Verdict
from reasonix_runtime.trace.events import MAIN, Host, HostVerdict, TurnEnd, TurnStart
from reasonix_runtime.trace.host_events import HELD_BACK

if TYPE_CHECKING:
    from reasonix_runtime.agents.journal import Journal
    from reasonix_runtime.agents.talk import Talk


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
    """What came of a turn: the latest answer, the verdict on it, and why it stopped."""

    ending: Ending
    answer: str = ""
    verdict: Verdict | None = None
    why: str = ""


class Turn:
    """Takes one turn; make one for each."""

    def __init__(self, talk: Talk, journal: Journal, limits: Limits) -> None:
        self._talk = talk
        self._journal = journal
        self._limits = limits
        self._number = journal.state.turn + 1
        self._follow_ups = 0
        self._latest = TurnResult(ending=Ending.INCOMPLETE)

    def take(self, text: str) -> TurnResult:
        """Take the turn; however it ends, its end is told.

        An interrupt, and a fault of ours, goes on to the caller.
        """
        self._journal.apply(TurnStart(turn=self._number))
        try:
            self._talk.hear(text)
            result = self._steps()
        except ModelError as error:
            result = TurnResult(ending=Ending.FAILED, answer=self._latest.answer, why=str(error))
        except BaseException as error:
            stopped = isinstance(error, KeyboardInterrupt)
            self._end(TurnEnd(turn=self._number, status="interrupted" if stopped else "failed"))
            raise
        self._close(result)
        return result

    def _steps(self) -> TurnResult:
        for _ in range(self._limits.steps):
            answer = self._talk.step()
            if answer.calls:
                continue
            result = self._asked(answer)
            if result is not None:
                return result
        return self._stopped(f"the limit of {self._limits.steps} responses is reached")

    def _asked(self, answer: Answer) -> TurnResult | None:
        """Ask whether the turn may end with an answer; None when the model is to go on."""
        if answer.finish is Finish.CUT:
            return self._sent_back(CUT_OFF, left=self._limits.follow_ups)
        verdict = self._journal.may_end(MAIN, answer.text)
        if verdict.accepted:
            return TurnResult(ending=Ending.ACCEPTED, answer=answer.text, verdict=verdict)
        if self._journal.state.policy.end_of_turn is EndOfTurn.NONE:
            return TurnResult(ending=Ending.UNJUDGED, answer=answer.text, verdict=verdict)
        self._latest = TurnResult(ending=Ending.INCOMPLETE, answer=answer.text, verdict=verdict)
        data = {"answer": answer.text}
        self._journal.apply(Host(name=HELD_BACK, turn=self._number, data=data))
        left = verdict.facts.get("continuations", self._limits.follow_ups)
        return self._sent_back(verdict.message, left=left)

    def _sent_back(self, message: str, *, left: int) -> TurnResult | None:
        """Send the model back with a message, if it may; `left` is what the gate still allows."""
        if left <= 0 or self._follow_ups >= self._limits.follow_ups:
            return self._stopped(f"the turn was held back {self._follow_ups + 1} times")
        self._follow_ups += 1
        self._talk.hear(message, origin="host")
        return None

    def _stopped(self, why: str) -> TurnResult:
        latest = self._latest
        return TurnResult(
            ending=Ending.INCOMPLETE, answer=latest.answer, verdict=latest.verdict, why=why
        )

    def _close(self, result: TurnResult) -> None:
        """Tell the end: judged where the model was let end, and never accepted where it was not."""
        if result.ending in (Ending.ACCEPTED, Ending.UNJUDGED):
            if result.ending is Ending.ACCEPTED:
                self._journal.apply(HostVerdict(gate=GATE, result="accept", turn=self._number))
            self._end(TurnEnd(turn=self._number, status="completed", answer=result.answer))
            return
        failed = result.ending is Ending.FAILED
        error = result.why if failed else f"{result.ending}: {result.why}"
        self._end(TurnEnd(turn=self._number, status="failed", error=error))

    def _end(self, event: TurnEnd) -> None:
        self._journal.apply(event)
