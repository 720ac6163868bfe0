"""Which commands are checks by their program, its sub-command, and what a project named.

What options and variables make of such a check is told by `check_kinds`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from reasonix_runtime.evidence.checks import tables
from reasonix_runtime.evidence.checks.names import (
    names_build,
    names_change,
    names_check,
    names_variant_check,
)
from reasonix_runtime.evidence.checks.verification import is_listed_check
from reasonix_runtime.evidence.command_tables import MAVEN_CHECKS
from reasonix_runtime.evidence.options.command_line import CommandLine, Item, starts_with, tool_name
from reasonix_runtime.evidence.options.variables import set_behind
from reasonix_runtime.evidence.shell.script import Assignment
from reasonix_runtime.evidence.word_lists import words as word_set

_GOALS: Final = word_set(
    "test check verify clean compile test-compile validate initialize process-resources classes"
    " testclasses integration-test package build assemble"
)
_SBT_CHECKS: Final = word_set(
    "test testOnly testQuick scalafmtCheck scalafmtCheckAll scalafixAll:check"
)
_SBT_OTHERS: Final = word_set("clean compile project")
_SHELLS: Final = word_set("SHELL=bash SHELL=sh SHELL=/bin/bash SHELL=/bin/sh SHELL=/usr/bin/bash")
# Of testthat those that stop when a test failed: `devtools::test()` ends well all the same.
_TESTS_AS_TEXT: Final = {
    "julia": re.compile(r"(?:using|import) Pkg; *Pkg\.test\([\w\s\"',=\[\]]*\);?"),
    "rscript": re.compile(
        r"(?:library\(testthat\); *)?(?:testthat::)?test_(?:local|dir|file)\([\w\s\"'./]*\);?"
        r"|devtools::test\(stop_on_failure ?= ?(?:TRUE|T)\);?"
    ),
}
_SESSION_VARIABLES: Final = {"TOXENV": "tox", "NOXSESSION": "nox"}


def is_known_runner(program: str) -> bool:
    """Whether a program is one whose checks are recognised."""
    return program in _KNOWN


def is_check_by_name(line: CommandLine, words: tuple[str, ...], *, cargo: bool) -> bool:
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
    """Whether the operands begin with one of these sub-commands, and mend nothing."""
    return operands[1:2] != ("fix",) and starts_with(operands, commands)


def behind_subcommand(line: CommandLine) -> tuple[str, ...]:
    """Return what a program is given, without the sub-command by which it checks."""
    operands = line.operands
    checks = operands[:1] and (
        operands[0] in tables.SUBCOMMANDS.get(line.program, ()) or line.start in tables.WITH_OPTION
    )
    return operands[1:] if checks else operands


def demanded_options(line: CommandLine) -> frozenset[str]:
    """Return the options of which a program, or this sub-command of it, needs one to check."""
    return tables.WITH_OPTION.get(line.program) or tables.WITH_OPTION.get(line.start, frozenset())


def _has_demanded_option(line: CommandLine) -> bool:
    demanded = demanded_options(line)
    return any(i.option in demanded and i.value != "false" for i in line.options) or (
        line.program == "cargo" and not demanded.isdisjoint(line.foreign)
    )


def _names_checks(line: CommandLine) -> bool:
    """Whether what a project named is called like a check: targets, tasks, sessions."""
    commands = tables.ALL_NAMED.get(line.program)
    if commands is not None:
        names = _targets(line, commands)
        named = [names_check(name) or names_build(name) for name in names]
        told = names if line.program in _ORDERING else names[-1:]
        return all(named) and any(map(names_check, told))
    commands = tables.FIRST_NAMED.get(line.program)
    names = _targets(line, commands) if commands is not None else []
    return bool(names) and names_check(names[0])


# Programs that run a build before the checks that need it, in whichever order both are named.
_ORDERING: Final = word_set("turbo lage")


def _targets(line: CommandLine, commands: frozenset[str]) -> list[str]:
    """Return the names after the sub-command, without the variables that are set for them."""
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
    """`node --test`, also after a loader: `node --import tsx --test`; `node --run test`."""
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
        told = [*targets, *operands[1:]] if targets else []
        known = all(names_check(name) or names_build(name) for name in told)
        return known and any(map(names_check, told))
    return bool(operands) and names_check(operands[0])


def _sessions(line: CommandLine) -> list[str]:
    """Return the sessions of nox, or the environments of tox, that are asked for."""
    named = [i.value for i in line.options if i.option in {"-e", "-s", "--session", "--sessions"}]
    return [name for value in [*named, *line.operands] for name in value.split(",")]


def with_sessions(line: CommandLine, assignments: tuple[Assignment, ...]) -> CommandLine:
    """Return a command with the sessions that a variable names: `TOXENV=py311 tox` names one."""
    named = [one.word.value or "" for one in assignments if names_sessions(line, one)]
    if not named:
        return line
    return replace(line, items=(*(Item("-e", name) for name in named), *line.items))


def names_sessions(line: CommandLine, assignment: Assignment) -> bool:
    """Whether a variable names the sessions that the command runs."""
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
    """Every word holds command lines of its own: `sbt clean "testOnly *Foo; core/test"`."""
    told = [one.split() for word in line.operands for one in word.split(";")]
    commands = [one[0].rpartition("/")[2] for one in told if one]
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


def _handed_in(_line: CommandLine, words: tuple[str, ...]) -> bool:
    """`julia -e 'using Pkg; Pkg.test()'`, the form that these languages give to a run of tests."""
    given = [word for word in words[1:] if not word.startswith("--project")]
    text = _TESTS_AS_TEXT[tool_name(words[0])]
    return len(given) == 2 and given[0] == "-e" and text.fullmatch(given[1].strip()) is not None


def _ruby(line: CommandLine, _words: tuple[str, ...]) -> bool:
    """`ruby -Itest test/a_test.rb`, which runs the tests of a file."""
    given = {item.option[:2] for item in line.options}
    tests = [word.endswith(("_test.rb", "_spec.rb")) for word in line.operands]
    return given <= {"-I", "-w"} and bool(tests) and all(tests)


def _xcodebuild(line: CommandLine, _words: tuple[str, ...]) -> bool:
    return line.operands in {("test",), ("clean", "test")}


def _compose(line: CommandLine, words: tuple[str, ...]) -> bool:
    """`docker compose up --exit-code-from tests`, which ends as that service does."""
    told = [part for word in words for part in word.split("=", 1)]
    if "--exit-code-from" not in told[:-1] or not {"-d", "--detach"}.isdisjoint(told):
        return False
    return "up" in line.operands and names_check(told[told.index("--exit-code-from") + 1])


_BY_PROGRAM: Final[Mapping[str, Callable[[CommandLine, tuple[str, ...]], bool]]] = {
    "docker": _compose,
    "docker-compose": _compose,
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
    "julia": _handed_in,
    "rscript": _handed_in,
    "bash": _syntax,
    "sh": _syntax,
    "zsh": _syntax,
    "php": _syntax,
}
_KNOWN: Final = tables.LISTED | tables.RUNNING_NAMED | _BY_PROGRAM.keys()
