"""Whether a check runs the work or only reads it: a linter that passes outweighs no failed test."""

from __future__ import annotations

import re

from reasonix_runtime.evidence.command_kinds import is_check
from reasonix_runtime.evidence.command_rules import CommandRules
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.options.command_line import tool_name
from reasonix_runtime.evidence.running.reading import read
from reasonix_runtime.evidence.word_lists import words

_STATIC_PROGRAMS = words(
    "biome black eslint flake8 git golangci-lint hadolint isort mypy phpstan prettier psalm pylint"
    " pyright rubocop ruff shellcheck staticcheck stylelint tsc"
)
_STATIC_TARGET = re.compile(r"(?:clippy|fmt|format|lint|type-?check|types|vet)(?:[:_-].*)?")
_STATIC_PAIRS = frozenset({("cargo", "check"), ("node", "--check"), ("node", "-c")})
_NAMED_BY = 2
"""How many words after the program may name what it does: `run lint`, `-m mypy`."""


@memoised(1024)
def is_static(command: str, rules: CommandRules, *, passed: bool = False) -> bool:
    """Whether every check in a command only reads the work: a linter, a type or format check.

    What is not known as one counts as a test. Of a command that passed, only the checks count whose
    success that tells: in `pytest || true; mypy` a linter passed.
    """
    checks = [
        plain.words
        for plain in read(command, rules).commands
        if is_check(plain, rules) and (plain.owned or not passed)
    ]
    return bool(checks) and all(known is not None and reads_only(known) for known in checks)


def reads_only(command: tuple[str, ...]) -> bool:
    """Whether the words of a check are those of a linter, of a type or format check."""
    program, following = tool_name(command[0]), command[1 : 1 + _NAMED_BY]
    if program in _STATIC_PROGRAMS or (program, *following[:1]) in _STATIC_PAIRS:
        return True
    return any(
        word.lower() in _STATIC_PROGRAMS or _STATIC_TARGET.fullmatch(word.lower())
        for word in following
    )
