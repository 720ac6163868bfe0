"""Calls whose results a recording lost, and the verdicts that such a result may explain.

A model goes on when its calls are answered. So a call without a result, behind which the model went
on, had one, and the recording does not tell it: what the call showed, changed or settled is not
known, and no difference between our decision and the host's says that the host was wrong. A turn
that just stops in its last calls is another matter: these may never have been answered, and later
turns owe nothing to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from reasonix_runtime.gates.delivery.turn_end import GATE as END_GATE
from reasonix_runtime.gates.goal.ungated import GOAL_TOOLS
from reasonix_runtime.gates.preflight import GATE as PREFLIGHT
from reasonix_runtime.gates.steps.told_list import REASON as TOLD_OTHERWISE
from reasonix_runtime.gates.verdict import Decision, Verdict
from reasonix_runtime.host.goal_events import LIFE_GATE
from reasonix_runtime.host.goals import TURN_GATE
from reasonix_runtime.host.run import Opened, Run
from reasonix_runtime.trace.events import MAIN, Event, ToolCall, ToolResult, TurnEnd, scope_of

RESULT: Final = "A call has no result, though the model went on behind it."
SIGN_OFF: Final = "complete_step"
LIST: Final = "todo_write"
_MOVE_THE_LIST: Final = frozenset({SIGN_OFF, LIST})
_ASK_FOR_THE_LIST: Final = frozenset({*_MOVE_THE_LIST, PREFLIGHT, END_GATE})
_GOALS: Final = frozenset({*GOAL_TOOLS, TURN_GATE, LIFE_GATE})

NO_EVIDENCE: Final = frozenset(
    {
        "diff.path_not_written",
        "files.path_not_touched",
        "review.not_completed",
        "verification.command_not_run",
    }
)
"""Refusals of a sign-off because something is not there, in this turn or in an earlier one."""
NO_LIST: Final = frozenset(
    {
        "todo.step_pending",
        "todo.step_unmatched",
        TOLD_OTHERWISE,
        "todo_write.completed_unsigned",
        "todo_write.initial_completed",
    }
)
"""Refusals because an item is not in the list, or not where it should be."""
_BY_THE_LIST: Final = NO_LIST | {
    "finish.todos_incomplete",
    "preflight.active_todo_required",
    "preflight.criteria_required",
    "todo.phase_unfinished",
    "todo.renewal_unmatched",
    "todo_write.active_list_cleared",
    "todo_write.completed_moved",
    "todo_write.current_demoted",
    "todo_write.current_dropped",
    "todo_write.history_changed",
    "todo_write.step_id_dropped",
}
"""Refusals by a list that was sent before; `NO_LIST` are those that an earlier one may undo."""


class LostResults:
    """Follows the calls of a recording that have no result.

    Attributes:
        any: whether a call of the recording was told to have none.
        unanswered: how many calls of this turn were told to have none.
        owed: whether a result was lost, and no end since has left nothing open.
        list_unknown: whether one was lost that settled which task list is in force.
        goal_unknown: whether one was lost that settled how the goal stands.
    """

    def __init__(self, runs: Mapping[str, Run]) -> None:
        """Take the runs of the state machine, by scope: they know which calls are open."""
        self.any = False
        self.unanswered = 0
        self.owed = False
        self.list_unknown = False
        self.goal_unknown = False
        self._runs = runs
        self._ever = False
        self._broken_off = False
        """Whether a turn stopped in calls without a result, and no end since left nothing open."""
        self._latest = ""
        """The uid of the call that was told last to have no result."""
        self._last_calls: list[ToolCall] = []
        """Calls without a result behind which nothing has come yet."""
        self._left = 0
        """How many calls of the main conversation were made when a turn ended with open ones."""

    def take(self, result: ToolResult) -> None:
        """Take in that a call has no result, before the state machine takes it in."""
        run = self._runs.get(scope_of(result.uid))
        opened = None if run is None else run.open.get(result.uid)
        if run is None or opened is None:
            return
        self._latest = result.uid
        self._leave(opened, run)

    def turn_starts(self) -> None:
        """Begin a turn; what nobody answered at the end of the one before may never have ended."""
        self._broken_off = self._broken_off or bool(self._last_calls)
        self.unanswered = 0
        self._last_calls.clear()

    def turn_ends(self, end: TurnEnd) -> None:
        """Take in the end of a turn: one that was completed goes on behind all its calls."""
        main = self._runs.get(MAIN)
        if main is not None:
            for opened in self._open_in(main):
                self._leave(opened, main)
            self._left = main.made
        if end.status == "completed":
            for call in self._last_calls:
                self.lose(call)
            self._last_calls.clear()

    def sub_agent_ends(self, run: Run) -> None:
        """Take in the end of a sub-agent that has calls without a result."""
        for opened in self._open_in(run):
            self._leave(opened, run)

    def _leave(self, opened: Opened, run: Run) -> None:
        """Take in a call that has no result in its turn, or where its sub-agent ends."""
        self.any = True
        self.unanswered += 1
        if _went_on(run, opened):
            self.lose(opened.call)
        else:
            self._last_calls.append(opened.call)

    def settle(self, verdict: Verdict, about: Event, host: Decision | None) -> None:
        """Take in an end that may leave nothing open."""
        settles = verdict.accepted and isinstance(about, TurnEnd) and host is not Decision.REJECT
        if settles and not self.unanswered:
            self.owed = self._broken_off = False

    def explain(self, verdict: Verdict, about: Event) -> bool:
        """Whether a result that was lost may be why a verdict differs from the host's decision."""
        if self.owed or self._in_doubt(about):
            return True
        gate, reason = verdict.gate, verdict.reason
        if self.list_unknown and (
            gate in _ASK_FOR_THE_LIST if verdict.accepted else reason in _BY_THE_LIST
        ):
            return True
        if self.goal_unknown and gate in _GOALS:
            return True
        # A sign-off may rest on whatever was done in the session.
        if self._broken_off and reason in NO_LIST:
            return True
        return (self._ever or self._broken_off) and (
            gate == SIGN_OFF if verdict.accepted else reason in NO_EVIDENCE
        )

    def _in_doubt(self, about: Event) -> bool:
        """Whether a call of this turn has no result and stands before what is judged."""
        own = isinstance(about, ToolCall) and about.uid == self._latest
        return self.unanswered > own or any(map(self._is_overtaken, self._runs.values()))

    def _is_overtaken(self, run: Run) -> bool:
        """Whether a call of a run that is open has later ones that have ended."""
        return any(opened.number < run.ended for opened in self._open_in(run))

    def _open_in(self, run: Run) -> Iterator[Opened]:
        """Yield the open calls of this turn, the latest one first."""
        for opened in reversed(run.open.values()):
            if run.scope == MAIN and opened.number <= self._left:
                return
            yield opened

    def lose(self, call: ToolCall) -> None:
        """Take in that what a call came to is lost."""
        self.any = self._ever = self.owed = True
        self.list_unknown = self.list_unknown or call.target in _MOVE_THE_LIST
        self.goal_unknown = self.goal_unknown or call.target in GOAL_TOOLS


def _went_on(run: Run, opened: Opened) -> bool:
    """Whether the model went on behind a call: a later one has ended, or is of a later response."""
    step, message = opened.call.step, run.message
    later = message is not None and bool(step) and message.step != step
    return later or opened.number < run.ended
