"""The conversation of one agent with its model, and the calls that come of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reasonix_runtime.agents.errors import ModelError
from reasonix_runtime.agents.model import Answer, Finish, Message, Request
from reasonix_runtime.gates.loop_guards import STALL_PAUSE
from reasonix_runtime.trace.events import MAIN, Assistant, User

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reasonix_runtime.agents.journal import Journal
    from reasonix_runtime.agents.model import Model
    from reasonix_runtime.contract.entry import ContractEntry
    from reasonix_runtime.tools.dispatch import Toolbox
    from reasonix_runtime.trace.events import TextOrigin

CUT_OFF = (
    "Your answer reached the length that one may have, and its end is lost. Say it again in fewer "
    "words, or go on with smaller calls."
)
"""What the model is told of an answer that broke off."""
STALLED = f"the task list stood still for {STALL_PAUSE} responses"
"""Why a run pauses that does the same again and again."""


class Talk:
    """One conversation: what was said, who answers, what a call reaches.

    Args:
        model: who answers.
        toolbox: what calls are run by.
        tools: what the model is offered, the same for the whole conversation.
        journal: who is told what was said.
        begin: the messages that stand before what it hears.
        scope: the scope of the agent.
    """

    def __init__(
        self,
        *,
        model: Model,
        toolbox: Toolbox,
        tools: Sequence[ContractEntry],
        journal: Journal,
        begin: Sequence[Message],
        scope: str = MAIN,
    ) -> None:
        self._model = model
        self._toolbox = toolbox
        self._tools = tuple(tools)
        self._journal = journal
        self._scope = scope
        self._messages = list(begin)
        self._steps = 0
        #: Whether the loop guards want the run to pause (DL-10).
        self.pauses = False

    @property
    def messages(self) -> tuple[Message, ...]:
        """What was said so far."""
        return tuple(self._messages)

    def hear(self, text: str, *, origin: TextOrigin = "user") -> None:
        """Take in what somebody says to the model; that of a child's parent stands in its call."""
        self._messages.append(Message(role="user", text=text))
        if self._scope == MAIN:
            self._journal.apply(User(turn=self._journal.state.turn, text=text, origin=origin))

    def step(self) -> Answer:
        """Ask the model once and run the calls of its answer, in order; raises ModelError."""
        request = Request(messages=tuple(self._messages), tools=self._tools)
        answer = self._model.answer(request)
        self._journal.spend(answer.tokens)
        if answer.finish is Finish.WITHHELD and not answer.calls:
            raise ModelError("the provider withheld the answer")
        self._steps += 1
        step = f"r{self._steps}" if self._scope == MAIN else f"{self._scope}.r{self._steps}"
        self._messages.append(Message(role="assistant", text=answer.text, calls=answer.calls))
        self._journal.apply(
            Assistant(
                turn=self._journal.state.turn,
                step=step,
                text=answer.text,
                final=not answer.calls,
                scope=self._scope,
            )
        )
        for call in answer.calls:
            result = self._toolbox.call(call.name, call.arguments, call_id=call.id, step=step)
            self._messages.append(Message(role="tool", text=result.text, answers=call.id))
        self.pauses = bool(answer.calls) and self._is_advised_to_pause()
        return answer

    def _is_advised_to_pause(self) -> bool:
        """Tell the model what the loop guards say of its calls; return whether the run pauses."""
        with self._journal.lock:
            advice = self._journal.state.advice(self._scope)
        for text in advice.texts:
            self.hear(text, origin="host")
        return advice.pauses
