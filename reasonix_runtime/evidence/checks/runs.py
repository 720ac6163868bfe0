"""The runs of checks that count: which passed since the latest change, and which failed last.

Of a check the latest run decides. A failed test holds until a test passed, whatever was changed in
between; where nothing was, until tests passed that take in those that failed. A linter that failed
holds until a linter passed or something was changed. What runs the work and what only reads it do
not outweigh each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy

from reasonix_runtime.evidence.checks.failed_tests import FailedTests
from reasonix_runtime.evidence.checks.missed import NOTHING_MISSED, Missed
from reasonix_runtime.evidence.checks.strength import is_static
from reasonix_runtime.evidence.citing.covering import FEW, Alike
from reasonix_runtime.evidence.command_kinds import is_check
from reasonix_runtime.evidence.commands import CommandRules, matches
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.running.reading import read


class CheckRuns:
    """The checks of one run since the last end of a turn that passed.

    Args:
        commands: how commands are classified and compared.
        declared: the declared project checks.
        selection_outweighs: whether any test that passed outweighs any that failed.
        key: gives the form in which folders are compared (`Ledger.key`).
    """

    __slots__ = (
        "_alike",
        "_commands",
        "_declared",
        "_declared_passed",
        "_failed_before",
        "_failed_linter",
        "_failed_tests",
        "_limited",
        "_missed",
        "_passed",
        "_selection_outweighs",
        "_waiting",
        "elsewhere",
        "idle",
        "masked",
        "of_old_build",
        "ran",
        "stale",
    )

    def __init__(
        self,
        commands: CommandRules,
        declared: Sequence[str],
        *,
        selection_outweighs: bool,
        key: Callable[[str], str],
    ) -> None:
        self._commands = commands
        self._declared = tuple(declared)
        # Of the verifications that passed since the latest change, what each of them missed of it.
        self._passed: dict[str, Missed] = {}
        # What all of them missed but those that wait, None when nobody asked yet.
        self._missed: Sequence[str] | None = None
        self._waiting: dict[str, Missed] = {}
        # Of all that passed since then, those that may have missed something.
        self._limited: dict[str, Missed] = {}
        self._declared_passed: dict[str, int] = {}
        self._selection_outweighs = selection_outweighs
        # Tests that failed since the latest change, and the last of those that did before it.
        self._failed_tests = FailedTests(commands, key)
        self._failed_before = ""
        self._failed_linter = ""
        #: Where the latest run of each verification stands in the session.
        self.ran: dict[str, int] = {}
        # What finds those of many that may be the same check.
        self._alike: Alike | None = None
        #: A verification that passed, but before the latest change.
        self.stale = ""
        #: A verification that passed since the latest change, but of other work.
        self.elsewhere = ""
        #: A verification whose success may hide that it failed, since the latest change.
        self.masked = ""
        #: One that ran no test, since the latest change.
        self.idle = ""
        #: One that passed since the latest change, but of what was built before it.
        self.of_old_build = ""

    def copy(self) -> CheckRuns:
        """Return the same runs, to take others in on trial."""
        twin = copy(self)
        twin._passed = self._passed.copy()
        twin._declared_passed = self._declared_passed.copy()
        twin._failed_tests = self._failed_tests.copy()
        twin._waiting, twin._limited = self._waiting.copy(), self._limited.copy()
        twin.ran, twin._alike = self.ran.copy(), None
        return twin

    @property
    def verified(self) -> bool:
        """Whether verifications passed that took in all that changed, and none stands as failed."""
        return bool(self._passed) and not self.failed and not self._missed_by_all()

    def _missed_by_all(self) -> Sequence[str]:
        """Return what changed, by keys, and none of the verifications took in that passed since.

        Of each only that is looked at which those before it missed.
        """
        left = self._missed
        for one in self._waiting.values():
            owed = one.owed if left is None else [key for key in left if key in one.owed]
            left = [*filter(one.is_missed, owed)]
        self._missed = left
        self._waiting.clear()
        return left or ()

    @property
    def without_the_work(self) -> str:
        """One that passed since the latest change, but took in nothing or only a part of it."""
        limited = self._limited
        return next((command for command in reversed(limited) if limited[command].any()), "")

    @property
    def failed(self) -> str:
        """The verification that failed last and that nothing outweighed since, a test first."""
        return self._failed_tests.last or self._failed_before or self._failed_linter

    def declared_passed(self, check: str) -> bool:
        """Whether a declared check passed since the latest change."""
        return check in self._declared_passed

    def bearing(self) -> Iterator[int]:
        """Yield where the runs stand that count, or those that tell why none does."""
        yield from self._declared_passed.values()
        for command in self._passed if self.verified else self._telling():
            if command:
                yield self.ran[command]

    def _telling(self) -> Sequence[str]:
        telling = (self.failed, self.elsewhere, self.without_the_work, self.of_old_build)
        return (*telling, self.idle, self.masked, self.stale)

    def changed(self) -> None:
        """Take in a change: what was checked before is not what is there now."""
        if self._passed:
            self.stale = next(reversed(self._passed))
        self._passed.clear()
        self._waiting.clear()
        self._limited.clear()
        self._missed = None
        self._declared_passed.clear()
        if self._failed_tests.last:
            self._failed_before = self._failed_tests.last
            self._failed_tests.clear()
        self._failed_linter = self.elsewhere = ""
        self.masked = self.idle = self.of_old_build = ""
        if self.ran:  # of the runs before a change these are still told
            ran, self.ran, self._alike = self.ran, {}, None
            for command in (self.stale, self._failed_before):
                if command:
                    self.ran[command] = ran[command]

    def ran_well(
        self, command: str, *, at: int, verifies: bool, missed: Missed = NOTHING_MISSED
    ) -> None:
        """Take in a command that succeeded, began after the latest change, and changed nothing.

        `missed` tells of which of the changed paths it was no check.
        """
        if self._declared:
            self._declared_passed |= {
                check: at for check in self._declared if self._proves(check, command)
            }
        if not verifies:
            return
        if not passes(command, self._commands):
            self.masked = command
            return
        self._passed.pop(command, None)
        self._passed[command] = missed
        self._waiting[command] = missed
        if missed.owed:
            self._limited.pop(command, None)
            self._limited[command] = missed
        static = is_static(command, self._commands, passed=True)
        if not static:
            if self._failed_before and (
                not missed.all() or self._same_check(self._failed_before, command)
            ):
                self._failed_before = ""
            if self._failed_tests.last:
                if self._selection_outweighs:
                    self._failed_tests.clear()
                else:
                    self._failed_tests.passed(command)
        if self._failed_linter and (
            (static and not missed.all()) or self._same_check(self._failed_linter, command)
        ):
            self._failed_linter = ""

    def failed_now(self, command: str, *, verifies: bool) -> None:
        """Take in a command that failed: it takes back what an earlier pass of it proved."""
        if verifies and is_static(command, self._commands):
            self._failed_linter = command
        elif verifies:
            self._failed_tests.failed(command)
        self._take_back(command)
        self._declared_passed = {
            check: at
            for check, at in self._declared_passed.items()
            if not matches(check, command, self._commands)
        }

    def told_nothing(self, command: str, *, belied: bool) -> None:
        """Take in a run by whose output no test ran, or tests failed although it ended well.

        Where tests failed (`belied`) earlier passes of the same check say nothing any more.
        """
        self.idle = command
        if belied:
            self._take_back(command)

    def _take_back(self, command: str) -> None:
        """Take back what earlier passes of the same check proved."""
        passed = self._passed if len(self._passed) <= FEW else self._like(command)
        undone = [known for known in passed if self._same_check(known, command)]
        for known in undone:
            del self._passed[known]
        if undone:  # what the checks missed together is asked again: they are others now
            self._missed, self._waiting = None, self._passed.copy()

    def _like(self, command: str) -> Iterable[str]:
        """Return those of many that passed that may be the same check as a command."""
        if self._alike is None:
            self._alike = Alike(self._commands)
        return [known for known in self._alike.to(command, self.ran) if known in self._passed]

    def _same_check(self, one: str, other: str) -> bool:
        return bool(matches(one, other, self._commands) or matches(other, one, self._commands))

    def _proves(self, check: str, command: str) -> bool:
        match = matches(check, command, self._commands)
        return bool(match) and match.status_owned


@memoised(4096)
def passes(command: str, rules: CommandRules) -> bool:
    """Whether the success of a command is the success of a verification in it (MASK)."""
    reading = read(command, rules)
    return reading.readable and any(
        plain.owned and is_check(plain, rules) for plain in reading.commands
    )
