"""What a command lets its caller look at."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import CONTRACT_COMMANDS
from reasonix_runtime.evidence.looking.looks import NO_LOOK, Look, look_of
from reasonix_runtime.evidence.looking.shown import Shown, State

UNSTAGED = Shown(("a.py",), state=State.UNSTAGED, below=True)


@pytest.mark.parametrize(
    "command",
    [
        "git status",
        "git status --short",
        "git diff",
        "git diff HEAD",
        "git diff HEAD~1 --stat",
        "git diff HEAD~12",
        "git diff @{upstream}",
        "git show 0123abc~12",
        "git diff main...HEAD",
        "git diff main..HEAD",
        "git --no-pager diff",
        "git -c color.ui=false diff",
        "git show",
        "git show HEAD~1",
        "git show main..HEAD",
        "cd app && git status",
        "git diff | head -50",
        "git diff main",
        "git -C app diff",
    ],
)
def test_a_command_without_paths_looks_at_the_whole_change(command: str) -> None:
    """Revisions and options narrow nothing."""
    assert look_of(command, CONTRACT_COMMANDS).whole


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git diff -- a.py", Look(folders=("a.py",), shown=UNSTAGED)),
        ("git diff a.py", Look(folders=("a.py",), shown=UNSTAGED)),
        ("git diff -- :/", Look(whole=True, shown=Shown(whole=True, state=State.UNSTAGED))),
        ("git diff --stat a.py", Look(folders=("a.py",))),
        ("git status src", Look(folders=("src",), lists=True)),
        ("cat a.py", Look(files=("a.py",), shown=Shown(("a.py",)))),
        ("head -20 a.py", Look(files=("a.py",), shown=Shown(("a.py",)))),
        ("sed -n /x/p a.py", Look(files=("/x/p", "a.py"))),
        ("sed -n 1,5p a.py", Look(files=("1,5p", "a.py"), shown=Shown(("a.py",)))),
        ("grep -n x a.py | head", Look(files=("x", "a.py"))),
        ("git diff", Look(whole=True, shown=Shown(whole=True, state=State.UNSTAGED))),
        ("git status", Look(whole=True, lists=True)),
        (
            "git diff main a.py",
            Look(folders=("a.py",), shown=Shown(("a.py",), state=State.SINCE, below=True)),
        ),
        (
            "git show main -- lib a.py",
            Look(
                folders=("lib", "a.py"),
                shown=Shown(("lib", "a.py"), state=State.EARLIER, below=True),
            ),
        ),
        ("git status --short -- src", Look(folders=("src",), lists=True)),
        ("git -C /x status", Look(whole=True, folder="/x", lists=True)),
        ("git show HEAD:", Look(folders=("HEAD:",), shown=Shown(state=State.EARLIER))),
        ("git -C sub status a.py", Look(folders=("sub/a.py",), lists=True)),
        ("git -C sub -C deep status", Look(whole=True, folder="sub/deep", lists=True)),
        ("git -C sub -C /x status", Look(whole=True, folder="/x", lists=True)),
        ("git --git-dir=/x/.git status", NO_LOOK),
        ("cd app && git status", Look(whole=True, folder="app", lists=True)),
        ("cd app && rg x a.py", Look(files=("x", "a.py", "app/x", "app/a.py"))),
    ],
)
def test_a_command_looks_at_what_it_names_and_shows_less(command: str, expected: Look) -> None:
    """Other paths stay unseen, and names are not content."""
    assert expected == look_of(command, CONTRACT_COMMANDS)


@pytest.mark.parametrize(
    "command",
    [
        "echo a.py",
        "test -f a.py",
        "wc -l a.py",
        "ls a.py",
        "git log",
        "git",
        "cat a.py &",
        "git diff &",
        "",
    ],
)
def test_naming_a_path_is_no_look(command: str) -> None:
    """A name that was printed or counted shows nothing of the file."""
    assert NO_LOOK == look_of(command, CONTRACT_COMMANDS)
