"""Which receipts bear on the end of a turn: what was changed, and what was done about it.

While receipts are taken in only positions are noted; they are put together when somebody asks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from enum import StrEnum
from operator import itemgetter
from typing import NamedTuple

MOST_NAMED = 16
"""How many receipts of one role are named, the latest: a turn may change thousands of files."""


class Role(StrEnum):
    """As what a receipt bears on the end of a turn."""

    LIST = "list"
    CHANGE = "change"
    LOOK = "look"
    CHECK = "check"
    REVIEW = "review"
    SIGN_OFF = "sign_off"
    UNKNOWN = "unknown"
    """Nobody knows whether it changed something, or still does."""


class Bearing(NamedTuple):
    """One receipt, by its position in the session, that an end rests on."""

    at: int
    role: Role


class Bearings(NamedTuple):
    """The receipts that an end rests on, by position, and how many more of them are not named."""

    named: tuple[Bearing, ...] = ()
    more: int = 0


def in_order(found: Iterable[Bearing], *, more: int = 0) -> Bearings:
    """Return each bearing once, of very many of one role the latest; a lost receipt has none."""
    named: list[Bearing] = []
    of_role: dict[Role, set[int]] = {role: set() for role in Role}
    for at, role in found:
        of_role[role].add(at)
    for role, places in of_role.items():
        places.discard(-1)
        latest = sorted(places)[-MOST_NAMED:]
        named += (Bearing(at, role) for at in latest)
        more += len(places) - len(latest)
    return Bearings(tuple(sorted(named, key=itemgetter(0))), more)


class Positions:
    """Where the latest receipts stand that did something about the changes of a run; -1 for none.

    Attributes:
        named: the looks at the names of changed paths, by key; `read` those at their content.
        all_named: the look at the names of everything that was changed; `all_read` at its content.
        below: the look at what a change without a known path left in some folders.
        pathless: the change without a known path.
        reports: the review reports by kind and key; the key is empty for what has no path.
        sign_off: the sign-off.
        unknown: the calls that may have changed something, and nobody knows.
    """

    __slots__ = (
        "all_named",
        "all_read",
        "below",
        "named",
        "pathless",
        "read",
        "reports",
        "sign_off",
        "unknown",
    )

    def __init__(self) -> None:
        self.all_named = self.all_read = self.below = self.pathless = self.sign_off = -1
        self.named: dict[str, int] = {}
        self.read: dict[str, int] = {}
        self.reports: dict[tuple[str, str], int] = {}
        self.unknown: deque[int] = deque(maxlen=MOST_NAMED)

    def look_at(self, key: str, *, content: bool, since: int) -> int:
        """Return the latest look at a path since its last change, -1 for none."""
        at = max(self.read.get(key, -1), self.all_read) if content else -1
        if at < since:
            at = max(at, self.named.get(key, -1), self.all_named)
        return at if at >= since else -1

    def look_at_pathless(self) -> int:
        """Return the latest look at what a change without a known path left, -1 for none."""
        at = max(self.all_read, self.all_named, self.below)
        return at if at >= self.pathless else -1
