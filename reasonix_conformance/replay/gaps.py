"""What a recording tells, event for event, and which facts are missing in it.

What follows from a fact that is missing is said by `untold.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from reasonix_conformance.readers.building.arguments import NOT_READ, NOT_TOLD
from reasonix_conformance.readers.claude.branches import PUT_BACK
from reasonix_conformance.readers.files.lines import NO_RECORD
from reasonix_conformance.readers.format_facts import (
    MAY_LACK_ARGUMENTS,
    WITHOUT_PROMPTS,
    WITHOUT_SUCCESS,
)
from reasonix_conformance.readers.hosts.host_facts import BY_SILENCE, DELEGATES
from reasonix_conformance.replay.lost_results import LostResults
from reasonix_conformance.replay.sub_agents import UnseenSubAgents
from reasonix_runtime.gates.goal.ungated import GOAL_TOOLS
from reasonix_runtime.gates.verdict import Decision, Verdict
from reasonix_runtime.host import turn_end
from reasonix_runtime.host.run import Run
from reasonix_runtime.trace.events import (
    MAIN,
    NO_ARGUMENTS,
    Diag,
    Event,
    Handlers,
    Host,
    HostVerdict,
    Notice,
    Session,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    User,
)
from reasonix_runtime.trace.host_events import GOAL_SET, JOB_ENDED

SAVES: Final = "remember"
FOLLOWED: Final = DELEGATES | {"complete_step", "todo_write", SAVES}
"""Tools whose calls and results say something about the recording; no others have to be told."""
HAVE_GATES: Final = FOLLOWED.union(GOAL_TOOLS, {"review_report"})
"""Tools whose own gate may tell how a call ended that has no result."""

# Remarks of readers that mean: something stood here and is lost. A banner line is none of it.
_LOSSES: Final = frozenset(
    {"bad_checksum", "bad_line", "missing_blob", "orphan_result", "torn_frame", "truncated_tail"}
)
_RAN: Final = frozenset({"error", "ok", "running"})
_LISTED = "todo-matched"
_TAKEN_BACK = ("rewound conversation", "forked conversation")


def is_wordless(call: ToolCall) -> bool:
    """Whether the arguments of a call are not told, or not so that they can be read.

    Nobody knows what it did or saw then, nor what its host made of it.
    """
    return not call.args_ok or call.args is NO_ARGUMENTS


class Gaps:
    """Follows one recording: what it tells, and what is missing in it."""

    def __init__(self, runs: Mapping[str, Run] | None = None) -> None:
        """Take the runs of the state machine that judges the recording."""
        self._runs = runs or {}
        self._lost = LostResults(self._runs)
        self._tells_prompts = True
        """Whether the format keeps what the user typed."""
        self._tells_arguments = True
        """Whether the format tells the arguments of every call."""
        self._tells_profile = False
        """Whether something told in which profile the run is."""
        self._had_list = False
        """Whether a task list was told, by a call or by the setup."""
        self._continues = False
        """Whether work from before the first event counts: earlier evidence is not told."""
        self._begins_in_a_turn = False
        """Whether the recording begins inside a turn, and that turn has not ended yet."""
        self._in_turn = False
        """Whether a turn has begun and not ended yet."""
        self._rewound = False
        """Whether the conversation was taken back to an earlier turn."""
        self._put_back = False
        """Whether files may have been put back, and no end since has left nothing open."""
        self._lacks_a_part = False
        """Whether a reader met damage, so that anything may be missing."""
        self._lacks_prompt = False
        """Whether a prompt inside this turn is missing, so that it may be several turns."""
        self._lacks_result = False
        """Whether a call of this turn was told to have no result."""
        self._lacks_end = False
        """Whether the host's decision on the end of this turn follows from its silence alone."""
        self._memory_saved = False
        """Whether the model saved a memory in this turn."""
        self.unseen = UnseenSubAgents(self._runs)
        """The sub-agents that acted unseen."""
        self._unexcused: Verdict | None = None
        """The refusal of the latest end for what came behind all that is not told."""
        self._lacks_arguments = False
        """Whether a call was met whose arguments are not told."""
        self._unread_call = False
        """Whether what a call did is not known, and no end since has left nothing open."""
        self._ever_unread = False
        """Whether what some call did is not known: a sign-off may rest on any of the session."""
        self._lacks_success = False
        """Whether the results of the format do not tell that a call was a success."""
        self._doubts_results = False
        """Whether a result was met that is not believed, or tells nothing: `TRUST` may help."""
        self.calls: dict[str, ToolCall] = {}
        """The open calls that are followed: of `FOLLOWED` tools, or without words."""

    def take(self, event: Event) -> None:
        """Take an event in, before it is judged."""
        take = _TAKES[type(event)]
        if take is not None:
            take(self, event)

    def turn_ended(self) -> None:
        """Take in that a turn was judged; the next one has a beginning."""
        self._begins_in_a_turn = False

    def _on_call(self, call: ToolCall) -> None:
        target = call.target
        self._memory_saved = self._memory_saved or target == SAVES
        self.calls[call.uid] = call

    def _on_result(self, result: ToolResult) -> None:
        call = self.calls.pop(result.uid, None)
        if call is None:
            return
        target = call.target
        if result.outcome in _RAN and is_wordless(call):
            if self._tells_arguments:
                self._unread_call = self._ever_unread = True
            if result.outcome == "ok" and target in HAVE_GATES:
                self._lost.lose(call)
        if target in DELEGATES:
            self.unseen.call_ended(call, result)
        elif target == "complete_step" and result.outcome == "ok" and not self._had_list:
            # The host found the item in a list that was never sent here.
            self._continues = self._continues or _LISTED in result.text
        elif target == "todo_write" and result.outcome == "ok":
            self._continues = self._continues or (
                not self._had_list and _has_done_items(call.target_given)
            )
            self._had_list = True
            self._lost.list_unknown = False

    def _on_sub_start(self, event: SubStart) -> None:
        self.unseen.starts(event)

    def _on_sub_end(self, event: SubEnd) -> None:
        run = self._runs.get(event.scope)
        if run is not None and run.open:
            self._lost.sub_agent_ends(run)

    def _on_turn_start(self, _event: TurnStart) -> None:
        if self.unseen.just_ended:
            self.unseen.mark_end()
        self._in_turn = True
        self._memory_saved = self._lacks_result = self._lacks_prompt = self._lacks_end = False
        if self._lost.unanswered:
            self._lost.turn_starts()

    def _on_turn_end(self, event: TurnEnd) -> None:
        self._unexcused = None
        if self.unseen.acted or self._put_back:
            self._unexcused = self._refused_in_any_case(event)
        self.unseen.told.clear()
        self._begins_in_a_turn = self._begins_in_a_turn or not self._in_turn
        self._in_turn = False
        self.calls.clear()
        main = self._runs.get(MAIN)
        if self._lost.unanswered or (main is not None and main.open):
            self._lost.turn_ends(event)

    def _on_session(self, event: Session) -> None:
        self._tells_prompts = event.format not in WITHOUT_PROMPTS
        self._tells_arguments = event.format not in MAY_LACK_ARGUMENTS
        self.unseen.session_starts(event.format)
        self._lacks_success = event.format.startswith(WITHOUT_SUCCESS)
        self._continues = self._continues or event.resumed_from is not None

    def _on_host(self, event: Host) -> None:
        self._had_list = self._had_list or bool(event.data.get("tasks"))
        self._tells_profile = self._tells_profile or "profile" in event.data
        if event.name == GOAL_SET:
            self._lost.goal_unknown = False
        if event.name == JOB_ENDED:
            self.unseen.job_ended(str(event.data.get("uid")))

    def _on_notice(self, event: Notice) -> None:
        self._rewound = self._rewound or event.text.startswith(_TAKEN_BACK)

    def _on_diag(self, event: Diag) -> None:
        self._rewound = self._rewound or event.code == "branch_dropped"
        if event.text == PUT_BACK:
            self._put_back = True
            for run in self._runs.values():
                run.gates.memory.excuse()
        if event.code == "missing_child":
            calls = self.calls.items()
            self.unseen.miss([uid for uid, call in calls if call.target in DELEGATES])
        self._lacks_prompt = self._lacks_prompt or event.code == "missing_prompt"
        self._lacks_result = self._lacks_result or event.code == "unanswered_call"
        if event.code == "mid_chain_start":
            self._continues = self._begins_in_a_turn = True
        self._lacks_arguments = self._lacks_arguments or event.text == NOT_TOLD
        if event.text == NOT_READ:
            self._unread_call = self._ever_unread = True
        self._lacks_a_part = self._lacks_a_part or (
            event.code in _LOSSES and event.text != NO_RECORD
        )

    def _on_verdict(self, event: HostVerdict) -> None:
        self._lacks_end = event.details == BY_SILENCE

    def _on_user(self, event: User) -> None:
        self._tells_profile = self._tells_profile or event.raw_text is not None

    def _refused_in_any_case(self, event: TurnEnd) -> Verdict | None:
        """Return the refusal of an end for what came behind all that is not told, None for none."""
        main = self._runs.get(MAIN)
        if main is None or self.unseen.may_act:
            return None
        verdict = turn_end.unexcused_end(main.gates, event)
        return verdict if verdict is not None and verdict.decision is Decision.REJECT else None

    def doubted(self, result: ToolResult) -> None:
        """Take in a result that is not believed, or not known, on the basis that it has."""
        silent = self._lacks_success and result.outcome == "unknown"
        self._doubts_results = self._doubts_results or silent or result.outcome == "ok"

    def unanswered(self, result: ToolResult) -> None:
        """Take in that a call has no result, before the state machine takes it in."""
        self._lost.take(result)

    def carry(self, event: Event) -> None:
        """Take in what an earlier run of the session left."""
        if isinstance(event, ToolResult) and event.outcome == "none":
            self.unanswered(event)
        self.take(event)
        self._continues = self._begins_in_a_turn = False

    def begins_late(self) -> None:
        """Take in that runs before this one are not at hand."""
        self._continues = True


def _has_done_items(args: Any) -> bool:
    items = args.get("todos") if isinstance(args, dict) else None
    return isinstance(items, list) and any(
        isinstance(item, dict) and item.get("status") == "completed" for item in items
    )


_TAKES: Final = Handlers(
    {
        Diag: Gaps._on_diag,
        Host: Gaps._on_host,
        HostVerdict: Gaps._on_verdict,
        Notice: Gaps._on_notice,
        Session: Gaps._on_session,
        SubEnd: Gaps._on_sub_end,
        SubStart: Gaps._on_sub_start,
        ToolCall: Gaps._on_call,
        ToolResult: Gaps._on_result,
        TurnEnd: Gaps._on_turn_end,
        TurnStart: Gaps._on_turn_start,
        User: Gaps._on_user,
    }
)
