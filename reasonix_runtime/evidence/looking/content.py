"""What a shell command shows: the content of a path, a change, or merely a name (RV-05, EL-13)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from reasonix_runtime.evidence.checks.verification import program_name
from reasonix_runtime.evidence.effects.redirects import static_words
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.options.git import git_subcommand, without_git_options
from reasonix_runtime.evidence.paths import suffix
from reasonix_runtime.evidence.shell.script import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reasonix_runtime.evidence.command_rules import CommandRules

SHOWING_PROGRAMS = frozenset({"cat", "head", "tail", "diff", "cmp"})
"""Programs that show the content of what they name (RV-05 B1)."""
_SHOWING_GIT = frozenset({"diff", "show"})
_QUIET = frozenset(
    {"-q", "--quiet", "-s", "--silent", "--brief", "--no-patch", "--name-only", "--name-status"}
    | {"--numstat", "--shortstat", "--summary", "--check"}
)
_QUIET_BEGINNINGS = ("--stat", "--dirstat")
_INSPECTING_PROGRAMS = frozenset({"diff", "cmp"})
_INSPECTING_GIT = frozenset({"diff", "status", "show"})


@memoised(4096)
def shown_operands(command: str, rules: CommandRules) -> tuple[str, ...] | None:
    """Return the words by which a command may name what it shows, None when it shows nothing.

    It shows something when it is exactly one static `cat`, `head`, `tail`, `diff`, `cmp`,
    `git diff` or `git show` without a redirect and without an option that hides the content
    (RV-05 B1, B2, B4). For `git show` only the path after `REV:` counts (B5).
    """
    script = parse(command)
    if not script.splittable or len(script.segments) != 1:
        return None
    segment = script.segments[0]
    words = segment.values
    if segment.background or segment.redirects or not words:
        return None
    words = without_git_options(words, rules.git_global_options)
    subcommand = git_subcommand(words).lower()
    if program_name(words[0]) not in SHOWING_PROGRAMS and subcommand not in _SHOWING_GIT:
        return None
    if hides_content(words[1:]):
        return None
    operands: list[str] = []
    for word in words[2:] if subcommand else words[1:]:
        if word.startswith("-"):
            continue
        before, _, after = word.partition(":")
        if subcommand != "show":
            operands.append(word)
            operands.extend([after] if after else [])
        elif before and after:
            operands.append(after)
    return tuple(operands)


def hides_content(arguments: Sequence[str]) -> bool:
    """Whether an option keeps the content from being shown (RV-05 B4)."""
    return any(
        word.lower() in _QUIET or word.lower().startswith(_QUIET_BEGINNINGS) for word in arguments
    )


def shows_path(
    command: str, path: str, rules: CommandRules, *, fits: Callable[[str, str], bool] = suffix
) -> bool:
    """Whether a command shows the content of `path` (RV-05); the caller asks for output (B3).

    `fits(observed, wanted)` compares a word of the command with the path: the suffix rule, or
    the workspace's own.
    """
    operands = shown_operands(command, rules)
    return operands is not None and any(fits(operand, path) for operand in operands)


def is_light_inspection(command: str) -> bool:
    """Whether one segment is `diff`, `cmp` or `git diff`, `git status`, `git show` (EL-13 a)."""
    script = parse(command)
    if not script.splittable:
        return False
    for segment in script.segments:
        words = static_words(segment)
        if words and (
            program_name(words[0]) in _INSPECTING_PROGRAMS
            or git_subcommand(words).lower() in _INSPECTING_GIT
        ):
            return True
    return False


def is_whole_diff(command: str) -> bool:
    """Whether a command is exactly the two static words `git diff` (EL-14)."""
    script = parse(command)
    if not script.splittable or len(script.segments) != 1 or script.segments[0].background:
        return False
    words = script.segments[0].static
    return words is not None and len(words) == 2 and git_subcommand(words).lower() == "diff"


def mentions(command: str, path: str, *, whole: bool = False) -> bool:
    """Whether a path occurs as text in a command, in any case and with any slash (EL-12).

    `whole` asks that no longer name goes on at either end of it. Weak on purpose: it is how a file
    made by a redirect is touched, and never review evidence.
    """
    text, wanted = command.replace("\\", "/").lower(), path.lower()
    if not wanted or wanted not in text:
        return False
    return (
        not whole or re.search(rf"(?<![\w.-]){re.escape(wanted)}(?![\w-]|\.\w)", text) is not None
    )
