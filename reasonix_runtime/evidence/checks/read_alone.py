"""The files that a linter or a type checker is told to read: of the others it says nothing.

A test of one part may run another part of the work; a linter that is given `src/other.py` has not
seen what was changed, and whether a type checker came to it nobody knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.places import folder_of, surely_named
from reasonix_runtime.evidence.checks.recognised import behind_subcommand
from reasonix_runtime.evidence.options.tools import TOOL_OPTIONS
from reasonix_runtime.evidence.paths import below
from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from reasonix_runtime.evidence.options.command_line import CommandLine
    from reasonix_runtime.evidence.running.reading import Plain

_LINTERS: Final = words(
    "ruff flake8 black isort eslint prettier pylint rubocop shellcheck stylelint hadolint"
    " mypy pyright basedpyright ty pyrefly tsc helm"
    " yamllint actionlint sqlfluff phpstan phpcs oxlint biome swiftlint"
    " pycodestyle pyflakes pydocstyle bandit vulture interrogate standardrb markdownlint"
    " markdownlint-cli2 ansible-lint ansible-playbook cfn-lint codespell typos luacheck selene"
    " hlint ktlint kubeconform kubeval perlcritic cpplint vale solhint psalm spectral protolint"
    " taplo shfmt gofmt stylua alejandra nixfmt swiftformat php-cs-fixer pint erb_lint xmllint"
) | {"deno lint", "deno check", "deno fmt", "dart analyze", "dart format", "zig fmt"}
# Of a play they read the roles and the tasks as well that it takes in.
_WITH_PARTS: Final = words("ansible-lint ansible-playbook")
_PARTS: Final = words(
    "roles tasks handlers templates vars defaults meta files group_vars host_vars"
)
# Programs that with this option read what they are given, and run nothing of it.
_READ_BY_OPTION: Final = {"php": "-l", "node": "--check", "bash": "-n", "sh": "-n", "zsh": "-n"}
# Of another word nobody knows whether it is a folder, a package or a pattern.
_PATH: Final = re.compile(r"(?!-)[^*?\[{$]*(?:/[^*?\[{$]*|[^./*?\[{$]\.\w+)")


def read_alone(plain: Plain, line: CommandLine) -> tuple[str, ...]:
    """Return the files and folders that a check reads, where these are all told.

    Nothing for a check of any other kind. `line` holds the words of the command.
    """
    told = tuple(_told(plain, line))
    if not all(map(_PATH.fullmatch, told)):
        return ()
    folder = folder_of(plain)
    return tuple(below(folder, name) for name in told)


def reads_with_it(line: CommandLine, path: str) -> bool:
    """Whether a check that is told its files may read a path with them: the role of a play."""
    return line.program in _WITH_PARTS and not _PARTS.isdisjoint(path.split("/")[:-1])


def _told(plain: Plain, line: CommandLine) -> Iterator[str]:
    """Yield the words of a linter that say what it reads; nothing of another check."""
    given = plain.words or ()
    if line.program == "pre-commit" and "--files" in given:
        for word in given[given.index("--files") + 1 :]:
            if word.startswith("-"):
                return
            yield word
    elif line.program in _LINTERS or line.start in _LINTERS:
        named = behind_subcommand(line)
        # Of a program whose options nobody listed, a word behind one of them may be its value.
        if line.program in TOOL_OPTIONS or any(name in named for name in surely_named(line)):
            yield from named
    elif _READ_BY_OPTION.get(line.program, "") in given:
        yield from line.operands or [item.value for item in line.options if item.value]
