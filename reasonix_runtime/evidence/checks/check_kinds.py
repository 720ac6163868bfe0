"""What a command is, seen as a check, beyond the table of DL-03: its options and variables say so.

`check_kind` is asked with static words from which wrappers and assignments are already taken off.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.recognised import (
    demanded_options,
    is_check_by_name,
    is_known_runner,
    names_sessions,
    with_sessions,
)
from reasonix_runtime.evidence.checks.selections import (
    leaves_out_all,
    picks,
    picks_what_is_left_out,
)
from reasonix_runtime.evidence.checks.tables import FORM_HOOKS
from reasonix_runtime.evidence.checks.verification import is_option
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
    HANDED,
    OPTION_VARIABLES,
    is_handed_on,
    makes_checks_write,
    makes_readers_run,
    options_of_variable,
    runs_elsewhere,
    rust_flags,
    set_behind,
    skips_checks,
)
from reasonix_runtime.evidence.scratch_places import UNTOLD
from reasonix_runtime.evidence.shell.script import Assignment
from reasonix_runtime.evidence.word_lists import words as word_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class CheckKind(StrEnum):
    """What a command is, seen as a check."""

    CHECK = "check"
    LENIENT = "lenient"  # a check that passes also where there is no test: its output has to tell
    EMPTY = "empty"  # a check that checks nothing, or does not tell a failure; changes nothing
    WRITES = "writes"  # a check that changes files or writes a report
    NONE = "none"


_SELECTS_NOTHING: Final = word_set("^$ none xxx ^x$ ^none$ ^^ - nothing ^nothing$")
_SELECTS_ALL: Final = word_set(". .* ^ ^. ^.* ^.*$ .*$ Test ^Test")
_ALLOWS_ALL: Final = re.compile(
    r"(?:^|\s)(?:--cap-lints[= ]allow|(?:-A|--allow)[= ]?(?:warnings|clippy::all))(?:\s|$)"
)
_SKIPS_TESTS: Final = re.compile(
    r"-[dp](?:org\.gradle\.project\.)?skip(?:[\w.-]*(?:tests?|checks?|all)(?![a-z])[\w.-]*)?"
)
# Options by which linters leave rules out, and by which some are asked for all the same.
_RULES_OFF: Final = {
    "pylint": word_set("-d --disable"),
    "ruff": word_set("--ignore --extend-ignore"),
    "flake8": word_set("--ignore --extend-ignore"),
}
_RULES_ON: Final = word_set("-e --enable --select --extend-select")
# The same of ruff, told as a setting: `--config 'lint.select=[]'`.
_SETTING: Final = re.compile(r"\s*(?:lint\.)?([a-z-]+)\s*=\s*\[([^\]]*)\]\s*")
_QUOTES: Final = str.maketrans("", "", "'\" ")
_NONE: Final[frozenset[str]] = frozenset()
# The kinds of rules that a linter has; how those of flake8 are called, where others refuse a name.
_KINDS_OF_RULES: Final = {"pylint": word_set("e w c r"), "flake8": word_set("e w f")}
_RULE_OF_FLAKE8: Final = re.compile(r"\s*[A-Z]{1,3}\d{0,3}\s*", re.IGNORECASE)
# Without its own configuration ESLint has the rules alone that stand behind one of these.
_NO_CONFIG: Final = word_set("--no-eslintrc --no-config-lookup")
_CONFIG: Final = word_set("-c --config --rule")
# A selection of tests, and what lets one pass that selects none.
_SELECTED: Final = re.compile(r"-d(?:it\.)?test")
_MAY_SELECT_NONE: Final = re.compile(
    r"-d(?:surefire\.|failsafe\.|it\.)?failifno(?:specified)?tests"
)
# `yarn workspaces foreach run test` passes also where no package has such a script.
_FOR_EACH: Final = ("workspaces", "foreach")
_ANY_TEST: Final = CommandLine("ctest", ())
_PROBES: Final = word_set("--version -V --help -h version help -v")


def check_kind(
    words: tuple[str, ...],
    assignments: tuple[Assignment, ...] = (),
    *,
    cargo: bool = True,
    work: str = UNTOLD,
) -> CheckKind:
    """Say what a command is, seen as a check.

    Without `cargo`, `cargo check` is no check: it writes what it built. What goes to scratch
    changes nothing, as far as it is known where the `work` stands (`CommandRules.work`).
    """
    program = tool_name(words[0])
    line = with_sessions(read_command_line(program, words[1:]), assignments)
    if not is_check_by_name(line, words, cargo=cargo):
        probes = len(words) == 2 and words[1] in _PROBES and is_known_runner(program)
        return CheckKind.EMPTY if probes else CheckKind.NONE
    variables = tuple(_variables(line, assignments))
    handed = [_handed_by(variable) for variable in variables]
    taken = [_handed_by(variable) for variable in variables if not is_handed_on(variable)]
    options = [(reader, item) for reader in (line, *handed) for item in reader.options]
    options += [option for item in line.options for option in _set_by(line, item)]
    # What stands after `--` goes to a program that is not named, so it is read as anybody's.
    handed_on, anybody = _foreign_options(line), CommandLine("", ())
    told = [*options, *((anybody, item) for item in handed_on)]
    if (
        any(writes(reader, item, work) for reader, item in told)
        or any(map(makes_checks_write, variables))
        or _mypy_reports(line)
    ):
        return CheckKind.WRITES
    if (
        _is_replaced(line, variables, options)
        or runs_elsewhere(assignments)
        or any(map(skips_checks, variables))
        or any(map(picks, taken))
        or leaves_out_all(line)
        or picks_what_is_left_out(line)
        or any(_is_empty(reader, item) for reader, item in options)
        or any(empties(anybody, item) for item in handed_on)
        or _lints_nothing(line, variables)
        or _looks_at_form(line)
        or any(map(_asks_for_dry_run, handed))
    ):
        return CheckKind.EMPTY
    return CheckKind.LENIENT if _is_lenient(line, assignments, told) else CheckKind.CHECK


def _is_lenient(
    line: CommandLine,
    assignments: tuple[Assignment, ...],
    told: Sequence[tuple[CommandLine, Item]],
) -> bool:
    """Whether a check also ends well where it ran nothing."""
    return (
        any(may_run_none(item) or _may_select_none(reader, item) for reader, item in told)
        or any(variable.name == HANDED for variable in assignments)
        or line.operands[:2] == _FOR_EACH
    )


def _foreign_options(line: CommandLine) -> list[Item]:
    """Return the options after a lone `--`, which the program hands on."""
    return [
        Item(option, value)
        for option, _, value in (word.partition("=") for word in line.foreign if is_option(word))
    ]


def _variables(line: CommandLine, assignments: tuple[Assignment, ...]) -> Iterator[Assignment]:
    """Yield what is set for a run: before it, and where the program takes it, after it."""
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


def _is_replaced(
    line: CommandLine, variables: tuple[Assignment, ...], options: list[tuple[CommandLine, Item]]
) -> bool:
    """Whether an option or a variable may put something else in the place of what is named."""
    return any(option_replaces(item.name, item.value) for _, item in options) or any(
        (replaces_program(variable) and not names_sessions(line, variable))
        or (line.program == "git" and makes_readers_run(variable))
        or (variable.name in OPTION_VARIABLES and variable.word.value is None)
        for variable in variables
    )


def _lints_nothing(line: CommandLine, variables: tuple[Assignment, ...]) -> bool:
    """Whether a linter is told to let everything pass: `RUSTFLAGS=-Awarnings cargo clippy`.

    So is `pylint --disable=all`, where no rule is asked for besides.
    """
    program = line.program
    off = _RULES_OFF.get(program, _NONE)
    options = [*map(_as_option, line.options)] if program == "ruff" else line.options
    if off and not any(
        item.option in _RULES_ON and _asks_for_rules(program, item.value) for item in options
    ):
        return any(
            _leaves_no_rule(program, item.value)
            if item.option in off
            else item.option == "--select"
            for item in options
        )
    if program == "eslint" and any(item.option in _NO_CONFIG for item in line.options):
        told = [item.value for item in line.options if item.option in _CONFIG]
        return not any(map(str.isalnum, "".join(told)))
    if line.program != "cargo" or line.operands[:1] != ("clippy",):
        return False
    flags = map(rust_flags, variables)
    return _ALLOWS_ALL.search(" ".join([*flags, *line.foreign])) is not None


def _as_option(item: Item) -> Item:
    """Return what sets a list of rules as the option of the same name."""
    told = _SETTING.fullmatch(item.value) if item.option == "--config" else None
    return item if told is None else Item(f"--{told[1]}", told[2].translate(_QUOTES))


def _asks_for_rules(program: str, asked: str) -> bool:
    """Whether a list of rules names one; flake8 takes any word, and finds nothing by most."""
    if program != "flake8":
        return bool(asked)
    return any(map(_RULE_OF_FLAKE8.fullmatch, asked.split(",")))


def _leaves_no_rule(program: str, left_out: str) -> bool:
    """Whether a list of rules to leave out has all of them: `all`, or each kind that there is."""
    told = {rule.strip() for rule in left_out.lower().split(",")}
    kinds = _KINDS_OF_RULES.get(program)
    return "all" in told or (kinds is not None and told >= kinds)


def _looks_at_form(line: CommandLine) -> bool:
    """`pre-commit run trailing-whitespace -a`, which says nothing of what a program does."""
    hooks = line.operands[1:]
    return line.program == "pre-commit" and bool(hooks) and FORM_HOOKS.issuperset(hooks)


def _is_empty(line: CommandLine, item: Item) -> bool:
    demanded = demanded_options(line)
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
