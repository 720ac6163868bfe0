"""What the checks of a command are told to leave out.

To leave out a test that fails for another reason is honest. To leave out the tests of what was
changed, or the tests that were changed, is no check of it. `selections.py` knows what leaves out
everything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.places import root_of
from reasonix_runtime.evidence.checks.selections import TESTERS, left_out
from reasonix_runtime.evidence.citing.same_words import foreign_items
from reasonix_runtime.evidence.command_kinds import is_check
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.options.command_line import CommandLine, line_of_words
from reasonix_runtime.evidence.paths import stands_below
from reasonix_runtime.evidence.running.reading import read
from reasonix_runtime.evidence.word_lists import words, words_of_name

if TYPE_CHECKING:
    from reasonix_runtime.evidence.command_rules import CommandRules

_DENIED: Final = re.compile(r"\bnot\s+\(?([\w\s]+)")
# What stands around the folder in a label: `//src/server/...`, `src/server::`, `//a:test`.
_LABEL: Final = re.compile(r"^//|/\.{3}$|::?\w*$")
_TEST_WORDS: Final = words("test tests spec specs")
_SHORTEST_NAME: Final = 3


@memoised(1024)
def left_out_by(command: str, rules: CommandRules) -> tuple[str, ...]:
    """Return what the tests of a command are told to leave out: paths, names, patterns of names."""
    found: list[str] = []
    for plain in read(command, rules).commands:
        if is_check(plain, rules) and (told := plain.words):
            found += _names(line_of_words(told))
    return tuple(found)


class LeftOut:
    """What is left out, by its names."""

    __slots__ = ("_folders", "names")

    def __init__(self, names: Sequence[str], key: Callable[[str], str]) -> None:
        self.names = names
        self._folders = {key(_LABEL.sub("", name)) for name in names}

    def hold(self, path: str) -> bool:
        """Whether it holds the tests of a path, which is told by its key."""
        return (
            path in self._folders
            or stands_below(path, self._folders)
            or any(
                names_tests_of(name, path) or names_project_of(name, path) for name in self.names
            )
        )


def _names(line: CommandLine) -> Iterator[str]:
    if line.program in TESTERS:
        yield from left_out(line)
    if line.program == "pytest":
        for item in line.options:
            if item.option == "-k":
                yield from _DENIED.findall(item.value)
    if line.program == "cargo":
        handed_on = foreign_items(line)
        for at, item in enumerate(handed_on):
            if item.option == "--skip":
                yield item.value or "".join(next_.value for next_ in handed_on[at + 1 : at + 2])


def names_tests_of(name: str, path: str) -> bool:
    """Whether a name that is left out speaks of a path, or of tests that are called after it."""
    base = path.rpartition("/")[2].partition(".")[0]
    stem = _spelled(base, without=_TEST_WORDS)
    return len(stem) >= _SHORTEST_NAME + 2 and stem in _spelled(name)


def names_project_of(name: str, path: str) -> bool:
    """Whether a project that is left out by its name is that of a path: `@acme/ui`, `:core`.

    It is called like the folder of the project, or like that and the folder around it.
    """
    folders = root_of(path).strip("./").split("/")
    called = name.strip(":/.").rpartition("/")[2].lower()
    return called != "" and called in {folders[-1].lower(), "-".join(folders[-2:]).lower()}


def _spelled(text: str, *, without: frozenset[str] = frozenset()) -> str:
    """Return the words of a name with `_` around each, so that `in` finds whole words only."""
    found = words_of_name(text)
    kept = [part for part in found if part not in without] or found
    return f"_{'_'.join(kept)}_"
