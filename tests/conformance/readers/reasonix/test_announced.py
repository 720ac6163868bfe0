"""Calls that a stream announces: what an attempt shows goes with it, without a look at others."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_conformance.readers.reasonix.wire_announced import Announced

idents = st.sampled_from("pqrs")
attempts = st.sampled_from(["A", "B", None])
some_steps = st.tuples(st.sampled_from(["add", "dispatch", "discard", "end"]), idents, attempts)


@given(st.lists(some_steps, max_size=40))
def test_what_is_left_is_what_no_discarded_attempt_showed_last(
    steps: list[tuple[str, str, str | None]],
) -> None:
    """In their order; a call that is announced without an attempt keeps the one that it had."""
    announced, names, last = Announced(), dict[str, str](), dict[str, str]()
    for number, (what, ident, attempt) in enumerate(steps):
        if what == "add":
            announced.add(ident, f"tool {number}", attempt)
            names[ident] = f"tool {number}"
            last |= {} if attempt is None else {ident: attempt}
        elif what == "dispatch":
            announced.dispatched(ident)
            names.pop(ident, None)
        elif what == "discard":
            announced.discard(attempt)
            names = {key: name for key, name in names.items() if last.get(key) != attempt}
        else:
            assert list(names.values()) == announced.turn_ended()
            names, last = {}, {}
        assert last.get(ident) == announced.attempt_of(ident, None)
    assert list(names.values()) == announced.turn_ended()


def test_what_was_announced_nowhere_is_of_the_attempt_that_showed_the_latest_call() -> None:
    """Of several calls of one response the recording may lack one announcement."""
    announced = Announced()
    announced.add("p", "bash", "A")

    assert ["A", "A", None] == [announced.attempt_of(*of) for of in ("pA", "qA", "qB")]
    announced.turn_ended()
    assert announced.attempt_of("q", "A") is None


@pytest.mark.parametrize("name", [5, [], {}, True])
def test_an_attempt_of_a_name_that_is_no_text_showed_nothing(name: Any) -> None:
    announced = Announced()
    announced.add("c", "bash", None)
    announced.discard(name)

    assert ["bash"] == announced.turn_ended()


class Ident(str):
    """An id that counts how often it is looked up."""

    __slots__ = ()
    looks = 0

    def __hash__(self) -> int:
        Ident.looks += 1
        return super().__hash__()


def looks(waiting: int) -> int:
    """Return how often calls are looked up for one that is discarded while others wait."""
    announced = Announced()
    for number in range(waiting):
        announced.add(Ident(f"w{number}"), "bash", "kept")
    Ident.looks = 0
    announced.add(Ident("c"), "bash", "gone")
    announced.discard("gone")
    return Ident.looks


def test_a_discard_does_not_look_at_the_calls_of_other_attempts() -> None:
    """A turn may have thousands of either."""
    assert looks(0) == looks(100) > 0
