"""A replay hands over many calls at once, and holds few and light ones."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from reasonix_conformance.readers.building.late_results import LateResult
from reasonix_conformance.replay.replay import HEAVY, MOST_HELD, Replay, replay_transcript
from reasonix_conformance.replay.results import TraceResult, summarise
from reasonix_conformance.reports import text_report
from reasonix_runtime.gates.policy import rule_set
from reasonix_runtime.trace.events import (
    Event,
    Host,
    Outcome,
    Session,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
)
from reasonix_runtime.trace.transcript import load


def late(uid: str, text: str) -> ToolResult:
    """Return a result as the reader of neutral traces gives it."""
    result = {"ev": "tool.result", "uid": uid, "outcome": "ok", "text": text}
    return msgspec.json.decode(msgspec.json.encode(result), type=LateResult)


def plain(uid: str, text: str) -> ToolResult:
    """Return a result as other readers give it."""
    return ToolResult(uid=uid, outcome="ok", text=text)


def by_classic(**options: bool) -> Replay:
    return Replay(rule_set("classic"), path="a", trace_id="a", format_name="neutral/1", **options)


@pytest.mark.parametrize(("calls", "size"), [(2 * MOST_HELD + 10, 10), (3, HEAVY + 1)])
@pytest.mark.parametrize("make", [late, plain])
def test_a_turn_of_any_length_and_weight_holds_few_results(
    make: Callable[[str, str], ToolResult], calls: int, size: int
) -> None:
    """A turn may have a hundred thousand calls, or huge results: what was taken in is let go."""
    given: list[ToolResult] = []
    held = MOST_HELD if calls > MOST_HELD else 1

    def long_turn() -> Iterator[Event]:
        yield Session(sid="s", format="neutral/1")
        yield TurnStart(turn=1)
        for number in range(calls):
            uid = f"main#{number + 1}"
            yield ToolCall(uid=uid, name="read_file", step=f"s{number}", args={"path": "a.py"})
            given.append(make(uid, "x" * size))
            yield given[-1]
        # The list and the argument: nothing else knows these results.
        assert {sys.getrefcount(given[at]) for at in range(calls - held)} == {2}

    replay = by_classic()
    replay.feed(long_turn())

    assert calls == replay.result().calls


def test_of_a_sub_agent_that_has_ended_no_place_is_kept() -> None:
    """A session may have any number of them; a call in one stands where that of its parent does."""
    stream: list[Event] = [Session(sid="s", format="neutral/1"), TurnStart(turn=1)]
    for number in range(1, 4):
        call, inner, scope = f"main#{number}", f"c{number}#1", f"c{number}"
        stream += [
            ToolCall(uid=call, name="task", args={}),
            SubStart(scope=scope, parent_uid=call),
            ToolCall(uid=inner, name="no_such_tool", args={}),
            plain(inner, "x"),
            SubEnd(scope=scope, parent_uid=call),
            plain(call, "x"),
        ]
    replay = by_classic(keep_timeline=True)
    for event in stream[:-2]:
        replay.take(event)

    assert ["c3"] == list(replay._scope_event)
    replay.feed(stream[-2:])
    assert {} == replay._scope_event
    calls = [moment.event for moment in replay.result().timeline if moment.placed]
    assert [0, 0, 1, 1, 2, 2] == calls


def replayed(*events: Event, before: tuple[Event, ...] = ()) -> TraceResult:
    """Return what comes of events after a session began its first turn, and of those `before`."""
    replay = Replay(
        rule_set("contract"),
        path="a",
        trace_id="a",
        format_name="neutral/1",
        keep_receipts=True,
        keep_timeline=True,
    )
    replay.feed([Session(sid="s", format="neutral/1"), *before, TurnStart(turn=1), *events])
    return replay.result()


def test_what_the_host_did_has_its_place_among_the_calls() -> None:
    """A step of the host is counted like a call; what it only notes stands beside them."""
    stream: list[Event] = []
    for number in (1, 2):
        stream += [ToolCall(uid=f"main#{number}", name="ls", args={}), plain(f"main#{number}", "x")]
        stream.append(Host(name="loop_guard", data={}))
    result = replayed(*stream, before=(Host(name="setup", data={}),))

    assert [("ls", 0), ("loop_guard", 1), ("ls", 2), ("loop_guard", 3)] == [
        (moment.name, moment.event) for moment in result.timeline if moment.event is not None
    ]
    assert [("setup", False)] == [
        (moment.name, moment.placed) for moment in result.timeline if moment.name == "setup"
    ]


def test_a_sub_agent_whose_call_is_not_known_has_the_next_place() -> None:
    """A trace may have lost the call; what the sub-agent did is judged all the same."""
    inner = ToolCall(uid="c1#1", name="ls", args={})
    result = replayed(
        SubStart(scope="c1", parent_uid="main#9"),
        inner,
        plain("c1#1", "x"),
        SubEnd(scope="c1", parent_uid="main#9"),
        ToolCall(uid="main#1", name="ls", args={}),
        plain("main#1", "x"),
    )

    assert [0, 0] == [moment.event for moment in result.timeline if moment.name == "ls"]


def test_a_refusal_names_the_calls_behind_it_by_what_they_did() -> None:
    """A reader of the report looks them up; a number alone says nothing."""
    cited = {"kind": "verification", "summary": "green", "command": "pytest -q"}
    calls = [
        ("bash", {"command": "pytest -q"}),
        ("edit_file", {"path": "a.py"}),
        ("complete_step", {"step": "x", "result": "done", "evidence": [cited]}),
    ]
    stream: list[Event] = []
    for number, (tool, args) in enumerate(calls, 1):
        outcome: Outcome = "none" if tool == "complete_step" else "ok"
        uid = f"main#{number}"
        stream.append(ToolCall(uid=uid, name=tool, step=uid, args=args))
        stream.append(ToolResult(uid=uid, outcome=outcome, text="x", basis="exit_code"))
    (judged,) = [one for one in replayed(*stream).verdicts if one.verdict.gate == "complete_step"]

    assert "verification.stale" == judged.verdict.reason
    assert {(0, "bash", "pytest -q"), (1, "edit_file", "a.py")} == {
        (ground.event, ground.tool, ground.text) for ground in judged.grounds.named
    }


def test_an_answer_that_was_held_back_is_a_decision_of_the_host() -> None:
    """That it did not let the turn end stands beside our verdict, and so does that it did later."""
    result = replayed(
        ToolCall(uid="main#1", name="edit_file", args={"path": "src/a.py"}),
        plain("main#1", "+x"),
        Host(name="held_back", turn=1, data={"answer": "done"}),
        ToolCall(uid="main#2", name="bash", args={"command": "git checkout src/a.py"}),
        ToolResult(uid="main#2", outcome="blocked", basis="host_rule"),
        TurnEnd(turn=1, status="failed"),
    )

    held = [one for one in result.verdicts if one.subject == "held_back"]
    assert [("reject", "reject", "agree", 1)] == [
        (one.verdict.decision, one.host, one.agreement, one.event) for one in held
    ]
    easy = replayed(Host(name="held_back", turn=1, data={"answer": "done"}))
    assert ["host_strict"] == [one.agreement for one in easy.verdicts]


@pytest.mark.parametrize(
    ("ends", "judged", "unjudged"),
    [
        ([TurnEnd(turn=1, status="completed")], 1, 0),
        ([TurnEnd(turn=1, status="interrupted")], 0, 1),
        ([TurnEnd(turn=1, status="failed"), TurnEnd(turn=2, status="completed")], 1, 1),
        ([TurnEnd(turn=1, judge=False), TurnEnd(turn=2, status="interrupted")], 0, 2),
    ],
)
def test_a_turn_without_an_end_that_is_judged_is_counted(
    ends: list[TurnEnd], judged: int, unjudged: int
) -> None:
    """Without the count an audit has fewer verdicts than there were turns, and nobody knows why."""
    events = [one for end in ends for one in (TurnStart(turn=end.turn), end)]

    result = replayed(*events)

    assert (judged, unjudged) == (len(result.verdicts), result.unjudged)
    assert unjudged == summarise([result, result]).unjudged // 2
    assert bool(unjudged) is ("without an end that is judged" in text_report.render([result]))


@pytest.mark.parametrize("watched", [True, False])
def test_the_start_of_another_session_is_given_back(watched: bool) -> None:
    """One file may hold several; each of them has a replay of its own."""
    replay = by_classic(keep_timeline=watched)
    other = Session(sid="t", format="neutral/1")

    found = replay.feed(
        [Session(sid="s", format="neutral/1"), TurnStart(turn=1), other, TurnStart(turn=1)]
    )

    assert (other, 2) == (found, replay.result().events)


def test_what_ended_behind_a_turn_of_an_earlier_run_is_taken_in() -> None:
    """A job may end whenever it likes; nothing of the earlier run is judged here."""
    replay = Replay(rule_set("contract"), path="a", trace_id="a", format_name="neutral/1")
    session = Session(sid="s", format="neutral/1")
    call = ToolCall(uid="main#1", name="task", args={})
    end = TurnEnd(turn=1, status="completed")

    replay.carry(session, [TurnStart(turn=1), call, end, plain("main#1", "x")])
    replay.feed([session, TurnStart(turn=2), TurnEnd(turn=2, status="completed")])

    assert ["turn_end"] == [judged.verdict.gate for judged in replay.result().verdicts]


def test_what_no_gate_judges_is_never_as_expected(tmp_path: Path) -> None:
    """Whoever expects a verdict on it is told that there is none."""
    path = tmp_path / "t.yaml"
    path.write_text(
        "- id: a\n  turns:\n  - events:\n    - {host: loop_guard, expect: {verdict: accept}}\n"
    )
    (transcript,) = load(path)

    (judged,) = replay_transcript(transcript, rule_set("contract")).verdicts

    assert ("expected accept, got not_assessable",) == judged.mismatches
    assert "no gate of this rule set judges this" == judged.verdict.message
