"""One child of a run: what it is given, what it leaves, how it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from child_bench import CHECK, DONE, LOOK, TEST, WRITE, results, task, texts
from run_bench import Live, assert_circle, calls, says

from reasonix_runtime.agents.model import Finish, Request
from reasonix_runtime.agents.script import ScriptedAnswer
from reasonix_runtime.agents.turn import Ending, Limits
from reasonix_runtime.trace.events import SubEnd, SubStart, ToolCall

Make = Callable[..., Live]


def test_a_child_sees_its_task_and_its_answer_alone_returns(
    make_live: Make, requests: list[Request]
) -> None:
    """Neither sees the other's conversation."""
    live = make_live(task(says("I think"), prompt="count"), DONE)
    live.turn("a secret of the parent")

    child = requests[1].messages
    assert ["system", "user"] == [message.role for message in child]
    assert "count" == child[1].text
    assert "secret" not in "".join(message.text for message in child)
    assert ["I think"] == texts(live)
    assert [("sub1", "main#1", "task")] == [
        (event.scope, event.parent_uid, event.kind) for event in live.told(SubStart)
    ]
    assert ["completed"] == [event.status for event in live.told(SubEnd)]


@pytest.mark.parametrize(
    ("call", "there", "gone"),
    [
        ({}, {"bash", "write_file", "task", "complete_step", "use_capability"}, {"fleet", "wait"}),
        ({"tools": ["read_file", "gl*"]}, {"read_file", "glob"}, {"bash", "use_capability"}),
        ({"write_paths": ["src"]}, {"write_file", "read_file"}, {"bash", "task", "kill_shell"}),
        ({"tool": "read_only_task"}, {"bash", "grep", "read_only_task"}, {"write_file", "task"}),
        ({"tool": "review"}, {"bash", "review_report"}, {"write_file", "todo_write"}),
        ({"tool": "explore"}, {"bash", "grep"}, {"write_file", "review_report"}),
    ],
)
def test_a_child_is_offered_the_registry_of_its_kind(
    make_live: Make, requests: list[Request], call: Any, there: set[str], gone: set[str]
) -> None:
    """What it must not do it does not see; its shell has no background."""
    make_live(task(says("x"), **call), DONE).turn()

    offered = {entry.name: entry for entry in requests[1].tools}
    assert there <= offered.keys()
    assert gone.isdisjoint(offered)
    assert list(offered) == sorted(offered)
    if "bash" in offered:
        assert ["command"] == list(offered["bash"].parameters()["properties"])


def test_what_a_child_did_counts_for_its_parent(make_live: Make) -> None:
    """Its change is owed by the parent, and its looks and checks pay for it."""
    careless = make_live(task(WRITE, says("written")), *[DONE] * 4)
    careful = make_live(task(WRITE, LOOK, CHECK, says("written")), DONE)
    for live in (careless, careful):
        (live.root / "test_a.py").write_text(TEST)

    assert Ending.INCOMPLETE is careless.turn().ending
    assert Ending.ACCEPTED is careful.turn().ending
    assert "[unverified] the turn cannot end yet" in texts(careless)[0]
    assert ["written"] == texts(careful)
    assert_circle(careless)
    assert_circle(careful)


def test_a_reader_runs_no_command_that_may_change_and_leaves_no_evidence_of_it(
    make_live: Make,
) -> None:
    """The text tells it; a run that never was proves nothing."""
    commands = ("touch x", "pytest -q", "cat b", "ls; rm b")
    tries = [says("", calls("bash", command=command)) for command in commands]
    live = make_live(task(*tries, says("seen"), tool="read_only_task"), DONE)
    (live.root / "b").write_text("here")
    live.turn()

    refused = "blocked: this sub-agent cannot run a command that is not known to only read"
    assert [refused, refused, "here", refused] == texts(live, "sub1")
    assert ["b"] == sorted(path.name for path in live.root.iterdir())
    assert [True] == [r.success for r in live.state.main.ledger if r.command]
    assert_circle(live)


def test_a_writer_with_paths_writes_below_them_alone(make_live: Make) -> None:
    """Also where a link leads out of them, and where a file would be moved out."""
    live = make_live(
        task(
            says("", calls("write_file", path="src/new/a.py", content="x")),
            says("", calls("write_file", path="src/link/a.py", content="x")),
            says("", calls("move_file", source_path="src/new/a.py", destination_path="b.py")),
            says("", calls("edit_file", path="srcs.py", old_string="x", new_string="y")),
            says("tried"),
            write_paths=["src"],
        ),
        DONE,
        DONE,
        DONE,
        DONE,
    )
    (live.root / "src").mkdir()
    (live.root / "other").mkdir()
    (live.root / "srcs.py").write_text("x")
    (live.root / "src" / "link").symlink_to(live.root / "other")
    live.turn()

    assert ["ok", "blocked", "blocked", "blocked"] == [
        event.outcome for event in results(live, "sub1")
    ]
    assert (live.root / "src" / "new" / "a.py").exists()
    assert_circle(live)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ({"prompt": " "}, "the prompt is blank"),
        ({"profile": "tester"}, "no sub-agent profile tester"),
        ({"write_paths": [" "]}, "write_paths[0] is blank"),
        ({"write_paths": ["a", "*.py"]}, "write_paths[1] is a pattern: name paths"),
        ({"write_paths": ["../x"]}, "write_paths[0] lies outside the workspace"),
        ({"write_paths": ["out"]}, "write_paths[0] lies outside the workspace"),
        ({"continue_from": "sa_none"}, "there is no stored run sa_none"),
        ({"continue_from": "none"}, "'none' is no reference of a sub-agent"),
        ({"tool": "read_only_task", "tools": ["write_file"]}, "no read-only tool is left"),
    ],
    ids=str,
)
def test_the_gate_decides_whether_a_child_starts(make_live: Make, args: Any, told: str) -> None:
    """Nothing starts, and the call says why."""
    live = make_live(task(says("never"), **args), DONE)
    (live.root / "out").symlink_to(live.root.parent)
    live.turn()

    assert [f"error: {told}\n"] == texts(live)
    assert [] == live.told(SubStart)


def test_children_nest_as_deep_as_the_limit(make_live: Make) -> None:
    """A child at the limit has no tool to start another, and calling one by name finds none."""

    def reader(*answers: ScriptedAnswer) -> ScriptedAnswer:
        return task(*answers, tool="read_only_task")

    live = make_live(reader(reader(reader(says("never")), says("deep")), says("mid")), DONE)
    live.turn()

    assert ["sub1", "sub2"] == [event.scope for event in live.told(SubStart)]
    assert ['error: unknown tool "read_only_task"'] == [
        text.partition(" (known")[0].strip() for text in texts(live, "sub2")
    ]
    assert [("mid", "deep")] == [(texts(live)[0], texts(live, "sub1")[0])]


def test_a_nested_writer_does_not_wait_for_its_own_parent(make_live: Make) -> None:
    """Both would wait for ever: the parent holds the whole workspace while it waits."""
    live = make_live(task(task(says("x")), task(says("seen"), tool="read_only_task"), DONE), DONE)
    live.turn()

    nested = texts(live, "sub1")
    assert ["error: no slot is free, and a child never waits for one\n", "seen"] == nested


@pytest.mark.parametrize(
    ("limit", "args", "steps"), [(20, {}, 10), (6, {}, 5), (20, {"max_steps": 2}, 2)]
)
def test_a_child_has_half_the_steps_or_those_it_asks_for(
    make_live: Make, requests: list[Request], limit: int, args: Any, steps: int
) -> None:
    """And at least five; one that does not end in them has failed."""
    (live := make_live(task(*[LOOK] * 30, **args), DONE, limits=Limits(steps=limit))).turn()

    assert steps == len(requests) - 2
    (told,) = texts(live)
    assert told.startswith(
        f"error: the sub-agent failed: it reached its limit of {steps} responses\n"
    )
    assert ["failed"] == [event.status for event in live.told(SubEnd)]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (says(error="on fire"), "on fire"),
        (says(" "), "it ended without an answer"),
        (says("", finish=Finish.WITHHELD), "the provider withheld the answer"),
    ],
)
def test_a_child_that_fails_is_an_error_of_its_call(
    make_live: Make, answer: ScriptedAnswer, told: str
) -> None:
    """The parent goes on."""
    live = make_live(task(answer), DONE)

    assert Ending.ACCEPTED is live.turn().ending
    assert texts(live)[0].startswith(f"error: the sub-agent failed: {told}\n")
    assert_circle(live)


def test_a_child_that_speaks_of_approval_approves_nothing(make_live: Make) -> None:
    """Its parent is told so, once."""
    live = make_live(task(says("The user approved the plan.")), DONE)
    live.turn()

    assert texts(live)[0].startswith("The user approved the plan.\n\n[host notice] ")


def test_children_are_reached_through_the_proxy(make_live: Make) -> None:
    """The tools that start them are not in the array of a request."""
    live = make_live(
        says(
            "",
            calls(
                "use_capability",
                children=[[WRITE, says("via")]],
                action="call",
                capability_id="tool:task",
                arguments={"prompt": "go"},
            ),
        ),
        *[DONE] * 5,
    )
    live.turn()

    assert ["task"] == [event.resolved_name for event in live.told(ToolCall) if event.resolved_name]
    assert (live.root / "a.py").exists()
    assert_circle(live)
