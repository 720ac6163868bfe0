"""How far the tests of a command reach: all that there are, or a selection by path, name or tag.

A selection that passes says nothing of the rest: the whole suite, or another selection, that failed
on the same work is not outweighed by it (policy point). Nor do the tests of one folder speak for
those of another, nor those of one language for those of another (`tested_languages.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.places import about
from reasonix_runtime.evidence.checks.selections import picked_by
from reasonix_runtime.evidence.checks.strength import reads_only
from reasonix_runtime.evidence.checks.tables import RUNNING_NAMED, SUBCOMMANDS
from reasonix_runtime.evidence.checks.tested_languages import shares_code
from reasonix_runtime.evidence.checks.verification import is_option
from reasonix_runtime.evidence.command_kinds import is_check
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.options.command_line import CommandLine, line_of_words
from reasonix_runtime.evidence.paths import norm, stands_below
from reasonix_runtime.evidence.running.reading import read
from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from reasonix_runtime.evidence.command_rules import CommandRules

_NONE: Final[frozenset[str]] = frozenset()
_RUNNING_SCRIPTS: Final = words("npm pnpm yarn bun") | RUNNING_NAMED
# What these are given is what to do, not what to test.
_WITHOUT_NAMES: Final = words("mvn")
_WHOLE: Final = re.compile(
    r"|\.|\.{3}|/{0,2}\.{3}|tests?|specs?|__tests__|discover|run|all|ci|check|verify|.*\.slnx?|//"
)
_PLAIN: Final = re.compile(r"(?:/\.{3}|(?<!/)/+)$")
# A folder that is not told from where the shell began.
_BY_ITSELF: Final = re.compile(r"/|~|[A-Za-z]:")


@dataclass(frozen=True, slots=True)
class Reach:
    """What one test run takes in: `named` are paths, packages and scripts, `picked` the options.

    Both are empty where everything runs that there is in the folders `places`; without one of these
    that is where the shell stands.
    """

    program: str
    named: frozenset[str]
    picked: frozenset[tuple[str, str]]
    places: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether nothing is selected."""
        return not (self.named or self.picked)

    def takes_in(self, other: Reach, key: Callable[[str], str] = norm) -> bool:
        """Whether all runs here that runs there; `key` gives the form in which folders compare."""
        if not _hold(self.places, other.places, key):
            return False
        if self.is_whole:
            return shares_code(self.program, other.program)
        if self.program != other.program or not self.picked <= other.picked:
            return False
        return not self.named or (
            bool(other.named) and all(_stands_among(name, self.named) for name in other.named)
        )


def outweighs(
    passed: str, failed: str, rules: CommandRules, key: Callable[[str], str] = norm
) -> bool:
    """Whether the tests of a command that passed take in those of one that failed.

    `key` gives the form in which folders are compared (`Ledger.key`).
    """
    if passed == failed:
        return True
    had = reaches_of(passed, rules)
    return all(any(one.takes_in(lost, key) for one in had) for lost in reaches_of(failed, rules))


def takes_in_all(
    passed: str,
    runners: Iterable[str],
    rules: CommandRules,
    key: Callable[[str], str] = norm,
) -> bool:
    """Whether the tests of a command that passed take in whatever tests these runners have."""
    had = reaches_of(passed, rules)
    every = [Reach(runner, _NONE, frozenset()) for runner in ("", *runners)]
    return all(any(one.takes_in(lost, key) for one in had if one.is_whole) for lost in every)


def _hold(places: Sequence[str], others: Sequence[str], key: Callable[[str], str]) -> bool:
    """Whether each of some folders is, or stands in, one of the first; so it does in none at all.

    Where nobody knows where the shell began, a folder by its whole name may be any.
    """
    held = {key(place) for place in places}
    wanted = [key(place) for place in others or (".",)]
    told = {_BY_ITSELF.match(one) is None for one in (*held, *wanted)}
    return (
        not held or len(told) > 1 or all(one in held or stands_below(one, held) for one in wanted)
    )


@memoised(1024)
def reaches_of(command: str, rules: CommandRules) -> tuple[Reach, ...]:
    """Return how far each test run of a command reaches; linters are none."""
    return tuple(
        _reach(line_of_words(told), about(plain))
        for plain in read(command, rules).commands
        if (told := plain.words) and is_check(plain, rules) and not reads_only(told)
    )


def _reach(line: CommandLine, places: tuple[str, ...]) -> Reach:
    named = frozenset(_PLAIN.sub("", name.removeprefix("./")) for name in _names(line))
    return Reach(
        line.program,
        frozenset(name for name in named if not _WHOLE.fullmatch(name)),
        frozenset(picked_by(line)),
        places,
    )


def _names(line: CommandLine) -> Iterator[str]:
    """Yield what a run is given to test; a script of one word, such as `test`, tests everything."""
    yield from (word for word in line.foreign if not is_option(word))
    if line.program in _WITHOUT_NAMES:
        return
    operands = [word for word in line.operands if "=" not in word and not word.startswith("+")]
    commands = SUBCOMMANDS.get(line.program, _NONE)
    if " ".join(operands[:2]) in commands:
        yield from operands[2:]
    elif operands and operands[0] in commands:
        yield from operands[1:]
    elif line.program in _RUNNING_SCRIPTS:
        yield from (word for word in operands if not (word.isalnum() or word == "run-script"))
    else:
        yield from operands


def _stands_among(name: str, named: frozenset[str]) -> bool:
    return any(name == one or name.startswith((f"{one}/", f"{one}::", f"{one}:")) for one in named)
