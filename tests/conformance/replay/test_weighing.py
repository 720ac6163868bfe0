"""What is missing in a recording, verdict by verdict: which it leaves, and which it undoes.

Each row tells the facts of a recording, our verdict, what it is about, and the host's decision.
"""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from reasonix_conformance.readers.building.arguments import NOT_READ, NOT_TOLD
from reasonix_conformance.readers.claude.branches import PUT_BACK
from reasonix_conformance.readers.files.lines import NO_RECORD
from reasonix_conformance.readers.hosts.host_facts import BY_SILENCE
from reasonix_conformance.replay import untold
from reasonix_conformance.replay.untold import Untold
from reasonix_runtime.gates.delivery.turn_end import GATE as END_GATE
from reasonix_runtime.gates.verdict import Decision, Verdict, accept, not_assessable, refuse, reject
from reasonix_runtime.trace.events import (
    NO_ARGUMENTS,
    Diag,
    Event,
    Host,
    HostVerdict,
    Notice,
    Outcome,
    Session,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    User,
)
from reasonix_runtime.trace.host_events import GOAL_READINESS, GOAL_SET

YES, NO = Decision.ACCEPT, Decision.REJECT

END = TurnEnd(turn=1, status="completed", by="inferred")
WHOLE = TurnEnd(turn=1, status="completed", by="explicit")
CUT_OFF = TurnEnd(turn=1, status="interrupted", by="explicit")
SIGN_OFF = ToolCall(uid="main#9", name="complete_step", args={"step": "1"})
CITES = ToolCall(
    uid="main#9",
    name="complete_step",
    args={"step": "1", "evidence": [{"kind": "verification", "command": "pytest"}]},
)
REPORT = ToolCall(uid="main#9", name="review_report", args={})
NAMES_GOAL = ToolCall(uid="main#9", name="goal", args={"goal_id": "g", "revision": 1})
HALF_NAMES = msgspec.structs.replace(NAMES_GOAL, args={"goal_id": "g"})
LISTED = msgspec.structs.replace(NAMES_GOAL, args=["goal_id", "revision"])
SAVES = ToolCall(uid="main#9", name="remember", args={})
WORDLESS = msgspec.structs.replace(SIGN_OFF, args=NO_ARGUMENTS)
OF_A_READER = msgspec.structs.replace(WORDLESS, read_only=True)
OF_A_TARGET = msgspec.structs.replace(WORDLESS, resolved_name="read_file")
UNREADABLE = msgspec.structs.replace(OF_A_READER, args_ok=False)
PROXIED = ToolCall(uid="main#9", name="use_capability", args={})
REACHED = msgspec.structs.replace(PROXIED, resolved_name="web_fetch")

STREAM = Session(sid="s", format="reasonix-stream")
NEUTRAL = Session(sid="s", format="neutral/1")
CHAT = Session(sid="s", format="chat-completions")
CARRIED_ON = Session(sid="s", format="neutral/1", resumed_from="a")
RESUMED = Session(sid="s", format="reasonix-stream", resumed_from="a")
DELEGATED = (
    CHAT,
    ToolCall(uid="main#1", name="task", args={"prompt": "x"}),
    ToolResult(uid="main#1", outcome="ok"),
)
WITHOUT_WORDS = (
    STREAM,
    ToolCall(uid="main#1", name="bash", args=NO_ARGUMENTS),
    ToolResult(uid="main#1", outcome="ok"),
)
READ_WITHOUT_WORDS = (
    STREAM,
    ToolCall(uid="main#1", name="read_file", args=NO_ARGUMENTS, read_only=True),
    ToolResult(uid="main#1", outcome="ok"),
)
BAD_LINE = Diag(code="bad_line", text="no JSON")
READINESS = Host(name=GOAL_READINESS, data={})
PROFILE = Host(name="setup", data={"profile": "delivery"})
EXPANDED = User(turn=1, text="<host>go", raw_text="go")


def ours(reason: str = "", gate: str = END_GATE, **facts: object) -> Verdict:
    """Return a verdict: a refusal where a reason is told."""
    return reject(gate, refuse(reason, "no"), **facts) if reason else accept(gate, **facts)


def lists(status: str, *, outcome: Outcome = "ok") -> tuple[Event, ...]:
    """Return a call that sends a list of one item, and its result."""
    return sends({"todos": [{"content": "x", "status": status}]}, outcome=outcome)


def sends(args: Any, *, outcome: Outcome = "ok") -> tuple[Event, ...]:
    """Return a call of the tool for lists, and its result."""
    call = ToolCall(uid="main#2", name="todo_write", args=args)
    return call, ToolResult(uid="main#2", outcome=outcome)


MATCHED = (
    ToolCall(uid="main#3", name="complete_step", args={"step": "x"}),
    ToolResult(uid="main#3", outcome="ok", text="todo-matched"),
)
UNSIGNED = (MATCHED[0], ToolResult(uid="main#3", outcome="error", text="todo-matched"))

Row = tuple[tuple[Event, ...], Verdict, Event, Decision | None]

UNMATCHED = ours("todo.step_unmatched", "complete_step")
NOT_RUN = ours("verification.command_not_run", "complete_step")
BARRED = ours("preflight.failed_change_barrier", "preflight")
UNREAD = ours("report.path_not_read", "review_report")
UNVERIFIED = ours("finish.verification_missing")
PENDING = ours("finish.todos_incomplete")

STANDS: list[Row] = [
    ((STREAM, *lists("pending")), UNMATCHED, SIGN_OFF, YES),
    ((STREAM, *lists("pending"), *lists("completed")), UNMATCHED, SIGN_OFF, YES),
    ((STREAM, *lists("completed", outcome="error")), UNMATCHED, SIGN_OFF, YES),
    ((STREAM, *sends(["completed"])), UNMATCHED, SIGN_OFF, YES),
    ((STREAM, *sends({"todos": "completed"})), UNMATCHED, SIGN_OFF, YES),
    ((STREAM, *sends({"todos": ["completed"]})), UNMATCHED, SIGN_OFF, YES),
    ((STREAM, *sends({"todos": {"status": "completed"}})), UNMATCHED, SIGN_OFF, YES),
    ((STREAM, *lists("pending"), *MATCHED), UNMATCHED, SIGN_OFF, YES),
    ((STREAM, Host(name="setup", data={"tasks": ["x"]}), *MATCHED), UNMATCHED, SIGN_OFF, YES),
    ((STREAM, Host(name="setup", data={"tasks": []}), *UNSIGNED), UNMATCHED, SIGN_OFF, YES),
    ((STREAM, TurnStart(turn=1), END, TurnStart(turn=2)), ours(), END, YES),
    ((STREAM, BAD_LINE), ours(gate="complete_step"), SIGN_OFF, YES),
    ((STREAM, BAD_LINE), ours(gate="complete_step"), SIGN_OFF, None),
    ((STREAM, BAD_LINE), UNVERIFIED, END, NO),
    ((STREAM, Diag(code="bad_line", text=NO_RECORD)), ours(), END, YES),
    ((STREAM, Diag(code="banner", text="x")), ours(), END, YES),
    ((STREAM, Diag(code="mid_chain_start", text="x")), ours(gate="complete_step"), SIGN_OFF, YES),
    ((STREAM, Diag(code="mid_chain_start", text="x")), UNVERIFIED, END, NO),
    ((STREAM, Diag(code="unanswered_call", text="x")), ours(), END, YES),
    ((STREAM, Diag(code="unanswered_call", text="x")), ours(), CUT_OFF, YES),
    ((STREAM, Diag(code="unanswered_call", text="x")), UNVERIFIED, WHOLE, NO),
    ((STREAM, Diag(code="unanswered_call", text="x")), ours(gate="todo_write"), SIGN_OFF, YES),
    (
        (STREAM, Diag(code="unanswered_call", text="x"), TurnStart(turn=2)),
        ours(),
        WHOLE,
        YES,
    ),
    ((STREAM, Diag(code="missing_prompt", text="x")), UNVERIFIED, END, None),
    ((STREAM, Diag(code="missing_prompt", text="x"), TurnStart(turn=2)), UNVERIFIED, END, YES),
    (
        (STREAM, HostVerdict(gate=END_GATE, result="accept", details=BY_SILENCE)),
        UNMATCHED,
        SIGN_OFF,
        YES,
    ),
    ((STREAM, HostVerdict(gate=END_GATE, result="accept", details={})), UNVERIFIED, END, YES),
    ((STREAM,), ours("args.invalid", "complete_step"), WORDLESS, None),
    (WITHOUT_WORDS, ours("preflight.criteria_required", "preflight"), SIGN_OFF, YES),
    ((STREAM,), UNMATCHED, SIGN_OFF, YES),
    ((STREAM,), NOT_RUN, CITES, YES),
    (WITHOUT_WORDS, PENDING, END, YES),
    (DELEGATED, PENDING, END, YES),
    (DELEGATED, ours(gate="complete_step"), SIGN_OFF, None),
    (DELEGATED, ours(gate="goal"), Host(name=GOAL_SET, data={}), None),
    (
        (*DELEGATED[:2], ToolResult(uid="main#1", outcome="blocked")),
        ours(risk="medium"),
        END,
        None,
    ),
    ((STREAM, Diag(code="x", text=PUT_BACK)), ours(risk="none"), END, None),
    ((STREAM, Diag(code="x", text=PUT_BACK)), NOT_RUN, SIGN_OFF, YES),
    ((STREAM, Diag(code="x", text=PUT_BACK)), ours(risk="high"), READINESS, None),
    ((RESUMED,), UNVERIFIED, END, YES),
    ((RESUMED,), ours("args.invalid", "complete_step"), SIGN_OFF, YES),
    ((STREAM,), ours("goal.status", "goal"), HALF_NAMES, YES),
    ((STREAM,), ours("goal.status", "goal"), LISTED, YES),
    ((STREAM,), ours("goal.no_candidate", "goal"), NAMES_GOAL, YES),
    ((STREAM,), ours("goal.status", "goal"), READINESS, YES),
    ((NEUTRAL,), ours("goal_revision.no_order", "goal_revision"), NAMES_GOAL, YES),
    ((STREAM,), ours("todo.told_otherwise", "todo_write"), SIGN_OFF, YES),
    ((STREAM, Notice(text="rewound conversation to 3")), UNMATCHED, SIGN_OFF, YES),
    ((STREAM,), ours("finish.criteria_missing"), END, YES),
    ((STREAM,), ours("preflight.criteria_required", "preflight"), SIGN_OFF, YES),
    ((STREAM, SAVES), UNVERIFIED, END, YES),
    ((STREAM, SAVES, TurnStart(turn=2)), ours("finish.criteria_missing"), END, YES),
    ((NEUTRAL,), ours(gate="complete_step"), CITES, NO),
    ((NEUTRAL,), ours(), END, NO),
    ((STREAM,), ours(gate="complete_step"), SIGN_OFF, NO),
    ((STREAM, PROFILE), ours(gate="complete_step"), CITES, NO),
    ((NEUTRAL,), ours(gate="proxy"), REACHED, NO),
    ((STREAM,), ours(gate="proxy"), REACHED, NO),
]

IS_MISSING: list[tuple[*Row, str]] = [
    ((STREAM, *lists("completed")), UNMATCHED, SIGN_OFF, YES, untold.EARLIER),
    ((STREAM, *MATCHED), UNMATCHED, SIGN_OFF, YES, untold.EARLIER),
    ((STREAM, END), ours(), END, YES, untold.EARLIER),
    ((STREAM, BAD_LINE), ours(), END, YES, untold.LOST),
    ((STREAM, BAD_LINE), ours(), END, None, untold.LOST),
    ((STREAM, BAD_LINE), ours(gate="complete_step"), SIGN_OFF, NO, untold.LOST),
    ((STREAM, BAD_LINE), UNMATCHED, SIGN_OFF, YES, untold.LOST),
    ((STREAM, BAD_LINE), UNVERIFIED, END, None, untold.LOST),
    ((STREAM, Diag(code="mid_chain_start", text="x")), ours(), END, YES, untold.EARLIER),
    ((STREAM, Diag(code="unanswered_call", text="x")), ours(), WHOLE, YES, untold.UNANSWERED),
    ((STREAM, Diag(code="missing_prompt", text="x")), UNVERIFIED, END, YES, untold.TURNS),
    ((STREAM, Diag(code="missing_prompt", text="x")), ours(), END, NO, untold.TURNS),
    (
        (STREAM, HostVerdict(gate=END_GATE, result="accept", details=BY_SILENCE)),
        UNVERIFIED,
        END,
        YES,
        untold.SILENCE,
    ),
    ((STREAM,), ours("args.invalid", "complete_step"), WORDLESS, YES, untold.ARGUMENTS),
    ((STREAM,), ours(gate="complete_step"), WORDLESS, NO, untold.ARGUMENTS),
    ((STREAM,), ours("args.invalid", "complete_step"), OF_A_READER, YES, untold.ARGUMENTS),
    ((STREAM,), ours("args.invalid", "complete_step"), OF_A_TARGET, YES, untold.ARGUMENTS),
    (READ_WITHOUT_WORDS, NOT_RUN, SIGN_OFF, YES, untold.ARGUMENTS),
    (WITHOUT_WORDS, BARRED, SIGN_OFF, YES, untold.ARGUMENTS),
    ((STREAM,), ours("args.invalid", "complete_step"), UNREADABLE, YES, untold.ARGUMENTS),
    (WITHOUT_WORDS, UNVERIFIED, END, YES, untold.ARGUMENTS),
    (WITHOUT_WORDS, UNREAD, REPORT, None, untold.ARGUMENTS),
    ((STREAM, Diag(code="x", text=NOT_READ)), NOT_RUN, SIGN_OFF, YES, untold.ARGUMENTS),
    ((STREAM, Diag(code="x", text=NOT_TOLD)), NOT_RUN, SIGN_OFF, YES, untold.ARGUMENTS),
    (DELEGATED, UNVERIFIED, END, YES, untold.CHILDREN),
    (DELEGATED, UNREAD, REPORT, None, untold.CHILDREN),
    (DELEGATED, NOT_RUN, SIGN_OFF, None, untold.CHILDREN),
    (DELEGATED, ours(), END, None, untold.CHILDREN),
    (DELEGATED, ours(), READINESS, None, untold.CHILDREN),
    ((STREAM, Diag(code="x", text=PUT_BACK)), ours(risk="medium"), END, None, untold.FILES),
    ((STREAM, Diag(code="x", text=PUT_BACK)), UNVERIFIED, END, YES, untold.FILES),
    ((RESUMED,), NOT_RUN, SIGN_OFF, YES, untold.EARLIER),
    ((RESUMED,), UNMATCHED, SIGN_OFF, YES, untold.EARLIER),
    ((RESUMED,), ours(gate="complete_step"), SIGN_OFF, NO, untold.EARLIER),
    ((STREAM,), ours("goal.no_turn", "goal"), REPORT, YES, untold.GOAL),
    ((STREAM,), ours("goal_revision.no_goal", "goal_revision"), REPORT, YES, untold.GOAL),
    ((STREAM,), ours("goal.status", "goal"), NAMES_GOAL, YES, untold.LINE),
    ((STREAM,), ours("goal_revision.no_order", "goal_revision"), REPORT, YES, untold.PROMPT),
    ((CARRIED_ON,), ours("goal_revision.no_order", "goal_revision"), REPORT, YES, untold.PROMPT),
    ((STREAM,), ours("finish.verification_missing", placeless=True), END, YES, untold.FOLDER),
    (
        (STREAM,),
        ours("finish.verification_missing", untold=("make",), placeless=True),
        END,
        YES,
        f"{untold.ENDS.format('`make`')} {untold.FOLDER}",
    ),
    (
        (STREAM,),
        ours("finish.verification_missing", untold=("make",)),
        END,
        YES,
        untold.ENDS.format("`make`"),
    ),
    ((STREAM, SAVES), ours("finish.criteria_missing"), END, YES, untold.PROMPT),
    ((STREAM,), ours("preflight.criteria_required", "preflight"), SAVES, YES, untold.PROMPT),
    ((NEUTRAL,), ours(gate="proxy"), PROXIED, NO, untold.TARGET),
    ((STREAM,), ours(gate="complete_step"), CITES, NO, untold.PROFILE),
    ((STREAM,), ours(gate="preflight"), SIGN_OFF, NO, untold.PROFILE),
    ((STREAM,), ours(), END, NO, untold.PROFILE),
    ((STREAM, PROFILE), ours(), END, NO, untold.PROMPT),
    ((STREAM, EXPANDED), ours(), END, NO, untold.PROMPT),
    (
        (STREAM, Notice(text="rewound conversation to 3")),
        ours("todo.told_otherwise", "todo_write"),
        SIGN_OFF,
        YES,
        untold.REWOUND,
    ),
    (
        (STREAM, Notice(text="forked conversation")),
        ours(gate="complete_step"),
        SIGN_OFF,
        NO,
        untold.REWOUND,
    ),
]


IDLE: tuple[Event, ...] = (
    Diag(code="banner", text="x"),
    Notice(text="compacted"),
    Host(name="note", data={}),
    User(turn=1, text="go on"),
    ToolCall(uid="main#5", name="complete_step", args={"step": "0"}),
    ToolResult(uid="main#5", outcome="ok", text="signed off"),
)
"""Events that tell nothing of what the recording lacks."""


def weighed(row: Row, *later: Event) -> Verdict:
    """Return what becomes of the verdict of a row, with more events behind its facts."""
    facts, verdict, about, host = row
    told = Untold()
    for event in (*facts, *later):
        told.take(event)
    return told.weigh(verdict, about, host)


@pytest.mark.parametrize("later", [(), IDLE], ids=["at_once", "later"])
@pytest.mark.parametrize("row", STANDS)
def test_a_verdict_that_no_missing_fact_explains_stands(row: Row, later: tuple[Event, ...]) -> None:
    """Else a recording with any gap at all would prove nothing."""
    assert row[1] is weighed(row, *later)


@pytest.mark.parametrize("later", [(), IDLE], ids=["at_once", "later"])
@pytest.mark.parametrize("row", IS_MISSING)
def test_a_missing_fact_that_may_explain_a_difference_is_named(
    row: tuple[*Row, str], later: tuple[Event, ...]
) -> None:
    """The verdict says what is missing, and what stands in the recording without it."""
    verdict = row[1]

    found = weighed(row[:4], *later)

    reason = f" ({verdict.reason})" if verdict.reason else ""
    told = f"{row[4]} By what it tells: {verdict.decision.value}{reason}."
    assert (Decision.NOT_ASSESSABLE, told) == (found.decision, found.message)


PUT_BACK_FILES = (STREAM, Diag(code="x", text=PUT_BACK))


@pytest.mark.parametrize(
    ("facts", "first", "about", "host", "missing"),
    [
        (PUT_BACK_FILES, ours(risk="none"), END, None, ""),
        (PUT_BACK_FILES, ours(risk="high"), READINESS, None, untold.FILES),
        (PUT_BACK_FILES, ours(risk="high"), SIGN_OFF, None, untold.FILES),
        ((*PUT_BACK_FILES, *DELEGATED), ours(risk="none"), END, None, untold.CHILDREN),
        (WITHOUT_WORDS, ours(), END, YES, ""),
        (WITHOUT_WORDS, UNVERIFIED, END, YES, untold.ARGUMENTS),
        (WITHOUT_WORDS, ours(gate="complete_step"), SIGN_OFF, YES, untold.ARGUMENTS),
    ],
)
def test_an_end_that_leaves_nothing_open_settles_what_was_missing_for_ends(
    facts: tuple[Event, ...], first: Verdict, about: Event, host: Decision | None, missing: str
) -> None:
    """What is owed after it is owed whatever was done before; nothing else settles anything."""
    told = Untold()
    for event in facts:
        told.take(event)

    told.weigh(first, about, host)
    refused = told.weigh(UNVERIFIED, END, YES)

    assert (bool(missing), True) == (
        refused.decision is Decision.NOT_ASSESSABLE,
        refused.message.startswith(missing),
    )


def test_a_sign_off_may_rest_on_a_call_without_words_of_an_earlier_turn() -> None:
    """CS-08 looks at the whole session; an end that is good settles what ends owe, and no more."""
    told = Untold()
    for event in WITHOUT_WORDS:
        told.take(event)

    told.weigh(ours(), END, YES)
    refused = told.weigh(NOT_RUN, SIGN_OFF, YES)

    assert refused.message.startswith(untold.ARGUMENTS)


@pytest.mark.parametrize(
    ("verdict", "about", "advised"),
    [
        (not_assessable(END_GATE, "nobody knows"), END, True),
        (not_assessable(END_GATE, ""), END, False),
        (not_assessable("complete_step", "nobody knows"), SIGN_OFF, False),
        (ours("finish.verification_missing", untold=("make",)), END, True),
        (ours("finish.verification_missing", placeless=True), END, False),
    ],
)
def test_that_more_may_be_believed_is_said_where_it_may_help(
    verdict: Verdict, about: Event, *, advised: bool
) -> None:
    """Where something else is missing, or nothing is told at all, it would mislead."""
    told = Untold()
    told.take(CHAT)
    told.doubted(ToolResult(uid="main#1", outcome="ok", basis="absence"))

    found = told.weigh(verdict, about, YES)

    assert [Decision.NOT_ASSESSABLE, advised] == [found.decision, untold.TRUST in found.message]


@pytest.mark.parametrize(
    ("told", "taken"),
    [("ok", "unknown"), ("error", "error"), ("cancelled", "cancelled"), ("running", "running")],
)
def test_only_a_success_is_doubted(told: Outcome, taken: Outcome) -> None:
    """That a call failed is believed whoever says so."""
    result = untold.doubtful(ToolResult(uid="main#1", outcome=told, basis="absence"))

    assert taken == result.outcome
