"""Verifications beyond the table of DL-03: common runners, options in any place, empty checks out.

`check_kind` is asked with static words from which wrappers and assignments are already taken off.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence import command_tables as tables
from reasonix_runtime.evidence.command_line import (
    CommandLine,
    Item,
    empties,
    read_command_line,
    tool_name,
    writes,
)
from reasonix_runtime.evidence.variables import (
    OPTION_VARIABLES,
    makes_checks_write,
    replaces_program,
    skips_checks,
)
from reasonix_runtime.evidence.verification import is_listed_check, is_option
from reasonix_runtime.evidence.word_lists import words as word_set

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from reasonix_runtime.evidence.shell import Assignment


class CheckKind(StrEnum):
    """What a command is, seen as a check."""

    CHECK = "check"
    EMPTY = "empty"  # a check that checks nothing, or does not tell a failure; changes nothing
    WRITES = "writes"  # a check that changes files or writes a report
    NONE = "none"


_PLAIN_RUNNERS: Final = word_set(
    "pytest unittest gotestsum staticcheck mypy flake8 pylint pyright pycodestyle pyflakes bandit"
    " jest mocha ava eslint stylelint shellcheck yamllint hadolint actionlint phpunit rspec ctest"
    " nox bats"
)
# Runners with sub-commands: those that check, "" for none given.
_SUBCOMMANDS: Final[Mapping[str, frozenset[str]]] = {
    "golangci-lint": word_set("run"),
    "vitest": word_set("run") | {""},
    "tox": word_set("run r run-parallel p") | {""},
    "bazel": word_set("test"),
    "deno": word_set("test lint check"),
    "mix": word_set("test"),
    "dart": word_set("test analyze"),
    "flutter": word_set("test analyze"),
    "dotnet": word_set("test"),
    "terraform": word_set("validate"),
    "biome": word_set("ci"),
}
_FORMATTERS: Final[Mapping[str, frozenset[str]]] = {
    "black": word_set("--check"),
    "isort": word_set("--check --check-only -c"),
    "prettier": word_set("--check -c --list-different -l"),
    "rustfmt": word_set("--check"),
}
_FIXED_SCRIPTS: Final = word_set("test check lint typecheck")
_SCRIPT: Final = re.compile(r"(?:test|check|lint|typecheck):[\w:.-]+")
_WRITING_SCRIPT: Final = re.compile(
    r"(?:^|[:._-])(?:fix|write|update|watch|dev|ui|debug|format|snapshot|record|serve|open|report)"
    r"(?:$|[:._-])"
)
_GOALS: Final = word_set(
    "test check verify clean compile test-compile validate initialize process-resources classes"
    " testclasses integration-test package build assemble"
)
_ASSIGNED: Final = re.compile(r"[A-Za-z_]\w*[:+?]?=")
_SELECTS_NOTHING: Final = word_set("^$ NONE XXX ^x$ ^NONE$")
_PROBES: Final = word_set("--version -V --help -h version help -v")


def check_kind(
    words: tuple[str, ...], assignments: tuple[Assignment, ...] = (), *, cargo: bool = True
) -> CheckKind:
    """Say what a command is, seen as a check.

    Without `cargo`, `cargo check` is no check: it writes what it built.
    """
    program = tool_name(words[0])
    line = read_command_line(program, words[1:])
    if not _is_check_by_name(line, words, cargo=cargo):
        probes = len(words) == 2 and words[1] in _PROBES and is_known_runner(program)
        return CheckKind.EMPTY if probes else CheckKind.NONE
    options = [*line.options, *_from_variables(line, assignments)]
    # What stands behind `--` goes to a program that is not named, so it is read as anybody's.
    handed_on, anybody = _foreign_options(line), CommandLine("", ())
    if (
        any(writes(line, item) for item in options)
        or any(writes(anybody, item) for item in handed_on)
        or any(map(makes_checks_write, assignments))
        or _mypy_reports(line)
    ):
        return CheckKind.WRITES
    if (
        _hijacked(assignments)
        or any(map(skips_checks, assignments))
        or any(_is_empty(line, item) for item in options)
        or any(empties(anybody, item) for item in handed_on)
    ):
        return CheckKind.EMPTY
    return CheckKind.CHECK


def is_known_runner(program: str) -> bool:
    """Whether a program is one whose checks are recognised."""
    return (
        program in _PLAIN_RUNNERS
        or program in _SUBCOMMANDS
        or program in _FORMATTERS
        or program in _BY_PROGRAM
    )


def _is_check_by_name(line: CommandLine, words: tuple[str, ...], *, cargo: bool) -> bool:
    """Whether program, sub-command and targets are those of a check; options come later."""
    program, operands = line.program, line.operands
    first = operands[0] if operands else ""
    if program in _PLAIN_RUNNERS:
        return True
    if program in _SUBCOMMANDS:
        return first in _SUBCOMMANDS[program]
    if program in _FORMATTERS:
        return any(item.option in _FORMATTERS[program] for item in line.options)
    if program == "cargo" and not cargo and first in {"check", "doc"}:
        return False
    check = _BY_PROGRAM.get(program)
    return check is not None and check(line, words)


def _go(line: CommandLine, _words: tuple[str, ...]) -> bool:
    return line.operands[:1] in {("test",), ("vet",)}


def _git(line: CommandLine, _words: tuple[str, ...]) -> bool:
    return line.operands[:1] == ("diff",) and any(i.option == "--check" for i in line.options)


def _as_listed(_line: CommandLine, words: tuple[str, ...]) -> bool:
    """Whether the table of DL-03 lists the command (node, tsc, swift)."""
    return is_listed_check((tool_name(words[0]), *words[1:]))


def _ruff(line: CommandLine, _words: tuple[str, ...]) -> bool:
    first = line.operands[:1]
    checks = any(item.option in {"--check", "--diff"} for item in line.options)
    return first == ("check",) or (first == ("format",) and checks)


def _package(line: CommandLine, _words: tuple[str, ...]) -> bool:
    operands = line.operands
    if operands[:1] in {("run",), ("run-script",)}:
        return len(operands) > 1 and _is_check_script(operands[1])
    first = operands[0] if operands else ""
    # npm itself runs no script by its bare name, the others do.
    return first in word_set("test check lint") or (
        line.program != "npm" and _is_check_script(first)
    )


def _is_check_script(name: str) -> bool:
    known = name in _FIXED_SCRIPTS or _SCRIPT.fullmatch(name) is not None
    return known and _WRITING_SCRIPT.search(name) is None


def _cargo(line: CommandLine, _words: tuple[str, ...]) -> bool:
    operands = line.operands
    if operands[:1] and operands[0].startswith("+"):
        operands = operands[1:]
    first = operands[0] if operands else ""
    if first == "fmt":
        return "--check" in line.foreign or any(i.option == "--check" for i in line.options)
    return first in word_set("test check clippy lint") or operands[:2] == ("nextest", "run")


def _make(line: CommandLine, _words: tuple[str, ...]) -> bool:
    targets = [word for word in line.operands if not _ASSIGNED.match(word)]
    # `make -j 4 test`: the number is the value of an option that may stand alone.
    if any(item.option in {"-j", "-l"} and not item.value for item in line.options):
        targets = [word for word in targets if not word.isdecimal()]
    return bool(targets) and all(word in tables.MAKE_CHECKS for word in targets)


def _just(line: CommandLine, _words: tuple[str, ...]) -> bool:
    targets = [word for word in line.operands if not _ASSIGNED.match(word)]
    return bool(targets) and targets[0] in tables.MAKE_CHECKS


def _maven(line: CommandLine, _words: tuple[str, ...]) -> bool:
    goals = [word.rpartition(":")[2].lower() for word in line.operands]
    return not tables.MAVEN_CHECKS.isdisjoint(goals) and all(goal in _GOALS for goal in goals)


_BY_PROGRAM: Final[Mapping[str, Callable[[CommandLine, tuple[str, ...]], bool]]] = {
    "go": _go,
    "git": _git,
    "node": _as_listed,
    "tsc": _as_listed,
    "swift": _as_listed,
    "ruff": _ruff,
    "npm": _package,
    "pnpm": _package,
    "yarn": _package,
    "bun": _package,
    "cargo": _cargo,
    "make": _make,
    "just": _just,
    "mvn": _maven,
    "gradle": _maven,
}


def _foreign_options(line: CommandLine) -> list[Item]:
    """Return the options behind a lone `--`, which the program hands on."""
    return [
        Item(option, value)
        for option, _, value in (word.partition("=") for word in line.foreign if is_option(word))
    ]


def _from_variables(line: CommandLine, assignments: tuple[Assignment, ...]) -> list[Item]:
    """Return the options that an assignment in front hands to the program."""
    found: list[Item] = []
    for assignment in assignments:
        if OPTION_VARIABLES.get(assignment.name) == line.program:
            value = assignment.word.value or ""
            found.extend(read_command_line(line.program, value.split()).options)
    return found


def _hijacked(assignments: tuple[Assignment, ...]) -> bool:
    """Whether an assignment may put another program in the place of the named one."""
    return any(
        replaces_program(assignment)
        or (assignment.name in OPTION_VARIABLES and assignment.word.value is None)
        for assignment in assignments
    )


def _is_empty(line: CommandLine, item: Item) -> bool:
    if empties(line, item):
        return True
    if line.program == "go":
        return (item.option == "-run" and item.value in _SELECTS_NOTHING) or (
            item.option == "-count" and item.value == "0"
        )
    if line.program in {"mvn", "gradle"}:
        return _skips_tests(item)
    return False


def _skips_tests(item: Item) -> bool:
    """`-DskipTests`, `-Dmaven.test.skip=true`, `-Dmaven.test.failure.ignore`, `-x test`."""
    if item.option in {"-x", "--exclude-task"}:
        return item.value.rpartition(":")[2] in {"test", "check"}
    name = item.option.lower()
    if item.value == "false" or not name.startswith(("-dskip", "-dmaven.test", "-pskip")):
        return False
    return "skip" in name or "ignore" in name


def _mypy_reports(line: CommandLine) -> bool:
    return line.program == "mypy" and any(i.name.endswith("-report") for i in line.options)
