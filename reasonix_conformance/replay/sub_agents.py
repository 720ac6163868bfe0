"""Sub-agents whose calls a recording does not tell: what they left explains what is missing later.

What such a sub-agent looked at, checked or reviewed it did before its end, so that explains nothing
that is missing for a later change: the state machine is told of the end, and keeps apart what is
owed since (:meth:`TurnMemory.excuse`). A sub-agent in the background, and one that a reader misses
without a call that waits for it, may have gone on for as long as the recording does.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from reasonix_conformance.readers.format_facts import WITH_SUB_AGENTS
from reasonix_runtime.evidence.arguments import in_background
from reasonix_runtime.host.run import Run
from reasonix_runtime.trace.events import MAIN, SubStart, ToolCall, ToolResult

MOST_UNENDED: Final = 1 << 12
"""Sub-agents in the background beyond which it is given up to follow which of them have ended."""


class UnseenSubAgents:
    """Follows which sub-agents of a recording acted unseen, and which of them have ended."""

    def __init__(self, runs: Mapping[str, Run]) -> None:
        """Take the runs of the state machine, by scope."""
        self._runs = runs
        self._may_be_hidden = True
        """Whether the format may leave out what sub-agents did."""
        self.told: set[str] = set()
        """The calls of this turn whose sub-agents are told."""
        self._missed: set[str] = set()
        """The open calls of whose sub-agents something is missing, told or not."""
        self.acted = False
        """Whether one acted unseen."""
        self._may_go_on = False
        """Whether nobody knows when one that acted unseen ended."""
        self.just_ended = False
        """Whether one ended, and the state machine was not told yet."""
        self._in_background: dict[str, bool] = {}
        """The calls that started sub-agents in the background which still run, and whether what
        each of them does is told. When their evidence arrives is not told in any case."""

    @property
    def left_evidence(self) -> bool:
        """Whether some may have left evidence that is not told, or not where it arrives."""
        return self.acted or bool(self._in_background)

    @property
    def may_act(self) -> bool:
        """Whether one of them may still be at work, for all that is told."""
        return self._may_go_on or self.just_ended or bool(self._in_background)

    def session_starts(self, format_name: str) -> None:
        """Take in of which format the recording is."""
        self._may_be_hidden = format_name not in WITH_SUB_AGENTS

    def starts(self, event: SubStart) -> None:
        """Take in that a sub-agent is told."""
        self.told.add(event.parent_uid)
        if event.parent_uid in self._in_background:
            self._in_background[event.parent_uid] = True

    def call_ended(self, call: ToolCall, result: ToolResult) -> None:
        """Take in the result of a call that starts a sub-agent."""
        uid = result.uid
        told = (not self._may_be_hidden or uid in self.told) and uid not in self._missed
        self._missed.discard(uid)
        if result.outcome == "running" or in_background(call.target_given):
            self._follow(uid, told=told)
        elif result.outcome not in ("blocked", "not_run") and not told:
            self.acted = self.just_ended = True

    def _follow(self, uid: str, *, told: bool) -> None:
        """Take in a sub-agent in the background.

        Beyond `MOST_UNENDED` of them it is given up: each counts as one that is not told.
        """
        self._in_background[uid] = told
        if len(self._in_background) > MOST_UNENDED:
            self._in_background.clear()
            self.miss()

    def job_ended(self, uid: str) -> None:
        """Take in that a job in the background ended, whose receipts come with this event."""
        if not self._in_background.pop(uid, True):
            self.acted = self.just_ended = True

    def miss(self, waiting: Collection[str] = ()) -> None:
        """Take in that one is not told, as a whole or in part.

        It is one of those that open calls are `waiting` for, by their uids; without any, nobody
        knows when it ends.
        """
        self._missed.update(waiting)
        if not waiting:
            self.acted = self._may_go_on = True

    def mark_end(self) -> None:
        """Tell the state machine of an end, once its receipts are there and nothing else runs."""
        main = self._runs.get(MAIN)
        if main is not None and not main.open:
            main.gates.memory.excuse()
            self.just_ended = False
