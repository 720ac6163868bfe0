"""What a variable of the environment means for a command: other options, another program, a change.

Names are read word by word, as projects choose their own: `UPDATE_GOLDEN`, `SKIP_SLOW_TESTS`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from reasonix_runtime.evidence.shell import Assignment

# Variables that hand their program more options.
OPTION_VARIABLES: Final = {
    "PYTEST_ADDOPTS": "pytest",
    "GOFLAGS": "go",
    "MAKEFLAGS": "make",
    "NODE_OPTIONS": "node",
    "MAVEN_ARGS": "mvn",
    "MAVEN_OPTS": "mvn",
    "SPEC_OPTS": "rspec",
}
# Variables that put another program or library in the place of the named one.
_HIJACKING: Final = words(
    "LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES BASH_ENV ENV PYTEST_PLUGINS"
    " PYTHONSTARTUP SHELLOPTS PYTHONOPTIMIZE TOXENV NOXSESSION TOX_SKIP_ENV"
)
# Not set by anybody: the name under which the container of a command is kept.
CONTAINER: Final = "_CONTAINER"
# Variables by which a reading program can be made to run another one, and values that run none.
_RUNNING: Final = words(
    "PAGER LESSOPEN LESSCLOSE MANPAGER EDITOR VISUAL RIPGREP_CONFIG_PATH LD_PRELOAD BASH_ENV"
)
_NO_PAGER: Final = words("cat less more") | {""}
_KEPT_PATH: Final = words("$PATH ${PATH} $env:PATH %PATH%")

_WRITING: Final = words("UPDATE BLESS REGEN REGENERATE OVERWRITE REBASELINE RECORD")
_DENYING: Final = words("NO DISABLE NOTIFIER CHECK SKIP")
_SKIPPING: Final = words("SKIP DISABLE NO")
_CHECKS: Final = words("TEST TESTS LINT")
_PREPARATIONS: Final = words("DOWNLOAD INSTALL SMUDGE PREFLIGHT")
_NARROWING: Final = words("SKIP ONLY FILTER EXCLUDE SHARD GREP")
_SELECTIONS: Final = words("TEST TESTS TESTOPTS TESTARGS TEST_ARGS TESTFLAGS")
_WEAKENING_FLAGS: Final = ("--cap-lints", "-A", "--allow")
_OFF: Final = words("0 false no never off") | {""}


def replaces_program(assignment: Assignment) -> bool:
    """Whether another program may run in the place of the named one.

    A search path that keeps the old one is how every version manager is set up.
    """
    if assignment.name == "PATH":
        return not any(kept in assignment.word.text for kept in _KEPT_PATH)
    return assignment.name in _HIJACKING


def makes_readers_run(assignment: Assignment) -> bool:
    """Whether a program that only reads may be made to run another one."""
    name = assignment.name
    if name == "PATH":
        return replaces_program(assignment)
    runs = name in _RUNNING or name.startswith("GIT_")
    return runs and not (name.endswith("PAGER") and assignment.word.value in _NO_PAGER)


def makes_checks_write(assignment: Assignment) -> bool:
    """Whether a check is told to accept what it sees: `UPDATE_GOLDEN=1`, `INSTA_UPDATE=always`."""
    name = _parts(assignment)
    if assignment.word.value == "overwrite":
        return True
    return _is_on(assignment) and not name.isdisjoint(_WRITING) and name.isdisjoint(_DENYING)


def skips_checks(assignment: Assignment) -> bool:
    """Whether the checks are left out: `SKIP_TESTS=1`."""
    name = _parts(assignment)
    return _is_on(assignment) and not name.isdisjoint(_SKIPPING) and not name.isdisjoint(_CHECKS)


def narrows_checks(assignment: Assignment) -> bool:
    """Whether less is checked, or less is told: `SKIP_SLOW=1`, `TESTS=one`, `GTEST_FILTER=a*`."""
    if assignment.name == "RUSTFLAGS":
        flags = (assignment.word.value or _WEAKENING_FLAGS[0]).split()
        return any(flag.startswith(_WEAKENING_FLAGS) for flag in flags)
    name = _parts(assignment)
    selects = assignment.name in _SELECTIONS or not name.isdisjoint(_NARROWING)
    return _is_on(assignment) and selects and name.isdisjoint(_PREPARATIONS)


def _parts(assignment: Assignment) -> frozenset[str]:
    return frozenset(assignment.name.upper().split("_"))


def _is_on(assignment: Assignment) -> bool:
    return (assignment.word.value or "").lower() not in _OFF or assignment.word.value is None
