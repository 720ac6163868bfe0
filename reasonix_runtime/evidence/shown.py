"""What a command shows of files: of which, in which state, from which folder (RV-05, EL-14).

By meaning (a policy point) the folder that a command starts in, the options of git and the
revisions count. A change is first in the files alone, then staged, then committed: `git show
HEAD:p` shows what was there before a change that nobody committed, `git diff A B` two commits,
`git diff` what is not staged. A reviewer who ran one of them may not have seen what was changed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final

from reasonix_runtime.evidence.command_rules import CommandRules
from reasonix_runtime.evidence.commands import classify
from reasonix_runtime.evidence.content import (
    SHOWING_PROGRAMS,
    hides_content,
    is_whole_diff,
    shown_operands,
)
from reasonix_runtime.evidence.git_options import folder_of, without_git_options
from reasonix_runtime.evidence.paths import below
from reasonix_runtime.evidence.redirects import is_safe
from reasonix_runtime.evidence.shell import Redirect, Script, Segment, parse
from reasonix_runtime.evidence.variables import makes_readers_run
from reasonix_runtime.evidence.verification import program_name
from reasonix_runtime.evidence.word_lists import words as word_set


class State(StrEnum):
    """Which state of a file is shown."""

    FILE = "file"
    """The file as it is, whole or compared with something (`cat p`, `git diff main -- p`)."""
    UNSTAGED = "unstaged"
    UNCOMMITTED = "uncommitted"
    STAGED = "staged"
    COMMITTED = "committed"
    """The latest commit."""
    EARLIER = "earlier"
    """A commit that is not known to be the latest."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a command shows: `operands` name files, `whole` is all that was changed.

    `folder` is where it runs, empty for where the shell stands; the operands tell it too. With
    `below` each operand stands for everything below it, and for what fits it as a pattern.
    """

    operands: tuple[str, ...] = ()
    whole: bool = False
    state: State = State.FILE
    folder: str = ""
    below: bool = False


NOTHING: Final = Shown()

_HEAD: Final = word_set("HEAD @")
_RANGE: Final = re.compile(r"(?!\.{1,2}/).*\.{2,3}(?!/).*")
_SURE_REVISION: Final = re.compile(
    r"(?:HEAD|@|main|master|develop|dev|trunk)(?:[~^@{].*)?|[0-9a-f]{7,40}(?:[~^].*)?"
    r"|(?:origin|upstream|refs)/.+|v?\d+\.\d+[.\w-]*|stash@.*"
)
_MAYBE_REVISION: Final = re.compile(r"[^./]+|.*:.+")
_WITH_VALUE: Final = word_set("-S -G -U -O -l")
_STAGED: Final = word_set("--cached --staged")
# Options of `git diff` with which everything that was changed is still shown.
_SHOWS_ALL: Final = re.compile(
    r"-(?:p|u|W|M\d*|C\d*|a|U\d+)|--(?:no-color|color(?:=\w+)?|patch|unified=\d+|no-ext-diff"
    r"|no-textconv|minimal|patience|histogram|function-context|no-prefix|no-renames|text|binary"
    r"|full-index|exit-code|cached|staged|find-renames(?:=\S+)?|diff-algorithm=\w+"
    r"|word-diff(?:=\w+)?|color-words|inter-hunk-context=\d+)"
)
_PATCHES: Final = word_set("-p -u --patch --patch-with-stat --patch-with-raw")
_SUMMARY: Final = re.compile(
    r"--(?:stat(?:=[\d,]+)?|shortstat|numstat|summary|compact-summary|patch-with-(?:stat|raw))"
)
_LOOKS: Final = word_set("status diff log show")
_BETWEEN: Final = frozenset({"&&", ";", "\n"})
_PIPES: Final = frozenset({"|", "|&"})
# Programs that print all of what they are given.
_PASSING_ON: Final = word_set("cat less more")
TOP: Final = word_set(":/ :(top) :/.")
"""Pathspecs that stand for the whole work tree, wherever git runs."""


@lru_cache(maxsize=4096)
def shown_by(command: str, rules: CommandRules) -> Shown:
    """Return what a command shows, `NOTHING` for most; the caller asks for output (RV-05 B3).

    In front of it a shell may move, or look by git: `git status && git diff`. Behind it may stand
    what prints all of it (`| cat`), and after a success a check, or another look by git.
    """
    if not rules.looks_by_meaning:
        return Shown(shown_operands(command, rules) or (), is_whole_diff(command))
    segments, operators = _without_followers(parse(command), rules)
    if not (segments and _BETWEEN.issuperset(operators)):
        return NOTHING
    *before, last = segments
    places = [moved_to(segment) for segment in before if not _looks_by_git(segment)]
    if None in places or last.background or not all(map(_keeps_output, last.redirects)):
        return NOTHING
    words = last.values
    if not words or any(map(makes_readers_run, last.assignments)):
        return NOTHING
    folder = below("", *[place for place in places if place])
    return _of_words(words, folder)


def _without_followers(
    script: Script, rules: CommandRules
) -> tuple[list[Segment], tuple[str, ...]]:
    """Return the segments up to the last that shows something, and the operators between them."""
    if not script.splittable:
        return [], ()
    segments, operators = [*script.segments], script.operators
    while operators and operators[-1] == "&&" and not _shows_by_git(segments[-1]):
        checks = classify(segments[-1].text, rules).verification
        if segments[-1].background or not (checks or _looks_by_git(segments[-1])):
            break
        segments.pop()
        operators = operators[:-1]
    while operators and operators[-1] in _PIPES and _passes_on(segments[-1]):
        segments.pop()
        operators = operators[:-1]
    return segments, operators


def _shows_by_git(segment: Segment) -> bool:
    """Whether a segment shows content by git, so that nothing has to be looked for in front."""
    words = segment.values
    return words is not None and _looks_by_git(segment) and _of_words(words, "") != NOTHING


def _passes_on(segment: Segment) -> bool:
    words = segment.static
    return (
        words is not None
        and not segment.background
        and words[0] in _PASSING_ON
        and all(word.startswith("-") for word in words[1:])
    )


def _keeps_output(redirect: Redirect) -> bool:
    """Whether a redirect only joins the messages to what is printed, or sends them away."""
    return is_safe(redirect) and redirect.descriptor == "2"


def moved_to(segment: Segment) -> str | None:
    """Return the folder that a `cd` goes to, None for anything else."""
    words = segment.static
    named = words is not None and len(words) == 2 and words[0] == "cd" and words[1][:1] not in "-~"
    return words[1] if words is not None and named else None


def _looks_by_git(segment: Segment) -> bool:
    """Whether a command is one of git that changes neither files nor what git holds of them."""
    words = segment.static
    if words is None or program_name(words[0]) != "git":
        return False
    subcommand, *rest = *without_git_options(words)[1:], ""
    return subcommand in _LOOKS and not any(word.startswith("--output") for word in rest)


def _of_words(words: tuple[str, ...], folder: str) -> Shown:
    """Return what one command that runs in a folder shows."""
    if program_name(words[0]) != "git":
        if program_name(words[0]) not in SHOWING_PROGRAMS or hides_content(words[1:]):
            return NOTHING
        return Shown(tuple(below(folder, word) for word in words[1:] if not word.startswith("-")))
    own = folder_of(words)
    if own is None:
        return NOTHING
    words = without_git_options(words)
    subcommand = words[1] if len(words) > 1 else ""
    arguments = words[2:]
    if not _PATCHES.isdisjoint(arguments):  # beside which a summary hides nothing
        arguments = tuple(word for word in arguments if not _SUMMARY.fullmatch(word))
    if subcommand not in {"diff", "show"} or hides_content(arguments):
        return NOTHING
    folder = below(folder, own) if own else folder
    shown = _diff(arguments) if subcommand == "diff" else _show(arguments)
    operands = tuple(below(folder, name) for name in shown.operands)
    return replace(shown, operands=operands, folder=folder)


def _show(arguments: Sequence[str]) -> Shown:
    """`git show REV:path`; without a path it shows a commit, and RV-05 lets that count for none."""
    texts = [word.partition(":") for word in arguments if not word.startswith("-")]
    named = [(revision, path) for revision, _, path in texts if revision and path]
    return Shown(
        tuple(path for _, path in named), state=_of_commits([revision for revision, _ in named])
    )


def _diff(arguments: Sequence[str]) -> Shown:
    named, paths = split_at_paths(arguments)
    if "--no-index" in arguments:
        return Shown((*named, *paths))
    if named and all(":" in word for word in named):
        texts = [word.partition(":") for word in named]
        return Shown(tuple(path for _, _, path in texts), state=_of_commits([t[0] for t in texts]))
    everything = all(
        _SHOWS_ALL.fullmatch(word) for word in arguments if word.startswith("-") and word != "--"
    )
    state = State.STAGED if not _STAGED.isdisjoint(arguments) else _state(named)
    # Another pathspec with a sign in front leaves something out.
    operands = tuple(path for path in paths if not path.startswith(":"))
    whole = everything and TOP.issuperset(paths)
    all_below = everything and bool(operands) and len(operands) == len(paths)
    return Shown(operands, whole, state, below=all_below)


def split_at_paths(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split the operands of `git diff` into revisions and paths.

    Without a `--` a bare name may be either; of two in front of another both are revisions.
    """
    named: list[str] = []
    at = 0
    while at < len(arguments) and arguments[at] != "--":
        if not arguments[at].startswith("-"):
            named.append(arguments[at])
        at += 2 if arguments[at] in _WITH_VALUE else 1
    if at < len(arguments):
        return named, list(arguments[at + 1 :])
    count = 0
    while count < min(2, len(named)) and (
        _SURE_REVISION.fullmatch(named[count])
        or _RANGE.fullmatch(named[count])
        or (count + 1 < len(named) and _MAYBE_REVISION.fullmatch(named[count]))
    ):
        count += 1
    if all(":" in word for word in named):
        return named, []
    return named[:count], named[count:]


def _state(revisions: Sequence[str]) -> State:
    """Return the state that `git diff` shows between these revisions, or against the files."""
    if not revisions:
        return State.UNSTAGED
    if len(revisions) == 1 and not _RANGE.fullmatch(revisions[0]):
        return State.UNCOMMITTED if revisions[0] in _HEAD else State.FILE
    return _of_commits([end for word in revisions for end in re.split(r"\.{2,3}", word)])


def _of_commits(named: Collection[str]) -> State:
    """Return the state that commits hold; without a name it is the latest one."""
    latest = any(name in _HEAD or not name for name in named)
    return State.COMMITTED if latest else State.EARLIER
