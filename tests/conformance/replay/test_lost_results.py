"""A result that a recording lost is no reason to accuse a host, nor to let anything pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from reasonix_conformance.replay.replay import Replay
from reasonix_conformance.replay.results import Agreement
from reasonix_runtime.gates.policy import rule_set
from reasonix_runtime.trace.events import (
    Event,
    Host,
    HostVerdict,
    Outcome,
    Session,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    TurnStatus,
)
from reasonix_runtime.trace.host_events import SETUP

EDIT = ("edit_file", {"path": "a.py", "old_string": "a", "new_string": "b"})
READ = ("read_file", {"path": "a.py"})
CHECK = ("bash", {"command": "pytest -q"})
LIST = ("todo_write", {"todos": [{"content": "Fix add", "status": "in_progress"}]})
SIGN = (
    "complete_step",
    {
        "step": "Fix add",
        "result": "done",
        "evidence": [{"kind": "verification", "summary": "passes", "command": "pytest -q"}],
    },
)
CITES_A_DIFF = (
    "complete_step",
    {
        "step": "Fix add",
        "result": "done",
        "evidence": [{"kind": "diff", "summary": "fixed", "paths": ["a.py"]}],
    },
)
LOST, NEVER, UNANSWERED = "lost", "never", "unanswered"
"""A call whose result the recording lost, one that nobody answered before the turn broke, and one
of which it is told at once that there is none."""
Told = tuple[tuple[str, dict[str, Any]], str]
"""A call, and how it ended."""


class Recorded:
    """Neutral events as a host writes them, with a step for each response."""

    def __init__(self) -> None:
        """Begin a session with the list that it needs."""
        self.events: list[Event] = [
            Session(sid="s", format="neutral/1"),
            Host(name=SETUP, data={"tasks": LIST[1]["todos"]}),
        ]
        self._turns = self._calls = 0

    def turn(
        self,
        *told: Told,
        status: TurnStatus = "completed",
        host: str = "",
        inside: int | None = None,
    ) -> Recorded:
        """Tell a turn; with `inside`, its calls but for the last so many are a sub-agent's."""
        self._turns += 1
        self.events.append(TurnStart(turn=self._turns))
        if inside is None:
            self.events += self._each("main", told)
        else:
            self._calls += 1
            task = f"main#{self._calls}"
            self.events += (
                ToolCall(uid=task, name="task", step="t", args={"prompt": "do it"}),
                SubStart(scope="c", parent_uid=task, background=False),
                *self._each("c", told[:-inside]),
                SubEnd(scope="c", parent_uid=task),
                ToolResult(uid=task, outcome="ok", basis="flag", text="done"),
                *self._each("main", told[-inside:]),
            )
        if host:
            # Told as rows tell it, by its word.
            self.events.append(HostVerdict(gate="turn_end", result=host))  # type: ignore[arg-type]
        self.events.append(TurnEnd(turn=self._turns, status=status, judge=status == "completed"))
        return self

    def _each(self, scope: str, told: tuple[Told, ...]) -> Iterator[Event]:
        for (name, args), ended in told:
            self._calls += 1
            uid = f"{scope}#{self._calls}"
            yield ToolCall(uid=uid, name=name, step=f"r{self._calls}", args=args, turn=self._turns)
            if ended in (LOST, NEVER):
                continue
            outcome: Outcome = "none" if ended == UNANSWERED else "ok" if ended == "ok" else "error"
            yield ToolResult(uid=uid, outcome=outcome, basis="flag", text="+x = 1")

    def verdicts(self, subject: str) -> list[tuple[str, Agreement]]:
        """Return the decisions on calls of a tool, or on ends, with what they say of the host."""
        replay = Replay(rule_set("contract"), path="t", trace_id="t", format_name="neutral/1")
        replay.feed(self.events)
        return [
            (one.verdict.decision.value, one.agreement)
            for one in replay.result().verdicts
            if one.subject == subject
        ]


UNKNOWN = ("not_assessable", Agreement.UNKNOWN)
AGREED = ("accept", Agreement.AGREE)
LENIENT = ("reject", Agreement.HOST_LENIENT)
STRICT = ("accept", Agreement.HOST_STRICT)


@pytest.mark.parametrize(
    ("before", "sign", "ended", "verdict"),
    [
        ((EDIT, "ok"), SIGN, "ok", LENIENT),
        ((CHECK, "ok"), SIGN, "ok", AGREED),
        ((CHECK, LOST), SIGN, "ok", UNKNOWN),
        ((EDIT, LOST), CITES_A_DIFF, "ok", UNKNOWN),
        ((EDIT, "ok"), CITES_A_DIFF, "error", STRICT),
    ],
)
def test_what_a_lost_result_may_have_shown_accuses_nobody(
    before: Told, sign: tuple[str, dict[str, Any]], ended: str, verdict: Any
) -> None:
    """The host had the result that the recording lacks; with it, both may decide alike."""
    recorded = Recorded().turn(before, (sign, ended))

    assert [verdict] == recorded.verdicts("complete_step")


@pytest.mark.parametrize("told", [READ, EDIT, CHECK, LIST])
def test_a_call_that_is_told_to_have_no_result_accuses_nobody_behind_it(told: Any) -> None:
    """Nobody knows what it did; what its own verdict would be is no question."""
    recorded = Recorded().turn((told, UNANSWERED), (SIGN, "ok"))

    assert [UNKNOWN] == recorded.verdicts("complete_step")


def test_a_refusal_that_a_lost_result_may_explain_is_not_strict() -> None:
    """The check that passes here may have failed in a run whose result is lost."""
    recorded = Recorded().turn((CHECK, "ok"), (CHECK, LOST), (SIGN, "error"))

    assert [UNKNOWN] == recorded.verdicts("complete_step")


def test_what_a_sub_agent_did_unseen_accuses_nobody() -> None:
    """Its evidence goes to its parent, also that of the result that is lost."""
    lost = Recorded().turn((CHECK, LOST), (READ, "ok"), (SIGN, "ok"), inside=1)
    told = Recorded().turn((READ, "ok"), (READ, "ok"), (SIGN, "ok"), inside=1)

    assert [UNKNOWN] == lost.verdicts("complete_step")
    assert [LENIENT] == told.verdicts("complete_step")


def test_a_host_hides_no_failure_behind_a_call_without_a_result() -> None:
    """Whatever it never answers, no end is accepted over it that was not good without it."""
    honest = Recorded().turn((EDIT, "ok"), (READ, "ok"), (CHECK, "error"), host="accept")
    hiding = Recorded().turn((EDIT, "ok"), (READ, "ok"), (CHECK, LOST), host="accept")
    silent = Recorded().turn((EDIT, LOST), (READ, "ok"))

    assert [LENIENT] == honest.verdicts("end")
    assert [UNKNOWN] == hiding.verdicts("end")
    assert [UNKNOWN] == silent.verdicts("end")


def test_a_turn_that_broke_off_excuses_nothing_for_good() -> None:
    """A sign-off may rest on what it did last, up to the first end that leaves nothing open."""
    broken = Recorded().turn((CHECK, NEVER), status="interrupted")
    at_once = broken.turn((SIGN, "ok"), host="accept").verdicts("complete_step")
    broken = Recorded().turn((CHECK, NEVER), status="interrupted").turn((EDIT, "ok"), host="accept")
    ends = broken.verdicts("end")
    settled = _closed(Recorded().turn((CHECK, NEVER), status="interrupted"))
    later = settled.turn((EDIT, "ok"), (SIGN, "ok")).verdicts("complete_step")

    assert [UNKNOWN] == at_once
    assert [LENIENT] == ends
    assert [LENIENT] == later


def _closed(recorded: Recorded) -> Recorded:
    """Return a session behind a turn that leaves nothing open."""
    return recorded.turn((READ, "ok"), host="accept")


def test_a_lost_result_excuses_ends_up_to_one_that_leaves_nothing_open() -> None:
    """Then what was owed is settled, whatever was lost before."""
    recorded = Recorded().turn((READ, LOST), (READ, "ok"), host="accept")
    recorded.turn((EDIT, "ok"), host="accept")
    recorded.turn((READ, "ok"), (CHECK, "ok"), (SIGN, "ok"), host="accept")
    recorded.turn((EDIT, "ok"), host="accept")

    assert [UNKNOWN, UNKNOWN, AGREED, LENIENT] == recorded.verdicts("end")


def test_no_call_settles_what_is_owed_for_a_lost_result() -> None:
    """A list that is taken says nothing of what was changed or checked unseen."""
    recorded = Recorded().turn((CHECK, LOST), (READ, "ok")).turn((LIST, "ok"), (EDIT, "ok"))
    recorded.turn((READ, "ok"), host="accept")

    assert UNKNOWN == recorded.verdicts("end")[-1]


@pytest.mark.parametrize(("sent", "verdict"), [((), UNKNOWN), (((LIST, "ok"),), LENIENT)])
def test_after_a_lost_list_nobody_knows_the_list_up_to_the_next_one(
    sent: tuple[Told, ...], verdict: Any
) -> None:
    """Which items are there is told by the next list that is taken."""
    other = ("complete_step", {**SIGN[1], "step": "Write it down"})
    recorded = Recorded().turn((LIST, LOST), (CHECK, "ok"), (SIGN, "ok"), host="accept")
    recorded = _closed(recorded).turn(*sent, (CHECK, "ok"), (other, "ok"))

    assert verdict == recorded.verdicts("complete_step")[-1]


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        # the list that the host refused here may not have followed from the one that is lost
        (((LIST, "error"),), UNKNOWN),
        # a check that failed disproves a sign-off under any list
        (((CHECK, "error"), (SIGN, "ok")), LENIENT),
    ],
)
def test_a_lost_list_excuses_what_the_list_decides(told: tuple[Told, ...], verdict: Any) -> None:
    """What rests on something else is held against the host as ever."""
    recorded = _closed(Recorded().turn((LIST, LOST), (READ, "ok"))).turn(*told)

    assert verdict == recorded.verdicts(told[-1][0][0])[-1]


@pytest.mark.parametrize(("told", "verdict"), [("ok", LENIENT), (LOST, UNKNOWN)])
def test_after_a_lost_goal_nobody_knows_how_it_stands(told: str, verdict: Any) -> None:
    """What was set as the goal may be what the host took a later report for."""
    goal, report = ("create_goal", {"objective": "Ship"}), ("update_goal", {"status": "blocked"})
    recorded = _closed(Recorded().turn((goal, told), (READ, "ok"))).turn((report, "ok"))

    assert [verdict] == recorded.verdicts("update_goal")


@pytest.mark.parametrize(("settled", "verdict"), [(False, UNKNOWN), (True, LENIENT)])
def test_a_list_that_nobody_answered_may_be_in_force_up_to_a_good_end(
    settled: bool, verdict: Any
) -> None:
    """A turn that broke off in it may have stored it."""
    other = ("complete_step", {**SIGN[1], "step": "Write it down"})
    recorded = Recorded().turn((LIST, NEVER), status="interrupted")
    if settled:
        recorded = _closed(recorded)
    recorded.turn((CHECK, "ok"), (other, "ok"))

    assert [verdict] == recorded.verdicts("complete_step")


@pytest.mark.parametrize(
    ("told", "status", "next_end", "verdict"),
    [
        # a turn that was completed went on behind its last call, one that broke off did not
        (((CHECK, LOST),), "completed", "", UNKNOWN),
        (((CHECK, NEVER),), "interrupted", "", LENIENT),
        # behind a call that was answered the model went on, however the turn ended
        (((CHECK, LOST), (READ, "ok")), "interrupted", "", UNKNOWN),
        # an end that the host refused settles nothing for it
        (((CHECK, LOST), (READ, "ok")), "completed", "reject", UNKNOWN),
        (((CHECK, LOST), (READ, "ok")), "completed", "accept", LENIENT),
    ],
)
def test_an_end_is_excused_by_what_is_owed_alone(
    told: tuple[Told, ...], status: TurnStatus, next_end: str, verdict: Any
) -> None:
    """What a host let pass is held against it once nothing that was lost may explain it."""
    recorded = Recorded().turn(*told, status=status)
    if next_end:
        recorded.turn((READ, "ok"), host=next_end)
    recorded.turn((EDIT, "ok"), host="accept")

    assert verdict == recorded.verdicts("end")[-1]


@pytest.mark.parametrize(
    ("call", "host", "verdict"),
    [(SIGN, "error", UNKNOWN), (LIST, "error", STRICT), (CITES_A_DIFF, "ok", UNKNOWN)],
)
def test_only_evidence_that_is_lost_for_good_excuses_later_turns(
    call: tuple[str, dict[str, Any]], host: str, verdict: Any
) -> None:
    """A sign-off may rest on any turn before it; a list rests on none of them."""
    recorded = _closed(Recorded().turn((CHECK, LOST), (READ, "ok")))
    recorded.turn((CHECK, "ok"), (call, host))

    assert verdict == recorded.verdicts(call[0])[-1]
