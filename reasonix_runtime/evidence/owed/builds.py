"""What stands of the programs that a build made, once files have changed since.

A run of a program that was built before a change says nothing of it.
"""

from __future__ import annotations

from typing import NamedTuple

from reasonix_runtime.evidence.commands import CommandRules
from reasonix_runtime.evidence.effects.products import CTEST, builds_of, is_compiled
from reasonix_runtime.evidence.owed.changed_paths import ChangedPaths


class Built(NamedTuple):
    """The programs that the latest change built, and where the latest build for CTest stands."""

    programs: frozenset[str] = frozenset()
    at: int = -1

    def after(self, command: str, at: int, rules: CommandRules) -> Built:
        """Return what is built after a change by a command, empty for another tool."""
        programs = builds_of(command, rules).built if command else frozenset()
        return Built(programs, at if CTEST in programs else self.at)

    def is_old(self, needed: frozenset[str], paths: ChangedPaths, *, wild_at: int) -> bool:
        """Whether one of these programs runs what was built before a change of these paths.

        At `wild_at` stands the latest change of which nobody is told what it did.
        """
        if CTEST not in needed:
            return not self.programs >= needed
        since = max(self.at, wild_at)  # of what is not told any may have built it
        return any(paths[key].at > since and is_compiled(key) for key in paths)
