"""Tests that failed, and that no later run took in which passed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.reach import outweighs, reaches_of, takes_in_all
from reasonix_runtime.evidence.checks.tested_languages import RUNNERS
from reasonix_runtime.evidence.kept import packed, whole

if TYPE_CHECKING:
    from reasonix_runtime.evidence.command_rules import CommandRules

MOST_APART: Final = 64
"""So many failed tests are told apart; only a run of all tests speaks for those that failed before.

A run that passes is compared with each of them, and a session may run thousands of both.
"""


class FailedTests:
    """The failed tests that stand, by their commands, with where they ended in the session.

    Args:
        rules: how commands are compared.
        key: gives the form in which folders are compared (`Ledger.key`).
    """

    __slots__ = ("_apart", "_key", "_lost", "_lost_by", "_rules", "last")

    def __init__(self, rules: CommandRules, key: Callable[[str], str]) -> None:
        self._rules = rules
        self._key = key
        self._apart: dict[str | bytes, int] = {}
        # The last one that is not told apart from those before it.
        self._lost: tuple[str | bytes, int] | None = None
        # Which known runners ran those that are not told apart.
        self._lost_by: frozenset[str] = frozenset()
        #: The test that failed last, empty for none.
        self.last = ""

    def copy(self) -> FailedTests:
        """Return the same tests, to take others in on trial."""
        twin = FailedTests(self._rules, self._key)
        twin._apart, twin._lost, twin.last = self._apart.copy(), self._lost, self.last
        twin._lost_by = self._lost_by
        return twin

    def clear(self) -> None:
        """Forget all of them."""
        self._apart.clear()
        self._lost, self._lost_by, self.last = None, frozenset(), ""

    def failed(self, command: str, at: int = 0) -> None:
        """Take in a test that failed, and where it ended, if anybody asks for that."""
        kept = packed(command)
        self._apart.pop(kept, None)
        self._apart[kept] = at
        self.last = command
        if len(self._apart) > MOST_APART:
            oldest = next(iter(self._apart))
            self._lost = (oldest, self._apart.pop(oldest))
            ran = {one.program for one in reaches_of(whole(oldest), self._rules)}
            self._lost_by |= RUNNERS & ran

    def passed(self, command: str, began: float = inf) -> None:
        """Take back the tests that a run takes in which passed, and began when they had failed."""
        for kept, at in tuple(self._apart.items()):
            if at < began and outweighs(command, whole(kept), self._rules, self._key):
                del self._apart[kept]
        if self._lost and self._lost[1] < began and self._takes_in_all(command):
            self._lost, self._lost_by = None, frozenset()
        lost = self._lost[0] if self._lost else ""
        self.last = whole(next(reversed(self._apart), lost))

    def not_in(self, command: str) -> Iterator[tuple[str, int]]:
        """Yield the tests that a run does not take in, with where they ended, oldest first."""
        if self._lost and not self._takes_in_all(command):
            yield whole(self._lost[0]), self._lost[1]
        for kept, at in self._apart.items():
            if not outweighs(command, failed := whole(kept), self._rules, self._key):
                yield failed, at

    def _takes_in_all(self, command: str) -> bool:
        return takes_in_all(command, self._lost_by, self._rules, self._key)
