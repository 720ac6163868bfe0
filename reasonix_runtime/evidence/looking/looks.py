"""What a shell command lets its caller look at, and what of it is content.

Looking is weaker than seeing content: `git status` looks at every changed path, and shows none. A
command that only mentions a path (`echo a.py`, `test -f a.py`) does not look at it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reasonix_runtime.evidence.checks.verification import program_name
from reasonix_runtime.evidence.commands import CommandRules
from reasonix_runtime.evidence.looking.look_lines import is_list, moved_to, opened
from reasonix_runtime.evidence.looking.shown import NOTHING as SHOWS_NOTHING
from reasonix_runtime.evidence.looking.shown import TOP, Shown, shown_by, split_at_paths
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.options.git import folder_of, without_git_options
from reasonix_runtime.evidence.paths import below
from reasonix_runtime.evidence.shell.script import Segment, parse
from reasonix_runtime.evidence.word_lists import words as word_set

READING_PROGRAMS = word_set(
    "awk bat cat cmp diff egrep fgrep gc get-content grep head less more nl rg sed tail type"
)
"""Programs whose operands are read, whatever is printed of them."""

_GIT_LOOKS = frozenset({"diff", "show", "status"})
_REVISION = re.compile(r"(?:HEAD|@)(?:[~^@{].*)?|.*\.\..*|[0-9a-f]{7,40}(?:[~^].*)?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Look:
    """What a command looks at.

    `whole` means the whole change (`git diff`, `git status`) as it is told in a `folder`, `folders`
    the operands that stand for everything below them, `files` those that stand for themselves.
    With `lists` files are among it that git does not know. `shown` says what of it is content.
    """

    whole: bool = False
    folder: str = ""
    folders: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    lists: bool = False
    shown: Shown = SHOWS_NOTHING


NO_LOOK = Look()


@memoised(4096)
def look_of(command: str, rules: CommandRules) -> Look:
    """Return what a command looks at.

    For most commands, and for what cannot be split into commands, that is `NO_LOOK` itself.
    """
    script = opened(command) if rules.looks_by_meaning else parse(command)
    if not (is_list(script) if rules.looks_by_meaning else script.splittable):
        return NO_LOOK
    whole, place, folders, files, here, lists = False, "", [], [], "", False
    for segment in script.segments:
        here = below(here, moved_to(segment) or "") if moved_to(segment) else here
        words = _plain(segment)
        if not words:
            continue
        program = program_name(words[0])
        if program == "git":
            operands, own = _git_operands(words), folder_of(words)
            if operands is None or own is None:
                continue
            lists = lists or without_git_options(words)[1].lower() == "status"
            if not operands:
                whole, place = True, below(here, own) if own else here
            folders += [below(own, word) for word in operands]
        elif program in READING_PROGRAMS:
            named = [word for word in words[1:] if not word.startswith("-")]
            files += [*named, *(below(here, word) for word in named if here)]
    shown = shown_by(command, rules)
    if shown.whole and not whole:
        whole, place = True, shown.folder
    look = Look(whole, place, tuple(folders), tuple(files), lists, shown)
    return NO_LOOK if look == NO_LOOK else look


def _plain(segment: Segment) -> tuple[str, ...]:
    """Return the words of a segment that runs in the foreground and is known before it runs."""
    return () if segment.background else segment.values or ()


def _git_operands(words: tuple[str, ...]) -> list[str] | None:
    """Return the paths that narrow a look by git, [] for the whole change, None for no look."""
    words = without_git_options(words)
    if len(words) < 2 or words[1].lower() not in _GIT_LOOKS:
        return None
    rest = words[2:]
    if words[1].lower() == "diff":
        paths = split_at_paths(rest)[1]
    elif "--" in rest:
        paths = list(rest[rest.index("--") + 1 :])
    else:
        paths = [word for word in rest if not (word[:1] == "-" or _REVISION.fullmatch(word))]
    return [] if TOP.issuperset(paths) else paths
