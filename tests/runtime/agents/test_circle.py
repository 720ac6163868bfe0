"""The circle: a live run, its record, and the replay of the record give the same verdicts."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_bench import Live, assert_circle, calls, replayed, says

from reasonix_runtime.agents.script import ScriptedAnswer, ScriptedCall
from reasonix_runtime.agents.turn import Limits
from reasonix_runtime.gates.policy import CLASSIC, CONTRACT, FACTS, UNGATED, Policy

Make = Callable[..., Live]

EVIDENCE = [{"kind": "verification", "summary": "it holds", "command": "test -f a.py"}]
TODO = [{"content": "Write it", "status": "in_progress"}]


def test_a_run_that_was_held_back_gives_the_same_verdicts_again(make_live: Make) -> None:
    """Also what was asked in the middle of the turn is asked there again."""
    live = make_live(
        says("", calls("write_file", path="a.py", content="x = 1\n")),
        says("Written."),
        says("", calls("read_file", path="a.py")),
        says("Read."),
        says("", calls("bash", command="test -f a.py")),
        says("", calls("complete_step", step="Write it", result="done", evidence=EVIDENCE)),
        *[says("Done.")] * 8,
    )
    live.turn()
    live.turn("once more")

    assert_circle(live)
    held = [one for one in replayed(live.file) if one.subject == "held_back"]
    assert len(held) > 3
    assert {"reject"} == {one.verdict.decision for one in held} == {one.host for one in held}


def test_what_no_json_can_hold_is_the_same_on_record(make_live: Make) -> None:
    """Half a surrogate pair cannot be written; live it is no JSON either."""
    live = make_live(
        says(
            "", calls("todo_write", raw='{"todos": [{"content": "\\ud800", "status": "pending"}]}')
        ),
        says("", calls("bash", raw='{"command": "echo \\udfff"}')),
        says("done \ud800"),
    )
    live.turn("say \udcff")

    assert_circle(live)


PATHS = st.sampled_from(["a.py", "src/auth/login.py", "README.md"])
COMMANDS = st.sampled_from(
    [
        "test -f a.py",
        "false",
        "cat a.py",
        "echo x >> a.py",
        "python3 -m unittest -q",
        "git diff",
        "ls",
    ]
)


LOOKS = st.one_of(
    st.builds(lambda p: calls("read_file", path=p), PATHS),
    st.builds(lambda c: calls("bash", command=c), COMMANDS),
    st.builds(
        lambda c: calls(
            "use_capability", action="call", capability_id="tool:grep", arguments={"pattern": c}
        ),
        st.sampled_from(["x", "("]),
    ),
    st.just(calls("use_capability", action="list")),
    st.builds(lambda raw: calls("bash", raw=raw), st.sampled_from(['{"command', "[]", "", "7"])),
    st.just(calls("nothing")),
)
WORK = st.one_of(
    st.builds(lambda p, c: calls("write_file", path=p, content=c), PATHS, st.sampled_from("xyz")),
    st.builds(lambda p: calls("edit_file", path=p, old_string="x", new_string="q"), PATHS),
    st.builds(
        lambda n, s: calls("todo_write", todos=[{"content": f"Step {i}", "status": s} for i in n]),
        st.lists(st.integers(1, 3), max_size=3, unique=True),
        st.sampled_from(["pending", "in_progress", "completed", "odd"]),
    ),
    st.builds(
        lambda n, c: calls(
            "complete_step",
            step=f"Step {n}",
            result="done",
            evidence=[{"kind": "verification", "summary": "s", "command": c}],
        ),
        st.integers(1, 3),
        COMMANDS,
    ),
    st.just(calls("todo_write", todos=[7])),
    # What a gate would take, and the schema of the tool does not.
    st.builds(
        lambda level: calls("todo_write", todos=[{**TODO[0], "level": level}]),
        st.sampled_from(["1", 1.5, [], -1]),
    ),
    st.builds(
        lambda odd: calls(
            "complete_step", step="Write it", result="done", evidence=EVIDENCE, notes=odd, nothing=1
        ),
        st.sampled_from([7, [], {}, None]),
    ),
    st.just(calls("review_report", kind="review", reviewed_paths=["a.py"], findings=[])),
    st.builds(
        lambda status, reason, action: calls(
            "update_goal", status=status, reason=reason, next_action=action
        ),
        st.sampled_from(["continue", "complete", "blocked", "done"]),
        st.sampled_from(["", "it is so"]),
        st.sampled_from(["", "Look at <active-goal>it</active-goal>."]),
    ),
)


def answers(made: st.SearchStrategy[ScriptedCall]) -> st.SearchStrategy[list[ScriptedAnswer]]:
    """Return what a child says that makes such calls."""
    said = st.builds(lambda calls_: says("Mine.", *calls_), st.lists(made, max_size=2))
    return st.lists(said, min_size=1, max_size=3)


DELEGATED = st.one_of(
    st.builds(
        lambda said, paths, background: calls(
            "task",
            children=[said],
            prompt="work",
            run_in_background=background,
            **({"write_paths": paths} if paths else {}),
        ),
        answers(LOOKS | WORK),
        st.sampled_from([None, ["src"], ["a.py", "b.py"], ["/"]]),
        st.booleans(),
    ),
    st.builds(lambda said: calls("review", children=[said], task="look"), answers(LOOKS | WORK)),
    st.builds(
        lambda children: calls(
            "parallel_tasks", children=children, tasks=[{"prompt": "look"}] * len(children)
        ),
        st.lists(answers(LOOKS | WORK), min_size=1, max_size=3),
    ),
    st.just(calls("wait")),
)
ANSWERS = st.lists(
    st.builds(
        lambda text, made: says(text, *made),
        st.sampled_from(["", "Done.", '{"outcome": "continue"}', '{"outcome": "complete"}']),
        st.lists(LOOKS | WORK | DELEGATED, max_size=3),
    ),
    min_size=2,
    max_size=8,
)


@pytest.mark.parametrize("policy", [CONTRACT, CLASSIC, FACTS, UNGATED], ids=lambda p: p.name)
@settings(max_examples=20)
@given(
    turns=st.lists(ANSWERS, min_size=1, max_size=2),
    profile=st.sampled_from(["ordinary", "delivery"]),
    preset=st.sampled_from(["light", "balanced", "delivery"]),
    goal=st.sampled_from([None, "Fix it", "Say\n\nwhat </active-goal> is."]),
)
def test_any_session_gives_the_same_verdicts_again(
    policy: Policy,
    turns: list[list[ScriptedAnswer]],
    profile: str,
    preset: str,
    goal: str | None,
) -> None:
    """Whatever a model does, the record of it is judged as the run was."""
    folder = Path(tempfile.mkdtemp())
    answers = [answer for turn in turns for answer in turn]
    limits = Limits(steps=12, follow_ups=3)
    live = Live(folder, *answers, policy=policy, profile=profile, preset=preset, limits=limits)
    try:
        if goal is not None and not policy.goal.exact_revision:
            live.pursue(goal)
        for number in range(len(turns)):
            live.turn(f"turn {number}")
        assert_circle(live)
    finally:
        live.close()
        shutil.rmtree(folder)
