"""What a variable of the environment means for a command: other options, another program, a change.

Names are read word by word, as projects choose their own: `UPDATE_GOLDEN`, `SKIP_SLOW_TESTS`.
"""

from __future__ import annotations

import re
from typing import Final

from reasonix_runtime.evidence.checks.names import names_check
from reasonix_runtime.evidence.checks.tables import LISTED, RUNNING_NAMED
from reasonix_runtime.evidence.options.replacements import replaces_program
from reasonix_runtime.evidence.shell.script import Assignment, Word
from reasonix_runtime.evidence.word_lists import words, words_of_name

# Variables that hand a program more options, whoever starts it.
OPTION_VARIABLES: Final = {
    "PYTEST_ADDOPTS": "pytest",
    "GOFLAGS": "go",
    "MAKEFLAGS": "make",
    "GNUMAKEFLAGS": "make",
    "MFLAGS": "make",
    "NODE_OPTIONS": "node",
    "MAVEN_ARGS": "mvn",
    "MAVEN_OPTS": "mvn",
    "MAVEN_CONFIG": "mvn",
    "GRADLE_OPTS": "gradle",
    "JAVA_TOOL_OPTIONS": "mvn",
    "JDK_JAVA_OPTIONS": "mvn",
    "_JAVA_OPTIONS": "mvn",
    "SBT_OPTS": "mvn",
    "SPEC_OPTS": "rspec",
    "RSPEC_OPTS": "rspec",
    "RUBOCOP_OPTS": "rubocop",
    "RAKEOPT": "rake",
    "ANT_ARGS": "ant",
    "BUN_OPTIONS": "bun",
}
# Programs that read any of their options from a variable that begins like this.
_OPTION_PREFIXES: Final = {
    "npm_config_": "npm",
    "tox_": "tox",
    "just_": "just",
    "ctest_": "ctest",
    "nextest_": "cargo",
}
# Not set by anybody: the name under which the container of a command is kept.
CONTAINER: Final = "_CONTAINER"
# Nor this, under which a folder is kept that a wrapper is told to run the command in.
FOLDER: Final = "_FOLDER"
# Nor this, under which a folder is kept that alone of the work a container is given.
MOUNTED: Final = "_MOUNTED"
# Nor this, which tells that a command runs only where it is handed something.
HANDED: Final = "_HANDED"
# Variables by which a reading program can be made to run another one, and values that run none.
_RUNNING: Final = words(
    "PAGER LESSOPEN LESSCLOSE MANPAGER EDITOR VISUAL RIPGREP_CONFIG_PATH LD_PRELOAD BASH_ENV"
)
_NO_PAGER: Final = words("cat less more") | {""}

_WRITING: Final = words("UPDATE BLESS REGEN REGENERATE OVERWRITE REBASELINE RECORD")
_DENYING: Final = words("NO DISABLE NOTIFIER CHECK SKIP")
_SKIPPING: Final = words("SKIP DISABLE NO")
_CHECKS: Final = words("TEST TESTS LINT")
_SKIPPING_CHECKS: Final = words("SKIPTEST SKIPTESTS NOTEST NOTESTS DISABLETESTS")
_PREPARATIONS: Final = words("DOWNLOAD INSTALL SMUDGE PREFLIGHT")
_NARROWING: Final = words("SKIP ONLY FILTER EXCLUDE SHARD GREP")
_RUNNERS: Final = (LISTED - words("v next")) | words("all * .*")
_SUITES: Final = words("TESTS CHECKS SUITES TESTSUITES SUBDIRS")
_SELECTIONS: Final = words("TEST TESTS TESTOPTS TESTARGS TEST_ARGS TESTFLAGS")
_WEAKENING_FLAGS: Final = ("--cap-lints", "-A", "--allow")
_HANDED_ON: Final = words("ARGS OPTS FLAGS OPTIONS ADDOPTS TESTARGS TESTOPTS TESTFLAGS")
ENDS_HANDED_ON: Final = ("ARGS", "OPTS", "FLAGS", "OPTIONS")
"""What the names of variables end with that hold options."""
# Runners whose options such a variable holds, where they are called in it; `GO_TEST_FLAGS` as well.
_TAKING: Final = words(
    "pytest ctest go cargo jest vitest mocha rspec phpunit tox nox unittest gotestsum playwright"
    " dotnet swift bazel mvn gradle ruff mypy eslint flake8 pylint rubocop golangci clippy prove"
    " bats mix"
)
# How much is told, and how many run at once.
# What tells a program which machine keeps its containers, and values that mean this one.
_OTHER_MACHINES: Final = words("DOCKER_HOST DOCKER_CONTEXT CONTAINER_HOST CONTAINER_CONNECTION")
_ON_THIS: Final = re.compile(r"unix:|npipe:|fd:|default$|desktop-linux$|orbstack$|colima$")
_SAYING: Final = words("V VERBOSE VERBOSITY CI DEBUG COLOR COLOUR NO_COLOR QUIET Q J JOBS NPROC")
_ASSIGNED: Final = re.compile(r"[A-Za-z_]\w*[:+?]?=")
_OFF: Final = words("0 false no never off") | {""}


def set_behind(program: str, word: str) -> Assignment | None:
    """Return the variable that a word sets for a program that takes some among its words."""
    if program not in RUNNING_NAMED or (found := _ASSIGNED.match(word)) is None:
        return None
    value = word[found.end() :]
    return Assignment(found[0].rstrip(":+?="), Word(value, value))


def makes_readers_run(assignment: Assignment) -> bool:
    """Whether a program that only reads may be made to run another one."""
    name = assignment.name
    if name == "PATH":
        return replaces_program(assignment)
    runs = name in _RUNNING or name.startswith("GIT_")
    return runs and not (name.endswith("PAGER") and assignment.word.value in _NO_PAGER)


def makes_checks_write(assignment: Assignment) -> bool:
    """Whether a check is told to accept what it sees: `UPDATE_GOLDEN=1`, `INSTA_UPDATE=always`."""
    name = _words(assignment)
    if assignment.word.value == "overwrite":
        return True
    return _is_on(assignment) and not name.isdisjoint(_WRITING) and name.isdisjoint(_DENYING)


def skips_checks(assignment: Assignment) -> bool:
    """Whether the checks are left out: `SKIP_TESTS=1`, `TESTS=`, `GTEST_FILTER=-*`."""
    name, value = _words(assignment), assignment.word.value
    if assignment.name == "SKIP" and _is_on(assignment):  # names what is left out (pre-commit)
        return value is None or any(map(_is_a_check, value.split(",")))
    if value == "" and assignment.name.rpartition("_")[2].upper() in _SUITES:
        return True
    if value in {"-*", "-**"} and "FILTER" in name:
        return True
    named = not (name.isdisjoint(_SKIPPING) or name.isdisjoint(_CHECKS))
    return _is_on(assignment) and (named or not name.isdisjoint(_SKIPPING_CHECKS))


def narrows_checks(assignment: Assignment) -> bool:
    """Whether less is checked, or less is told: `SKIP_SLOW=1`, `TESTS=one`, `GTEST_FILTER=a*`."""
    if assignment.name.endswith("RUSTFLAGS"):
        flags = rust_flags(assignment).split()
        return any(flag.startswith(_WEAKENING_FLAGS) for flag in flags)
    name = _words(assignment)
    selects = assignment.name in _SELECTIONS or not name.isdisjoint(_NARROWING)
    return _is_on(assignment) and selects and name.isdisjoint(_PREPARATIONS)


def _is_a_check(name: str) -> bool:
    """Whether the name of a hook is that of a check: `mypy`, `go-test`, but not `check-yaml`."""
    parts = re.split(r"[-_:]", name.strip())
    return not _RUNNERS.isdisjoint(parts) or (len(parts) == 1 and names_check(parts[0]))


def options_of_variable(assignment: Assignment) -> tuple[str, list[str]]:
    """Return the program that a variable hands options to, and its words; no program for anybody's.

    No words where it hands on none. `npm_config_if_present=1` is `--if-present`.
    """
    name, value = assignment.name, assignment.word.value or ""
    if name in OPTION_VARIABLES:
        return OPTION_VARIABLES[name], value.split()
    if is_handed_on(assignment):
        return _runner_named(name), value.split()
    for prefix, program in _OPTION_PREFIXES.items():
        if name.lower().startswith(prefix):
            option = name.lower().removeprefix(prefix).replace("_", "-")
            return program, [f"--{option}={value}"] if _is_on(assignment) else []
    return "", []


def is_handed_on(assignment: Assignment) -> bool:
    """Whether a project itself hands the words of a variable on: `PYTEST_ARGS`, `CTESTFLAGS`."""
    if assignment.name in OPTION_VARIABLES:
        return False
    last = assignment.name.upper().rpartition("_")[2]
    return last in _HANDED_ON or (last.endswith(ENDS_HANDED_ON) and _runner_named(last) != "")


def hands_options_on(assignment: Assignment) -> bool:
    """Whether a variable that a program is given holds options, or says how much it tells.

    Any other one may say what is done: `make test PKG=./one`.
    """
    name = assignment.name
    return is_handed_on(assignment) or name in OPTION_VARIABLES or name in _SAYING


def _runner_named(name: str) -> str:
    """Return the runner for which a name says that its words are, empty where it says none."""
    stem = name.lower().rstrip("_")
    for ending in ENDS_HANDED_ON:
        stem = stem.removesuffix(ending.lower())
    return next((part for part in stem.split("_") if part in _TAKING), "")


def runs_contained(assignments: tuple[Assignment, ...]) -> bool:
    """Whether a command with these variables runs in a container."""
    return any(assignment.name == CONTAINER for assignment in assignments)


def runs_elsewhere(assignments: tuple[Assignment, ...]) -> bool:
    """Whether a container may run on another machine, where other folders have the same names."""
    return runs_contained(assignments) and any(
        one.name in _OTHER_MACHINES and not _ON_THIS.match(one.word.value or "?")
        for one in assignments
    )


def rust_flags(assignment: Assignment) -> str:
    """Return the flags that a variable gives the compiler of Rust, none from another variable."""
    if not assignment.name.endswith("RUSTFLAGS"):
        return ""
    value = assignment.word.value
    return "--cap-lints=allow" if value is None else value.replace("\x1f", " ")


def _words(assignment: Assignment) -> frozenset[str]:
    """Return the words of its name, as variables are mostly written."""
    return frozenset(map(str.upper, words_of_name(assignment.name)))


def _is_on(assignment: Assignment) -> bool:
    return (assignment.word.value or "").lower() not in _OFF or assignment.word.value is None
