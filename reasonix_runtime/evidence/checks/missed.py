"""Whether the checks of a command missed what was changed: left out, or never told to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from reasonix_runtime.evidence.checks.left_out import leaves_out, left_out_by
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
    names, alone = limits
    paths, read = changed(), set(map(key, alone))
    unread = bool(read and paths) and not any(
        path in read or stands_below(path, read) for path in paths
    )
    return unread or leaves_out(names, paths, key=key)


@memoised(1024)
def _limits_of(command: str, rules: CommandRules) -> tuple[Names, Names] | None:
    """Return what a command leaves out and what alone it reads, None for most: all of the work."""
    names, alone = left_out_by(command, rules), read_alone(command, rules)
    return (names, alone) if names or alone else None
