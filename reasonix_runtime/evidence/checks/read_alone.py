"""The files that a linter or a type checker is told to read: of the others it says nothing.

A test of one part may run another part of the work; a linter that is given `src/other.py` has not
seen what was changed, and whether a type checker came to it nobody knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.places import folder_of
from reasonix_runtime.evidence.checks.recognised import behind_subcommand
from reasonix_runtime.evidence.paths import below
from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from reasonix_runtime.evidence.options.command_line import CommandLine
    from reasonix_runtime.evidence.running.reading import Plain

_LINTERS: Final = words(
    "ruff flake8 black isort eslint prettier pylint rubocop shellcheck stylelint hadolint"
    " mypy pyright basedpyright ty pyrefly tsc helm"
    " yamllint actionlint sqlfluff phpstan phpcs oxlint biome swiftlint"
) | {"deno lint", "deno check", "deno fmt"}
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


def _told(plain: Plain, line: CommandLine) -> Iterator[str]:
    """Yield the words of a linter that say what it reads; nothing of another check."""
    given = plain.words or ()
    if line.program == "pre-commit" and "--files" in given:
        for word in given[given.index("--files") + 1 :]:
            if word.startswith("-"):
                return
            yield word
    elif line.program in _LINTERS or line.start in _LINTERS:
        yield from behind_subcommand(line)
    elif _READ_BY_OPTION.get(line.program, "") in given:
        yield from line.operands or [item.value for item in line.options if item.value]
