"""Formatters: commands that lay files out anew, mend what a linter found, or write a lock file.

What they change nobody is told, and everybody can see: it is a change after which the checks and
the look are old, but not one that may have done anything.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.names import RUN_BY_NAME, names_format
from reasonix_runtime.evidence.judged import changes_only_by
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.options.command_line import (
    CommandLine,
    names_given,
    read_command_line,
    tool_name,
)
from reasonix_runtime.evidence.options.replacements import replaces_program
from reasonix_runtime.evidence.paths import below
from reasonix_runtime.evidence.running.reading import read
from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
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
# Sub-commands that install what the project asks for, and write down which versions those are.
_LOCKING: Final = {
    "npm": words("install i"),
    "yarn": words("install") | {""},
    "pnpm": words("install i"),
    "bun": words("install i"),
    "bundle": words("install lock") | {""},
    "mix": words("deps.get"),
    "dart": frozenset({"pub get"}),
    "flutter": frozenset({"pub get"}),
    "go": frozenset({"mod tidy"}),
    "uv": words("lock sync"),
    "poetry": words("lock"),
    "pdm": words("lock install"),
    "cargo": words("generate-lockfile"),
    "dotnet": words("restore"),
    "pod": words("install"),
    "terraform": words("init"),
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
    told = plain.words or ("",)
    line = read_command_line(tool_name(told[0]), told[1:])
    operands = line.operands
    if line.program in _NAMED or _locks(line) or any(map(_PATTERN.search, operands)):
        return ()
    pair = f"{line.program} {operands[0]}" if operands else ""
    return operands[1:] if pair in _FORMATTERS or pair in _WITH_OPTION else operands


def formats(plain: Plain) -> bool:
    """Whether one command lays files out."""
    told = plain.words
    if told is None or any(map(replaces_program, plain.assignments)):
        return False
    line = read_command_line(tool_name(told[0]), told[1:])
    return _locks(line) or (
        all(item.name not in _MORE for item in line.options)
        and (_is_formatter(line) or _names_format(line))
    )


def _locks(line: CommandLine) -> bool:
    """Whether a command installs what the project asks for; a package by its name is another."""
    asked = " ".join(line.operands) in _LOCKING.get(line.program, frozenset())
    return asked and all(item.name in _LOCKING_ALONE for item in line.options)


def _is_formatter(line: CommandLine) -> bool:
    pair = f"{line.program} {line.operands[0] if line.operands else ''}"
    demanded = _WITH_OPTION.get(line.program) or _WITH_OPTION.get(pair, frozenset())
    return (
        line.program in _FORMATTERS
        or pair in _FORMATTERS
        or any(item.option in demanded for item in line.options)
    )


def _names_format(line: CommandLine) -> bool:
    """Whether all that a project named, and is run, is called like a formatter."""
    names = names_given(line, _NAMED)
    return bool(names) and all(map(names_format, names))
