"""What is kept of children, and reviewers with their reports."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from child_bench import CHECK, DONE, TEST, results, task, texts
from run_bench import Live, assert_circle, calls, says

from reasonix_runtime.agents.children.prompts import REPORT_MISSING
from reasonix_runtime.agents.model import Request
from reasonix_runtime.agents.script import ScriptedAnswer
from reasonix_runtime.agents.turn import Ending

Make = Callable[..., Live]


REF = "sa_20260801_000008_000000000_000000000001"


def test_a_kept_child_can_be_carried_on_with(make_live: Make, requests: list[Request]) -> None:
    """It knows what it was told before; another kind of run does not become it."""
    live = make_live(
        task(says("forty-two"), prompt="think", tools=["read_file"]),
        task(says("why?"), prompt="again", tools=["read_file"], continue_from=REF),
        task(says("never"), prompt="again", continue_from=REF),
        DONE,
    )
    live.turn()

    first, second, third = results(live)
    assert ["think", "forty-two", "again"] == [m.text for m in requests[3].messages[1:]]
    assert f"Subagent reference: {REF}\n" in first.text
    assert f"Subagent reference: {REF}\n" in second.text
    assert f"error: {REF} is another kind of run\n" == third.text
    assert_circle(live)


def test_the_answer_of_a_kept_child_is_read_by_pages(make_live: Make) -> None:
    """To its end, and no character is broken."""
    live = make_live(
        task(says("grüß dich")),
        says("", calls("read_subagent_result", ref=REF, limit_bytes=3)),
        says("", calls("read_subagent_result", ref=REF, offset_bytes=2)),
        says("", calls("read_subagent_result", ref=REF, offset_bytes=3)),
        says("", calls("read_subagent_result", ref="sa_x")),
        DONE,
    )
    live.turn()

    assert texts(live)[1:] == [
        f"Subagent result {REF} (status=completed, bytes 0-2 of 11):\ngr\n\n"
        f'More remains. Call read_subagent_result with ref="{REF}" and offset_bytes=2.',
        f"Subagent result {REF} (status=completed, bytes 2-11 of 11):\nüß dich\n\n"
        "End of subagent result.",
        "error: offset 3 lies inside a character\n",
        "error: there is no stored run sa_x\n",
    ]


def test_without_a_record_nothing_is_kept(make_live: Make) -> None:
    """The answer has no reference, and none can be read."""
    live = make_live(
        task(says("once")),
        says("", calls("read_subagent_result", ref=REF)),
        task(says("x"), continue_from=REF),
        DONE,
        keeps=False,
    )
    live.turn()

    answer, page, more = texts(live)
    assert "once" == answer
    assert "error: no runs are stored here\n" == page
    assert "error: this session keeps no runs\n" == more


REPORT = {"verdict": "pass", "reviewed_paths": ["auth/login.py"]}


def reviewed(kind: str, tool: str) -> ScriptedAnswer:
    """Make an answer that has the change reviewed."""
    return task(
        says("", calls("read_file", path="auth/login.py")),
        says("", calls("review_report", kind=kind, **REPORT)),
        says("It holds."),
        tool=tool,
    )


def test_reviews_let_a_dangerous_change_end(make_live: Make) -> None:
    """Nothing else does: it needs the report of a review and that of a security review."""
    work = (
        says("", calls("write_file", path="auth/login.py", content="x = 1\n")),
        says("", calls("read_file", path="auth/login.py")),
        CHECK,
        says("Done."),
    )
    live = make_live(
        *work,
        reviewed("review", "review"),
        says("Done."),
        reviewed("security", "security_review"),
        says("Done."),
    )
    (live.root / "test_a.py").write_text(TEST.replace("import a", "pass"))

    assert Ending.ACCEPTED is live.turn().ending
    held = [text for text in live.heard("user") if text.startswith("the turn cannot end yet")]
    assert ["`review`", "`security_review`"] == [
        text.split(" report ")[0].split()[-1] for text in held
    ]
    assert_circle(live)


@pytest.mark.parametrize(("profile", "asked"), [("delivery", 3), ("ordinary", 1)])
def test_a_reviewer_owes_its_report_in_delivery(
    make_live: Make, requests: list[Request], profile: str, asked: int
) -> None:
    """It is reminded twice, then its call fails."""
    live = make_live(task(*[says("Looks good.")] * 5, tool="review"), *[DONE] * 5, profile=profile)
    live.turn()

    reminder = REPORT_MISSING.format(kind="review")
    reminded = max(sum(m.text == reminder for m in request.messages) for request in requests)
    assert asked - 1 == reminded
    failed = texts(live)[0].startswith(
        "error: the sub-agent failed: it ended without a `review` report"
    )
    assert failed == (profile == "delivery")


@pytest.mark.parametrize(("kind", "asked"), [("review", 0), ("security", 1)])
def test_a_reviewer_owes_the_report_of_its_own_kind(
    make_live: Make, requests: list[Request], kind: str, asked: int
) -> None:
    """One that was handed in is not asked for again, and another kind stands in for none."""
    script = [says("", calls("read_file", path="auth/login.py"))]
    script += [says("", calls("review_report", kind=kind, **REPORT)), *[says("It holds.")] * 5]
    live = make_live(task(*script, tool="review"), *[DONE] * 5, profile="delivery")
    (live.root / "auth").mkdir()
    (live.root / "auth" / "login.py").write_text("x = 1\n")
    live.turn()

    reminder = REPORT_MISSING.format(kind="review")
    reminded = max(sum(m.text == reminder for m in request.messages) for request in requests)
    assert asked == (reminded > 0)


def test_a_report_outside_of_a_review_is_none(make_live: Make) -> None:
    """An ordinary child has no such tool."""
    live = make_live(task(says("", calls("review_report", kind="review", **REPORT)), DONE), DONE)
    live.turn()

    assert 'error: unknown tool "review_report"' in texts(live, "sub1")[0]
