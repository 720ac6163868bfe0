"""What a recording does not tell is followed in bounded memory, and never taken for told."""

from __future__ import annotations

import msgspec
import pytest

from reasonix_conformance.replay import sub_agents, untold
from reasonix_conformance.replay.results import Judged
from reasonix_runtime.gates.delivery.turn_end import GATE
from reasonix_runtime.gates.verdict import Decision, accept, not_assessable, refuse, reject
from reasonix_runtime.trace.events import (
    NO_ARGUMENTS,
    Event,
    Host,
    Outcome,
    Session,
    ToolCall,
    ToolResult,
    TurnEnd,
)
from reasonix_runtime.trace.host_events import JOB_ENDED


@pytest.mark.parametrize(
    ("started", "decision"), [(2, Decision.ACCEPT), (3, Decision.NOT_ASSESSABLE)]
)
def test_of_too_many_sub_agents_in_the_background_one_stays_untold(
    started: int, decision: Decision, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody follows more of them than fit; that all have ended is then not known."""
    monkeypatch.setattr(sub_agents, "MOST_UNENDED", 2)
    told = untold.Untold()
    told.take(Session(sid="s", format="neutral/1"))
    for number in range(started):
        told.take(ToolCall(uid=f"main#{number}", name="task"))
        told.take(ToolResult(uid=f"main#{number}", outcome="running"))
    for number in range(started):
        told.take(Host(name=JOB_ENDED, data={"uid": f"main#{number}"}))

    verdict = told.weigh(accept(GATE), TurnEnd(turn=1, status="completed"), None)

    assert decision is verdict.decision
    assert 0 == len(told.unseen._in_background)


@pytest.mark.parametrize(
    ("earlier", "decision"), [("a", Decision.NOT_ASSESSABLE), (None, Decision.REJECT)]
)
def test_what_a_session_went_on_from_may_hold_what_is_missing(
    earlier: str | None, decision: Decision
) -> None:
    """The host knew the runs before; nobody is accused over evidence that may stand there."""
    told = untold.Untold()
    told.take(Session(sid="s", format="neutral/1", resumed_from=earlier))
    told.take(Session(sid="s", format="neutral/1"))
    call = ToolCall(uid="main#1", name="complete_step", args={})

    ours = reject("complete_step", refuse("verification.command_not_run", "not run"))

    assert decision is told.weigh(ours, call, Decision.ACCEPT).decision


@pytest.mark.parametrize(
    ("tool", "decision"), [("remember", Decision.NOT_ASSESSABLE), ("edit_file", Decision.REJECT)]
)
def test_only_of_memory_the_prompt_may_excuse_what_has_no_criteria(
    tool: str, decision: Decision
) -> None:
    """DL-02: the exception is for what the user asked to be remembered."""
    told = untold.Untold()
    told.take(Session(sid="s", format="reasonix-stream"))
    call = ToolCall(uid="main#1", name=tool, args={})

    ours = reject("preflight", refuse("preflight.criteria_required", "no criteria"))

    assert decision is told.weigh(ours, call, Decision.ACCEPT).decision


READ = ToolCall(uid="main#1", name="complete_step", args={"step": "1"})
UNREAD = ToolCall(uid="main#1", name="complete_step", args_raw="{", args_ok=False)
UNTOLD = ToolCall(uid="main#1", name="complete_step", args=NO_ARGUMENTS)


@pytest.mark.parametrize(
    ("call", "decision"),
    [(READ, "host_lenient"), (UNREAD, "unknown"), (UNTOLD, "unknown")],
    ids=["read", "unread", "untold"],
)
@pytest.mark.parametrize("reason", ["args.invalid", "todo.step_pending"])
def test_nobody_is_accused_over_a_call_without_readable_arguments(
    call: ToolCall, decision: str, reason: str
) -> None:
    """The host had them when it decided; so it had when they moved its list."""
    told = untold.Untold()
    told.take(Session(sid="s", format="reasonix-stream"))
    ours = reject("complete_step", refuse(reason, "refused"))
    told.take(call)
    own = told.weigh(ours, call, Decision.ACCEPT)
    told.take(ToolResult(uid=call.uid, outcome="ok"))
    later = told.weigh(ours, msgspec.structs.replace(READ, uid="main#2"), Decision.ACCEPT)

    assert [decision] * 2 == [
        Judged(turn=1, event=0, subject="x", verdict=one, host=Decision.ACCEPT).agreement
        for one in (own, later)
    ]


@pytest.mark.parametrize(
    ("format_name", "decision"),
    [("reasonix-stream", Decision.NOT_ASSESSABLE), ("acp", Decision.REJECT)],
)
@pytest.mark.parametrize(
    ("reason", "about"),
    [
        ("finish.verification_missing", TurnEnd(turn=1, status="completed")),
        ("report.path_not_read", ToolCall(uid="main#2", name="review_report", args={})),
        ("verification.command_not_run", ToolCall(uid="main#2", name="complete_step", args={})),
    ],
)
def test_what_a_command_without_words_did_may_be_what_is_missing(
    format_name: str, decision: Decision, reason: str, about: Event
) -> None:
    """Where the format has the words of each; an editor is told of many calls by their kind."""
    told = untold.Untold()
    told.take(Session(sid="s", format=format_name))
    told.take(ToolCall(uid="main#1", name="bash", args=NO_ARGUMENTS))
    told.take(ToolResult(uid="main#1", outcome="ok"))
    ours = reject(GATE, refuse(reason, "not there"))

    assert decision is told.weigh(ours, about, Decision.ACCEPT).decision


@pytest.mark.parametrize(
    ("format_name", "outcome", "advised"),
    [
        ("atif", "unknown", True),
        ("chat-completions", "unknown", True),
        ("codex", "unknown", False),
        ("otel", "ok", True),
    ],
)
def test_only_where_an_option_helps_it_is_named(
    format_name: str, outcome: Outcome, advised: bool
) -> None:
    """What a recording of outcomes does not know, no trust makes known."""
    told = untold.Untold()
    told.take(Session(sid="s", format=format_name))
    told.doubted(ToolResult(uid="main#1", outcome=outcome, basis="absence"))

    end = told.weigh(
        not_assessable(GATE, "nobody knows"), TurnEnd(turn=1, status="completed"), None
    )

    assert advised is ("--min-basis" in end.message)
