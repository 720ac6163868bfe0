"""Whether the checks of a command missed what was changed: left out, or not what they check."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from reasonix_runtime.evidence.checks.left_out import LeftOut, left_out_by
from reasonix_runtime.evidence.checks.linted_languages import ending_of, languages_of
from reasonix_runtime.evidence.checks.packages import Packages, packages_of
from reasonix_runtime.evidence.checks.places import line_of
from reasonix_runtime.evidence.checks.projects import (
    Folders,
    ProjectsOfTests,
    folders_of,
    may_be_checked_in,
    may_be_of,
    mounted,
    projects_of,
)
from reasonix_runtime.evidence.checks.read_alone import read_alone, reads_with_it
from reasonix_runtime.evidence.checks.selections import left_unread
from reasonix_runtime.evidence.checks.tested_languages import foreign_outside, foreign_to
from reasonix_runtime.evidence.checks.told_tests import ToldTests, tests_told
from reasonix_runtime.evidence.command_kinds import is_check
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.paths import PathStyle, resolve, stands_below
from reasonix_runtime.evidence.running.reading import read

if TYPE_CHECKING:
    from reasonix_runtime.evidence.command_rules import CommandRules
    from reasonix_runtime.evidence.options.command_line import CommandLine
    from reasonix_runtime.evidence.running.reading import Plain

Names = tuple[str, ...]
Key = Callable[[str], str]


class _Told(NamedTuple):
    """What the words of one check limit it to: each field that is empty limits nothing.

    `files`, `projects` and `packages` are told, `unread` is what a linter is told to leave out,
    `languages` are the endings of what it reads.
    `foreign` are those of code that never runs in it, `outside` those that do not where they stand
    in none of the `folders` that it is about; of `tests` only these run. Of the
    work nothing is there but the `mounted` folders.
    """

    files: Names
    unread: Names
    projects: Names
    packages: Names
    languages: frozenset[str]
    foreign: frozenset[str]
    outside: frozenset[str]
    folders: Names
    tests: Names
    mounted: Names


class _Scope:
    """What one check takes in; names are put into the form of paths once, for all of these."""

    def __init__(self, line: CommandLine, told: _Told, key: Key) -> None:
        self._line = line
        self._told = told
        self._root = f"{key('.')}/"
        self._files = {key(name) for name in told.files}
        self._unread = {key(name) for name in told.unread}
        self._mounted = Folders(told.mounted, key)
        self._folders = Folders(told.folders, key)
        self._places = [key(folder).removeprefix(self._root) for folder in told.folders]
        self._tests = ToldTests(told.tests, key)
        self._of_projects = ProjectsOfTests(
            [key(test).removeprefix(self._root) for test in told.tests]
        )
        self._packages = Packages(told.packages, key)

    def takes_in(self, path: str) -> bool:
        """Whether the check may be one of a path, which is told by its key."""
        told, ending, place = self._told, ending_of(path), path.removeprefix(self._root)
        unread, files = self._unread, self._files
        if unread and (path in unread or stands_below(path, unread)):
            return False
        if told.mounted and not self._mounted.hold(path):
            return False
        if files and not (
            path in files or stands_below(path, files) or reads_with_it(self._line, place)
        ):
            return False
        if told.languages and ending and ending not in told.languages:
            return False
        if ending in told.foreign or (told.tests and not self._tests.may_run(path)):
            return False
        # What is no code of Go, its tests may read from anywhere.
        packed = ending == "go" or self._line.program == "bazel"
        if told.packages and packed and not self._packages.take_in(path):
            return False
        of_project = not told.projects or may_be_of(told.projects, place, self._line.program)
        return of_project and self._runs_where(path, place, ending)

    def _runs_where(self, path: str, place: str, ending: str) -> bool:
        told, tests = self._told, self._of_projects
        if told.tests:
            of_others = self._line.program == "dotnet" and tests.are_of_others(place)
            if of_others or not tests.may_be_of(place):
                return False
        if not told.folders or self._folders.hold(path):
            return True
        if path.startswith(self._root) and self._folders.are_outside(self._root):
            return False
        return ending not in told.outside and may_be_checked_in(self._places, place, self._line)


class Limits(NamedTuple):
    """What a command leaves out, and what each of its checks takes in, nothing for everything."""

    left_out: LeftOut
    scopes: tuple[_Scope, ...]


class Missed(msgspec.Struct, frozen=True):
    """Which of the changed paths, by their keys, a command was no check of; looked at when asked.

    `owed` are those that need a check, `is_missed` tells of each whether the command missed it.
    """

    owed: Collection[str]
    is_missed: Callable[[str], bool]

    def any(self) -> bool:
        """Whether it missed a path."""
        return any(map(self.is_missed, self.owed))

    def all(self) -> bool:
        """Whether it missed each of them."""
        return bool(self.owed) and all(map(self.is_missed, self.owed))


NOTHING_MISSED: Final = Missed((), bool)


@memoised(4096)
def misses(command: str, path: str, rules: CommandRules, root: str) -> bool:
    """Whether a path, told by its key (`Ledger.key`), is one that no check of a command took in.

    `root` is the key of the folder that the commands run in.
    """
    limits = limits_of(command, rules, root)
    if limits is None:
        return False
    if limits.left_out.names and limits.left_out.hold(path):
        return True
    return bool(limits.scopes) and not any(one.takes_in(path) for one in limits.scopes)


@memoised(1024)
def limits_of(command: str, rules: CommandRules, root: str) -> Limits | None:
    """Return the limits of the checks of a command, None for most: they check all of the work."""
    if not rules.wide_checks:
        return None
    checks = [one for one in read(command, rules).commands if one.owned and is_check(one, rules)]
    told = [(line, told) for line, told in map(_told_by, checks) if any(told)]
    left_out = left_out_by(command, rules)
    limited = len(told) == len(checks) > 0
    if not (left_out or limited):
        return None
    style = PathStyle.WINDOWS if root[1:2] == ":" else PathStyle.POSIX
    key = partial(resolve, root="" if root == "." else root, style=style)
    scopes = tuple(_Scope(*one, key) for one in told) if limited else ()
    return Limits(LeftOut(left_out, key), scopes)


def _told_by(plain: Plain) -> tuple[CommandLine, _Told]:
    line = line_of(plain)
    told = _Told(
        read_alone(plain, line),
        left_unread(line),
        projects_of(line),
        packages_of(plain, line),
        languages_of(line),
        foreign_to(line),
        foreign_outside(line),
        folders_of(plain),
        tests_told(plain, line),
        mounted(plain),
    )
    return line, told
