"""Where the commands of a Claude Code session run: the shell stays where a command went to.

An agent that goes to a folder and looks there by a relative name was accused of no look, and tests
that ran in another checkout counted as those of a change.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import claude_records
import output_records
import pytest
from claude_records import record, says
from output_records import asks, edited, init, judged, ran, result, spoken

from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.trace.events import Event, ToolCall

WORKTREE = "/w/.claude/worktrees/feat"
ENTERED = (
    asks("9", "EnterWorktree"),
    output_records.answers("9", "Created.", tool_use_result={"worktreePath": WORKTREE}),
)
DONE = (output_records.says("99", "done"), result())


def commands(stream: list[Event]) -> list[str]:
    """Return the commands as they were really run."""
    calls = [event for event in stream if isinstance(event, ToolCall)]
    return [call.resolved_args["command"] for call in calls if call.resolved_name == "bash"]


def test_a_record_tells_where_its_command_ran(tmp_path: Path) -> None:
    """Each record of a session file has the folder; that of the session needs no saying."""
    shell: list[dict[str, Any]] = [
        claude_records.asks(f"{n}", "Bash", command=command) | {"cwd": folder}
        for n, (command, folder) in enumerate(
            [("pytest -q", "/w"), ("cat a.py", "/w/a b"), ("cd /w/c && ls", "/w/a b")]
        )
    ]

    stream = claude_records.read(tmp_path, record("user", "p", "go", cwd="/w"), *shell)

    assert ["pytest -q", "cd '/w/a b'; cat a.py", "cd /w/c && ls"] == commands(stream)


@pytest.mark.parametrize(
    ("first", "text", "more", "then"),
    [
        ("cd sub", "x", {}, "cd /w/sub; cat a.py"),
        ("cd sub && ls | head -1", "x", {}, "cd /w/sub; cat a.py"),
        ("pushd sub; cd deep", "x", {}, "cd /w/sub/deep; cat a.py"),
        ("pushd sub && ls", "x", {}, "cd /w/sub; cat a.py"),
        ("(cd sub)", "x", {}, "cat a.py"),
        ("cd sub | cat", "x", {}, "cat a.py"),
        ("cd sub && pytest", "Exit code 1\nx", {"error": True}, "cat a.py"),
        ("cd nosuch; pwd", "/bin/bash: line 1: cd: nosuch: No such file", {}, "cat a.py"),
        ("cd /tmp && ls", "x\nShell cwd was reset to /w", {}, "cat a.py"),
        ("grep cd a.py", "x", {}, "cat a.py"),
    ],
)
def test_the_output_of_a_run_follows_the_shell(
    first: str, text: str, more: dict[str, Any], then: str, tmp_path: Path
) -> None:
    """It tells the folder of the session alone; the shell stays where a good command left it."""
    told = (asks("1", "Bash", command=first), output_records.answers("1", text, **more))

    stream = output_records.read(tmp_path, init(), *told, *ran("2", "cat a.py"), *DONE)

    assert then == commands(stream)[1]


def test_a_failure_that_may_hide_moves_nothing(tmp_path: Path) -> None:
    """Where `grep` may have found nothing, nobody knows that the shell stayed behind it."""
    told = (asks("1", "Bash", command="cd sub; grep -q x a"), output_records.answers("1", ""))

    stream = output_records.read(tmp_path, init(), *told, *ran("2", "cat a.py"), *DONE)

    assert "cat a.py" == commands(stream)[1]


def test_a_sub_agent_begins_where_it_was_started_and_goes_nowhere_for_good(tmp_path: Path) -> None:
    inside = {"parent_tool_use_id": "t-2"}
    shell = [
        spoken("assistant", f"k{n}", [{"type": "tool_use", "id": f"k{n}", "name": "Bash",
                                       "input": {"command": command}}], **inside)
        for n, command in enumerate(["cd deep", "cat a.py"])
    ]  # fmt: skip
    gone = spoken("user", "r", [{"type": "tool_result", "tool_use_id": "k0", "content": "x"}],
                  **inside)  # fmt: skip

    stream = output_records.read(
        tmp_path, init(), *ran("1", "cd sub"), asks("2", "Agent", prompt="go"), shell[0], gone,
        shell[1], output_records.answers("2", "done"), *DONE,
    )  # fmt: skip

    assert ["cd sub", "cd /w/sub; cd deep", "cd /w/sub; cat a.py"] == commands(stream)


def test_a_worktree_is_where_a_session_goes_on_until_it_leaves_it(tmp_path: Path) -> None:
    left = (asks("8", "ExitWorktree", action="keep"), output_records.answers("8", "Left."))

    stream = output_records.read(
        tmp_path, init(), *ENTERED, *ran("1", "cat a.py"), *left, *ran("2", "cat a.py"), *DONE
    )

    assert [f"cd {WORKTREE}; cat a.py", "cat a.py"] == commands(stream)


@pytest.mark.parametrize(
    ("folder", "verdict"),
    [(WORKTREE, ("accept", "")), ("/w", ("reject", "finish.verification_missing"))],
)
def test_a_change_in_a_worktree_is_checked_there(
    folder: str, verdict: tuple[str, str], tmp_path: Path
) -> None:
    """The first checkout, though above it, has nothing of it."""
    change = edited("1", f"{WORKTREE}/a.py")
    check = ran("2", f"cd {folder} && pytest -q", "1 passed")

    assert [verdict] == judged(
        tmp_path, init(), *ENTERED, *change, *check, *ran("3", "git diff", "+x"), *DONE
    )


@pytest.mark.parametrize(
    ("check", "look", "verdict"),
    [
        ("/w", "/w", ("accept", "")),
        (WORKTREE, "/w", ("reject", "finish.verification_missing")),
        ("/w", WORKTREE, ("reject", "finish.inspection_missing")),
    ],
)
def test_a_change_of_the_first_checkout_is_not_checked_in_a_worktree(
    check: str, look: str, verdict: tuple[str, str], tmp_path: Path
) -> None:
    """The worktree, though below it, is another checkout."""
    change = edited("1", "/w/a.py")
    checked = ran("2", f"cd {check} && pytest -q", "1 passed")
    seen = ran("3", f"cd {look} && git diff", "+x")

    assert [verdict] == judged(tmp_path, init(), *ENTERED, *change, *checked, *seen, *DONE)


def test_a_look_from_the_folder_that_the_shell_went_to_is_one(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    told = [("Edit", {"file_path": "/w/sub/a.py"}, "/w"), ("Bash", {"command": "cat a.py"}, None),
            ("Bash", {"command": "pytest -q"}, None)]  # fmt: skip
    records = [record("user", "p", "go", cwd="/w")]
    for n, (name, args, folder) in enumerate(told):
        place = {"cwd": folder or "/w/sub"}
        records.append(claude_records.asks(f"{n}", name, **args) | place)
        records.append(claude_records.answers(f"r{n}", f"{n}", "1 passed", **place))
    file.write_text(claude_records.lines(*records, says("9", "done", stop_reason="end_turn")))

    (session,) = file_results(file, Options())

    assert ["accept"] == [one.verdict.decision.value for one in session.verdicts]
