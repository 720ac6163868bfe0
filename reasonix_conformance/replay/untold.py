"""What a recording does not tell, and which disagreements with the host that may explain.

A verdict that differs from the host's own decision says that the host was wrong. Where a fact that
the recording lacks may have made the difference, nobody can say so: the verdict is then not
assessable, and names the fact. Where both agree, the fact has no bearing on the comparison.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from reasonix_conformance.replay.gaps import SAVES, Gaps, is_wordless
from reasonix_conformance.replay.lost_results import NO_EVIDENCE, NO_LIST, RESULT
from reasonix_runtime.contract.surface import PROXY
from reasonix_runtime.evidence.claims import cites_kind
from reasonix_runtime.evidence.masking import shown_all
from reasonix_runtime.gates.steps.told_list import REASON as TOLD_OTHERWISE
from reasonix_runtime.gates.verdict import Decision, Verdict, not_assessable
from reasonix_runtime.host.goal_events import GOAL_EVENTS
from reasonix_runtime.trace.events import (
    MAIN,
    Event,
    Host,
    ToolCall,
    ToolResult,
    TurnEnd,
)
from reasonix_runtime.trace.host_events import GOAL_READINESS, GOAL_RECONCILED

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
_NOT_SEEN: Final = frozenset({"preflight.failed_change_barrier", "report.path_not_read"})
_CRITERIA: Final = frozenset(
    {"finish.criteria_missing", "preflight.active_todo_required", "preflight.criteria_required"}
)
# Refusals of a report of a goal that the host took: it was set where the recording does not show.
_NO_GOAL: Final = frozenset({"goal.no_turn", "goal_revision.no_goal"})
_NO_ORDER: Final = "goal_revision.no_order"
# Who is told the goal by its name takes no report by a status: it is a host of a later line.
_NO_STATUS: Final = "goal.status"

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


def doubtful(result: ToolResult) -> ToolResult:
    """Return a result whose success is not known surely enough: the outcome is `unknown`."""
    if result.outcome != "ok":
        return result
    return msgspec.structs.replace(result, outcome="unknown")


class Untold(Gaps):
    """Follows one recording, and weighs a verdict that differs from the host's decision."""

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
            asked = call is None and (self.unseen.left_evidence or self._put_back)
            missing = self._unsettled(verdict, about) if asked else None
        else:
            missing = self._strict(verdict, call)
        return verdict if missing is None else self._unknown(verdict, missing)

    def _unknown(self, verdict: Verdict, missing: str) -> Verdict:
        """Return what stands for a verdict that a missing fact may turn round."""
        told = f"{missing} By what it tells: {verdict.decision.value}"
        told = f"{told} ({verdict.reason})." if verdict.reason else f"{told}."
        unknown = not_assessable(verdict.gate, told)
        return self._advised(unknown) if verdict.facts.get("untold") else unknown

    def _advised(self, verdict: Verdict) -> Verdict:
        """Return a verdict that nobody can give with how to have more of the results believed."""
        if not self._doubts_results or not verdict.message:
            return verdict
        return msgspec.structs.replace(verdict, told=f"{verdict.message.rstrip('.')}. {TRUST}")

    def _unsettled(self, verdict: Verdict, about: Event) -> str | None:
        """Return what is missing to what is accepted, where nobody knows what the host decided.

        Sub-agents may have changed something unseen, which no end settles. What was taken back may
        be as it was; the first end that leaves nothing open settles that.
        """
        unseen = self.unseen.left_evidence and not _tells_of_goal(about)
        ends = isinstance(about, TurnEnd)
        put_back = ends and self._put_back and verdict.facts.get("risk") != "none"
        if ends:
            self._put_back = self._put_back and unseen
        return CHILDREN if unseen else FILES if put_back else None

    def _lenient(self, verdict: Verdict, call: ToolCall | None, *, excused: bool) -> str | None:
        """Return what is missing where the host let pass what the rules refuse.

        It is not `excused` where something is owed that came behind all that is not told.
        """
        reason = verdict.reason
        misses = reason in NO_EVIDENCE or reason in _NOT_DONE or reason in _NOT_SEEN
        unread = self._ever_unread if reason in NO_EVIDENCE else self._unread_call
        if misses and excused and self.unseen.left_evidence:
            return CHILDREN
        if misses and (self._lacks_arguments or unread):
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
