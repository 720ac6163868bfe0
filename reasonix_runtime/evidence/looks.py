"""What a shell command lets its caller look at, and what of it is content.

Looking is weaker than seeing content: `git status` looks at every changed path, and shows none. A
command that only mentions a path (`echo a.py`, `test -f a.py`) does not look at it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from reasonix_runtime.evidence.commands import CommandRules
from reasonix_runtime.evidence.content import is_whole_diff, shown_operands
from reasonix_runtime.evidence.git_states import State, state_of
from reasonix_runtime.evidence.shell import Segment, parse

READING_PROGRAMS = frozenset(
    {
        "awk",
        "cat",
        "cmp",
        "diff",
        "egrep",
        "fgrep",
        "grep",
        "head",
        "less",
        "more",
        "nl",
        "rg",
        "sed",
        "tail",
    }
)
"""Programs whose operands are read, whatever is printed of them."""

_GIT_LOOKS = frozenset({"diff", "show", "status"})
_GIT_FLAGS = frozenset({"--no-pager", "-P", "--literal-pathspecs"})
_REVISION = re.compile(r"(?:HEAD|@)(?:[~^@{].*)?|.*\.\..*|[0-9a-f]{7,40}(?:[~^].*)?")


@dataclass(frozen=True, slots=True)
class Look:
    """What a command looks at.

    `whole` means the whole change (`git diff`, `git status`), `folders` the operands that stand for
    everything below them, `files` those that stand for themselves. `shows_whole` and `shown` say
    the same of content (EL-14, RV-05), and `state` which state of the files that is.
    """

    whole: bool = False
    folders: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    shows_whole: bool = False
    shown: tuple[str, ...] = ()
    state: State = State.FILE


NOTHING = Look()


@lru_cache(maxsize=4096)
def look_of(command: str, rules: CommandRules) -> Look:
    """Return what a command looks at, `NOTHING` itself for most; so does what does not split."""
    script = parse(command)
    if not script.splittable:
        return NOTHING
    whole, folders, files = False, [], []
    for segment in script.segments:
        words = _plain(segment)
        if not words:
            continue
        program = words[0].rpartition("/")[2].lower()
        if program == "git":
            operands = _git_operands(words[1:])
            whole = whole or operands == []
            folders += operands or []
        elif program in READING_PROGRAMS:
            files += [word for word in words[1:] if not word.startswith("-")]
    shows_whole, shown = is_whole_diff(command), shown_operands(command, rules) or ()
    look = Look(
        whole=whole,
        folders=tuple(folders),
        files=tuple(files),
        shows_whole=shows_whole,
        shown=shown,
        state=state_of(command, rules) if shows_whole or shown else State.FILE,
    )
    return NOTHING if look == NOTHING else look


def _plain(segment: Segment) -> tuple[str, ...]:
    """Return the words of a segment that runs in the foreground and is known before it runs."""
    return () if segment.background else segment.values or ()


def _git_operands(words: tuple[str, ...]) -> list[str] | None:
    """Return the paths that narrow a look by git, [] for the whole change, None for no look."""
    rest = list(words)
    while rest and (rest[0] in _GIT_FLAGS or rest[0] == "-c"):
        rest = rest[2 if rest[0] == "-c" else 1 :]
    if not rest or rest[0].lower() not in _GIT_LOOKS:
        return None
    rest = rest[1:]
    if "--" in rest:
        return rest[rest.index("--") + 1 :]
    return [word for word in rest if not word.startswith("-") and not _REVISION.fullmatch(word)]
