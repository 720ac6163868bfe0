"""Commands that lay files out, mend what a linter found, or write lock files and generated code.

With them stand those that take the work tree back to what git holds, or bring back what was put
away. Nobody is told what they change, and everybody can see it: after them the checks and the looks
are old, but they have not done what only a review could tell.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from reasonix_runtime.evidence.checks.names import RUN_BY_NAME, names_format, names_generator
from reasonix_runtime.evidence.command_kinds import changes_only_by
from reasonix_runtime.evidence.effects.git_commands import brings_stash, drops_stash, takes_back
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.options.command_line import (
    CommandLine,
    line_of_words,
    names_given,
)
from reasonix_runtime.evidence.options.replacements import line_as_named
from reasonix_runtime.evidence.paths import below
from reasonix_runtime.evidence.running.reading import read
from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reasonix_runtime.evidence.command_rules import CommandRules
    from reasonix_runtime.evidence.running.reading import Plain

# Programs, perhaps with a sub-command, that lay files out.
_FORMATTERS: Final = words(
    "black isort rustfmt rufo stylua nixfmt alejandra pint phpcbf swiftformat docformatter"
    " pyupgrade dprint"
) | {
    *("ruff format", "cargo fmt", "go fmt", "deno fmt", "mix format", "dart format", "zig fmt"),
    *("dotnet format", "terraform fmt", "php-cs-fixer fix", "taplo fmt", "taplo format"),
    *("gleam format", "forge fmt", "hatch fmt", "golangci-lint fmt", "sqlfluff format"),
}
# Those that write code anew from what the work says; which files that are, the work says as well.
_GENERATORS: Final = words(
    "protoc sqlc gqlgen oapi-codegen openapi-generator-cli graphql-codegen swag wire mockgen"
    " stringer controller-gen"
) | {
    *("go generate", "buf generate", "prisma generate", "templ generate", "sqlboiler generate"),
    *("openapi-generator generate", "drizzle-kit generate:types", "relay-compiler compile"),
    "build_runner build",
}
# The same, with one of these options.
_WITH_OPTION: Final = {
    "ruff check": words("--fix"),
    "eslint": words("--fix"),
    "stylelint": words("--fix"),
    "oxlint": words("--fix"),
    "markdownlint": words("--fix -f"),
    "standardrb": words("--fix"),
    "golangci-lint run": words("--fix"),
    "prettier": words("--write -w"),
    "biome check": words("--write --apply --fix"),
    "biome format": words("--write --fix"),
    "biome lint": words("--write --apply --fix"),
    "rubocop": words("-a --autocorrect -x --fix-layout --safe-auto-correct"),
    "gofmt": words("-w"),
    "goimports": words("-w"),
    "gofumpt": words("-w"),
    "shfmt": words("-w --write"),
    "clang-format": words("-i"),
    "autopep8": words("-i --in-place"),
    "autoflake": words("-i --in-place"),
    "yapf": words("-i --in-place"),
    "buf format": words("-w --write"),
    "ktlint": words("-F --format"),
    "swift-format": words("-i --in-place"),
}
# Tasks and goals of plugins that do nothing else, of tools that would do more with any other.
_TASKS: Final = words(
    "spotlessApply ktlintFormat formatKotlin googleJavaFormat spotless:apply fmt:format"
    " formatter:format ktlint:format scalafmt scalafmtAll scalafmtSbt javafmt javafmtAll"
)
_RUNNING_TASKS: Final = words("gradle mvn sbt")
# Sub-commands that install what the project asks for, and write down which versions those are.
_INSTALLING: Final = {
    "npm": words("install i"),
    "yarn": words("install") | {""},
    "pnpm": words("install i"),
    "bun": words("install i"),
    "bundle": words("install") | {""},
    "mix": words("deps.get"),
    "dart": frozenset({"pub get"}),
    "flutter": frozenset({"pub get"}),
    "uv": words("sync"),
    "pdm": words("install"),
    "dotnet": words("restore"),
    "pod": words("install"),
    "terraform": words("init"),
}
# Those that only write that down.
_LOCKING: Final = {
    "bundle": words("lock"),
    "go": frozenset({"mod tidy"}),
    "uv": words("lock"),
    "poetry": words("lock"),
    "pdm": words("lock"),
    "cargo": words("generate-lockfile"),
    "swift": frozenset({"package resolve"}),
}
_LOCKING_ALONE: Final = words(
    "no-audit no-fund silent quiet q verbose v prefer-offline legacy-peer-deps ignore-scripts"
    " no-progress loglevel non-interactive no-interaction jobs j retry all-extras extra dev backend"
    " input no-color no-optional production prefer-frozen-lockfile no-frozen-lockfile"
)
# With these they do more, or something else.
_MORE: Final = words(
    "unsafe-fixes apply-unsafe unsafe fix-suggestions plugin plugins rulesdir c code r parser"
    " resolve-plugins-relative-to"
)
_ELSEWHERE: Final = re.compile(r"\s(?:-C|--git-dir|--work-tree)\b")
_FILE: Final = re.compile(r".*[^./]\.\w+")
_PATTERN: Final = re.compile(r"[*?\[{]|\.\.\.")
_NAMED: Final = {**RUN_BY_NAME, "make": frozenset({""}), "composer": words("run") | {""}}


@memoised(2048)
def only_formats(command: str, rules: CommandRules) -> bool:
    """Whether all that a command changes is how files are laid out."""
    return rules.wide_checks and changes_only_by(formats, command, rules)


@memoised(1024)
def formatted_by(command: str, rules: CommandRules) -> tuple[str, ...]:
    """Return the files and folders that a command lays out; nothing for any other command.

    A dot stands for the workspace, and for whatever a project or a pattern names.
    """
    if not only_formats(command, rules):
        return ()
    found: list[str] = []
    for plain in filter(formats, read(command, rules).commands):
        named = formatted_in(plain)
        found += [below("", *plain.moves, name) for name in named] or ["."]
    return tuple(found)


def is_file(path: str) -> bool:
    """Whether a path is called like a file; a folder does not say which files there are."""
    return _FILE.fullmatch(path) is not None


def formatted_in(plain: Plain) -> tuple[str, ...]:
    """Return what one command is told to lay out, nothing where a project or a pattern says it."""
    if git := _words_of_git(plain):
        return takes_back(git)
    line = line_of_words(plain.words or ("",))
    operands = line.operands
    unnamed = (
        line.program in _NAMED or line.program in _RUNNING_TASKS or _locks(line) or _generates(line)
    )
    if unnamed or any(map(_PATTERN.search, operands)):
        return ()
    return operands[1:] if line.start in _FORMATTERS or line.start in _WITH_OPTION else operands


def formats(plain: Plain) -> bool:
    """Whether one command lays files out."""
    if git := _words_of_git(plain):
        return bool(takes_back(git)) or brings_stash(git) or drops_stash(git)
    line = line_as_named(plain)
    return line is not None and (
        _locks(line)
        or (
            all(item.name not in _MORE for item in line.options)
            and (_is_formatter(line) or _generates(line) or _names_format(line))
        )
    )


@memoised(1024)
def only_takes_back(command: str, rules: CommandRules) -> bool:
    """Whether a command takes what it changes back to what git holds, and nothing else."""
    return rules.wide_checks and changes_only_by(_takes_back, command, rules)


def _takes_back(plain: Plain) -> bool:
    return plain.owned and bool(takes_back(_words_of_git(plain)))


class Stashing(NamedTuple):
    """Whether a command puts changes away, brings back what was put away, or throws it away."""

    puts: bool
    brings: bool
    drops: bool


@memoised(1024)
def stashing(command: str, rules: CommandRules) -> Stashing:
    """Return what a command does with a stash; what it brings back it may have put away itself."""
    told = [_words_of_git(plain) for plain in read(command, rules).commands]
    puts = any(one[1:2] == ("stash",) and takes_back(one) for one in told)
    return Stashing(puts, any(map(brings_stash, told)), any(map(drops_stash, told)))


def _words_of_git(plain: Plain) -> tuple[str, ...]:
    """Return the words of a git command in the repository of its folder, else nothing."""
    words = plain.words or ()
    return words if words[:1] == ("git",) and not _ELSEWHERE.search(plain.segment.text) else ()


def installs_as_asked(plain: Plain) -> bool:
    """Whether one command installs what the project asks for, and nothing by its name."""
    line = line_as_named(plain)
    return line is not None and _locks(line) and _asks_for(line, _INSTALLING)


def _locks(line: CommandLine) -> bool:
    """Whether a command installs what the project asks for; a package by its name is another."""
    asked = _asks_for(line, _INSTALLING) or _asks_for(line, _LOCKING)
    return asked and all(item.name in _LOCKING_ALONE for item in line.options)


def _asks_for(line: CommandLine, commands: Mapping[str, frozenset[str]]) -> bool:
    return " ".join(line.operands) in commands.get(line.program, frozenset())


def _is_formatter(line: CommandLine) -> bool:
    demanded = _WITH_OPTION.get(line.program) or _WITH_OPTION.get(line.start, frozenset())
    return (
        line.program in _FORMATTERS
        or (line.program in _RUNNING_TASKS and _runs_formatters_alone(line.operands))
        or line.start in _FORMATTERS
        or any(item.option in demanded for item in line.options)
    )


def _runs_formatters_alone(tasks: tuple[str, ...]) -> bool:
    """Whether all tasks are formatters: `:app:spotlessApply`, `spotless:apply`."""
    called = [task if task in _TASKS else task.rpartition(":")[2] for task in tasks]
    return bool(called) and _TASKS.issuperset(called)


def _generates(line: CommandLine) -> bool:
    run = line.operands[1:3] if line.start == "dart run" else ()
    called = {line.program, line.start, " ".join(run)}
    return not _GENERATORS.isdisjoint(called)


def _names_format(line: CommandLine) -> bool:
    """Whether all that a project named, and is run, is called like a formatter or a generator."""
    names = names_given(line, _NAMED)
    return bool(names) and all(names_format(name) or names_generator(name) for name in names)
