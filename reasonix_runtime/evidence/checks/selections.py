"""Options that pick a part of what a program checks, or leave a part of it out.

On the command line a selection tells what was checked. In a variable nobody sees it, so that such a
run tells nothing; and what leaves out all that it was to check checks nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.recognised import behind_subcommand
from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from reasonix_runtime.evidence.options.command_line import CommandLine

_JEST: Final = words(
    "-t --testNamePattern --testPathPattern --testPathPatterns --testPathIgnorePatterns -o"
    " --onlyChanged --onlyFailures --changedSince --findRelatedTests --shard --selectProjects"
    " --exclude --changed"
)
# Of the programs that take options from variables of their own.
_PICKS: Final = {
    "pytest": words(
        "-k -m --lf --last-failed --sw --stepwise --deselect --ignore --ignore-glob --pyargs"
    ),
    "go": words("-run -skip -short -bench -list -fuzz"),
    "make": words("-o --old-file --assume-old -f --file --makefile"),
    "node": words("--test-name-pattern --test-skip-pattern --test-only --test-shard"),
    "mvn": words("-pl --projects -rf --resume-from -N --non-recursive"),
    "gradle": words("--tests -x --exclude-task"),
    "rspec": words(
        "-e --example -E --example-matches -t --tag -P --pattern --exclude-pattern --only-failures"
        " -n --next-failure"
    ),
    "rubocop": words("--only --except -l --lint --fail-level"),
    "ctest": words("-R -E -L -LE -I --tests-regex --exclude-regex --rerun-failed"),
    "tox": words("-e --env --skip-env --skip-missing-interpreters -x --override"),
    "npm": words("-w --workspace"),
    "jest": _JEST,
    "vitest": _JEST,
    "cargo": words(
        "-p --package --test --bin --bins --lib --doc --example --examples --bench --benches"
        " --exclude -E --filterset --run-ignored"
    ),
}
# Of the others.
_COMMON_PICKS: Final = words(
    "--filter -F --grep -g --only --tests --group --testsuite --tag --tags --name --plain-name -n"
    " -t --skip --exclude --test_filter --test-filter --spec --project -k --failed --shard"
    " --last-failed --only-changed --affected -only-testing -skip-testing"
)
_PICKING_SETTINGS: Final = re.compile(
    r"-D(?:it\.)?test|-D(?:excluded)?[gG]roups|-D(?:surefire|failsafe)\..*|-Dtest\.(?:single|.*filter)"
)
# Whose operands pick as well, where a variable holds them.
_OPERANDS_PICK: Final = words("pytest rspec")

# Handed on to tests of Rust: with these only those run that a plain run leaves out.
_LEFT_OUT_ALONE: Final = words("--ignored --bench")
# Options that pick tests by their tags, and tags of tests that do not run.
_BY_TAG: Final = {
    "pytest": words("-m"),
    "cargo": words("--run-ignored"),
    "mix": words("--only"),
    "rspec": words("-t --tag"),
    "phpunit": words("--group"),
    "dotnet": words("--filter"),
    "mvn": words("-Dgroups"),
    "playwright": words("-g --grep"),
    "cucumber": words("-t --tags"),
    "flutter": words("-t --tags"),
    "dart": words("-t --tags"),
}
_LEFT_OUT_TAGS: Final = words(
    "only skip skipped ignore ignored pending disabled disable todo wip xfail broken quarantine"
    " quarantined"
)
_TAG_KINDS: Final = words("category testcategory trait tag true or and")
_TAG: Final = re.compile(r"[A-Za-z]+|!|~")

_LEAVE_OUT: Final = {
    "pytest": words("--ignore --ignore-glob --deselect"),
    "jest": words("--testPathIgnorePatterns"),
    "vitest": words("--exclude"),
    "mocha": words("--ignore --exclude"),
    "make": words("-o --old-file --assume-old"),
    "go": words("-skip"),
    "ctest": words("-E --exclude-regex"),
    "node": words("--test-skip-pattern"),
    "phpunit": words("--exclude-filter --exclude-group --exclude-testsuite"),
    "pest": words("--exclude-filter --exclude-group --exclude-testsuite"),
    "mix": words("--exclude"),
    "nx": words("--exclude"),
    "lerna": words("--ignore"),
    "rspec": words("--exclude-pattern"),
    "ruff": words("--exclude --extend-exclude"),
    "flake8": words("--exclude --extend-exclude"),
    "black": words("--exclude --extend-exclude --force-exclude"),
    "mypy": words("--exclude"),
    "pylint": words("--ignore --ignore-paths --ignore-patterns"),
    "isort": words("--skip --skip-glob --extend-skip"),
    "bandit": words("-x --exclude"),
    "eslint": words("--ignore-pattern"),
    "stylelint": words("--ignore-pattern"),
    "deno": words("--ignore"),
    "cargo": words("--exclude"),
    "swift": words("--skip"),
    "xcodebuild": words("-skip-testing"),
    "playwright": words("--grep-invert --gv"),
}
# With a sign in front an operand is left out: `ava '!test/slow.js'`, `bazel test -- -//slow/...`.
_SIGNS: Final = {
    "ava": "!",
    "mocha": "!",
    "eslint": "!",
    "prettier": "!",
    "bazel": "-",
    "pants": "-",
}
# Options that pick projects; a sign in front of a value leaves one out: `mvn test -pl '!core'`.
_PROJECT_OPTIONS: Final = {
    "turbo": words("--filter -F"),
    "pnpm": words("--filter -F"),
    "mvn": words("-pl --projects"),
}
_FILTERS: Final = {**_PROJECT_OPTIONS, "lerna": words("--scope")}
_PROJECTS: Final = {
    **_PROJECT_OPTIONS,
    "nx": words("--projects -p --project"),
    "lerna": words("--scope"),
    "bun": words("--filter -F"),
    "npm": words("-w --workspace"),
    "cargo": words("-p --package"),
}
# An option of one dash that is a label or a path: `pants test :: -src/slow::`.
_LABEL: Final = re.compile(r"^-[^-].*[/:]")
_WITH_OTHERS: Final = words("-am --also-make")
_NX_TASKS: Final = words("test lint typecheck")
_DENYING: Final = {"dotnet": words("--filter")}
_DENIED: Final = re.compile(r"!(?:=|~)\s*([\w.]+)")
_EVERYTHING: Final = words(". * ** .* / **/* //...")
_TEST_FOLDERS: Final = words("test tests spec specs __tests__")
TESTERS: Final = words(
    "pytest go ctest jest vitest mocha node phpunit pest rspec swift playwright mix dotnet"
    " nx turbo pnpm lerna mvn bazel pants cargo deno xcodebuild"
)
"""Programs that run tests; the others only read the work."""
# It begins at the first of its slashes, each of which has one way to be read: tried from every
# one, or read in two ways, a long row of stars that ends otherwise takes for ever.
_PATH_END: Final = re.compile(r"(?<!/)(?<!/\*)(?<!/\*\*)(?:/\*{0,2})+$")


def picked_by(line: CommandLine) -> Iterator[tuple[str, str]]:
    """Yield the options, with their values, that pick a part of what a command checks."""
    options = _PICKS.get(line.program, _COMMON_PICKS)
    for item in line.options:
        if item.option in options or _PICKING_SETTINGS.fullmatch(item.option):
            yield item.option, item.value


def picks(line: CommandLine) -> bool:
    """Whether options that a variable holds pick a part of what their program checks."""
    options = _PICKS.get(line.program, frozenset())
    return (
        any(item.option in options for item in line.options)
        or (line.program in _OPERANDS_PICK and bool(line.operands))
        or any(_PICKING_SETTINGS.fullmatch(item.option) for item in line.options)
    )


def picks_what_is_left_out(line: CommandLine) -> bool:
    """Whether only those tests run that are left out otherwise: `cargo test -- --ignored`."""
    if line.program == "cargo" and not _LEFT_OUT_ALONE.isdisjoint(line.foreign):
        return "--include-ignored" not in line.foreign
    options = _BY_TAG.get(line.program, frozenset())
    return any(item.option in options and _is_left_out(item.value) for item in line.options)


def _is_left_out(tags: str) -> bool:
    """Whether a selection by tags names those alone that stand at what does not run."""
    found = [word.lower() for word in _TAG.findall(tags)]
    named = [word for word in found if word not in _TAG_KINDS]
    return bool(named) and _LEFT_OUT_TAGS.issuperset(named)


def leaves_out_all(line: CommandLine) -> bool:
    """Whether a command leaves out all that it was to check: `make -o test test`."""
    missing = {_plain(value) for value in left_out(line)}
    if not missing:
        return False
    everything = _EVERYTHING | (_TEST_FOLDERS if line.program in TESTERS else frozenset())
    if not missing.isdisjoint(everything):
        return True
    named = [_plain(word) for word in _named(line)]
    return bool(named) and all(
        any(name == folder or name.startswith((f"{folder}/", f"{folder}::")) for folder in missing)
        for name in named
    )


def left_out(line: CommandLine) -> Iterator[str]:
    """Yield what a command is told to leave out."""
    options = _LEAVE_OUT.get(line.program, frozenset())
    for at, item in enumerate(line.items):
        if item.option in options:
            behind = "".join(one.value for one in line.items[at + 1 : at + 2] if not one.option)
            yield from filter(None, (item.value or behind).split(","))
        if item.option in _FILTERS.get(line.program, frozenset()):
            yield from (one[1:] for one in item.value.split(",") if one.startswith(("!", "-")))
        if item.option in _DENYING.get(line.program, frozenset()):
            yield from _DENIED.findall(item.value)
    if sign := _SIGNS.get(line.program):
        labels = [item.option for item in line.options if _LABEL.search(item.option)]
        given = (*line.operands, *labels, *line.foreign)
        yield from (word[1:] for word in given if word.startswith(sign))


def left_unread(line: CommandLine) -> tuple[str, ...]:
    """Return the files and folders that a linter is told to leave out; nothing of tests."""
    return () if line.program in TESTERS else tuple(left_out(line))


def projects_picked(line: CommandLine) -> Iterator[str]:
    """Yield the projects that alone a command is to test: `nx run-many --projects=a,b`.

    A pattern stands for projects of which nothing is told, as do those that a project needs.
    """
    if line.program == "gradle":
        tasks = (word.rpartition(":") for word in line.operands)
        yield from (project or "*" for project, _, task in tasks if task != "clean")
    if any(item.option in _WITH_OTHERS for item in line.options):
        yield "*"
    options = _PROJECTS.get(line.program, frozenset())
    for item in line.options:
        if item.option in options:
            yield from item.value.split(",")
    if line.program == "nx" and len(line.operands) > 1 and line.operands[0] in _NX_TASKS:
        yield from line.operands[1:]
    if line.program == "nx" and line.operands[:1] == ("run",) and len(line.operands) > 1:
        yield line.operands[1].partition(":")[0]
    if line.program == "yarn" and line.operands[:1] == ("workspace",):
        yield from line.operands[1:2]


def _named(line: CommandLine) -> tuple[str, ...]:
    """Return what a command is to check, as far as it is named."""
    sign = _SIGNS.get(line.program)
    named = behind_subcommand(line)
    return tuple(word for word in named if not (sign and word.startswith(sign)))


def _plain(value: str) -> str:
    plain = _PATH_END.sub("", value.removeprefix("./"))
    return plain or value
