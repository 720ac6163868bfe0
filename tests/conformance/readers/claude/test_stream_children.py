"""Sub-agents in the output of a Claude Code run."""

from __future__ import annotations

from pathlib import Path

import pytest
from output_records import (
    Record,
    answers,
    asks,
    edited,
    init,
    jobs,
    judged,
    prompt,
    ran,
    read,
    result,
    says,
    system,
)
from read_records import acted, codes

from reasonix_runtime.trace.events import SubEnd, SubStart, TurnStart, User

CHILD = {"parent_tool_use_id": "t-1"}


def test_what_a_sub_agent_says_and_does_is_in_its_own_scope(tmp_path: Path) -> None:
    """Its messages name the call that started it, also where that call is of a sub-agent."""
    inner = {"parent_tool_use_id": "t-3"}
    stream = read(
        tmp_path,
        init(),
        asks("1", "Task", prompt="go", subagent_type="x"),
        prompt("2", "go", **CHILD),
        asks("3", "Task", CHILD, prompt="deeper"),
        asks("4", "Read", inner, file_path="/w/a.py"),
        answers("4", "1 x", **inner),
        answers("3", "deep", **CHILD),
        answers("1", "over"),
        says("5", "done"),
        result(),
    )

    assert [("main#1", "Task"), ("agent#1", "Task"), ("agent~2#1", "Read")] == acted(stream)
    assert [("agent", "main#1", False), ("agent~2", "agent#1", False)] == [
        (event.scope, event.parent_uid, event.background)
        for event in stream
        if isinstance(event, SubStart)
    ]
    assert ["parent"] == [event.origin for event in stream if isinstance(event, User)]


def test_a_sub_agent_whose_call_is_not_here_is_missing(tmp_path: Path) -> None:
    """What it did can be nobody's evidence."""
    stream = read(tmp_path, init(), asks("2", "Read", CHILD, file_path="a"), says("3", "done"))

    assert [] == acted(stream)
    assert ["missing_child", "truncated_tail"] == codes(stream)


@pytest.mark.parametrize(("made", "told"), [(1, []), (2, ["missing_child"])])
@pytest.mark.parametrize("waited_for", [True, False])
def test_a_sub_agent_that_made_more_calls_than_are_told_is_missing(
    made: int, told: list[str], waited_for: bool, tmp_path: Path
) -> None:
    """The result of its call counts them, and for one in the background the end of its job."""
    over = answers("1", "over", tool_use_result={"agentId": "a", "totalToolUseCount": made})
    begun = answers("1", "launched", tool_use_result={"agentId": "a", "isAsync": True})
    ended = {"task_id": "a", "status": "completed", "usage": {"tool_uses": made}}
    stream = read(
        tmp_path,
        init(),
        asks("1", "Agent", prompt="go"),
        *([] if waited_for else [begun]),
        *edited("2", **CHILD),
        over if waited_for else system("task_notification", **ended),
        says("3", "done"),
        result(),
    )

    assert told == codes(stream)


def background(*inside: Record, news: bool = True) -> list[Record]:
    """Return a run whose sub-agent goes on when its call is answered."""
    started = {"isAsync": True, "status": "async_launched", "agentId": "ag"}
    ended = system("task_notification", task_id="ag", tool_use_id="t-1", status="completed")
    return [
        init(),
        asks("1", "Agent", prompt="go"),
        answers("1", "launched", tool_use_result=started),
        *inside,
        *([ended] if news else []),
        *ran("7", "pytest -q", "1 passed"),
        *ran("8", "git diff", "+x"),
        says("9", "done"),
        result(),
    ]


INSIDE = edited("2", agent_id="ag", **CHILD)


def test_a_sub_agent_in_the_background_goes_on_until_its_news(tmp_path: Path) -> None:
    """Its calls stand between those of the main conversation."""
    stream = read(tmp_path, *background(*INSIDE))

    assert [("ag", "main#1", True)] == [
        (event.scope, event.parent_uid, event.background)
        for event in stream
        if isinstance(event, SubStart)
    ]
    assert [("main#1", "ok")] == jobs(stream)
    kinds = [type(event).__name__ for event in stream if isinstance(event, SubEnd | TurnStart)]
    assert ["TurnStart", "SubEnd"] == kinds


@pytest.mark.parametrize(
    ("records", "decision"),
    [
        (background(*INSIDE), "accept"),
        (background(), "not_assessable"),
        (background(*INSIDE, news=False), "not_assessable"),
        (
            background(asks("2", "Read", CHILD, file_path="a"), answers("2", "1 x", **CHILD)),
            "accept",
        ),
    ],
)
def test_what_a_sub_agent_did_in_the_background_must_be_told_with_its_end(
    records: list[Record], decision: str, tmp_path: Path
) -> None:
    """Older versions leave it out; without its end nobody knows what the checks saw."""
    assert [decision] == [one for one, _ in judged(tmp_path, *records)]


def nested(*ends_told: str) -> list[Record]:
    """Return a run with a sub-agent in another one, both in the background, and their ends."""
    inner = {"parent_tool_use_id": "t-2"}
    started = {"isAsync": True, "agentId": "out"}
    news = {
        name: system("task_updated", task_id=name, patch={"status": "completed"})
        for name in ("out", "in")
    }
    begin, end = edited("3", **inner)
    told = [(news | {"begin": begin, "end": end})[name] for name in ends_told]
    return [
        init(),
        asks("1", "Agent", prompt="go"),
        answers("1", "launched", tool_use_result=started),
        asks("2", "Agent", CHILD, prompt="deeper"),
        answers("2", "Async agent launched successfully.\nagentId: in", **CHILD),
        *told,
        *ran("8", "git diff", "+x"),
        says("9", "done"),
        result(),
    ]


@pytest.mark.parametrize(
    "told",
    [
        ("begin", "end", "in", "out"),
        ("begin", "end", "out", "in"),
        ("begin", "out", "end", "in"),
        ("out", "begin", "end", "in"),
    ],
)
def test_a_sub_agent_ends_with_what_goes_on_inside(told: tuple[str, ...], tmp_path: Path) -> None:
    """Some versions start one in the background out of another, and the outer one is over first."""
    stream = read(tmp_path, *nested(*told))

    assert [("agent#1", "ok"), ("main#1", "ok")] == jobs(stream)
    assert [] == codes(stream)
    assert [("reject", "finish.verification_missing")] == judged(tmp_path, *nested(*told))


@pytest.mark.parametrize("in_background", [True, False])
def test_a_sub_agent_with_a_call_that_has_no_result_hides_something(
    in_background: bool, tmp_path: Path
) -> None:
    """It was over: its line is lost, and it may have been a change."""
    call, _ = INSIDE
    checked = (*ran("7", "pytest -q", "1 passed"), *ran("8", "git diff", "+x"))
    waited = [init(), asks("1", "Agent", prompt="go"), call, answers("1", "over"), *checked]
    records = background(call) if in_background else [*waited, says("9", "done"), result()]

    assert {"missing_child", "unanswered_call"} == set(codes(read(tmp_path, *records)))
    assert ["not_assessable"] == [decision for decision, _ in judged(tmp_path, *records)]


def test_a_sub_agent_that_goes_on_behind_the_one_that_started_it_is_missing(
    tmp_path: Path,
) -> None:
    """That one was waited for: nobody knows any more whose evidence it is."""
    inner = {"parent_tool_use_id": "t-2"}
    stream = read(
        tmp_path,
        init(),
        asks("1", "Agent", prompt="go"),
        asks("2", "Agent", CHILD, prompt="deeper"),
        answers("2", "Async agent launched successfully.\nagentId: in", **CHILD),
        answers("1", "over"),
        *edited("3", **inner),
        says("9", "done"),
        result(),
    )

    assert [("main#1", "Agent"), ("agent#1", "Agent")] == acted(stream)
    assert ["missing_child"] == codes(stream)


@pytest.mark.parametrize(
    ("first", "later", "verdict"),
    [
        ("check", "look", ("reject", "finish.verification_missing")),
        ("look", "check", ("reject", "finish.inspection_missing")),
        ("list", "check look", ("accept", "")),
    ],
)
def test_what_a_sub_agent_saw_before_a_change_beside_it_is_old(
    first: str, later: str, verdict: tuple[str, str], tmp_path: Path
) -> None:
    """Its evidence arrives with its end, behind the change."""
    told = {"check": ("pytest -q", "1 passed"), "look": ("git diff", "+x"), "list": ("ls", "a")}
    inside = _child("3", *told[first])
    outside = [one for name in later.split() for one in ran(f"7{name}", *told[name])]
    started, ended = background()[:3], background()[3]
    records = [*started, *inside, *edited("5"), ended, *outside, says("9", "done"), result()]

    assert [verdict] == judged(tmp_path, *records)


def _child(ident: str, line: str, text: str) -> tuple[Record, Record]:
    more = CHILD | {"agent_id": "ag"}
    return asks(ident, "Bash", more, command=line), answers(ident, text, **more)
