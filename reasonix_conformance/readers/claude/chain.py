"""The order that the records of a Claude Code session tell: each names the one it goes on from."""

from __future__ import annotations

from typing import Any

from reasonix_conformance.readers.building.lately import Lately
from reasonix_conformance.readers.claude.turns import results_in


class Chain:
    """The records that were named before they were met, each by who reads it and its id."""

    def __init__(self, most: int) -> None:
        """Remember surely so many of them."""
        self._named: Lately[int, None] = Lately(most)

    def is_late(self, key: int) -> bool:
        """Whether a record stands behind one that goes on from it."""
        return key in self._named

    def goes_on(self, record: Any, key: int) -> None:
        """Take in that a record goes on from one that was not met.

        Some versions write a result before its call, which it is bound to all the same.
        """
        if not results_in(record):
            self._named.put(key, None)
