"""Verifications beyond the table of DL-03: common runners, options in any place, empty checks out.

`check_kind` is asked with static words from which wrappers and assignments are already taken off.
"""

from __future__ import annotations

import re
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks import tables
from reasonix_runtime.evidence.checks.names import (
    names_build,
    names_change,
    names_check,
    names_variant_check,
)
from reasonix_runtime.evidence.checks.selections import (
    leaves_out_all,
    picks,
    picks_what_is_left_out,
)
from reasonix_runtime.evidence.checks.verification import is_listed_check, is_option
from reasonix_runtime.evidence.command_tables import MAVEN_CHECKS
from reasonix_runtime.evidence.options.command_line import (
    CommandLine,
    Item,
    empties,
    may_run_none,
    read_command_line,
    tool_name,
    writes,
)
from reasonix_runtime.evidence.options.replacements import option_replaces, replaces_program
from reasonix_runtime.evidence.options.variables import (
    OPTION_VARIABLES,
    is_handed_on,
    makes_checks_write,
    makes_readers_run,
    options_of_variable,
    rust_flags,
    set_behind,
    skips_checks,
)
from reasonix_runtime.evidence.shell.script import Assignment
from reasonix_runtime.evidence.word_lists import words as word_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


class CheckKind(StrEnum):
    """What a command is, seen as a check."""

    CHECK = "check"
    LENIENT = "lenient"  # a check that passes also where there is no test: its output has to tell
    EMPTY = "empty"  # a check that checks nothing, or does not tell a failure; changes nothing
    WRITES = "writes"  # a check that changes files or writes a report
    NONE = "none"


_GOALS: Final = word_set(
    "test check verify clean compile test-compile validate initialize process-resources classes"
    " testclasses integration-test package build assemble"
)
_SBT_CHECKS: Final = word_set(
    "test testOnly testQuick scalafmtCheck scalafmtCheckAll scalafixAll:check"
)
_SBT_OTHERS: Final = word_set("clean compile project")
_SELECTS_NOTHING: Final = word_set("^$ none xxx ^x$ ^none$ ^^ - nothing ^nothing$")
_SELECTS_ALL: Final = word_set(". .* ^ ^. ^.* ^.*$ .*$ Test ^Test")
_ALLOWS_ALL: Final = re.compile(
    r"(?:^|\s)(?:--cap-lints[= ]allow|(?:-A|--allow)[= ]?(?:warnings|clippy::all))(?:\s|$)"
)
_SHELLS: Final = word_set("SHELL=bash SHELL=sh SHELL=/bin/bash SHELL=/bin/sh SHELL=/usr/bin/bash")
_SKIPS_TESTS: Final = re.compile(
    r"-[dp](?:org\.gradle\.project\.)?skip(?:[\w.-]*(?:tests?|checks?|all)(?![a-z])[\w.-]*)?"
)
# A selection of tests, and what lets one pass that selects none.
_SELECTED: Final = re.compile(r"-d(?:it\.)?test")
_MAY_SELECT_NONE: Final = re.compile(
    r"-d(?:surefire\.|failsafe\.|it\.)?failifno(?:specified)?tests"
)
_ANY_TEST: Final = CommandLine("ctest", ())
_SESSION_VARIABLES: Final = {"TOXENV": "tox", "NOXSESSION": "nox"}
_PROBES: Final = word_set("--version -V --help -h version help -v")


def check_kind(
    words: tuple[str, ...], assignments: tuple[Assignment, ...] = (), *, cargo: bool = True
) -> CheckKind:
    """Say what a command is, seen as a check.

    Without `cargo`, `cargo check` is no check: it writes what it built.
    """
    program = tool_name(words[0])
    line = _with_sessions(read_command_line(program, words[1:]), assignments)
    if not _is_check_by_name(line, words, cargo=cargo):
        probes = len(words) == 2 and words[1] in _PROBES and is_known_runner(program)
        return CheckKind.EMPTY if probes else CheckKind.NONE
    variables = tuple(_variables(line, assignments))
    handed = [_handed_by(variable) for variable in variables]
    taken = [_handed_by(variable) for variable in variables if not is_handed_on(variable)]
    options = [(reader, item) for reader in (line, *handed) for item in reader.options]
    options += [option for item in line.options for option in _set_by(line, item)]
    # What stands behind `--` goes to a program that is not named, so it is read as anybody's.
    handed_on, anybody = _foreign_options(line), CommandLine("", ())
    if (
        any(writes(reader, item) for reader, item in options)
        or any(writes(anybody, item) for item in handed_on)
        or any(map(makes_checks_write, variables))
        or _mypy_reports(line)
    ):
        return CheckKind.WRITES
    if (
        _hijacked(line, variables)
        or any(option_replaces(item.name, item.value) for _, item in options)
        or any(map(skips_checks, variables))
        or any(map(picks, taken))
        or leaves_out_all(line)
        or picks_what_is_left_out(line)
        or any(_is_empty(reader, item) for reader, item in options)
        or any(empties(anybody, item) for item in handed_on)
        or _lints_nothing(line, variables)
        or any(map(_asks_for_dry_run, handed))
    ):
        return CheckKind.EMPTY
    told = [*options, *((anybody, item) for item in handed_on)]
    if any(may_run_none(item) or _may_select_none(reader, item) for reader, item in told):
        return CheckKind.LENIENT
    return CheckKind.CHECK


def is_known_runner(program: str) -> bool:
    """Whether a program is one whose checks are recognised."""
    return program in _KNOWN


def _is_check_by_name(line: CommandLine, words: tuple[str, ...], *, cargo: bool) -> bool:
    """Whether program, sub-command and targets are those of a check; options come later."""
    program, operands = line.program, line.operands
    if program == "cargo":
        operands = operands[1:] if operands[:1] and operands[0].startswith("+") else operands
        if not cargo and operands[:1] in {("check",), ("c",), ("doc",)}:
            return False
    if program in {"tox", "nox"} and any(map(names_change, _sessions(line))):
        return False
    if _stands_first(operands, tables.ASIDE.get(program, frozenset())):
        return False
    check = _BY_PROGRAM.get(program)
    return (
        program in tables.PLAIN_RUNNERS
        or _stands_first(operands, tables.SUBCOMMANDS.get(program, frozenset()))
        or _has_demanded_option(line)
        or _names_checks(line)
        or (check is not None and check(line, words))
    )


def _stands_first(operands: tuple[str, ...], commands: frozenset[str]) -> bool:
    """Whether the operands begin with one of these sub-commands of up to two words."""
    if not operands:
        return "" in commands
    if operands[1:2] == ("fix",):
        return False
    return operands[0] in commands or " ".join(operands[:2]) in commands


def _demanded(line: CommandLine) -> frozenset[str]:
    """Return the options of which a program, or this sub-command of it, needs one to check."""
    subcommand = f"{line.program} {line.operands[0] if line.operands else ''}"
    return tables.WITH_OPTION.get(line.program) or tables.WITH_OPTION.get(subcommand, frozenset())


def _has_demanded_option(line: CommandLine) -> bool:
    demanded = _demanded(line)
    return any(i.option in demanded and i.value != "false" for i in line.options) or (
        line.program == "cargo" and not demanded.isdisjoint(line.foreign)
    )


def _names_checks(line: CommandLine) -> bool:
    """Whether what a project named is called like a check: targets, tasks, sessions."""
    commands = tables.ALL_NAMED.get(line.program)
    if commands is not None:
        names = _targets(line, commands)
        named = [names_check(name) or names_build(name) for name in names]
        return bool(names) and all(named) and names_check(names[-1])
    commands = tables.FIRST_NAMED.get(line.program)
    names = _targets(line, commands) if commands is not None else []
    return bool(names) and names_check(names[0])


def _targets(line: CommandLine, commands: frozenset[str]) -> list[str]:
    """Return the names behind the sub-command, without the variables that are set for them."""
    if any(word.startswith("SHELL=") and word not in _SHELLS for word in line.operands):
        return []  # whatever that is runs every line of every target
    targets = [word for word in line.operands if set_behind(line.program, word) is None]
    if targets and targets[0] in commands:
        return targets[1:]
    return targets if "" in commands else []


def _as_listed(_line: CommandLine, words: tuple[str, ...]) -> bool:
    """Whether the table of DL-03 lists the command (node, tsc, swift)."""
    return is_listed_check((tool_name(words[0]), *words[1:]))


def _node(_line: CommandLine, words: tuple[str, ...]) -> bool:
    """`node --test`, also behind a loader: `node --import tsx --test`; `node --run test`."""
    if words[1:2] == ("--run",):
        return len(words) > 2 and names_check(words[2])
    rest = words[3:] if words[1:2] in {("--import",), ("--loader",)} else words[1:]
    return is_listed_check(("node", *rest))


def _package(line: CommandLine, _words: tuple[str, ...]) -> bool:
    operands = line.operands
    if line.program == "yarn" and operands[:1] in {("workspace",), ("workspaces",)}:
        operands = operands[2 if operands[1:2] != ("run",) else 1 :]
    if operands[:1] in {("run",), ("run-script",)}:
        script = operands[1] if len(operands) > 1 else ""
        return names_check(script) or script in tables.RUNNER_SCRIPTS
    first = operands[0] if operands else ""
    # npm itself runs no script by its bare name, the others do; `ci` installs.
    by_its_name = line.program != "npm" and first != "ci" and names_check(first)
    return by_its_name or first in word_set("test t check lint")


def _nx(line: CommandLine, _words: tuple[str, ...]) -> bool:
    """`nx test web`, `nx run web:test`, `nx affected -t test lint`."""
    operands = line.operands
    if operands[:1] == ("run",):
        return len(operands) > 1 and names_check(operands[1].partition(":")[2])
    if operands[:1] in {("affected",), ("run-many",)}:
        named = [i.value for i in line.options if i.option in {"-t", "--target", "--targets"}]
        targets = [target for value in named for target in value.split(",")]
        return bool(targets) and all(map(names_check, [*targets, *operands[1:]]))
    return bool(operands) and names_check(operands[0])


def _sessions(line: CommandLine) -> list[str]:
    """Return the sessions of nox, or the environments of tox, that are asked for."""
    named = [i.value for i in line.options if i.option in {"-e", "-s", "--session", "--sessions"}]
    return [name for value in [*named, *line.operands] for name in value.split(",")]


def _with_sessions(line: CommandLine, assignments: tuple[Assignment, ...]) -> CommandLine:
    """Return a command with the sessions that a variable names: `TOXENV=py311 tox` names one."""
    named = [one.word.value or "" for one in assignments if _names_sessions(line, one)]
    if not named:
        return line
    return replace(line, items=(*(Item("-e", name) for name in named), *line.items))


def _names_sessions(line: CommandLine, assignment: Assignment) -> bool:
    known = assignment.word.value is not None
    return known and _SESSION_VARIABLES.get(assignment.name) == line.program


def _maven(line: CommandLine, _words: tuple[str, ...]) -> bool:
    goals = [word.rpartition(":")[2].lower() for word in line.operands]
    return not MAVEN_CHECKS.isdisjoint(goals) and all(goal in _GOALS for goal in goals)


def _gradle(line: CommandLine, _words: tuple[str, ...]) -> bool:
    tasks = [word.rpartition(":")[2] for word in line.operands]
    checks = [task for task in tasks if names_variant_check(task)]
    others = [task for task in tasks if task not in checks]
    return bool(checks) and all(
        task.lower() in _GOALS or task.startswith("clean") for task in others
    )


def _sbt(line: CommandLine, _words: tuple[str, ...]) -> bool:
    """Every word is a command line of its own: `sbt clean "testOnly *Foo" core/test`."""
    commands = [word.split()[0].rpartition("/")[2] for word in line.operands if word.split()]
    checks = [name for name in commands if name in _SBT_CHECKS]
    return bool(checks) and all(name in _SBT_CHECKS | _SBT_OTHERS for name in commands)


def _mill(line: CommandLine, _words: tuple[str, ...]) -> bool:
    return line.operands[:1] != () and line.operands[0].rpartition(".")[2] == "test"


def _cmake(line: CommandLine, _words: tuple[str, ...]) -> bool:
    targets = [i.value for i in line.options if i.option in {"--target", "-t"}]
    return bool(targets) and all(map(names_check, [*targets, *line.operands]))


def _moon(line: CommandLine, _words: tuple[str, ...]) -> bool:
    """`moon run web:test :lint`."""
    targets = line.operands[1:] if line.operands[:1] in {("run",), ("check",)} else ()
    return bool(targets) and all(names_check(target.partition(":")[2]) for target in targets)


def _tsx(line: CommandLine, words: tuple[str, ...]) -> bool:
    """`tsx --test`, which is `node --test` with another loader."""
    return _node(line, ("node", *words[1:]))


def _earthly(line: CommandLine, _words: tuple[str, ...]) -> bool:
    return len(line.operands) == 1 and names_check(line.operands[0].rpartition("+")[2])


def _clojure(_line: CommandLine, words: tuple[str, ...]) -> bool:
    """`clj -M:test`, `clojure -X:test:unit`: an alias of the project is run."""
    aliases = [word[2:].strip(":").split(":") for word in words[1:2] if word[:2] in {"-M", "-X"}]
    return len(words) == 2 and bool(aliases) and any(map(names_check, aliases[0]))


def _syntax(line: CommandLine, _words: tuple[str, ...]) -> bool:
    """`bash -n script`, `php -l script`: the script is read, and nothing of it runs."""
    option = "-l" if line.program == "php" else "-n"
    return bool(line.operands) and [item.option for item in line.options] == [option]


def _ruby(line: CommandLine, _words: tuple[str, ...]) -> bool:
    """`ruby -Itest test/a_test.rb`, which runs the tests of a file."""
    given = {item.option[:2] for item in line.options}
    tests = [word.endswith(("_test.rb", "_spec.rb")) for word in line.operands]
    return given <= {"-I", "-w"} and bool(tests) and all(tests)


def _xcodebuild(line: CommandLine, _words: tuple[str, ...]) -> bool:
    return line.operands in {("test",), ("clean", "test")}


_BY_PROGRAM: Final[Mapping[str, Callable[[CommandLine, tuple[str, ...]], bool]]] = {
    "node": _node,
    "tsx": _tsx,
    "moon": _moon,
    "earthly": _earthly,
    "clj": _clojure,
    "clojure": _clojure,
    "tsc": _as_listed,
    "swift": _as_listed,
    "npm": _package,
    "pnpm": _package,
    "yarn": _package,
    "bun": _package,
    "nx": _nx,
    "mvn": _maven,
    "gradle": _gradle,
    "sbt": _sbt,
    "mill": _mill,
    "cmake": _cmake,
    "xcodebuild": _xcodebuild,
    "ruby": _ruby,
    "bash": _syntax,
    "sh": _syntax,
    "zsh": _syntax,
    "php": _syntax,
}
_KNOWN: Final = (
    tables.PLAIN_RUNNERS
    | tables.SUBCOMMANDS.keys()
    | tables.ALL_NAMED.keys()
    | tables.FIRST_NAMED.keys()
    | {command.partition(" ")[0] for command in tables.WITH_OPTION}
    | _BY_PROGRAM.keys()
)


def _foreign_options(line: CommandLine) -> list[Item]:
    """Return the options behind a lone `--`, which the program hands on."""
    return [
        Item(option, value)
        for option, _, value in (word.partition("=") for word in line.foreign if is_option(word))
    ]


def _variables(line: CommandLine, assignments: tuple[Assignment, ...]) -> Iterator[Assignment]:
    """Yield what is set for a run: in front of it, and where the program takes it, behind it."""
    yield from assignments
    words = list(line.operands)
    for assignment in assignments:
        if OPTION_VARIABLES.get(assignment.name) == "make":
            words += (assignment.word.value or "").split()
    for word in words:
        if variable := set_behind(line.program, word):
            yield variable


def _handed_by(variable: Assignment) -> CommandLine:
    """Return the words that a variable hands on, as the program reads them that gets them."""
    program, words = options_of_variable(variable)
    if program == "make" and words and words[0].isalpha():
        words = [f"-{words[0]}", *words[1:]]  # make takes its letters without a dash there
    return read_command_line(program, words)


def _set_by(line: CommandLine, item: Item) -> Iterator[tuple[CommandLine, Item]]:
    """Yield the options that a setting on the command line adds: `pytest -o addopts=--co`."""
    name, _, value = item.value.partition("=")
    if line.program == "pytest" and item.option in {"-o", "--override-ini"} and name == "addopts":
        yield from ((line, added) for added in read_command_line("pytest", value.split()).options)


def _hijacked(line: CommandLine, variables: tuple[Assignment, ...]) -> bool:
    """Whether a variable may put something else in the place of what is named."""
    return any(
        (replaces_program(variable) and not _names_sessions(line, variable))
        or (line.program == "git" and makes_readers_run(variable))
        or (variable.name in OPTION_VARIABLES and variable.word.value is None)
        for variable in variables
    )


def _lints_nothing(line: CommandLine, variables: tuple[Assignment, ...]) -> bool:
    """Whether a linter is told to let everything pass: `RUSTFLAGS=-Awarnings cargo clippy`."""
    if line.program != "cargo" or line.operands[:1] != ("clippy",):
        return False
    flags = map(rust_flags, variables)
    return _ALLOWS_ALL.search(" ".join([*flags, *line.foreign])) is not None


def _is_empty(line: CommandLine, item: Item) -> bool:
    demanded = _demanded(line)
    if item.option in demanded or (demanded and item.option == "--dry-run"):
        return False
    # By the makefiles that cmake writes `make test ARGS=-N` goes to ctest.
    if empties(line, item) or (not line.program and empties(_ANY_TEST, item)):
        return True
    if line.program == "go":
        return (
            (item.option == "-run" and item.value.lower() in _SELECTS_NOTHING)
            or (item.option == "-skip" and item.value in _SELECTS_ALL)
            or (item.option == "-count" and item.value == "0")
        )
    if line.program in {"mvn", "gradle"}:
        return _skips_tests(item)
    return False


def _asks_for_dry_run(line: CommandLine) -> bool:
    """Whether words that a variable hands to nobody by name end in `-n`, which then has no value.

    With one it says how many run at once.
    """
    items = line.items
    return not line.program and any(
        item.option == "-n" and not item.value and (at == len(items) or bool(items[at].option))
        for at, item in enumerate(items, 1)
    )


def _skips_tests(item: Item) -> bool:
    """`-DskipTests`, `-Dmaven.test.skip=true`, `-Dmaven.test.failure.ignore`, `-x test`.

    With `-DskipITs` the unit tests still run.
    """
    if item.option in {"-x", "--exclude-task"}:
        return item.value.rpartition(":")[2] in {"test", "check"}
    name = item.option.lower()
    if item.value == "false" or name == "-dskipits":
        return False
    if name.startswith("-dmaven.test"):
        return "skip" in name or "ignore" in name
    return _SKIPS_TESTS.fullmatch(name) is not None


def _may_select_none(line: CommandLine, item: Item) -> bool:
    """`mvn -Dtest=x -DfailIfNoTests=false`; alone the latter says what holds anyway."""
    if line.program not in {"mvn", "gradle"}:
        return False
    lenient = item.value == "false" and _MAY_SELECT_NONE.fullmatch(item.option.lower())
    return bool(lenient) and any(_SELECTED.fullmatch(i.option.lower()) for i in line.options)


def _mypy_reports(line: CommandLine) -> bool:
    return line.program == "mypy" and any(i.name.endswith("-report") for i in line.options)
