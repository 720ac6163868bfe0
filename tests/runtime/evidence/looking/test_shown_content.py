"""What a shell command shows of a path, and what merely names it."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import (
    CLASSIC_COMMANDS,
    CONTRACT_COMMANDS,
    is_light_inspection,
    is_whole_diff,
    mentions,
    shows_path,
)


@pytest.mark.parametrize(
    ("command", "shows"),
    [
        ("cat src/a.py", True),
        ("CAT src/a.py", True),
        ("/bin/cat ./src/a.py", True),
        ("A=1 cat src/a.py", True),
        ("head -20 src/a.py", True),
        ("tail -n 5 /repo/src/a.py", True),
        ("diff src/a.py b.py", True),
        ("git diff -- src/a.py", True),
        ("git show HEAD:src/a.py", True),
        ("git show HEAD -- src/a.py", False),
        ("git show src/a.py", False),
        ("git show HEAD:", False),
        ("git diff", False),
        ("git diff --stat -- src/a.py", False),
        ("git diff --stat=80 -- src/a.py", False),
        ("git diff --name-only -- src/a.py", False),
        ("git diff --dirstat=lines src/a.py", False),
        ("git status", False),
        ("echo src/a.py", False),
        ("grep -q x src/a.py", False),
        ("sed -n 1,5p src/a.py", False),
        ("cat src/a.py.bak", False),
        ("cat a.py", False),
        ("cat src/a.py | wc -l", False),
        ("cat src/a.py > /dev/null", False),
        ("cat src/a.py 2>&1", False),
        ("cat src/a.py; ls", False),
        ("cat src/a.py &", False),
        ("cat $F/src/a.py", False),
        ("! cat src/a.py", False),
    ],
)
def test_only_content_that_was_shown_counts(command: str, shows: bool) -> None:
    """RV-05, PATH-2, PATH-3: naming and counting is not showing."""
    assert shows == shows_path(command, "src/a.py", CLASSIC_COMMANDS)
    assert shows == shows_path(command, "src/a.py", CONTRACT_COMMANDS)


def test_options_of_git_are_skipped_where_the_rules_say_so() -> None:
    """`git --no-pager diff x` shows x; the classic table does not find the sub-command."""
    command = "git --no-pager diff -- src/a.py"

    assert not shows_path(command, "src/a.py", CLASSIC_COMMANDS)
    assert shows_path(command, "src/a.py", CONTRACT_COMMANDS)


@pytest.mark.parametrize(
    ("command", "inspects"),
    [
        ("git status", True),
        ("/usr/bin/GIT DIFF", True),
        ("git show > /dev/null", True),
        ("rm x; git diff", True),
        ("diff a b", True),
        ("git diff > out.txt", False),
        ("git -C x diff", False),
        ("A=1 git diff", False),
        ("git log", False),
        ("(git diff)", False),
    ],
)
def test_a_light_inspection_is_seen_by_its_segment(command: str, inspects: bool) -> None:
    """EL-13 a: the other segments may do anything."""
    assert inspects == is_light_inspection(command)


@pytest.mark.parametrize(
    ("command", "whole"),
    [
        ("git diff", True),
        ("/usr/bin/git DIFF", True),
        ("git diff --stat", False),
        ("git diff .", False),
        ("git diff &", False),
        ("git diff 2>&1", False),
        ("git diff; ls", False),
    ],
)
def test_a_whole_diff_is_exactly_two_words(command: str, whole: bool) -> None:
    """EL-14: anything more may show less."""
    assert whole == is_whole_diff(command)


def test_a_mention_is_weak() -> None:
    """It makes a path touched, in any case and with any slash, and nothing more (EL-12)."""
    assert mentions("printf x > Src\\Gen.txt", "src/gen.txt")
    assert not mentions("printf x > gen.txt", "src/gen.txt")
    assert not mentions("printf x", "")
