"""Whether the checks of a command missed what was changed: left out, or never told to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from reasonix_runtime.evidence.checks.left_out import (
    are_of_others,
    leaves_out,
    left_out_by,
    projects_of,
)
from reasonix_runtime.evidence.checks.read_alone import read_alone
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.paths import stands_below

if TYPE_CHECKING:
    from reasonix_runtime.evidence.command_rules import CommandRules

Names = tuple[str, ...]


def misses(
    command: str,
    changed: Callable[[], Sequence[str]],
    rules: CommandRules,
    *,
    key: Callable[[str], str],
) -> bool:
    """Whether a check left out one of the paths that were `changed`, or read none of them.

    The paths are told by keys (`Ledger.key`), and asked for only where something may be missed.
    """
    limits = _limits_of(command, rules)
    if limits is None:
        return False
    names, alone, projects = limits
    paths, read = changed(), set(map(key, alone))
    unread = bool(read and paths) and not any(
        path in read or stands_below(path, read) for path in paths
    )
    return unread or leaves_out(names, paths, key=key) or are_of_others(projects, paths)


@memoised(1024)
def _limits_of(command: str, rules: CommandRules) -> tuple[Names, Names, Names] | None:
    """Return what a command leaves out, what alone it reads, and which projects alone it tests.

    None for most commands: they check all of the work.
    """
    names, alone = left_out_by(command, rules), read_alone(command, rules)
    projects = projects_of(command, rules)
    return (names, alone, projects) if names or alone or projects else None
