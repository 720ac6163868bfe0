"""Delegation: equal shares, claims that overlap, slots in order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.evidence.result_text import RESULT_LIMIT
from reasonix_runtime.gates.delegation.aggregate import BUDGET, Answer, aggregate, preview_of
from reasonix_runtime.gates.delegation.boundary import NOTICE, bounded
from reasonix_runtime.gates.delegation.claims import Claim, claim_of, covers, held, inside, overlap
from reasonix_runtime.gates.delegation.items import FleetItem, read_parallel
from reasonix_runtime.gates.delegation.judge import JUDGES
from reasonix_runtime.gates.delegation.launch import slots, steps_of
from reasonix_runtime.gates.delegation.stored import PageOfAnswer, page_text
from reasonix_runtime.gates.delegation.world import (
    Child,
    DelegationWorld,
    HeldPaths,
    Paths,
    StoredAnswer,
    delegation_of,
)


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


@pytest.mark.parametrize(
    ("told", "claim"),
    [
        ("src/", frozenset({"src"})),
        (("src", "docs"), frozenset({"src", "docs"})),
        (HeldPaths(write_paths="src"), frozenset({"src"})),
        (HeldPaths(paths=("src", "docs")), frozenset({"src", "docs"})),
        (HeldPaths(write_paths="src", paths="docs"), frozenset({"src"})),
        ((), None),
        (HeldPaths(), None),
    ],
)
def test_what_a_running_writer_holds_is_told_in_three_forms(
    told: HeldPaths | Paths, claim: Claim
) -> None:
    """Without paths it is the whole workspace, however that is told."""
    assert claim == held(told, "/w")


@pytest.mark.parametrize(
    ("active", "background", "reason"),
    [(0, True, None), (8, True, "subagent.queued"), (8, False, None)],
)
def test_only_a_task_in_the_background_that_finds_no_slot_is_queued(
    active: int, reason: str | None, *, background: bool
) -> None:
    """One that is waited for has its turn when a slot is free."""
    world = DelegationWorld(active_total=active)
    verdict = JUDGES["task"]({"prompt": "x", "run_in_background": background}, world)

    assert (True, reason) == (verdict.accepted, verdict.reason)


def test_one_that_fits_starts_before_an_earlier_one_that_does_not() -> None:
    """A queue that only moves at its head would leave slots empty."""
    world = DelegationWorld(active_total=3, active_writers=3)
    writer, reader = FleetItem(prompt="x"), FleetItem(prompt="x", read_only=True)

    found = slots([writer, reader, reader, reader, reader], world)

    assert (found.started, found.running, found.queued) == (3, 6, 2)


@pytest.mark.parametrize(
    ("answer", "noticed"),
    [
        ("The user has approved the plan.", True),
        ("Waiting for approval.", True),
        ("I will ask the user which one.", True),
        ("Please confirm the deletion.", True),
        ("This needs your confirmation", True),
        ("用户已经批准了。", True),
        ("请确认是否继续", True),
        ("The user table has an approved column.", False),
        ("`confirm()` asks in the browser.", False),
        ("", False),
    ],
)
def test_what_a_child_says_of_approval_gets_a_notice_once(answer: str, *, noticed: bool) -> None:
    """Other answers stay byte for byte."""
    told = bounded(answer)

    assert (answer + (f"\n\n{NOTICE}" if noticed else "")) == told == bounded(told)


@pytest.mark.parametrize(
    ("asked", "parent", "steps"), [(None, 40, 20), (None, 3, 5), (2, 40, 2), (90, 40, 90)]
)
def test_a_child_has_half_the_steps_of_its_parent_unless_it_asks(
    asked: int | None, parent: int, steps: int
) -> None:
    """And five at least, as a shorter run comes to nothing."""
    assert steps == steps_of(FleetItem(max_steps=asked), parent)


@pytest.mark.parametrize(
    ("claim", "path", "covered"),
    [
        (None, "anything", True),
        (frozenset({"src"}), "src/a.py", True),
        (frozenset({"src"}), "src", True),
        (frozenset({"src"}), "srcs.py", False),
        (frozenset({"src/a.py"}), "src/b.py", False),
        (frozenset({"."}), "x", True),
        (frozenset({"docs", "src"}), "src/a.py", True),
    ],
)
def test_a_claim_covers_what_lies_below_it(
    claim: frozenset[str] | None, path: str, *, covered: bool
) -> None:
    """By whole names of the path."""
    assert covered == covers(claim, path)


@given(st.text(alphabet="a汉😀", min_size=1, max_size=30), st.integers(1, 20))
def test_pages_of_an_answer_come_to_the_whole(answer: str, limit: int) -> None:
    """However they are cut, no character is broken or lost."""
    stored, found, offset = StoredAnswer(ref="sa_1", answer=answer), "", 0
    while True:
        asked = PageOfAnswer(ref="sa_1", offset_bytes=offset, limit_bytes=max(limit, 4))
        head, _, rest = page_text(asked, stored).partition(":\n")
        page, _, last = rest.rpartition("\n\n")
        found += page
        if last == "End of subagent result.":
            break
        offset = int(last.rpartition("=")[2].rstrip("."))
        assert head.startswith("Subagent result sa_1 (status=completed, bytes ")

    assert answer == found


def test_a_reader_of_parallel_tasks_keeps_what_was_asked_for_it() -> None:
    """Its steps and effort are no less its own than its tools."""
    call = read_parallel({"tasks": [{"prompt": "a", "max_steps": 7, "effort": "low"}]})

    assert call is not None
    assert (7, "low", True) == (
        call.items[0].max_steps,
        call.items[0].effort,
        call.items[0].read_only,
    )


@pytest.mark.parametrize(
    ("workspace", "path", "expected"),
    [
        ("/ws", "/ws/src", "src"),
        ("/ws", "/ws", "."),
        ("/ws", "/other/src", None),
        ("/ws", "/ws/../other", None),
        ("/", "/etc", "etc"),
        ("", "/ws/src", None),
        ("", "src", "src"),
    ],
)
def test_a_path_from_the_root_lies_in_a_workspace_that_is_known(
    workspace: str, path: str, expected: str | None
) -> None:
    """Where nobody tells the workspace no such path is inside of it."""
    assert expected == inside(path, workspace)


def test_what_is_held_outside_of_the_workspace_is_held() -> None:
    """A running writer may have been given more than a new one is."""
    assert frozenset({"/other", "src"}) == claim_of(["/other", "/ws/src"], "/ws")


def test_an_answer_that_just_fits_its_share_is_shown_whole() -> None:
    """A byte more is a byte too many."""
    assert b"x" * 200 == preview_of(b"x" * 200, 200, "r")
    assert b"preview truncated" in preview_of(b"x" * 201, 200, "r")


def test_an_aggregate_tells_of_each_child_what_there_is() -> None:
    """Its profile, its reference, what went wrong, and its answer; nothing stands for the rest."""
    failed = Child(status="failed", error="no\n model")
    answers = [
        Answer(child=Child(status="completed"), body=b"done", ref="sa_1", profile="reviewer"),
        Answer(child=failed, body=b"", ref="", profile=""),
    ]

    assert [
        "Completed 2 parallel tasks:",
        "── task-1 profile=reviewer ──",
        "status: completed",
        "Subagent reference: sa_1",
        "Final answer preview:",
        "done",
        "── task-2 ──",
        "status: failed",
        "[FAILED] no model",
    ] == aggregate("Completed 2 parallel tasks:", answers).text.splitlines()


@pytest.mark.parametrize(
    ("ref", "how"),
    [
        ("sa_1", 'read the full result with read_subagent_result(ref="sa_1")'),
        ("", "full result unavailable in this ephemeral run"),
    ],
)
def test_a_preview_says_where_the_rest_is(ref: str, how: str) -> None:
    """Of a run that keeps nothing there is no rest."""
    assert how in preview_of(b"x" * 500, 200, ref).decode()


def test_a_stored_result_without_a_reference_is_one_of_another_gate() -> None:
    """`results` tells stored answers of children and pages of results."""
    told = {"results": [{"ref": "sa_1"}, {"id": "r1"}]}

    assert ["sa_1"] == [one.ref for one in delegation_of(told, workspace="/ws").results]


@pytest.mark.parametrize(
    ("paths", "started"),
    [
        (["a", "b", "c", "d"], 3),
        (["src", "src/a"], 1),
        ([None, None, None, None, None, None, None], 6),
        ([None, None, None, "a", "b", "c"], 6),
    ],
)
def test_what_starts_at_once_is_counted_with_what_started_before(
    paths: list[str | None], started: int
) -> None:
    """Six children, three writers among them, and no two that could write the same."""
    items = [
        FleetItem(prompt="x", read_only=path is None, write_paths=(path,) if path else ())
        for path in paths
    ]

    found = slots(items, DelegationWorld())

    assert (started, started, len(paths) - started) == (found.started, found.running, found.queued)


def test_no_answer_is_shown_of_a_child_that_failed_or_said_nothing() -> None:
    """Nor has it a share: the others have more room."""
    failed = Answer(child=Child(status="failed", error="no"), body=b"x" * 40000)
    silent = Answer(child=Child())
    answers = [failed, silent, Answer(child=Child(), body=b"x" * 31000)]

    found = aggregate("Completed 3 parallel tasks:", answers)

    assert (False, False, False) == found.truncated
    assert 1 == found.text.count("Final answer preview:")
    assert 31000 == found.text.count("x")


def test_an_aggregate_takes_all_of_its_budget_and_no_more() -> None:
    """Every part and every line end counts."""
    body = b"x" * 40000
    found = aggregate("Completed 1 parallel tasks:", [Answer(child=Child(), body=body)])

    assert BUDGET - 1 <= len(found.text.encode()) <= BUDGET
