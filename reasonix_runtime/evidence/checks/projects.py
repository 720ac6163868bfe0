"""The projects of a repository that a check is of: told by name, by folder, or by where it runs.

The tests of one project are no check of another one. That is only sure of a path in a folder for
projects, or in the layout of Maven and Gradle, and of a project that is told by its folder.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.places import about
from reasonix_runtime.evidence.checks.selections import projects_picked
from reasonix_runtime.evidence.options.variables import MOUNTED, runs_contained
from reasonix_runtime.evidence.paths import below, is_absolute, norm, stands_below
from reasonix_runtime.evidence.word_lists import words, words_of_name

if TYPE_CHECKING:
    from reasonix_runtime.evidence.options.command_line import CommandLine
    from reasonix_runtime.evidence.running.reading import Plain

_PROJECT: Final = re.compile(r"(?![!-])[@\w./:-]*[\w]")
# A folder for projects, and the folders below it up to the sources.
_FOR_PROJECTS: Final = re.compile(
    r"(?:^|/)(?:apps|packages|libs|services|crates|modules|projects|charts)/(.+)/[^/]+$",
    re.IGNORECASE,
)
# A module of Maven or Gradle: what stands before its sources.
_MODULE: Final = re.compile(r"(?:^|/)([^/]+)/src/[a-zA-Z]*(?:main|[tT]est)/")
_OF_MODULES: Final = words("mvn gradle")
# Folders that hold tests of what stands elsewhere, and others that are no project themselves.
_OF_TESTS: Final = words(
    "test tests testing spec specs e2e integration acceptance functional system qa smoke bench"
    " benches example examples"
)
# Folders of applications: what others use is no such one.
_APPLICATIONS: Final = words(
    "web website frontend backend admin api server mobile ios android desktop dashboard storefront"
    " worker workers bot"
)
# What the names of projects hold beside that of what they are about.
_NO_NAMES: Final = _OF_TESTS | words("unit src lib source net csproj fsproj vbproj")
# Programs that know a package by the name that it gives itself.
_NAMED_APART: Final = words("cargo npm pnpm yarn bun turbo lerna")
_LIKE_THE_WHOLE: Final = words("core lib main app cli bin base common root")
_NO_PROJECTS: Final = _OF_TESTS | words("build builddir out target dist bin obj src lib scripts ci")


def projects_of(line: CommandLine) -> tuple[str, ...]:
    """Return the projects that alone a check is of, as it is told; nothing for all of them."""
    picked = tuple(projects_picked(line))
    return picked if all(map(_PROJECT.fullmatch, picked)) else ()


def may_be_of(projects: Sequence[str], place: str, program: str = "") -> bool:
    """Whether a path, as it stands in the workspace, may be one of some projects.

    One that stands in no folder for projects may be of any, and so may a package that has a name
    of its own, in a folder that is called like many: that of `crates/core` is often the whole's.
    """
    folder = _project_of(place)
    if program in _NAMED_APART and folder.partition("/")[0] in _LIKE_THE_WHOLE:
        return True
    return not (projects and folder) or any(_is_called(one, folder) for one in projects)


def folders_of(plain: Plain) -> tuple[str, ...]:
    """Return the folders of the projects that a check is about, where it names some itself.

    Nothing where one of them is the workspace: a folder of tests is one of the project around it.
    What a container calls its folders says nothing.
    """
    found = () if runs_contained(plain.assignments) else about(plain)
    around = tuple(_around(folder) for folder in found)
    return around if all(around) else ()


def mounted(plain: Plain) -> tuple[str, ...]:
    """Return the folders of the work that alone a container has, nothing where it has all of it."""
    told = [one.word.value or "" for one in plain.assignments if one.name == MOUNTED]
    found = tuple(below("", *plain.moves, folder) for folder in told)
    return found if all(one not in {"", "."} for one in found) else ()


class Folders:
    """Some folders that a path may stand in."""

    __slots__ = ("_are_absolute", "_keys", "_untold")

    def __init__(self, folders: Sequence[str], key: Callable[[str], str]) -> None:
        self._keys = {key(folder) for folder in folders}
        self._are_absolute = {is_absolute(one) for one in self._keys}
        self._untold = any(one[:1] in {"~", "$"} or one.startswith("..") for one in folders)

    def are_outside(self, root: str) -> bool:
        """Whether all of them surely stand outside of a folder, told by its key and a slash."""
        known = is_absolute(root) and not self._untold and self._are_absolute == {True}
        return known and not any(f"{one}/".startswith(root) for one in self._keys)

    def hold(self, path: str) -> bool:
        """Whether a path, told by its key, stands in one of them, or nobody can say so."""
        return (
            self._untold
            or self._are_absolute != {is_absolute(path)}
            or stands_below(path, self._keys)
        )


def may_be_checked_in(folders: Sequence[str], place: str, line: CommandLine) -> bool:
    """Whether a check about some folders may be one of a path that stands in none of them.

    Folders and path are told as they stand in the workspace. An application is often what tests a
    library beside it; of two projects among others each has its own.
    """
    if _are_other_applications(folders, place):
        return False
    of_modules = line.program in _OF_MODULES and _MODULE.search(place) is not None
    among = all(_FOR_PROJECTS.search(f"{folder}/x") for folder in folders)
    return not (of_modules or among) or may_be_of(folders, place)


def _are_other_applications(folders: Sequence[str], place: str) -> bool:
    """Whether each folder is one of an application, and the path stands in that of another."""
    own = _first(place) & _APPLICATIONS
    others = [_first(folder) & _APPLICATIONS for folder in folders]
    return bool(own and others) and all(one and one.isdisjoint(own) for one in others)


def _first(place: str) -> frozenset[str]:
    """Return the name of the outermost folder of a path, nothing for a path without one."""
    folder = f"{place}/".removeprefix("./").partition("/")[0].lower()
    return frozenset({folder})


class ProjectsOfTests:
    """The projects that tests are of, which are told by their paths in the workspace."""

    __slots__ = ("_found", "_named")

    def __init__(self, tests: Sequence[str]) -> None:
        self._named = [frozenset(words_of_name(one.rpartition("/")[2])) for one in tests]
        found = {_project_of(f"{test}/x").partition("/")[0] for test in tests}
        told = all(one and not holds_tests(one) for one in found)
        self._found = found if told else set()

    def are_of_others(self, place: str) -> bool:
        """Whether they are called after others: `tests/Order.Tests` for `src/Cart/A.cs`.

        Those that share a word with the folders of a path may be of it, and those of no name of
        any.
        """
        own = frozenset(words_of_name(place.rpartition("/")[0])) - _NO_NAMES
        return bool(own and self._named) and all(
            not _OF_TESTS.isdisjoint(one) and bool(one - _NO_NAMES) and own.isdisjoint(one)
            for one in self._named
        )

    def may_be_of(self, place: str) -> bool:
        """Whether they may be tests of a path; of two projects among others each has its own."""
        if not self._found:
            return True
        project = _project_of(place).partition("/")[0]
        return not project or project in self._found


def holds_tests(folder: str) -> bool:
    """Whether a folder holds tests of what stands elsewhere, by one of its names."""
    return any(not _OF_TESTS.isdisjoint(words_of_name(name)) for name in folder.split("/"))


def _around(folder: str) -> str:
    """Return a folder, or the one around it where it holds tests or what was built."""
    parts = norm(folder).split("/")
    while parts and (parts[-1] in {"", "."} or _NO_PROJECTS & {*words_of_name(parts[-1])}):
        parts.pop()
    return "/".join(parts)


def _project_of(place: str) -> str:
    """Return the folders that tell the project of a path, lower; nothing where none do."""
    folder = _FOR_PROJECTS.search(place) or _MODULE.search(place)
    return folder[1].lower() if folder else ""


def _is_called(project: str, folder: str) -> bool:
    """Whether a project may be the one in a folder: `@acme/ui` or `shared-ui` in `shared/ui`."""
    name = project.strip("./:").rpartition("/")[2].rpartition(":")[2].lower().replace("_", "-")
    return any(part in name or name in part for part in folder.replace("_", "-").split("/"))
