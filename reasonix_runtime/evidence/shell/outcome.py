"""What is known of a statement of the shell, and what comes of two that are joined.

A statement comes to its own end, or the shell leaves it: by `exit`, a function by `return`, a round
of a loop by `break`. What succeeded is asked of each way by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

NOTHING: Final[frozenset[int]] = frozenset()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is known of a statement.

    `zero`: segments that succeeded if it comes to its end with status 0. `on`: segments that
    succeeded if the shell goes on after it. `fails`: it never comes to its end with status 0.
    `ends`: the shell never goes on after it. `left`: segments that succeeded if it is left with
    status 0 before its end, None where that cannot be. `first`: segments that succeeded if the
    first part of it, a pipe, has status 0.
    """

    zero: frozenset[int] = NOTHING
    on: frozenset[int] = NOTHING
    fails: bool = False
    ends: bool = False
    left: frozenset[int] | None = None
    first: frozenset[int] = NOTHING

    @property
    def proven(self) -> frozenset[int]:
        """The segments that succeeded if the status is 0, whichever way it came about."""
        if self.left is None:
            return self.zero
        return self.left if self.fails else self.zero & self.left

    @property
    def never_well(self) -> bool:
        """Whether the status is never 0."""
        return self.fails and self.left is None


FAILED: Final = Outcome(fails=True)


def leaving(known: frozenset[int]) -> Outcome:
    """Return what is known where the shell leaves with status 0 if these segments succeeded."""
    return Outcome(fails=True, ends=True, left=known)


def after_success(left: Outcome, right: Outcome) -> Outcome:
    """`left && right`."""
    return Outcome(
        left.zero | right.zero,
        fails=right.fails,
        left=either_way(left.left, behind(left.zero, right.left)),
    )


def after_failure(left: Outcome, right: Outcome) -> Outcome:
    """`left || right`."""
    out = either_way(left.left, right.left)
    if left.fails:
        return replace(right, left=out)
    if right.fails:
        return Outcome(left.zero, on=left.zero if right.ends else NOTHING, left=out)
    return Outcome(left.zero & right.zero, left=out)


def after_condition(condition: Outcome, result: Outcome) -> Outcome:
    """Return what is known of branches whose condition may itself end the shell."""
    if condition.ends:
        return condition
    return replace(result, left=either_way(condition.left, result.left))


def one_of(held: Outcome, missed: Outcome) -> Outcome:
    """Join what is known of two branches of which one ran."""
    both = (held, missed)
    return Outcome(
        _common(one.zero for one in both if not one.fails),
        on=_common(one.on for one in both if not one.ends),
        fails=held.fails and missed.fails,
        ends=held.ends and missed.ends,
        left=either_way(held.left, missed.left),
    )


def knowing(known: frozenset[int], result: Outcome) -> Outcome:
    """Return what is known of a statement that is only reached if these segments succeeded."""
    return replace(
        result,
        zero=result.zero | known,
        on=result.on | known,
        left=behind(known, result.left),
    )


def behind(known: frozenset[int], left: frozenset[int] | None) -> frozenset[int] | None:
    """Return what succeeded if the shell left behind these segments, None where it does not."""
    return None if left is None else known | left


def either_way(one: frozenset[int] | None, other: frozenset[int] | None) -> frozenset[int] | None:
    """Return what succeeded if the shell left by one of two ways, None where it does by none."""
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _common(sets: Iterable[frozenset[int]]) -> frozenset[int]:
    told = list(sets)
    return frozenset.intersection(*told) if told else NOTHING
