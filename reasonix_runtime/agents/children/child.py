"""One child, from its start to its answer."""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import replace
from typing import TYPE_CHECKING

from reasonix_runtime.agents.children.agent import Agent, Crew
from reasonix_runtime.agents.children.order import Came, Order
from reasonix_runtime.agents.children.outfit import names_of, outfit, registry_of, workspace_root
from reasonix_runtime.agents.children.prompts import REPORT_MISSING, REPORTS, system_prompt
from reasonix_runtime.agents.errors import ModelError, ScopeEndedError
from reasonix_runtime.agents.model import Finish, Message, Wanted
from reasonix_runtime.agents.talk import CUT_OFF, STALLED, Talk
from reasonix_runtime.contract.surface import wire_order
from reasonix_runtime.gates.delegation.boundary import bounded
from reasonix_runtime.gates.delegation.claims import Claim, claim_of
from reasonix_runtime.gates.delegation.launch import READS, Reads, steps_of
from reasonix_runtime.gates.policy import EndOfTurn
from reasonix_runtime.gates.review import handed_in
from reasonix_runtime.tools.context import Context
from reasonix_runtime.tools.dispatch import Toolbox
from reasonix_runtime.trace.events import SubStart

if TYPE_CHECKING:
    from reasonix_runtime.agents.children.kept import Identity
    from reasonix_runtime.tools.support.cancellation import Cancellation
    from reasonix_runtime.trace.events import ToolCall

REMINDERS = 2
"""How often a reviewer that ends without its report is asked for it."""

CANCELLED = "it was cancelled"
NO_SLOT = "no slot is free, and a child never waits for one"


class Child:
    """A child of a call; make one for each, then `run` it.

    Args:
        crew: what the agents of the session share.
        caller: the agent that starts it.
        call: the call that starts it, which is open.
        order: what it is to do.
        cancellation: what ends it early; in the foreground that of its caller.
    """

    def __init__(
        self, crew: Crew, caller: Agent, call: ToolCall, order: Order, cancellation: Cancellation
    ) -> None:
        self._crew = crew
        self._caller = caller
        self._call = call
        self._order = order
        self._cancellation = cancellation
        self._reads = order.item.read_only
        self._report = REPORTS.get(order.kind, "")
        self._names = child_names(order, caller)
        self.scope = f"sub{next(crew.numbers)}"
        self._kept = order.continues
        self._begun = False

    def begin(self, *, background: bool = False) -> None:
        """Tell that it starts; one in the background starts before its call is answered."""
        if self._kept is not None:
            self._kept.status = "running"
        elif self._crew.kept is not None and self._order.keeps:
            self._kept = self._crew.kept.begin(identity_of(self._crew, self._order, self._caller))
        self._begun = True
        self._crew.journal.begin_child(
            SubStart(
                scope=self.scope,
                parent_uid=self._call.uid,
                ref=None if self._kept is None else self._kept.ref,
                kind=self._order.kind,
                background=background,
            )
        )

    def run(self) -> Came:
        """Wait for a slot, work, and return what came of it; its end is told in any case."""
        waits = self._caller.depth == 0
        with self._crew.slots.held(self._claim, self._cancellation, waits=waits) as got:
            if not got and waits:
                return self._ended(Came(status="skipped", error=CANCELLED))
            if not got:
                return self._ended(Came(status="failed", error=NO_SLOT))
            if not self._begun and not self._begins():
                return self._ended(Came(status="skipped", error=CANCELLED))
            try:
                return self._ended(Came(status="completed", answer=self._work()))
            except ScopeEndedError:
                return self._ended(Came(status="cancelled", error=CANCELLED))
            except ModelError as error:
                return self._ended(Came(status="failed", error=str(error)))
            except BaseException as error:
                # What a cancelled child still does is done in a scope that has ended.
                if isinstance(error, Exception) and self._cancellation.requested:
                    return self._ended(Came(status="cancelled", error=CANCELLED))
                interrupted = isinstance(error, KeyboardInterrupt)
                self._ended(Came(status="cancelled" if interrupted else "failed"))
                raise

    def _begins(self) -> bool:
        """Begin, unless it was cancelled: its caller, which told the end, hears of no start."""
        with self._crew.journal.lock:
            if self._cancellation.requested:
                return False
            self.begin()
            return True

    @property
    def _claim(self) -> Claim | Reads:
        if self._reads:
            return READS
        return claim_of(self._order.item.write_paths, workspace_root(self._crew))

    def _ended(self, came: Came) -> Came:
        """Tell the end, and keep what came of it."""
        self._crew.journal.end_child(self.scope, came.status)
        kept = self._kept
        if kept is None:
            return came
        kept.status = came.status if came.status in ("completed", "failed") else "interrupted"
        kept.answer = came.answer
        return replace(came, ref=kept.ref)

    def _work(self) -> str:
        """Let the child work and return its final answer."""
        item = self._order.item
        wanted = Wanted(
            call_id=self._call.native_id or self._call.uid,
            number=self._order.number,
            name=item.model,
            effort=item.effort,
        )
        agent = Agent(
            scope=self.scope,
            depth=self._caller.depth + 1,
            names=self._names,
            steps=steps_of(item, self._caller.steps),
            model=self._caller.model.for_child(wanted),
            cancellation=self._cancellation,
        )
        with tempfile.TemporaryDirectory(prefix="reasonix-child-") as folder:
            talk = self._talk(agent, folder)
            talk.hear(item.prompt)
            answer = self._steps(talk, agent.steps)
        if self._kept is not None:
            self._kept.messages = talk.messages
        return self._verified(bounded(answer))

    def _talk(self, agent: Agent, temporary: str) -> Talk:
        crew = self._crew
        tools = outfit(crew, agent, self._order.item, reads=self._reads)
        toolbox = Toolbox(
            Context(
                workspace=crew.workspace,
                settings=replace(crew.tools, temporary=temporary),
                owner=self.scope,
                cancellation=self._cancellation,
            ),
            state=crew.journal.state,
            registry=tools.registry,
            behaviours=tools.behaviours,
            scope=self.scope,
            listener=crew.journal.tell,
            door=tools.door,
            lock=crew.journal.lock,
        )
        system = system_text(crew, self._order)
        earlier = () if self._order.continues is None else self._order.continues.messages
        return Talk(
            model=agent.model,
            toolbox=toolbox,
            tools=tools.registry.entries(),
            journal=crew.journal,
            begin=earlier or [Message(role="system", text=system)],
            scope=self.scope,
        )

    def _steps(self, talk: Talk, limit: int) -> str:
        reminders = 0
        for _ in range(limit):
            if self._cancellation.requested:
                raise ScopeEndedError(CANCELLED)
            answer = talk.step()
            if talk.pauses:
                raise ModelError(STALLED)
            if answer.calls:
                continue
            if answer.finish is Finish.CUT:
                talk.hear(CUT_OFF)
            elif not self._owes_report():
                return answer.text
            elif reminders == REMINDERS:
                raise ModelError(f"it ended without a `{self._report}` report")
            else:
                reminders += 1
                talk.hear(REPORT_MISSING.format(kind=self._report))
        raise ModelError(f"it reached its limit of {limit} responses")

    def _owes_report(self) -> bool:
        """Whether a reviewer has not handed its report in, where delivery asks for it."""
        journal = self._crew.journal
        if not self._report:
            return False
        with journal.lock:
            state = journal.state
            if not state.main.gates.closed_loop or self.scope not in state.runs:
                return False
            return not handed_in(state.runs[self.scope].ledger, self._report, state.policy)

    def _verified(self, answer: str) -> str:
        """Return the answer, marked where the end of the child was refused (DL-14)."""
        if not answer.strip():
            raise ModelError("it ended without an answer")
        journal = self._crew.journal
        verdict = journal.may_end(self.scope, answer)
        if verdict.accepted or journal.state.policy.end_of_turn is EndOfTurn.NONE:
            return answer
        return f"{answer}\n\n[unverified] {verdict.message}"


def child_names(order: Order, caller: Agent) -> tuple[str, ...]:
    """Return the tools of a child."""
    item = order.item
    return wire_order(names_of(item, caller, reads=item.read_only, reviews=order.kind in REPORTS))


def system_text(crew: Crew, order: Order) -> str:
    """Return what a child is told before its task."""
    if order.skill is not None:
        return order.skill.body
    return system_prompt(crew.workspace.directory, order.kind)


def identity_of(crew: Crew, order: Order, caller: Agent) -> Identity:
    """Return what must be the same for a run to be carried on with."""
    names = child_names(order, caller)
    registry = registry_of(names)
    schemas = hashlib.sha256(b"\0".join(entry.schema for entry in registry.entries()))
    system = system_text(crew, order)
    return (
        order.kind,
        "" if order.skill is None else order.skill.name,
        workspace_root(crew),
        hashlib.sha256(system.encode()).hexdigest(),
        " ".join(names),
        schemas.hexdigest(),
        order.item.model or caller.model.name,
        order.item.effort,
    )
