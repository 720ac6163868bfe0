"""A replay hands over many calls at once, and holds few."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from reasonix_conformance.replay import MOST_HELD, Replay
from reasonix_runtime.gates.policy import rule_set
from reasonix_runtime.trace.events import Event, Session, ToolCall, ToolResult, TurnStart

CALLS = 2 * MOST_HELD + 10


def test_a_turn_of_any_length_holds_few_results() -> None:
    """A turn may have a hundred thousand calls: what was taken in is let go."""
    given: list[ToolResult] = []

    def long_turn() -> Iterator[Event]:
        yield Session(sid="s", format="neutral/1")
        yield TurnStart(turn=1)
        for number in range(CALLS):
            uid = f"main#{number + 1}"
            yield ToolCall(uid=uid, name="read_file", step=f"s{number}", args={"path": "a.py"})
            given.append(ToolResult(uid=uid, outcome="ok", text="x" * number))
            yield given[-1]
        # The list and the argument: nothing else knows these results.
        assert {sys.getrefcount(given[at]) for at in range(MOST_HELD)} == {2}

    replay = Replay(rule_set("classic"), path="a", trace_id="a", format_name="neutral/1")
    replay.feed(long_turn())

    assert CALLS == replay.result().calls
