"""Which state of a file a git command shows (policy point).

A change is first in the files alone, then staged, then committed. `git show HEAD:p` shows the file
before a change that nobody committed, `git diff A B` two commits, `git diff` what is not staged: a
reviewer who ran one of them may not have seen what was changed.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from enum import StrEnum
from functools import lru_cache
from typing import Final

from reasonix_runtime.evidence.command_rules import CommandRules
from reasonix_runtime.evidence.git_options import without_git_options
from reasonix_runtime.evidence.shell import parse
from reasonix_runtime.evidence.verification import program_name
from reasonix_runtime.evidence.word_lists import words as word_set


class State(StrEnum):
    """What a command shows of a file."""

    FILE = "file"
    """The file as it is, whole or compared with something (`cat p`, `git diff main -- p`)."""
    UNSTAGED = "unstaged"
    UNCOMMITTED = "uncommitted"
    STAGED = "staged"
    COMMITTED = "committed"
    """The latest commit."""
    EARLIER = "earlier"
    """A commit that is not known to be the latest."""


_HEAD: Final = word_set("HEAD @")
# What stands in front of the paths and may be a revision: also any name without a dot.
_REVISION: Final = re.compile(
    r"@.*|HEAD\b.*|(?!\.{1,2}/).*\.{2,3}(?!/).*|[^./]+|(?:origin|upstream|refs)/.*|.*:.+"
)
_WITH_VALUE: Final = word_set("-S -G -U -O -l")
_STAGED: Final = word_set("--cached --staged")


@lru_cache(maxsize=4096)
def state_of(command: str, rules: CommandRules) -> State:
    """Return which state of its operands a single command shows; where rules ask, else the file."""
    script = parse(command)
    if rules.revisions_are_content or len(script.segments) != 1:
        return State.FILE
    words = script.segments[0].values
    if not words or program_name(words[0]) != "git":
        return State.FILE
    words = without_git_options(words)
    if words[1:2] == ("show",):
        return _of_commits([word.partition(":")[0] for word in words[2:] if ":" in word])
    if words[1:2] != ("diff",) or "--no-index" in words:
        return State.FILE
    if all(":" in word for word in words[2:] if not word.startswith("-")) and len(words) > 2:
        return _of_commits(words[2:])
    revisions = _revisions(words[2:])
    if not _STAGED.isdisjoint(words):
        return State.STAGED
    if not revisions:
        return State.UNSTAGED
    if len(revisions) == 1 and ".." not in revisions[0]:
        return State.UNCOMMITTED if revisions[0] in _HEAD else State.FILE
    return _of_commits([end for word in revisions for end in re.split(r"\.{2,3}", word)])


def _of_commits(named: Collection[str]) -> State:
    """Return the state that commits hold; without a name it is the latest one."""
    latest = any(name.partition(":")[0] in _HEAD or not name for name in named)
    return State.COMMITTED if latest else State.EARLIER


def _revisions(words: tuple[str, ...]) -> list[str]:
    """Return the operands of `git diff` that are revisions; a bare name in front may be one."""
    operands: list[str] = []
    at = 0
    while at < len(words) and words[at] != "--":
        if not words[at].startswith("-"):
            operands.append(words[at])
        at += 2 if words[at] in _WITH_VALUE else 1
    if at < len(words):
        return operands
    named = 0
    while named < min(2, len(operands) - 1) and _REVISION.fullmatch(operands[named]):
        named += 1
    return operands[:named]
