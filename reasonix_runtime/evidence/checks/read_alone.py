"""The files that a linter or a type checker is told to read: of the others it says nothing.

A test of one part may run another part of the work; a linter that is given `src/other.py` has not
seen what was changed, and whether a type checker came to it nobody knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.places import own_folders
from reasonix_runtime.evidence.checks.tables import SUBCOMMANDS
from reasonix_runtime.evidence.judged import is_check
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.options.command_line import read_command_line, tool_name
from reasonix_runtime.evidence.paths import below
from reasonix_runtime.evidence.running.reading import read
from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from reasonix_runtime.evidence.command_rules import CommandRules
    from reasonix_runtime.evidence.running.reading import Plain

_LINTERS: Final = words(
    "ruff flake8 black isort eslint prettier pylint rubocop shellcheck stylelint hadolint"
    " mypy pyright basedpyright ty pyrefly"
)
# Of another word nobody knows whether it is a folder, a package or a pattern.
_PATH: Final = re.compile(r"(?!-)[^*?\[{$]*(?:/[^*?\[{$]*|[^./*?\[{$]\.\w+)")
_NOTHING: Final[tuple[str, ...]] = ()


@memoised(1024)
def read_alone(command: str, rules: CommandRules) -> tuple[str, ...]:
    """Return the files and folders that the checks of a command read, where these are all told.

    Nothing for a command with a check of any other kind.
    """
    if not rules.wide_checks:
        return _NOTHING
    found: list[str] = []
    for plain in read(command, rules).commands:
        if is_check(plain, rules):
            told = tuple(_told(plain))
            if not told or not all(map(_PATH.fullmatch, told)):
                return _NOTHING
            folder = below("", *plain.moves, *own_folders(plain))
            found += [below(folder, name) for name in told]
    return tuple(found)


def _told(plain: Plain) -> Iterator[str]:
    """Yield the words of a linter that say what it reads; nothing of another check."""
    given = plain.words or ("",)
    line = read_command_line(tool_name(given[0]), given[1:])
    if line.program == "pre-commit" and "--files" in given:
        for word in given[given.index("--files") + 1 :]:
            if word.startswith("-"):
                return
            yield word
    elif line.program in _LINTERS:
        subcommand = line.operands[:1] if line.operands[:1] else ("",)
        named = subcommand[0] in SUBCOMMANDS.get(line.program, frozenset())
        yield from line.operands[1:] if named else line.operands
