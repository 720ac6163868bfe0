"""Delegation: equal shares, claims that overlap, slots in order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.evidence.result_text import RESULT_LIMIT
from reasonix_runtime.gates.delegation.aggregate import BUDGET, Answer, aggregate, preview_of
from reasonix_runtime.gates.delegation.claims import claim_of, inside, overlap
from reasonix_runtime.gates.delegation.items import FleetItem
from reasonix_runtime.gates.delegation.launch import slots
from reasonix_runtime.gates.delegation.world import Child, DelegationWorld


@given(
    bodies=st.lists(st.text(alphabet="a汉😀\n", max_size=9).map(lambda t: t * 4000), max_size=9),
    error=st.text(max_size=600),
)
def test_an_aggregate_is_never_cut_again(bodies: list[str], error: str) -> None:
    """Whatever the children answer, it stays within its budget, is UTF-8, and names each child."""
    answers = [
        Answer(
            child=Child(status="completed" if body else "failed", error=error),
            body=body.encode(),
            ref="sa_20260101_000000_000000001_0123456789ab" if body else "",
            profile="p" * 200,
        )
        for body in bodies
    ]

    found = aggregate(f"Completed {len(answers)} parallel tasks:", answers)

    assert len(found.text.encode()) <= BUDGET < RESULT_LIMIT
    assert all(f"── task-{number} " in found.text for number in range(1, len(answers) + 1))
    assert found.references == sum(bool(body) for body in bodies)


def test_a_long_answer_shows_its_ends_and_where_the_rest_is() -> None:
    """A model that wants the middle knows how to get it."""
    shown = preview_of(b"a" * 500 + b"b" * 500, 300, "sa_1").decode()
    marker = '\n…[preview truncated; read the full result with read_subagent_result(ref="sa_1")]…\n'

    head, tail = shown.split(marker)
    assert set(head) == {"a"}
    assert set(tail) == {"b"}
    assert len(shown.encode()) == 300
    assert len(tail) - len(head) in (0, 1)


@pytest.mark.parametrize(("share", "expected"), [(0, ""), (10, "\n…[previ")])
def test_a_share_without_room_shows_what_fits_of_the_marker(share: int, expected: str) -> None:
    """Never a broken character, and never more than the share."""
    shown = preview_of(b"a" * 100, share, "").decode()

    assert shown == expected[: len(shown)]
    assert len(shown.encode()) <= share


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/", "src"), ("./src/../docs", "docs"), (".", "."), ("..", None), ("a/../../b", None),
        ("/w/a", "a"), ("/w", "."), ("/wide/a", None), ("/etc", None), ("C:/a", None),
        ("..a", "..a"), ("src\\a", "src/a"),
    ],
)  # fmt: skip
def test_a_path_lies_in_the_workspace_or_not(path: str, expected: str | None) -> None:
    """By its parts, never by a common beginning."""
    assert expected == inside(path, "/w")


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (["src"], ["src"], True), (["src"], ["src/a"], True), (["a", "src/a"], ["src"], True),
        (["src"], ["srcs"], False), ([], ["docs"], True), (["."], ["docs"], True),
    ],
)  # fmt: skip
def test_claims_overlap_where_a_path_contains_another(
    one: list[str], other: list[str], *, expected: bool
) -> None:
    """In either direction."""
    assert overlap(claim_of(one, ""), claim_of(other, "")) is expected
    assert overlap(claim_of(other, ""), claim_of(one, "")) is expected


def test_one_that_fits_starts_before_an_earlier_one_that_does_not() -> None:
    """A queue that only moves at its head would leave slots empty."""
    world = DelegationWorld(active_total=3, active_writers=3)
    writer, reader = FleetItem(prompt="x"), FleetItem(prompt="x", read_only=True)

    found = slots([writer, reader, reader, reader, reader], world)

    assert (found.started, found.running, found.queued) == (3, 6, 2)
