"""Whether the checks of a command missed what was changed: left out, or not what they check."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from reasonix_runtime.evidence.checks.left_out import leaves_out, left_out_by
from reasonix_runtime.evidence.checks.linted_languages import ending_of, languages_of
from reasonix_runtime.evidence.checks.packages import packages_of, take_in
from reasonix_runtime.evidence.checks.places import line_of
from reasonix_runtime.evidence.checks.projects import (
    are_tests_of_others,
    folders_of,
    holds,
    may_be_checked_in,
    may_be_of,
    may_be_tested_by,
    mounted,
    projects_of,
)
from reasonix_runtime.evidence.checks.read_alone import read_alone
from reasonix_runtime.evidence.checks.selections import left_unread
from reasonix_runtime.evidence.checks.tested_languages import foreign_outside, foreign_to
from reasonix_runtime.evidence.checks.told_tests import may_run, tests_told
from reasonix_runtime.evidence.judged import is_check
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.paths import PathStyle, resolve, stands_below
from reasonix_runtime.evidence.running.reading import read

if TYPE_CHECKING:
    from reasonix_runtime.evidence.command_rules import CommandRules
    from reasonix_runtime.evidence.options.command_line import CommandLine
    from reasonix_runtime.evidence.running.reading import Plain

Names = tuple[str, ...]
Key = Callable[[str], str]


class _Scope(NamedTuple):
    """What one check takes in: each field that is empty limits nothing.

    `files`, `projects` and `packages` are told, `unread` is what a linter is told to leave out,
    `languages` are the endings of what it reads.
    `foreign` are those of code that never runs in it, `outside` those that do not where they stand
    in none of the `folders` that it is about; of `tests` only these run. Of the
    work nothing is there but the `mounted` folders.
    """

    line: CommandLine
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

    def takes_in(self, path: str, key: Key) -> bool:
        """Whether the check may be one of a path, which is told by its key."""
        ending, place = ending_of(path), path.removeprefix(f"{key('.')}/")
        files, unread = set(map(key, self.files)), set(map(key, self.unread))
        if path in unread or stands_below(path, unread):
            return False
        if not holds(self.mounted, path, key):
            return False
        if (files and path not in files and not stands_below(path, files)) or (
            self.languages and ending and ending not in self.languages
        ):
            return False
        if ending in self.foreign or not may_run(self.tests, path, key=key):
            return False
        # What is no code of Go, its tests may read from anywhere.
        packed = ending == "go" or self.line.program == "bazel"
        if self.packages and packed and not take_in(self.packages, path, key=key):
            return False
        return may_be_of(self.projects, place) and self._runs_where(path, place, ending, key)

    def _runs_where(self, path: str, place: str, ending: str, key: Key) -> bool:
        root = f"{key('.')}/"
        if self.tests:
            tests = [key(test).removeprefix(root) for test in self.tests]
            of_others = self.line.program == "dotnet" and are_tests_of_others(tests, place)
            if of_others or not may_be_tested_by(tests, place):
                return False
        if holds(self.folders, path, key):
            return True
        folders = [key(folder).removeprefix(root) for folder in self.folders]
        return ending not in self.outside and may_be_checked_in(folders, place, self.line)


class Limits(NamedTuple):
    """What a command leaves out, and what each of its checks takes in, nothing for everything."""

    left_out: Names
    scopes: tuple[_Scope, ...]


class Missed(NamedTuple):
    """Which of the changed paths, by their keys, a command was no check of; whether of any."""

    paths: frozenset[str]
    all: bool


NOTHING_MISSED: Final = Missed(frozenset(), all=False)


@memoised(4096)
def misses(command: str, path: str, rules: CommandRules, root: str) -> bool:
    """Whether a path, told by its key (`Ledger.key`), is one that no check of a command took in.

    `root` is the key of the folder that the commands run in.
    """
    limits = limits_of(command, rules)
    if limits is None:
        return False
    style = PathStyle.WINDOWS if root[1:2] == ":" else PathStyle.POSIX
    key = partial(resolve, root="" if root == "." else root, style=style)
    if leaves_out(limits.left_out, path, key=key):
        return True
    return bool(limits.scopes) and not any(one.takes_in(path, key) for one in limits.scopes)


@memoised(1024)
def limits_of(command: str, rules: CommandRules) -> Limits | None:
    """Return the limits of the checks of a command, None for most: they check all of the work."""
    if not rules.wide_checks:
        return None
    checks = [one for one in read(command, rules).commands if one.owned and is_check(one, rules)]
    scopes = tuple(_limited(checks))
    limits = Limits(left_out_by(command, rules), scopes if len(scopes) == len(checks) else ())
    return limits if any(limits) else None


def _limited(checks: Iterable[Plain]) -> Iterator[_Scope]:
    """Yield what those checks take in that do not take in everything."""
    for plain in checks:
        line = line_of(plain)
        scope = _Scope(
            line,
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
        if any(scope[1:]):
            yield scope
