"""The files of tests that a run is told: a changed test that is none of them did not run."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.places import folder_of
from reasonix_runtime.evidence.checks.recognised import behind_subcommand
from reasonix_runtime.evidence.options.variables import runs_contained
from reasonix_runtime.evidence.paths import below, stands_below
from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from reasonix_runtime.evidence.options.command_line import CommandLine
    from reasonix_runtime.evidence.running.reading import Plain

_BY_PATH: Final = words(
    "pytest rspec mix phpunit pest bats prove busted jest vitest mocha dotnet bun deno node"
    " unittest"
)
_OF_SCRIPTS: Final = tuple(
    f"{mark}{kind}s{more}" for mark in (".", ".c", ".m") for kind in "jt" for more in ("", "x")
)
_PATH: Final = re.compile(r"(?!-)[^*?\[{$@]*(?:/[^*?\[{$]*|\.\w+)(?:::.*)?")
_LINE: Final = re.compile(r"::.*|(?::\d+)+$")
_TEST: Final = re.compile(
    r"test_\w+\.py|\w+_test\.(?:py|exs)|\w+_spec\.(?:rb|lua)|\w+Test\.php|\w+\.(?:bats|t)"
    r"|[\w.-]+\.(?:test|spec|cy)\.[cm]?[jt]sx?"
)


def tests_told(plain: Plain, line: CommandLine) -> tuple[str, ...]:
    """Return the files and folders of tests that alone a run is told, nothing for all tests."""
    if line.program not in _BY_PATH or runs_contained(plain.assignments):
        return ()
    runs = line.operands[:1] in {("run",), ("test",), ("discover",)}
    named = line.operands[1:] if runs else behind_subcommand(line)
    if not all(map(_PATH.fullmatch, named)):
        return ()
    folder = folder_of(plain)
    return tuple(below(folder, _LINE.sub("", name)) for name in named)


class ToldTests:
    """The tests that alone a run is told."""

    __slots__ = ("_keys", "_names")

    def __init__(self, tests: Sequence[str], key: Callable[[str], str]) -> None:
        self._names = tests
        self._keys = {key(test) for test in tests}

    def may_run(self, path: str) -> bool:
        """Whether the run comes to a path, told by its key; any test runs the work."""
        if _TEST.fullmatch(path.rpartition("/")[2]) is None:
            return True
        if path in self._keys or stands_below(path, self._keys):
            return True
        return path.endswith(_OF_SCRIPTS) and any(_is_part(test, path) for test in self._names)


def _is_part(test: str, path: str) -> bool:
    """Whether a runner that looks for a part of a path may find one: `jest cart.test`."""
    return test.removeprefix("./") in path
