"""What a review still owes on changed paths: a report, or another one after a report that blocks.

`evidence/owed/changes.py` tells what changed and which reports came; RV-06 asks what is still owed.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field

REVIEW_KINDS = ("review", "security")
"""The kinds of reports on a review."""


@dataclass(slots=True)
class OwedReview:
    """What one kind of review still owes; all paths are keys (`Ledger.key`).

    `paths` have no good report since their last change, `opaque` says the same of a change without
    a path. `blocked` are paths that a report forbids to deliver as they are; once they changed they
    are `forced`: only a new report will do. `to_cover` counts those of `paths` that are of
    `production`.
    """

    production: Container[str]
    to_cover: int = 0
    paths: dict[str, None] = field(default_factory=dict)
    opaque: bool = False
    blocked: dict[str, None] = field(default_factory=dict)
    blocked_opaque: bool = False
    forced: dict[str, None] = field(default_factory=dict)

    def is_heard(self, key: str) -> bool:
        """Whether the latest report on a path, or on what has none, still says something of it.

        What it says of changes without a path, the empty key, holds until there is another one.
        """
        return key in self.blocked or key in self.forced or key not in self.paths

    def changed(self, touched: dict[str, None], *, gone: Sequence[str] = (), opaque: bool) -> None:
        """Owe a report on what changed; a block ends when something it covers was mended.

        What is owed on a path that was moved away is owed on where it went, and nothing on one that
        was taken back.
        """
        if gone:
            self._moved(gone, touched)
        if (self.blocked or self.blocked_opaque) and (
            opaque or self.blocked_opaque or not self.blocked.keys().isdisjoint(touched)
        ):
            self.forced.update(self.blocked)
            self.blocked.clear()
            self.blocked_opaque = False
        self._owe(touched)
        self.opaque = self.opaque or opaque
        if gone:
            self.forget(gone)

    def forget(self, keys: Sequence[str]) -> None:
        """Owe nothing on paths that are there no longer."""
        self._settle(keys)
        for key in keys:
            self.blocked.pop(key, None)

    def _moved(self, gone: Sequence[str], touched: dict[str, None]) -> None:
        """Let what a report forbade go with the file."""
        for held in (self.blocked, self.forced):
            if not held.keys().isdisjoint(gone):
                held.update(touched)

    def passed(self, covered: Sequence[str]) -> None:
        """Take a good report in."""
        self._settle(covered)
        self.opaque = False

    def forbidden(self, covered: Sequence[str], *, opaque: bool) -> None:
        """Take a report in that forbids delivery."""
        self.blocked.update(dict.fromkeys(covered))
        self._owe(covered)
        self.blocked_opaque = self.opaque = opaque

    def _owe(self, keys: Iterable[str]) -> None:
        for key in keys:
            if key not in self.paths:
                self.paths[key] = None
                self.to_cover += key in self.production

    def _settle(self, keys: Iterable[str]) -> None:
        for key in keys:
            if key in self.paths:
                del self.paths[key]
                self.to_cover -= key in self.production
            self.forced.pop(key, None)
