"""Which work a check is about: where it runs, and which project or files it is told to check.

A citation compares where commands ran; the end of a turn and a sign-off ask whether a check was
about the workspace, or about what was changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.recognised import demanded_options
from reasonix_runtime.evidence.checks.tables import SUBCOMMANDS
from reasonix_runtime.evidence.checks.verification import is_option
from reasonix_runtime.evidence.command_kinds import is_check
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.options.command_line import (
    CommandLine,
    Item,
    line_of_words,
    read_command_line,
)
from reasonix_runtime.evidence.options.places import (
    FOLDERS,
    LABELLED,
    PROJECT_SCRIPTS,
    PROJECTS,
    VARIABLES,
)
from reasonix_runtime.evidence.options.tools import TOOL_OPTIONS
from reasonix_runtime.evidence.options.variables import (
    CONTAINER,
    FOLDER,
    options_of_variable,
    runs_contained,
)
from reasonix_runtime.evidence.paths import below
from reasonix_runtime.evidence.running.reading import Plain, Reading, read

if TYPE_CHECKING:
    from reasonix_runtime.evidence.command_rules import CommandRules
    from reasonix_runtime.evidence.shell.script import Assignment

_NOWHERE: Final[tuple[str, ...]] = ()
_GIT_PLACE: Final = re.compile(r"git\s+-C\s+['\"]?([^\s'\"$]+)")
_AWAY: Final = re.compile(r"/(?!/)|\.\.(?:/|\\|$)|~|[A-Za-z]:[/\\]|\\\\")
# `dotnet test /p:Configuration=Release`
_SWITCH: Final = re.compile(r"/\w+(?::.*)?")
_TEST_ID: Final = re.compile(r"::.*|:\d[\d:]{0,40}$")
# Folders that a project has below its root.
_BELOW_ROOT: Final = frozenset({"src", "lib", "test", "tests", "spec", "specs", "__tests__"})
_PROJECT_FILES: Final = re.compile(r".+\.\w+|.*file", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Placed:
    """A command, and the directories in which it may have run, none when nothing names one."""

    plain: Plain
    places: tuple[str, ...]


def placed(reading: Reading) -> list[Placed]:
    """Return each command with where it runs: what it names itself, else the moves before it."""
    return [Placed(plain, own_folders(plain) or plain.moves) for plain in reading.commands]


@memoised(4096)
def places_of(command: str, rules: CommandRules) -> tuple[tuple[str, ...], ...]:
    """Return, for each check of a command that names a place, the folders that it is about.

    A check is about the work when one of its folders is of the work. What a container calls its
    folders says nothing of where the work is.
    """
    found = (about(plain) for plain in read(command, rules).commands if is_check(plain, rules))
    return tuple(places for places in found if places)


def own_folders(plain: Plain) -> tuple[str, ...]:
    """Return the folders that a command, or what only runs it, is told to run in."""
    inside = plain.segment
    if found := _GIT_PLACE.match(inside.text):
        return (found[1],)
    outer = takewhile(lambda one: one.name != CONTAINER, plain.assignments)
    named = [one.word.value for one in outer if one.name == FOLDER and one.word.value]
    if len(inside.words) > 1 and not runs_contained(plain.assignments):
        line = line_of(plain)
        options = FOLDERS.get(line.program, frozenset())
        named += [i.value for i in line.options if i.option in options and i.value][-1:]
    return tuple(named)


def folder_of(plain: Plain) -> str:
    """Return the folder that a command runs in, empty for where the text began."""
    return below("", *plain.moves, *own_folders(plain))


def line_of(plain: Plain) -> CommandLine:
    """Return the words of a command as its program reads them; one that expands is left out."""
    return line_of_words(plain.segment.known_values)


def about(plain: Plain) -> tuple[str, ...]:
    """Return the folders that a check is about: its project, what it is given, where it runs."""
    folder = folder_of(plain)
    if not runs_contained(plain.assignments):
        line = line_of(plain)
        named = [*_projects(plain, line)] or [*_targets(line)]
        if named:
            return tuple(below(folder, root_of(name)) for name in named)
    return (folder,) if folder else _NOWHERE


def _projects(plain: Plain, line: CommandLine) -> Iterator[str]:
    """Yield what names the project: an option, a variable, or the script that is run."""
    options = PROJECTS.get(line.program, _NOWHERE)
    yield from (i.value for i in line.options if i.option in options and i.value)
    for assignment in plain.assignments:
        yield from _project_of(assignment, line.program)
    script = plain.segment.words[0].value or ""
    if line.program in PROJECT_SCRIPTS and "/" in script:
        yield script


def _project_of(assignment: Assignment, program: str) -> Iterator[str]:
    if assignment.name in VARIABLES:
        yield assignment.word.value or ""
    reader, words = options_of_variable(assignment)
    if reader == program and words:
        line = read_command_line(program, words)
        options = PROJECTS.get(program, frozenset()) | FOLDERS.get(program, frozenset())
        yield from (i.value for i in line.options if i.option in options and i.value)


def _targets(line: CommandLine) -> Sequence[str]:
    """Return the files and folders that are checked, where one of them may be another's work."""
    if line.program in LABELLED:
        return ()
    words = pairwise(("", *line.foreign))
    handed_on = [word for left, word in words if not (is_option(left) or is_option(word))]
    subcommands = SUBCOMMANDS.get(line.program, frozenset())
    operands = handed_on or [*surely_named(line)] or [*_set_paths(line)]
    if operands and " ".join(operands[:2]) in subcommands:
        operands = operands[2:]
    elif operands and operands[0] in subcommands:
        operands = operands[1:]
    if line.program == "dotnet":
        operands = [word for word in operands if not _SWITCH.fullmatch(word)]
    return operands if any(_AWAY.match(word) for word in operands) else ()


def _set_paths(line: CommandLine) -> Iterator[str]:
    """Yield what is checked by a setting on the command line: `pytest -o testpaths=/x`."""
    for item in line.options if line.program == "pytest" else ():
        name, _, value = item.value.partition("=")
        if item.option in {"-o", "--override-ini"} and name == "testpaths":
            yield from value.split()


def surely_named(line: CommandLine) -> Iterator[str]:
    """Yield the operands that are surely no value of an option whose program nobody listed."""
    listed = line.program in TOOL_OPTIONS
    alone = demanded_options(line)
    for before, item in pairwise((Item(""), *line.items)):
        sure = listed or not before.option or before.value or before.option in alone
        if sure and not item.option:
            yield item.value


def root_of(path: str) -> str:
    """Return the folder of the project that a path speaks of, as far as its words tell.

    `/x/tests/test_a.py::test_b` speaks of `/x`, `web/pom.xml` of `web`.
    """
    clean = _TEST_ID.sub("", path.replace("\\", "/")).removesuffix("/...").rstrip("/") or "/"
    parts = clean.split("/")
    for at, part in enumerate(parts):
        if at and part in _BELOW_ROOT:
            return "/".join(parts[:at]) or "/"
    if _PROJECT_FILES.fullmatch(parts[-1]) and parts[-1] not in {".", ".."}:
        return "/".join(parts[:-1]) or ("/" if clean.startswith("/") else ".")
    return clean
