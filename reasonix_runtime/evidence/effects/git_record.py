"""How far changes have come into git: staged, committed (policy point).

What `git add` and `git commit` do to a change decides what shows it (`shown`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from reasonix_runtime.evidence.command_kinds import changes_only_by, is_check, only_reads
from reasonix_runtime.evidence.command_rules import CommandRules
from reasonix_runtime.evidence.effects.git_commands import unstages
from reasonix_runtime.evidence.looking.shown import State, shows
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.options.git import git_subcommand
from reasonix_runtime.evidence.receipts import Receipt
from reasonix_runtime.evidence.running.reading import Plain, read
from reasonix_runtime.evidence.tool_kinds import HOST_STATE_TOOLS
from reasonix_runtime.evidence.word_lists import words as word_set

_ALL_OF_ADD: Final = word_set("-A --all -u --update --no-ignore-removal")
_ALL: Final = word_set("-a --all")
_OF_KNOWN: Final = word_set("-u --update")
_INTENDING: Final = word_set("-N --intent-to-add")
_COMMIT_LETTERS: Final = re.compile(r"-[qvs]*a[qvs]*m?")
_COMMIT_VALUES: Final = re.compile(r"-[aqvs]*[mFCct]|--message|--file|--author|--date")
_TRIED: Final = word_set("-n --dry-run")
# With these only a part is staged or committed, or nothing.
_PARTLY: Final = {
    "add": word_set("-n --dry-run -p --patch -i --interactive -e --edit"),
    "stage": word_set("-n --dry-run -p --patch -i --interactive -e --edit"),
    "commit": word_set("--dry-run -p --patch --interactive"),
}
# What shows every change of which git holds nothing yet.
_SHOWS_UNRECORDED: Final = frozenset({State.FILE, State.SINCE, State.UNSTAGED, State.UNCOMMITTED})


@dataclass(frozen=True, slots=True)
class Step:
    """One way of a change into git.

    `adds` names what is staged (`.` is all); `commits` says that it is committed at once, and
    where nothing is named, that everything staged is. With `intends` git is told of the files, and
    holds nothing of what is in them; with `known` it takes in only files that it knows. With
    `unstages` what is named is taken back, and stays staged only in what is committed.
    """

    adds: tuple[str, ...] = ()
    commits: bool = False
    intends: bool = False
    known: bool = False
    amends: bool = False
    unstages: bool = False


@memoised(4096)
def steps_of(command: str, rules: CommandRules) -> tuple[Step, ...]:
    """Return what a command stages and commits, after whatever else it may change."""
    if "git" not in command or not rules.looks_by_meaning:
        return ()
    return _steps_of(read(command, rules).commands, rules)


@memoised(4096)
def steps_before_look(command: str, rules: CommandRules) -> tuple[Step, ...]:
    """Return what a command stages and commits before its last look at content, if it has one.

    Without a look that is all of it.
    """
    steps = steps_of(command, rules)
    if not steps:
        return ()
    commands = read(command, rules).commands
    looks = [at for at, plain in enumerate(commands) if plain.words and shows(plain.words)]
    return _steps_of(commands[: looks[-1]], rules) if looks else steps


def _steps_of(commands: Sequence[Plain], rules: CommandRules) -> tuple[Step, ...]:
    steps: list[Step] = []
    moved = False
    for plain in commands:
        words = _told(plain)
        moved = moved or words[:1] in {("cd",), ("pushd",)} or " -C " in plain.segment.text
        if _records(words):
            steps += _steps(words, moved=moved)
        elif words[:1] == ("git",) and (taken := unstages(words)):
            steps.append(Step(adds=(".",) if moved else taken, unstages=True))
        elif _moves(words):
            steps += [Step(adds=words[2:])] if not moved else []
        elif not (is_check(plain, rules) or only_reads(plain, rules)):
            steps.clear()
    return tuple(steps)


@memoised(4096)
def only_records(command: str, rules: CommandRules) -> bool:
    """Whether all that a command changes is what git holds of the files."""
    return bool(steps_of(command, rules)) and changes_only_by(_is_record, command, rules)


def _is_record(plain: Plain) -> bool:
    return _records(_told(plain))


def _told(plain: Plain) -> tuple[str, ...]:
    """Return the words of a command; one that expands, such as a message, names nothing."""
    return tuple("$" if word.value is None else word.value for word in plain.segment.words)


def _records(words: tuple[str, ...]) -> bool:
    return git_subcommand(words) in _PARTLY


def _moves(words: tuple[str, ...]) -> bool:
    """Whether a command is `git mv` or `git rm`, which stage what they do to the files."""
    return len(words) > 2 and git_subcommand(words) in {"mv", "rm"} and _TRIED.isdisjoint(words)


def _steps(words: tuple[str, ...], *, moved: bool) -> Iterator[Step]:
    """Yield what one `git add` or `git commit` does; in another folder its paths name nothing."""
    subcommand, arguments = words[1], words[2:]
    if not _PARTLY[subcommand].isdisjoint(arguments):
        return
    paths, commits = tuple(_paths(arguments)), subcommand == "commit"
    intends, amends = not (commits or _INTENDING.isdisjoint(arguments)), "--amend" in arguments
    if paths:
        if not moved:
            yield Step(adds=paths, commits=commits, intends=intends, amends=amends)
    elif commits:
        whole = any(word in _ALL or _COMMIT_LETTERS.fullmatch(word) for word in arguments)
        yield Step(adds=(".",) if whole else (), commits=True, known=whole, amends=amends)
    elif not _ALL_OF_ADD.isdisjoint(arguments):
        known = not _OF_KNOWN.isdisjoint(arguments)
        yield Step(adds=(".",), intends=intends, known=known)


def _paths(words: tuple[str, ...]) -> Iterator[str]:
    at = 0
    while at < len(words):
        if _COMMIT_VALUES.fullmatch(words[at]):
            at += 1
        elif not words[at].startswith("-"):
            yield "." if words[at] in {":/", "*"} else words[at]
        at += 1


@dataclass(slots=True)
class Recorded:
    """How far the changes of some files have come; files are told by their keys (`Ledger.key`)."""

    _staged: set[str] = field(default_factory=set)
    _committed: set[str] = field(default_factory=set)
    # What the latest commit took in.
    _latest: set[str] = field(default_factory=set)
    #: Files of which git does not know yet; only what shows the files themselves shows them.
    new: set[str] = field(default_factory=set)
    # Files of which git took some change in, whatever was changed since: staged, committed.
    _met_staged: set[str] = field(default_factory=set)
    _met_committed: set[str] = field(default_factory=set)

    def settled(self) -> Recorded:
        """Return what is known when all was looked at: which files git has not met."""
        return Recorded(new=self.new)

    def holds_unchanged(self, key: str, *, by_name: bool) -> bool:
        """Whether git holds a changed file as it was before all of its changes.

        What it gave back `by_name` it had met.
        """
        unmet = key in self.new and not by_name
        return not unmet and key not in self._met_staged and key not in self._met_committed

    def changed(self, keys: Collection[str]) -> None:
        """Take in that files changed: of what git holds nothing is what they are now."""
        if self._staged:  # what is committed was staged
            self._staged.difference_update(keys)
            self._committed.difference_update(keys)
            self._latest.difference_update(keys)

    def take(
        self, steps: tuple[Step, ...], keys: Collection[str], key: Callable[[str], str]
    ) -> None:
        """Take in what a command staged and committed of the files with these keys."""
        for step in steps:
            named = {key(path) for path in step.adds}
            below = tuple(f"{folder}/" for folder in named)
            whole = "." in step.adds
            added = {one for one in keys if whole or one in named or one.startswith(below)}
            if step.unstages:
                self._staged -= added - self._committed
                self._met_staged -= added
                continue
            if step.known:
                added -= self.new
            self.new -= added
            if step.intends:
                continue
            self._staged |= added
            self._met_staged |= added
            if step.commits:
                self._met_committed |= added if step.adds else self._met_staged
                taken = (added if step.adds else self._staged) - self._committed
                self._latest = self._latest | taken if step.amends else taken
                self._committed |= taken

    def named(self, keys: Collection[str], *, lists: bool) -> Collection[str]:
        """Return which of these files a look by git names; where it `lists` files, new ones too."""
        if lists or self.new.isdisjoint(keys):
            return keys
        return [key for key in keys if key not in self.new]

    def unnamed(self, keys: Collection[str], *, lists: bool) -> dict[str, None]:
        """Return the others."""
        if lists or self.new.isdisjoint(keys):
            return {}
        return {key: None for key in keys if key in self.new}

    def shown_of(self, keys: Collection[str], state: State) -> Collection[str]:
        """Return those of changed files of which a look at a state shows what was changed."""
        if not (self._staged or self.new) and state in _SHOWS_UNRECORDED:
            return keys
        return [key for key in keys if self.shows(key, state)]

    def shows(self, key: str, state: State) -> bool:
        """Whether a look at that state of a changed file shows what was changed."""
        if key in self.new:
            return state is State.FILE
        staged, committed = key in self._staged, key in self._committed
        match state:
            case State.FILE | State.SINCE:
                return True
            case State.UNSTAGED:
                return not staged
            case State.UNCOMMITTED:
                return not committed
            case State.STAGED:
                return staged and not committed
            case State.COMMITTED:
                return committed
            case State.LATEST:
                return key in self._latest
            case State.EARLIER:
                return False


def shows_change(
    path: str,
    state: State,
    look: str,
    receipts: Iterable[Receipt],
    rules: CommandRules,
    *,
    key: Callable[[str], str],
    fits: Callable[[str, str], bool],
    new: bool = False,
) -> bool:
    """Whether a look at a state of a path shows what these receipts, in order, changed of it.

    `look` is its command, which may stage before it; `new` says that git had not met the file.
    """
    if state is State.FILE:
        return True
    wanted, changed = key(path), new
    recorded = Recorded(new={wanted} if new else set())
    for receipt in receipts:
        if receipt.changed and not only_records(receipt.command, rules):
            opaque = not receipt.paths and receipt.tool not in HOST_STATE_TOOLS
            if opaque or any(fits(seen, path) for seen in receipt.paths):
                changed = True
                recorded.changed((wanted,))
        if receipt.success and receipt.command:
            recorded.take(steps_of(receipt.command, rules), (wanted,), key)
    recorded.take(steps_before_look(look, rules), (wanted,), key)
    return not changed or recorded.shows(wanted, state)
