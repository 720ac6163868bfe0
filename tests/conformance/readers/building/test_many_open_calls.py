"""Which of many open calls a result belongs to: the rule holds, and nobody looks at all of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_conformance.readers.building.pairing import Scope
from reasonix_runtime.trace.events import ToolCall

Opened = list[tuple[ToolCall, tuple[str, ...]]]


def ruled(opened: Opened, native: str, name: str) -> str | None:
    """Return the call of a result as the rule puts it, by looking at all open calls."""
    fit = [call for call, ids in opened if native in ids]
    if not native:
        fit = [call for call, ids in opened if not ids] or [call for call, _ in opened]
    latest = [call for call in fit if call.step == fit[-1].step]
    named = [call for call in latest if name and call.name == name]
    return next((call.uid for call in named or latest), None)


some_ids = st.lists(st.sampled_from("xyz"), max_size=2).map(tuple)
some_steps = st.tuples(
    st.sampled_from(["open", "answer", "close"]),
    some_ids,
    st.sampled_from(["r1", "r2"]),
    st.sampled_from(["", "f", "g"]),
    st.sampled_from(["", "x", "y", "z"]),
    st.integers(0, 9),
)


@given(st.lists(some_steps, max_size=40))
def test_a_result_belongs_to_the_call_that_the_rule_names(
    steps: list[tuple[str, tuple[str, ...], str, str, str, int]],
) -> None:
    """Wherever calls stand that were answered by their uid before."""
    scope, opened = Scope("main"), Opened()
    for number, (what, ids, step, name, native, at) in enumerate(steps):
        if what == "open":
            call = ToolCall(uid=f"main#{number}", name=name, step=step)
            used = {key for _, others in opened for key in others}
            used |= {key for key in ids if ids.count(key) > 1 or scope.has_answered(key)}
            again = [key for key in ids if key in used]
            assert (again[-1] if again else None) == scope.add(call, ids)
            opened.append((call, ids))
        found = scope.find(native, name)
        assert found == ruled(opened, native, name)
        if what == "close" and opened:
            found = opened[at % len(opened)][0].uid
        if what != "open" and found is not None:
            scope.close(found)
            opened = [one for one in opened if one[0].uid != found]
    assert [call.uid for call, _ in opened] == list(scope.open)


class Looked:
    """A call that counts how often somebody looks at the response that it is of."""

    looks = 0

    def __init__(self, number: int) -> None:
        self.uid, self.name = f"main#{number}", "bash"

    @property
    def step(self) -> str:
        Looked.looks += 1
        return "r1"


def looks(calls: int, ids: tuple[str, ...], native: str) -> int:
    """Return how often calls are looked at until all of them are answered."""
    scope, Looked.looks = Scope("main"), 0
    for number in range(calls):
        call: Any = Looked(number)
        scope.add(call, tuple(key.format(number) for key in ids))
    for number in range(calls):
        uid = scope.find(native, "bash")
        assert f"main#{number}" == uid
        scope.close(uid)
    return Looked.looks


@pytest.mark.parametrize(
    ("ids", "native"),
    [(("x",), "x"), ((), ""), (("c{}",), ""), (("c{}", "x"), "x")],
    ids=["equal", "missing", "missing from results", "one of two equal"],
)
def test_twice_as_many_open_calls_are_looked_at_twice_as_often(
    ids: tuple[str, ...], native: str
) -> None:
    """A response may have thousands of calls whose ids are equal or missing."""
    assert looks(100, ids, native) * 2 >= looks(200, ids, native) > 0
