"""Many children, and children in the background: side by side, and ended on record."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from child_bench import CHECK, DONE, LOOK, TEST, WRITE, group, join_children, results, task, texts
from run_bench import Live, assert_circle, calls, says

from reasonix_runtime.agents.children.slots import Slots
from reasonix_runtime.agents.model import Answer, Request
from reasonix_runtime.agents.script import ScriptedModel
from reasonix_runtime.agents.talk import Talk
from reasonix_runtime.agents.turn import Ending
from reasonix_runtime.trace.events import Host, SubEnd, SubStart, TurnEnd

Make = Callable[..., Live]


def test_many_answers_come_in_one_and_one_failure_stops_no_other(make_live: Make) -> None:
    """In the order of the items, whoever was first."""
    live = make_live(
        group("parallel_tasks", [LOOK, says("one")], [says(error="gone")], [says("three")]),
        DONE,
        keeps=False,
    )
    live.turn()

    assert texts(live) == [
        "Completed 3 parallel tasks:\n"
        "── task-1 ──\nstatus: completed\nFinal answer preview:\none\n"
        "── task-2 ──\nstatus: failed\n[FAILED] gone\n"
        "── task-3 ──\nstatus: completed\nFinal answer preview:\nthree"
    ]
    assert_circle(live)


def test_children_run_side_by_side(make_live: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six at once and no more: each waits until as many have come."""
    together, most = threading.Barrier(6), 0
    running, lock = 0, threading.Lock()
    answer = ScriptedModel.answer

    def meeting(model: ScriptedModel, request: Request) -> Answer:
        nonlocal running, most
        if "part" not in request.messages[-1].text:
            return answer(model, request)
        with lock:
            running += 1
            most = max(most, running)
        together.wait(60)
        with lock:
            running -= 1
        return answer(model, request)

    monkeypatch.setattr(ScriptedModel, "answer", meeting)
    live = make_live(group("parallel_tasks", *[[says("x")]] * 12), DONE)
    live.turn()

    assert texts(live)[0].startswith("Completed 12 parallel tasks:")
    assert 6 == most
    assert_circle(live)


def test_a_fleet_whose_writers_overlap_does_not_start(make_live: Make) -> None:
    """Two without paths would both claim the whole workspace."""
    items = [{"prompt": "a", "write_paths": ["x"]}, {"prompt": "b"}]
    live = make_live(
        group("fleet", [DONE], [DONE], items=items),
        group(
            "fleet",
            [says("", calls("write_file", path="x/a.md", content="1")), DONE],
            [says("", calls("write_file", path="x/b.md", content="1")), DONE],
            items=[items[0], {"prompt": "b", "write_paths": ["y"]}],
        ),
        *[DONE] * 5,
    )
    live.turn()

    refused, done = texts(live)
    assert "error: items 1 and 2 would write the same paths\n" == refused
    assert done.startswith("Completed fleet of 2 tasks:")
    assert ["a.md"] == sorted(path.name for path in live.root.rglob("*.md"))
    assert_circle(live)


@pytest.mark.parametrize(
    ("tool", "items", "told"),
    [
        ("parallel_tasks", [{"prompt": "a"}], "one task is a call of `task`"),
        ("parallel_tasks", [{"prompt": "a"}, {"prompt": " "}], "item 2: the prompt is blank"),
        ("fleet", [{"prompt": "a"}, {"prompt": " "}], "item 2: the prompt is blank"),
    ],
)
def test_the_gate_decides_whether_a_group_starts(
    make_live: Make, tool: str, items: Any, told: str
) -> None:
    """Nothing of it starts, and the call says why."""
    live = make_live(group(tool, *[[says("never")]] * len(items), items=items), DONE)
    live.turn()

    assert [f"error: {told}\n"] == texts(live)
    assert [] == live.told(SubStart)


def test_a_child_in_the_background_hands_its_evidence_over_with_its_end(make_live: Make) -> None:
    """The parent goes on, collects the answer with `wait`, and owes what was changed."""
    live = make_live(
        task(WRITE, LOOK, CHECK, says("written"), run_in_background=True),
        says("", calls("wait", job_ids=["task-1"])),
        DONE,
    )
    (live.root / "test_a.py").write_text(TEST)

    assert Ending.ACCEPTED is live.turn().ending
    started, waited = results(live)
    assert ("running", 'Started background task "task-1".') == (
        started.outcome,
        started.text.partition(" Collect")[0],
    )
    assert waited.text.startswith("[task-1 (do it)] done\n")
    assert "written" in waited.text
    assert [{"uid": "main#1", "outcome": "ok"}] == [
        event.data for event in live.told(Host) if event.name == "job_ended"
    ]
    assert {"write_file", "read_file"} <= {receipt.tool for receipt in live.state.main.ledger}
    assert_circle(live)


def test_a_session_that_closes_ends_its_children_on_record(make_live: Make, stuck: Any) -> None:
    """What they say later is heard by nobody."""
    live = make_live(task(WRITE, DONE, run_in_background=True), says("bye"))
    live.turn()
    assert stuck.asked.wait(60)
    live.session.close()
    told = len(live.events)
    stuck.free.set()
    live.jobs.close()

    assert ["cancelled"] == [event.status for event in live.told(SubEnd)]
    join_children()
    assert told == len(live.events)
    assert not (live.root / "a.py").exists()


def test_the_paths_of_a_running_child_are_not_written_by_its_parent(
    make_live: Make, stuck: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call fails at once; what nobody holds is written."""
    live = make_live(task(DONE, run_in_background=True, write_paths=["src"]))
    live.model._answers += tuple(
        says("", calls("write_file", path=path, content="x")) for path in ("src/a.md", "b.md")
    )
    _answer_beside_a_child(live, stuck, monkeypatch)
    live.turn()
    stuck.free.set()

    assert ["running", "error", "ok"] == [event.outcome for event in results(live)]
    assert "error: a sub-agent that runs holds that path; wait for its end\n" == texts(live)[1]


def _answer_beside_a_child(live: Live, stuck: Any, patch: pytest.MonkeyPatch) -> None:
    """Let the parent's second answer wait until a child has begun."""
    usual = live.model.answer

    def later(request: Request) -> Answer:
        if len(request.messages) > 2:
            assert stuck.asked.wait(60)
        return usual(request)

    patch.setattr(live.model, "answer", later)


def test_an_interrupt_of_a_group_leaves_a_whole_record(
    make_live: Make, stuck: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its children end on record, and nobody waits for their models."""

    def interrupted(thread: threading.Thread, timeout: float | None = None) -> None:
        assert stuck.asked.wait(60)
        raise KeyboardInterrupt

    live = make_live(group("parallel_tasks", [DONE], [DONE]))
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "join", interrupted)
        with pytest.raises(KeyboardInterrupt):
            live.turn()
    stuck.free.set()

    assert {"cancelled"} == {event.status for event in live.told(SubEnd)}
    assert len(live.told(SubStart)) == len(live.told(SubEnd)) > 0
    assert ["cancelled"] == [event.outcome for event in results(live)]
    assert ["interrupted"] == [event.status for event in live.told(TurnEnd)]


def test_a_child_whose_slot_comes_with_the_interrupt_does_not_start(
    make_live: Make, stuck: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its caller has ended: a start behind that would be without an end."""
    over, held, numbers = threading.Event(), Slots.held, itertools.count()

    @contextmanager
    def late(*given: Any, **options: Any) -> Iterator[bool]:
        with held(*given, **options) as got:
            if next(numbers):
                assert over.wait(60)
            yield got

    def interrupted(thread: threading.Thread, timeout: float | None = None) -> None:
        assert stuck.asked.wait(60)
        raise KeyboardInterrupt

    live = make_live(group("parallel_tasks", [DONE], [DONE]))
    monkeypatch.setattr(Slots, "held", late)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "join", interrupted)
        with pytest.raises(KeyboardInterrupt):
            live.turn()
    over.set()
    stuck.free.set()
    join_children()

    assert 1 == len(live.told(SubStart)) == len(live.told(SubEnd))


def test_a_child_that_is_killed_ends_without_an_answer(
    make_live: Make, stuck: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its parent may stop it like any job; what it would have said is not heard."""
    live = make_live(
        task(WRITE, DONE, run_in_background=True), says("", calls("kill_shell", job_id="task-1"))
    )
    _answer_beside_a_child(live, stuck, monkeypatch)
    live.turn()
    stuck.free.set()
    join_children()

    assert ["cancelled"] == [event.status for event in live.told(SubEnd)]
    assert not (live.root / "a.py").exists()
    assert_circle(live)


def test_a_fault_of_ours_does_not_leave_a_job_running(
    make_live: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who waits for it would wait for ever."""

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError

    live = make_live(
        task(DONE, run_in_background=True), says("", calls("wait", job_ids=["task-1"])), DONE
    )
    monkeypatch.setattr(Talk, "step", _only_main(broken))
    live.turn()

    assert results(live)[-1].text == "[task-1 (do it)] failed\ninternal error: ZeroDivisionError"
    assert ["failed"] == [event.status for event in live.told(SubEnd)]


def _only_main(broken: Callable[..., Any]) -> Callable[[Talk], Answer]:
    """Return a step that is broken for every agent but the main one."""
    usual = Talk.step
    return lambda talk: usual(talk) if talk._scope == "main" else broken()
