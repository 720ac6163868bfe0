"""A replay hands over many calls at once, and holds few and light ones."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import msgspec
import pytest

from reasonix_conformance.readers.late_results import LateResult
from reasonix_conformance.replay.replay import HEAVY, MOST_HELD, Replay
from reasonix_runtime.gates.policy import rule_set
from reasonix_runtime.trace.events import (
    Event,
    Session,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    TurnStart,
)


def late(uid: str, text: str) -> ToolResult:
    """Return a result as the reader of neutral traces gives it."""
    result = {"ev": "tool.result", "uid": uid, "outcome": "ok", "text": text}
    return msgspec.json.decode(msgspec.json.encode(result), type=LateResult)


def plain(uid: str, text: str) -> ToolResult:
    """Return a result as other readers give it."""
    return ToolResult(uid=uid, outcome="ok", text=text)


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

    replay = Replay(rule_set("classic"), path="a", trace_id="a", format_name="neutral/1")
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
    replay = Replay(
        rule_set("classic"),
        path="a",
        trace_id="a",
        format_name="neutral/1",
        keep_timeline=True,
    )
    for event in stream[:-2]:
        replay.take(event)

    assert ["c3"] == list(replay._scope_event)
    replay.feed(stream[-2:])
    assert {} == replay._scope_event
    calls = [moment.event for moment in replay.result().timeline if moment.placed]
    assert [0, 0, 1, 1, 2, 2] == calls
