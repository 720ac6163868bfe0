"""Files that git has not met: a diff shows nothing of them, and a list of changes names them."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.evidence.content_seen import shows
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.ledger_rules import CONTRACT_LEDGER
from reasonix_runtime.evidence.new_files import is_new
from reasonix_runtime.evidence.receipts import receipt_of
from reasonix_runtime.gates.policy import CONTRACT
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import ToolCall, ToolResult, TurnEnd, TurnStart

WRITE = ("write_file", {"path": "src/new.py", "content": "x"})
READ = ("read_file", {"path": "src/new.py"})
EDIT = ("edit_file", {"path": "src/new.py", "old_string": "x", "new_string": "y"})
OTHER = ("edit_file", {"path": "src/old.py", "old_string": "x", "new_string": "y"})
CHECK = ("bash", {"command": "pytest -q"})
Made = tuple[str, dict[str, Any]]


def bash(command: str) -> Made:
    return "bash", {"command": command}


def end(*turns: list[Made]) -> str:
    """Return why the last of some turns may not end, empty when it may."""
    state, number, reason = HostState(CONTRACT), 0, ""
    for turn, calls in enumerate(turns, 1):
        state.apply(TurnStart(turn=turn))
        for name, args in calls:
            number += 1
            uid = f"main#{number}"
            state.apply(ToolCall(uid=uid, name=name, args=args, step=uid))
            state.apply(ToolResult(uid=uid, outcome="ok", text="3 passed"))
        (verdict,) = state.apply(TurnEnd(turn=turn, status="completed", answer="done"))
        reason = verdict.reason or ""
    return reason


@pytest.mark.parametrize(
    ("look", "reason"),
    [
        (READ, ""),
        (bash("cat src/new.py"), ""),
        (bash("git add -N src/new.py && git diff"), ""),
        (bash("git add -N . && git diff"), ""),
        (bash("git add src/new.py && git diff --cached"), ""),
        (bash("git add -A && git diff --cached"), ""),
        (bash("git add src/new.py && git commit -m x && git show HEAD:src/new.py"), ""),
        (bash("git diff"), "finish.inspection_missing"),
        (bash("git diff HEAD"), "finish.inspection_missing"),
        (bash("git diff src/"), "finish.inspection_missing"),
        (bash("git diff -- src/new.py"), "finish.inspection_missing"),
        (bash("git add -u && git diff --cached"), "finish.inspection_missing"),
        (bash("git diff && cat src/new.py"), ""),
        (bash("cat src/new.py && git diff"), ""),
        (bash("git status"), "review.medium_unproven"),
        (bash("git status --short && git diff"), "review.medium_unproven"),
    ],
)
@pytest.mark.parametrize("beside", [[], [OTHER]])
def test_what_shows_a_new_file_shows_it_to_git_as_well(
    look: Made, reason: str, beside: list[Made]
) -> None:
    """`git diff` prints nothing of it, however much else it prints."""
    assert reason == end([WRITE, *beside, look, bash("git diff src/old.py"), CHECK])


MEETS = [READ, EDIT, bash("sed -i s/a/b/ src/new.py")]
NAMES = [bash("cat src/new.py"), bash("cd src && cat new.py")]


@pytest.mark.parametrize(
    "turns",
    [
        *([[before, WRITE, bash("git diff"), CHECK]] for before in MEETS + NAMES),
        *([[before], [WRITE, bash("git diff"), CHECK]] for before in MEETS),
    ],
)
def test_a_file_that_was_there_is_shown_by_a_diff(turns: list[list[Made]]) -> None:
    """Who rewrites a file has mostly looked at it, in this turn or before."""
    assert not end(*turns)


@pytest.mark.parametrize("other", ["tests/test_new.py", "src/new.pyi", "new.py.bak", "x.new.py"])
def test_a_longer_name_is_none_of_the_file(other: str) -> None:
    """Tests of other files hold the names of many a file inside their own."""
    told = [bash(f"pytest -q {other}"), WRITE, bash("git diff"), CHECK]

    assert "finish.inspection_missing" == end(told)


def test_a_new_file_stays_new_until_git_is_told_of_it() -> None:
    """It was looked at, and no diff shows what came after that."""
    first = [WRITE, READ, CHECK]

    assert "finish.inspection_missing" == end(first, [EDIT, bash("git diff"), CHECK])
    told = [*first, bash("git add src/new.py")]
    assert not end(told, [EDIT, bash("git diff"), CHECK])


def test_of_a_new_file_a_reviewer_sees_by_a_diff_as_little() -> None:
    """The run that it works for made the file."""
    outer = Ledger(CONTRACT_LEDGER)
    outer.record(receipt_of(*WRITE, rules=CONTRACT_LEDGER))
    ledger = Ledger(CONTRACT_LEDGER, outer=outer)
    for command in ("git diff src/", "git add -N src/new.py && git diff src/"):
        ledger.record(receipt_of(*bash(command), rules=CONTRACT_LEDGER, output="+x"))

    assert is_new(ledger, "src/new.py")
    assert (False, True) == (shows(ledger, 0, "src/new.py"), shows(ledger, 1, "src/new.py"))


def test_who_has_a_file_written_has_not_read_it() -> None:
    """A call through another tool names the file, too, before its target writes it."""
    state = HostState(CONTRACT)
    state.apply(TurnStart(turn=1))
    told: list[dict[str, Any]] = [
        {
            "name": "Write",
            "args": {"file_path": "src/new.py"},
            "resolved_name": WRITE[0],
            "resolved_args": WRITE[1],
            "resolved_read_only": False,
        },
        {"name": "bash", "args": {"command": "git diff"}},
        {"name": CHECK[0], "args": CHECK[1]},
    ]
    for number, call in enumerate(told, 1):
        uid = f"main#{number}"
        state.apply(ToolCall(uid=uid, step=uid, **call))
        state.apply(ToolResult(uid=uid, outcome="ok", text="3 passed"))
    (verdict,) = state.apply(TurnEnd(turn=1, status="completed", answer="done"))

    assert "finish.inspection_missing" == verdict.reason
