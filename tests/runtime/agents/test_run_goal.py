"""`reasonix-runtime run` with a goal: the `/goal` command, and the file that a goal is kept in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from reasonix_conformance.cli import main as conformance
from reasonix_runtime.cli import main
from reasonix_runtime.sessions.hold import held

REPORT = '{{tool: update_goal, args: {{status: {0}, reason: "so it is"}}}}'


class Ran(NamedTuple):
    """What a run came to."""

    code: int
    out: str
    err: list[str]


Run = Callable[..., Ran]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in a folder of its own, with a script of these answers."""
    monkeypatch.chdir(tmp_path)

    def run(text: str, *answers: str, words: tuple[str, ...] = ()) -> Ran:
        lines = "".join(f"  - {answer}\n" for answer in answers)
        (tmp_path / "s.yaml").write_text(f"answers:\n{lines or '  []'}")
        code = main(["run", text, "--script", "s.yaml", *words])
        out, err = capsys.readouterr()
        return Ran(code, out, err.splitlines())

    return run


def reports(status: str) -> list[str]:
    """Return the answers of a turn that ends with a report."""
    return [f"calls: [{REPORT.format(status)}]", f"text: It is {status}."]


KEPT = ("--goal-file", "goal.json")


def stored() -> Any:
    return json.loads(Path("goal.json").read_text())


def test_a_goal_that_is_reached_is_a_success(run: Run) -> None:
    """The last answer is the output; how the goal stands is told after every turn."""
    code, out, err = run("/goal Ship it", *reports("continue"), *reports("complete"))

    assert (0, "It is complete.\n") == (code, out)
    assert err == [
        '> update_goal {"status": "continue", "reason": "so it is"}',
        "  ok",
        "It is continue.",
        "goal running (turn 1 of 10): Ship it",
        "  Continue with the active goal. Do the next piece of work and report with update_goal: "
        "continue, complete or blocked.",
        '> update_goal {"status": "complete", "reason": "so it is"}',
        "  ok",
        "goal reached (turn 2 of 10)",
    ]


def test_a_goal_that_nobody_could_judge_is_paused(run: Run) -> None:
    """With the words of the provider, not those of our own parts."""
    look = "calls: [{tool: bash, args: {command: ls}}]"
    code, _, err = run("/goal Ship it", look, "text: Done.", "error: overloaded")

    told = "the evaluator could not judge: overloaded"
    assert f"goal paused (evaluator_unavailable) because {told} (turn 1 of 10): Ship it" == err[-1]
    assert 1 == code


def test_a_goal_that_is_blocked_is_no_success(run: Run) -> None:
    """Only the user can go on with it."""
    code, _, err = run("/goal Fix it", *reports("blocked"))

    assert (1, "goal blocked because so it is (turn 1 of 20): Fix it") == (code, err[-1])


def test_a_goal_is_on_disk_only_where_that_was_asked_for(run: Run, tmp_path: Path) -> None:
    """A run leaves nothing that nobody named."""
    run("/goal Ship it", *reports("blocked"))

    assert ["s.yaml"] == [path.name for path in tmp_path.iterdir()]


def test_a_kept_goal_is_gone_on_with(run: Run) -> None:
    """With its counters and its task list, by `/goal resume` and by whatever the user says."""
    todo = 'calls: [{tool: todo_write, args: {todos: [{content: "Do it", status: in_progress}]}}]'
    run("/goal Fix it", todo, *reports("blocked"), words=KEPT)
    assert ["Do it"] == [task["content"] for task in stored()["todos"]]

    code, _, err = run("/goal resume", *reports("blocked"), words=KEPT)
    assert (1, "goal blocked because so it is (turn 2 of 20): Fix it") == (code, err[-1])
    assert ["Do it"] == [task["content"] for task in stored()["todos"]]

    run("/goal resume", "error: no money", words=KEPT)
    assert "running" == stored()["status"]
    code, _, err = run("Look again.", *reports("blocked"), words=(*KEPT, "--record", "r.jsonl"))
    assert (1, "goal blocked because so it is (turn 3 of 20): Fix it") == (code, err[-2])
    assert "<active-goal>\\nFix it\\n</active-goal>\\n\\nLook again." in Path("r.jsonl").read_text()
    assert 0 == conformance(["replay", "r.jsonl"])


def test_a_goal_that_stands_still_leaves_other_turns_alone(run: Run) -> None:
    """A question beside a blocked goal is an ordinary turn, and changes nothing of the goal."""
    run("/goal Fix it", *reports("blocked"), words=KEPT)
    before = stored()

    code, out, err = run("What is this?", "text: A parser.", words=KEPT)

    assert (0, "A parser.\n") == (code, out)
    assert ["accepted", "goal blocked because so it is (turn 1 of 20): Fix it"] == err
    assert before == stored()


def test_what_needs_no_run_needs_no_model(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """Show, pause and clear a goal that is kept."""
    run("/goal Fix it", "error: no money", words=KEPT)
    for text, told in [
        ("/goal", "goal running (turn 0 of 20): Fix it\n"),
        ("/goal pause", "goal paused (manual) (turn 0 of 20): Fix it\n"),
        ("/goal status", "goal paused (manual) (turn 0 of 20): Fix it\n"),
        ("/goal clear", "no goal\n"),
    ]:
        assert 0 == main(["run", text, *KEPT])
        assert (told, "") == capsys.readouterr()
    assert "" == stored()["text"]


@pytest.mark.parametrize(
    ("text", "words", "told"),
    [
        ("/goal pause", (), "/goal pause: name the file that the goal is kept in with --goal-file"),
        ("/goal resume", KEPT, "there is no goal to go on with"),
        ("/goal x", ("--rules", "ungated"), "--rules ungated: its goal tools are others"),
        ("x", ("--goal-file", "broken.json"), "--goal-file broken.json: no JSON: "),
        ("/goal x", ("--goal-file", "no/goal.json"), "no/goal.json: the goal was not stored: "),
        ("/goal x", (*KEPT, "--record", "s.yaml"), "--record s.yaml exists already"),
        ("/goal x", (*KEPT, "--workspace", "no"), "--workspace no is no folder"),
    ],
)
def test_wrong_use_of_a_goal_is_told_before_anything_runs(
    run: Run, text: str, words: tuple[str, ...], told: str
) -> None:
    """And leaves the goal that was."""
    Path("broken.json").write_text("{")

    code, out, (err, *_) = run(text, "text: Hi.", words=words)

    assert (2, "") == (code, out)
    assert err.startswith(f"reasonix-runtime: {told}")
    assert not Path("goal.json").exists()


def test_a_goal_that_cannot_be_stored_is_taken_back_on_record(run: Run) -> None:
    """`goal_life.save_rollback`: nobody works for a goal that would be lost."""
    run("/goal x", "text: Hi.", words=("--goal-file", "no/goal.json", "--record", "r.jsonl"))

    last = json.loads(Path("r.jsonl").read_text().splitlines()[-1])
    assert ("set", True) == (last["name"], last["data"]["write_failed"])


def test_the_agent_cannot_write_its_own_goal(run: Run) -> None:
    """It reports, and the host decides."""
    cheat = "calls: [{tool: write_file, args: {path: goal.json, content: '{}'}}]"
    _, _, err = run("x", cheat, "text: Hi.", words=KEPT)

    assert err[1].startswith("  error: ")
    assert not Path("goal.json").exists()


@pytest.mark.parametrize("text", ["x", "/goal Ship it", "/goal pause", "/goal clear"])
def test_a_goal_that_another_run_works_on_is_left_alone(run: Run, text: str) -> None:
    """Of two runs on one file the later write would undo what the other had counted."""
    run("/goal Fix it", "error: no money", words=KEPT)
    before = stored()

    with held(Path("goal.json")):
        code, out, (err, *_) = run(text, "text: Hi.", words=KEPT)
        asked = run("/goal status", words=KEPT)

    assert (2, "") == (code, out)
    assert err.startswith("reasonix-runtime: goal.json: another run (process ")
    assert (0, "goal running (turn 0 of 20): Fix it\n") == asked[:2]
    assert before == stored()


def test_a_run_that_is_over_lets_go_of_its_goal(run: Run) -> None:
    """Nothing is left beside the file."""
    run("/goal Fix it", "error: no money", words=KEPT)

    assert ["goal.json", "s.yaml"] == sorted(file.name for file in Path().iterdir())


@pytest.mark.parametrize("text", ["/goal\nShip it\n", " /goal  Ship it", "/goal --strict Ship it"])
def test_a_goal_may_come_in_several_lines(run: Run, text: str) -> None:
    """As from standard input."""
    _, _, err = run(text, *reports("blocked"))

    assert "goal blocked because so it is (turn 1 of 10): Ship it" == err[-1]


def test_a_turn_without_an_answer_shows_none(run: Run) -> None:
    """Only how the goal stands."""
    _, _, err = run("/goal Ship it", reports("continue")[0], 'text: ""', *reports("blocked"))

    assert "" not in err


def test_a_goal_is_classed_by_its_flags(run: Run) -> None:
    """Research takes more turns, and says so."""
    _, _, err = run("/goal --research Fix it", *reports("blocked"))

    assert "goal blocked because so it is (turn 1 of 40): Fix it" == err[-1]
