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
from typing import Final

from reasonix_runtime.evidence.checks.verification import program_name
from reasonix_runtime.evidence.command_rules import CommandRules
from reasonix_runtime.evidence.looking.content import (
    SHOWING_PROGRAMS,
    hides_content,
    is_whole_diff,
    shown_operands,
)
from reasonix_runtime.evidence.looking.globs import is_glob, without_braces
from reasonix_runtime.evidence.looking.look_lines import look_line, printed_lines
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.options.git import folder_of, without_git_options
from reasonix_runtime.evidence.paths import below
from reasonix_runtime.evidence.word_lists import words as word_set


class State(StrEnum):
    """Which state of a file is shown."""

    FILE = "file"
    """The file as it is, whole or compared with another one (`cat p`)."""
    SINCE = "since"
    """Of files that git knows, the file compared with a commit (`git diff main -- p`)."""
    UNSTAGED = "unstaged"
    UNCOMMITTED = "uncommitted"
    STAGED = "staged"
    COMMITTED = "committed"
    """What was committed up to the latest commit (`git diff main...`)."""
    LATEST = "latest"
    """What the latest commit did (`git show`)."""
    EARLIER = "earlier"
    """A commit that is not known to be the latest."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a command shows: `operands` name files, `whole` is all that was changed.

    `folder` is where it runs, empty for where the shell stands; the operands tell it too. With
    `below` each operand stands for everything below it, and for what fits it as a pattern. `cut`
    tells that only a part is printed, which of several files shows no more than the first. `others`
    are looks of another kind that succeeded before it. `globs` are patterns of the shell, each of
    which stands for the files that fit it.
    """

    operands: tuple[str, ...] = ()
    whole: bool = False
    state: State = State.FILE
    folder: str = ""
    below: bool = False
    cut: bool = False
    others: tuple[Shown, ...] = ()
    globs: tuple[str, ...] = ()

    @property
    def each(self) -> tuple[Shown, ...]:
        """All looks of the command: those in front, then this one."""
        return (*self.others, replace(self, others=())) if self.others else (self,)


NOTHING: Final = Shown()

_HEAD: Final = word_set("HEAD @")
_RANGE: Final = re.compile(r"(?!\.{1,2}/).*\.{2,3}(?!/).*", re.DOTALL)
_SURE_REVISION: Final = re.compile(
    r"(?:HEAD|@|main|master|develop|dev|trunk)(?:[~^@{].*)?|[0-9a-f]{7,40}(?:[~^].*)?"
    r"|(?:origin|upstream|refs)/.+|v?\d+\.\d+[.\w-]*|stash@.*"
)
_MAYBE_REVISION: Final = re.compile(r"[^./]+|.*:.+")
_WITH_VALUE: Final = word_set("-S -G -U -O -l -n")
_STAGED: Final = word_set("--cached --staged")
# Options with which everything that was changed, or committed, is still shown.
_SHOWS_ALL: Final = re.compile(
    r"-(?:p|u|W|M\d*|C\d*|a|U\d+|n\d*|[1-9]\d*)|--(?:no-color|color(?:=\w+)?|patch|unified=\d+|no-ext-diff"
    r"|no-textconv|minimal|patience|histogram|function-context|no-prefix|no-renames|text|binary"
    r"|full-index|exit-code|cached|staged|find-renames(?:=\S+)?|diff-algorithm=\w+"
    r"|word-diff(?:=\w+)?|color-words|inter-hunk-context=\d+"
    r"|oneline|(?:format|pretty)(?:=.+)?|abbrev-commit|(?:no-)?decorate(?:=\w+)?|max-count=\d+)"
)
_LATEST_ALONE: Final = re.compile(r"(?:HEAD|@)(?:\^!|[~^]1?\.{2,3}(?:HEAD|@)?)")
# Other systems that keep a record of the work.
_OTHER_RECORDS: Final = word_set("hg sl jj svn")
_OTHER_OPTIONS: Final = re.compile(
    r"-(?:[gpaw]|U\d+)|--(?:git|text|color=\w+|no-pager|context=\d+)"
)
_COUNTED: Final = re.compile(r"-n?[1-9]\d*|--max-count=[1-9]\d*")
_PATCHES: Final = word_set("-p -u --patch --patch-with-stat --patch-with-raw")
_SUMMARY: Final = re.compile(
    r"--(?:stat(?:=[\d,]+)?|shortstat|numstat|summary|compact-summary|patch-with-(?:stat|raw))"
)
# Programs that print the files that they are given, and the same of other shells.
_FILE_PROGRAMS: Final = SHOWING_PROGRAMS | word_set("nl less more bat batcat get-content gc type")
_IN_PART: Final = word_set("head tail sed awk")
# `head -n 0`, after which there are no lines left: of several files it prints the names.
_NO_LINES: Final = re.compile(r"(?:^| )-(?:[qvz]*[nc] ?|-(?:lines|bytes)[= ])?0+(?: |$)")
# `tail -n +1`, which prints all there is.
_TO_THE_END: Final = re.compile(r"^\S*tail .*-(?:[qvz]*[nc] ?|-(?:lines|bytes)[= ])\+[01](?= |$)")
TOP: Final = word_set(":/ :(top) :/.")
"""Pathspecs that stand for the whole work tree, wherever git runs."""


@memoised(4096)
def shown_by(command: str, rules: CommandRules) -> Shown:
    """Return what a command shows, `NOTHING` for most; the caller asks for output (RV-05 B3)."""
    if not rules.looks_by_meaning:
        return Shown(shown_operands(command, rules) or (), is_whole_diff(command))
    line = look_line(command, rules, shows)
    if line is None:
        return NOTHING
    shown = _of_words(line.words, line.folder)
    if shown is NOTHING:
        return NOTHING
    others = [_of_words(other.words, other.folder) for other in line.others]
    if others and shown.operands:
        # What shows other files in the same way shows them as well.
        also = [one for one in others if replace(one, operands=shown.operands) == shown]
        named = [name for one in also for name in one.operands]
        shown = replace(shown, operands=(*named, *shown.operands))
        others = [one for one in others if one not in also]
    return replace(shown, cut=line.cut, others=tuple(others))


def shows(words: tuple[str, ...]) -> bool:
    """Whether a command with these words shows content."""
    return _of_words(words, "") != NOTHING


def _of_words(words: tuple[str, ...], folder: str) -> Shown:
    """Return what one command that runs in a folder shows."""
    program = program_name(words[0])
    if program in _OTHER_RECORDS:
        return _other_diff(words[1:], folder)
    if program != "git":
        by_lines = program in {"sed", "awk"}
        files = printed_lines(words) if by_lines else _files_shown(program, words[1:])
        if not files:
            return NOTHING
        shown = _files(tuple(below(folder, word) for word in files))
        if program not in _IN_PART or _TO_THE_END.search(" ".join(words)):
            return shown
        # A few lines of each of many files are a look at none; lines are counted on over files.
        told = shown.operands[:1] if by_lines else shown.operands
        return Shown(told) if told else NOTHING
    own = folder_of(words)
    if own is None:
        return NOTHING
    words = without_git_options(words)
    subcommand = words[1] if len(words) > 1 else ""
    arguments = words[2:]
    if not _PATCHES.isdisjoint(arguments):  # beside which a summary hides nothing
        arguments = tuple(word for word in arguments if not _SUMMARY.fullmatch(word))
    reader = _GIT_READERS.get(subcommand)
    if reader is None or hides_content(arguments):
        return NOTHING
    folder = below(folder, own) if own else folder
    shown = reader(arguments)
    if shown == NOTHING:
        return NOTHING
    operands = tuple(below(folder, name) for name in shown.operands)
    return replace(shown, operands=operands, folder=folder)


def _other_diff(arguments: tuple[str, ...], folder: str) -> Shown:
    """Return what `hg diff`, `jj diff` and the like show: what nobody committed, or a part."""
    told, *rest = *arguments, ""
    files = tuple(word for word in rest if word and not word.startswith("-"))
    known = all(_OTHER_OPTIONS.fullmatch(word) for word in rest if word.startswith("-"))
    if told not in {"diff", "di"} or not known:
        return NOTHING
    operands = tuple(below(folder, name) for name in files)
    return Shown(operands, not files, State.UNCOMMITTED, folder, below=bool(files))


def _files(named: tuple[str, ...]) -> Shown:
    """Return what is shown by a program that prints the files that the shell finds for it."""
    told = [word for name in named for word in without_braces(name)]
    globs = tuple(word for word in told if is_glob(word))
    return Shown(tuple(word for word in told if word not in globs), globs=globs)


def _files_shown(program: str, arguments: tuple[str, ...]) -> tuple[str, ...]:
    """Return the files that a program prints, none for a program that prints no file."""
    if program not in _FILE_PROGRAMS or hides_content(arguments):
        return ()
    if program in {"head", "tail"} and _NO_LINES.search(" ".join(arguments)):
        return ()
    return tuple(word for word in arguments if not word.startswith("-"))


def _show(arguments: Sequence[str]) -> Shown:
    """`git show REV:path`, and `git show`, which shows what the latest commit did, or did to p."""
    named, paths = split_at_paths(arguments)
    texts = [word.partition(":") for word in named if ":" in word]
    if texts:
        files = [(revision, path) for revision, _, path in texts if revision and path]
        return Shown(
            tuple(path for _, path in files), state=_of_commits([revision for revision, _ in files])
        )
    return _commit(named, paths, arguments, State.LATEST)


def _log(arguments: Sequence[str]) -> Shown:
    """`git log -p`, of which the latest commit comes first."""
    if _PATCHES.isdisjoint(arguments):
        return NOTHING
    named, paths = split_at_paths(arguments)
    counted = "-n" in arguments or any(map(_COUNTED.fullmatch, arguments))
    return _commit(named, paths, arguments, State.LATEST if counted else State.COMMITTED)


def _commit(
    named: Sequence[str], paths: Sequence[str], arguments: Sequence[str], state: State
) -> Shown:
    """Return what is shown of commits, the latest first; of others nothing is known."""
    if not _HEAD.issuperset(named):
        state = _of_commits(_ends(named)) if all(map(_RANGE.fullmatch, named)) else State.EARLIER
    if paths:
        return Shown(tuple(paths), state=state, below=True)
    whole = state is not State.EARLIER and _shows_everything(arguments)
    return Shown(whole=True, state=state) if whole else NOTHING


def _diff(arguments: Sequence[str]) -> Shown:
    named, paths = split_at_paths(arguments)
    if "--no-index" in arguments:
        return Shown((*named, *paths))
    if named and all(":" in word for word in named):
        texts = [word.partition(":") for word in named]
        return Shown(tuple(path for _, _, path in texts), state=_of_commits([t[0] for t in texts]))
    everything = _shows_everything(arguments)
    state = State.STAGED if not _STAGED.isdisjoint(arguments) else _state(named)
    # Another pathspec with a sign in front leaves something out.
    operands = tuple(path for path in paths if not path.startswith(":"))
    whole = everything and TOP.issuperset(paths)
    all_below = everything and bool(operands) and len(operands) == len(paths)
    return Shown(operands, whole, state, below=all_below)


_GIT_READERS: Final = {"diff": _diff, "show": _show, "log": _log}


def _shows_everything(arguments: Sequence[str]) -> bool:
    """Whether no option leaves a part of what was changed out."""
    return all(
        _SHOWS_ALL.fullmatch(word) for word in arguments if word.startswith("-") and word != "--"
    )


def split_at_paths(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split the operands of `git diff` into revisions and paths.

    Without a `--` a bare name may be either; of two before another both are revisions.
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
    if _LATEST_ALONE.fullmatch("..".join(revisions)):
        return State.LATEST
    if len(revisions) == 1 and not _RANGE.fullmatch(revisions[0]):
        return State.UNCOMMITTED if revisions[0] in _HEAD else State.SINCE
    return _of_commits(_ends(revisions))


def _ends(ranges: Sequence[str]) -> list[str]:
    """Return the revisions between which some ranges are."""
    return [end for word in ranges for end in re.split(r"\.{2,3}", word)]


def _of_commits(named: Collection[str]) -> State:
    """Return the state that commits hold; without a name it is the latest one."""
    latest = any(name in _HEAD or not name for name in named)
    return State.COMMITTED if latest else State.EARLIER
