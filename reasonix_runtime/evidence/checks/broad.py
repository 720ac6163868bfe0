"""Whether a verification is broad: it checks the whole project and no part of it (FC-06)."""

from __future__ import annotations

from collections.abc import Sequence

from reasonix_runtime.evidence.checks.verification import program_name
from reasonix_runtime.evidence.command_rules import CommandRules
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.running.reading import read

_WHOLE = frozenset({".", "./", "test", "test/", "tests", "tests/"})
_SOURCES = (".js", ".jsx", ".py", ".pyi", ".ts", ".tsx")
_GO_FILTERS = ("run", "bench", "list", "skip")
_NPM_SCRIPTS = frozenset({"check", "lint", "test", "typecheck"})
_PYTEST_VALUES = frozenset({"-c", "-n", "-o", "-p", "-W", "--maxfail", "--rootdir", "--tb"})
_PYTEST_FILTERS = frozenset({"-k", "-m", "--deselect", "--ignore", "--lf", "--last-failed", "--ff"})


@memoised(4096)
def is_broad(command: str, rules: CommandRules) -> bool:
    """Whether a command checks everything and cannot hide that it failed."""
    reading = read(command, rules)
    if not reading.readable or reading.hides:
        return False
    return any(_broad_words(plain.words) for plain in reading.commands if plain.words)


def _broad_words(words: Sequence[str]) -> bool:
    program, rest = program_name(words[0]), list(words[1:])
    match program:
        case "go":
            return bool(rest) and rest[0] in ("test", "vet") and _broad_go(rest[1:])
        case "pytest" | "py.test":
            return _broad_pytest(rest)
        case "python" | "python3":
            return (
                rest[:1] == ["-m"]
                and rest[1:2] in (["pytest"], ["unittest"])
                and (_broad_pytest(rest[2:]))
            )
        case "npm" | "pnpm" | "yarn":
            return rest == ["test"] or (
                len(rest) == 2 and rest[0] == "run" and rest[1] in _NPM_SCRIPTS
            )
        case "make":
            return len(rest) == 1 and not rest[0].startswith("-")
        case "cargo":
            return rest[:1] == ["test"] and not any(_operand(word) for word in rest[1:])
        case "mypy":
            return not any(map(_names_file, rest))
        case "tsc":
            return "--noEmit" in rest and not any(map(_names_file, rest))
        case _:
            return False


def _operand(word: str) -> bool:
    return not word.startswith("-")


def _names_file(word: str) -> bool:
    """Whether a word names a source file to a type checker."""
    return _operand(word) and word.endswith(_SOURCES)


def _broad_go(rest: Sequence[str]) -> bool:
    filtered = any(
        word.startswith("-")
        and word.lstrip("-").removeprefix("test.").partition("=")[0] in _GO_FILTERS
        for word in rest
    )
    return "./..." in rest and not filtered


def _broad_pytest(rest: Sequence[str]) -> bool:
    """Whether a pytest line names no target, or only the whole of the tests."""
    words = list(rest)
    while words:
        word = words.pop(0)
        if word.partition("=")[0] in _PYTEST_FILTERS:
            return False
        if word in _PYTEST_VALUES:
            del words[:1]
        elif _operand(word) and word not in _WHOLE:
            return False
    return True
