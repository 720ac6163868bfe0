"""Whether the checks of a command missed what was changed: left out, or never told to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from reasonix_runtime.evidence.checks.languages import languages_of, reads_none_of
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


class _Limits(NamedTuple):
    """What a command leaves out, what alone it reads, and which projects and languages alone."""

    left_out: Names
    files: Names
    projects: Names
    languages: frozenset[str]


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
    paths, read = changed(), set(map(key, limits.files))
    unread = bool(read and paths) and not any(
        path in read or stands_below(path, read) for path in paths
    )
    return (
        unread
        or leaves_out(limits.left_out, paths, key=key)
        or are_of_others(limits.projects, paths)
        or reads_none_of(limits.languages, paths)
    )


@memoised(1024)
def _limits_of(command: str, rules: CommandRules) -> _Limits | None:
    """Return the limits of the checks of a command, None for most: they check all of the work."""
    limits = _Limits(
        left_out_by(command, rules),
        read_alone(command, rules),
        projects_of(command, rules),
        languages_of(command, rules),
    )
    return limits if any(limits) else None
