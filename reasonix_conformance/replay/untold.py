"""What a recording does not tell, and which disagreements with the host that may explain.

A verdict that differs from the host's own decision says that the host was wrong. Where a fact that
the recording lacks may have made the difference, nobody can say so: the verdict is then not
assessable, and names the fact. Where both agree, the fact has no bearing on the comparison.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from reasonix_conformance.readers.building.arguments import NOT_READ, NOT_TOLD
from reasonix_conformance.readers.claude.branches import PUT_BACK
from reasonix_conformance.readers.files.lines import NO_RECORD
from reasonix_conformance.readers.format_facts import (
    MAY_LACK_ARGUMENTS,
    WITHOUT_PROMPTS,
    WITHOUT_SUCCESS,
)
from reasonix_conformance.readers.hosts.host_facts import BY_SILENCE, DELEGATES
from reasonix_conformance.replay.lost_results import NO_EVIDENCE, NO_LIST, RESULT, LostResults
from reasonix_conformance.replay.sub_agents import UnseenSubAgents
from reasonix_runtime.contract.surface import PROXY
from reasonix_runtime.evidence.claims import cites_kind
from reasonix_runtime.evidence.masking import shown_all
from reasonix_runtime.gates.goal.ungated import GOAL_TOOLS
from reasonix_runtime.gates.steps.told_list import REASON as TOLD_OTHERWISE
from reasonix_runtime.gates.verdict import Decision, Verdict, not_assessable
from reasonix_runtime.host import turn_end
from reasonix_runtime.host.goal_events import GOAL_EVENTS
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
from reasonix_runtime.trace.host_events import GOAL_READINESS, GOAL_RECONCILED, GOAL_SET, JOB_ENDED

SAVES: Final = "remember"
FOLLOWED: Final = DELEGATES | {"complete_step", "todo_write", SAVES}
"""Tools whose calls and results say something about the recording; no others have to be told."""
HAVE_GATES: Final = FOLLOWED.union(GOAL_TOOLS, {"review_report"})
"""Tools whose own gate may tell how a call ended that has no result."""

# What a host tells of its goal brings with it what it rests on, but for two questions.
_TOLD_OF_GOALS: Final = GOAL_EVENTS - {GOAL_READINESS, GOAL_RECONCILED}
_NOT_DONE: Final = frozenset(
    {
        "finish.inspection_missing",
        "finish.project_check_missing",
        "finish.signoff_missing",
        "finish.verification_missing",
        "project_check.not_run",
        "review.high_missing_review",
        "review.high_missing_security",
        "review.medium_unproven",
    }
)
_UNREAD_PATH: Final = "report.path_not_read"
_CRITERIA: Final = frozenset(
    {"finish.criteria_missing", "preflight.active_todo_required", "preflight.criteria_required"}
)
# Remarks of readers that mean: something stood here and is lost. A banner line is none of it.
_LOSSES: Final = frozenset(
    {"bad_checksum", "bad_line", "missing_blob", "orphan_result", "torn_frame", "truncated_tail"}
)
_RAN: Final = frozenset({"error", "ok", "running"})
# Refusals of a report of a goal that the host took: it was set where the recording does not show.
_NO_GOAL: Final = frozenset({"goal.no_turn", "goal_revision.no_goal"})
_NO_ORDER: Final = "goal_revision.no_order"
# Who is told the goal by its name takes no report by a status: it is a host of a later line.
_NO_STATUS: Final = "goal.status"
_LISTED = "todo-matched"
_TAKEN_BACK = ("rewound conversation", "forked conversation")

EARLIER = "The recording goes on with work from before its first event."
LOST = "A part of the recording is damaged or missing."
UNANSWERED = "A call of the turn has no result, though the turn was told to be complete."
TURNS = "A prompt is missing, so that what stands here as one turn may be several."
SILENCE = "The recording does not tell how the turn ended; that the host went on is all it tells."
GOAL = "The recording does not tell of the goal that its host knows."
LINE = (
    "The recording does not tell of which line its host is; its goal tool is that of another one."
)
CHILDREN = "The calls of a sub-agent are not in the recording."
REWOUND = "The conversation was taken back to an earlier turn; what the host kept is not told."
FILES = "The conversation was taken back; whether the files that it edited were, too, is not told."
PROMPT = "The recording does not tell what the user asked for."
PROFILE = "The recording does not tell in which profile the turn ran."
FOLDER = (
    "The recording does not tell the folder in which commands named what was changed; "
    "`--workspace` (of pytest `--reasonix-workspace`) tells it."
)
ARGUMENTS = "The recording does not tell the arguments of calls."
ENDS = "The recording does not tell how {} ended, which may be what is missing."
TRUST = (
    "`--min-basis absence` (of pytest `--reasonix-min-basis`) takes a result without any sign of "
    "failure as good."
)
TARGET = "The recording does not tell which tool the call reached, and what that may change."


def is_wordless(call: ToolCall) -> bool:
    """Whether the arguments of a call are not told, or not so that they can be read.

    Nobody knows what it did then, nor what its host made of it, unless its kind tells.
    """
    kindless = call.resolved_name is None and call.read_only is not True
    return not call.args_ok or (call.args is NO_ARGUMENTS and kindless)


def doubtful(result: ToolResult) -> ToolResult:
    """Return a result whose success is not known surely enough: the outcome is `unknown`."""
    if result.outcome != "ok":
        return result
    return msgspec.structs.replace(result, outcome="unknown")


def unanswered(result: ToolResult, call: ToolCall) -> ToolResult:
    """Return the missing result of a call as `unknown`, if no gate of the call's own may tell it.

    Another host has no gate before a call that could have kept it from running.
    """
    if call.target in HAVE_GATES:
        return result
    return msgspec.structs.replace(result, outcome="unknown")


class Untold:
    """Follows one recording, and weighs a verdict that differs from the host's decision."""

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
            self._unread_call = self._unread_call or self._tells_arguments
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
        self._unread_call = self._unread_call or event.text == NOT_READ
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

    def weigh(self, verdict: Verdict, about: Event, host: Decision | None) -> Verdict:
        """Return the verdict, or `not_assessable` where a fact that is not told may explain it.

        Where the host decided the same, the verdict stands, with three exceptions: after a loss no
        end of a turn is good, as what is lost may be a change, nor is the end of a turn whose
        beginning is not in the recording, nor one that is told to be complete and lacks a result.
        Where the host decided otherwise, each fact that may explain that is asked for. Where nobody
        knows what the host decided, a refusal is asked about in the same way, and what is accepted
        only whether a result is lost and, of an end, whether sub-agents acted unseen.
        """
        ours = verdict.decision
        call = about if isinstance(about, ToolCall) else None
        if ours is Decision.NOT_ASSESSABLE:
            return self._advised(verdict) if isinstance(about, TurnEnd) else verdict
        if self._lost.any:
            self._lost.settle(verdict, about, host)
        main = self._runs.get(MAIN)
        lacks_result = self._lacks_result or self._lost.unanswered
        lost = self._lost.any or len(self._runs) > 1 or (main is not None and main.open)
        if self._unread_call and ours is Decision.ACCEPT and isinstance(about, TurnEnd):
            self._unread_call = False
        if self._lacks_a_part and _rests_on_all(ours, about, host):
            missing: str | None = LOST
        elif self._begins_in_a_turn and ours is Decision.ACCEPT and isinstance(about, TurnEnd):
            missing = EARLIER
        elif lacks_result and ours is Decision.ACCEPT and _is_told_whole(about):
            missing = UNANSWERED
        elif ours is host:
            return verdict
        elif lost and self._lost.explain(verdict, about):
            missing = RESULT
        elif self._lacks_prompt and host is not None:
            missing = TURNS
        elif self._lacks_end and isinstance(about, TurnEnd):
            missing = SILENCE
        elif host is not None and call is not None and is_wordless(call):
            missing = ARGUMENTS
        elif ours is Decision.REJECT:
            ends = verdict.reason in _NOT_DONE and isinstance(about, TurnEnd)
            unexcused = self._unexcused if ends else None
            verdict = unexcused or verdict
            missing = self._lenient(verdict, call, excused=unexcused is None)
        elif host is None:
            asked = call is None and (self.unseen.met or self._put_back)
            missing = self._unsettled(verdict, about) if asked else None
        else:
            missing = self._strict(verdict, call)
        if missing is None:
            return verdict
        told = f"{missing} By what it tells: {ours.value}"
        told = f"{told} ({verdict.reason})." if verdict.reason else f"{told}."
        unknown = not_assessable(verdict.gate, told)
        return self._advised(unknown) if verdict.facts.get("untold") else unknown

    def _advised(self, verdict: Verdict) -> Verdict:
        """Return a verdict that nobody can give with how to have more of the results believed."""
        if not self._doubts_results or not verdict.message:
            return verdict
        return msgspec.structs.replace(verdict, told=f"{verdict.message.rstrip('.')}. {TRUST}")

    def _unsettled(self, verdict: Verdict, about: Event) -> str | None:
        """Return what is missing to an end that left nothing open; the next one has it.

        Sub-agents may have changed something unseen, and what was taken back may be as it was.
        """
        unseen = self.unseen.may_have_changed and not _tells_of_goal(about)
        ends = isinstance(about, TurnEnd)
        put_back = ends and self._put_back and verdict.facts.get("risk") != "none"
        if ends:
            self._put_back = False
            self.unseen.settle()
        return CHILDREN if unseen else FILES if put_back else None

    def _lenient(self, verdict: Verdict, call: ToolCall | None, *, excused: bool) -> str | None:
        """Return what is missing where the host let pass what the rules refuse.

        It is not `excused` where something is owed that came behind all that is not told.
        """
        reason = verdict.reason
        misses = reason in NO_EVIDENCE or reason in _NOT_DONE or reason == _UNREAD_PATH
        if misses and excused and self.unseen.left_evidence:
            return CHILDREN
        if misses and (self._lacks_arguments or self._unread_call):
            return ARGUMENTS
        if self._continues and (reason in NO_EVIDENCE or reason in NO_LIST):
            return EARLIER
        if excused and self._put_back and reason in _NOT_DONE:
            return FILES
        if reason in _NO_GOAL:
            return GOAL
        if reason == _NO_STATUS and call is not None and _names_goal(call.target_given):
            return LINE
        if reason == _NO_ORDER and (self._continues or not self._tells_prompts):
            return PROMPT
        if self._rewound and reason == TOLD_OTHERWISE:
            return REWOUND
        if "untold" in verdict.facts or "placeless" in verdict.facts:
            return _supposed(verdict)
        saves = self._memory_saved if call is None else call.target == SAVES
        return PROMPT if saves and reason in _CRITERIA else None

    def _strict(self, verdict: Verdict, call: ToolCall | None) -> str | None:
        """Return what is missing where the host refused what the rules let pass."""
        if call is not None and call.name == PROXY and call.resolved_name is None:
            return TARGET
        if self._continues:
            return EARLIER
        if self._rewound:
            return REWOUND
        if self._tells_prompts or (self._tells_profile and call is not None):
            return None
        if call is None:
            return PROMPT if self._tells_profile else PROFILE
        if verdict.gate == "preflight":
            return PROFILE
        # The profile decides what counts as a verification.
        return PROFILE if cites_kind(call.target_given, "verification") else None


def _tells_of_goal(about: Event) -> bool:
    """Whether a host tells something of its goal, which no evidence speaks for or against."""
    return isinstance(about, Host) and about.name in _TOLD_OF_GOALS


def _is_told_whole(about: Event) -> bool:
    """Whether a recording says itself that a turn is complete: then each of its calls ended."""
    return isinstance(about, TurnEnd) and about.by == "explicit" and about.status == "completed"


def _rests_on_all(ours: Decision, about: Event, host: Decision | None) -> bool:
    """Whether an event that was lost may have turned a verdict round, or explain the host's."""
    if ours is Decision.ACCEPT:
        return isinstance(about, TurnEnd) or host is Decision.REJECT
    return ours is not host


def _supposed(verdict: Verdict) -> str:
    """Return what is missing by the gate's own account: facts that would have turned it round."""
    calls = verdict.facts.get("untold")
    ends = ENDS.format(shown_all(calls)) if calls else ""
    return " ".join(filter(None, (ends, FOLDER if verdict.facts.get("placeless") else "")))


def _names_goal(args: Any) -> bool:
    """Whether a report says of which goal it is, and at which revision."""
    return isinstance(args, dict) and {"goal_id", "revision"} <= args.keys()


def _has_done_items(args: Any) -> bool:
    items = args.get("todos") if isinstance(args, dict) else None
    return isinstance(items, list) and any(
        isinstance(item, dict) and item.get("status") == "completed" for item in items
    )


_TAKES: Final = Handlers(
    {
        Diag: Untold._on_diag,
        Host: Untold._on_host,
        HostVerdict: Untold._on_verdict,
        Notice: Untold._on_notice,
        Session: Untold._on_session,
        SubEnd: Untold._on_sub_end,
        SubStart: Untold._on_sub_start,
        ToolCall: Untold._on_call,
        ToolResult: Untold._on_result,
        TurnEnd: Untold._on_turn_end,
        TurnStart: Untold._on_turn_start,
        User: Untold._on_user,
    }
)
