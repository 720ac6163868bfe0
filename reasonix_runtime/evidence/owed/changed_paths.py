"""The changed paths of a run, and which of them a name, a folder or a pattern means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from heapq import nlargest
from itertools import filterfalse, islice
from operator import attrgetter

import msgspec

from reasonix_runtime.evidence.owed.risk import (
    MANY_PATHS,
    Risk,
    RiskRules,
    is_low,
    is_production,
    rate,
)
from reasonix_runtime.evidence.path_names import Endings
from reasonix_runtime.evidence.paths import PathStyle, is_absolute, meant_by, norm, stands_below
from reasonix_runtime.evidence.scratch_places import is_scratch


class Change(msgspec.Struct, frozen=True):
    """The last change of one path: the path as it was named, and the tool that changed it.

    `place` is the path in the workspace, by which it is rated. `at` is the position of the change
    in the session. `back` says that it took the ones before it back.
    """

    path: str
    place: str
    tool: str
    at: int
    back: bool = False


_IS_BACK = attrgetter("back")

LISTED = 8
"""Most paths that one open item names."""


class SomePaths(msgspec.Struct, frozen=True):
    """The first of some paths, and how many there are: what a message tells of them.

    Every end of a turn asks what is owed, which may be thousands of paths that nobody touches.
    """

    first: list[str]
    count: int


_WORKTREE = re.compile(r".*?/\.(?:claude/)?worktrees/[^/]+/")
"""A further checkout of a repository, below its first one: what runs there runs none of it."""


def _is_whole(path: str) -> bool:
    return any(is_absolute(path, style) for style in PathStyle)


class ChangedPaths(dict[str, Change]):
    """The last changes by the keys of their paths, in the order of the first change of each.

    Args:
        key: gives the form in which paths are compared (`Ledger.key`).
        fits: tells whether an observed path shows a wanted one (`Ledger.fits`).
    """

    __slots__ = ("_endings", "_fits", "_key", "to_check", "to_cover")

    def __init__(self, key: Callable[[str], str], fits: Callable[[str, str], bool]) -> None:
        self._key = key
        self._fits = fits
        # The keys by how longer paths end.
        self._endings = Endings()
        #: The keys of those that a review has to cover (DL-07).
        self.to_cover: dict[str, None] = {}
        #: The keys of those that need a check, None until they are asked for after a change.
        self.to_check: Mapping[str, object] | None = None

    def note(self, key: str, change: Change) -> None:
        """Note the last change of a path; the root may have a folder `docs` as any other may."""
        if key not in self:
            self._endings.add(key)
            if is_production(f"/{change.place}"):
                self.to_cover[key] = None
        self[key] = change
        self.to_check = None

    def drop(self, keys: Iterable[str]) -> None:
        """Forget changed paths."""
        self.to_check = None
        for key in keys:
            del self[key]
            self.to_cover.pop(key, None)

    def risk(self, rules: RiskRules) -> Risk:
        """Rate the changes together; what was taken back is no more than of medium risk."""
        # More than these say nothing further.
        there = [*islice(filterfalse(_IS_BACK, self.values()), MANY_PATHS)]
        risk = rate({one.tool for one in there}, [one.place for one in there], rules)
        if there and (risk != "low" or len(there) == len(self)):
            return risk
        back = [change.place for change in self.values() if change.back]
        return "low" if rate((), back, rules) == "low" else "medium"

    def some(self, keys: Iterable[str], count: int) -> SomePaths:
        """Return the first of so many changed paths, as they were named last."""
        return SomePaths([self[key].path for key in islice(keys, min(count, LISTED))], count)

    def find_to_check(self, rules: RiskRules) -> Mapping[str, object]:
        """Find the keys of the changes that need a check: none is owed for low risk."""
        owed: dict[str, None] = {}
        for key, change in self.items():
            if not is_low(change.place, rules):
                owed[key] = None
        self.to_check = owed or self.to_cover.copy()
        return self.to_check

    def to_review(self) -> Mapping[str, object]:
        """Return the keys of the changes that a review has to cover (DL-07).

        Go tests and documents are left out, unless nothing else was changed.
        """
        return self.to_cover or self

    def latest(self, most: int) -> list[tuple[str, Change]]:
        """Return the latest changes, by their keys."""
        return nlargest(most, self.items(), key=lambda item: item[1].at)

    def named(self, names: Iterable[str]) -> list[str]:
        """Return the keys of the changed paths that these names mean."""
        found = []
        for name in names:
            key = self._key(name)
            if key in self:
                found.append(key)
            elif name.startswith("/") or name[1:2] == ":":
                found += self._shown_by(norm(name))
        return found

    def _shown_by(self, path: str) -> list[str]:
        """Return the keys of the changed paths that a path may be, where no root is known."""
        return [key for key in self._endings.of(path) if key in self and self._fits(path, key)]

    def meant_by(self, names: Iterable[str]) -> list[str]:
        """Return the keys of those that these paths, folders or patterns of a shell mean."""
        keys = {self._key(name) for name in names}
        return meant_by(keys, self) if keys else []

    def below(self, folders: Iterable[str], paths: Iterable[str]) -> list[str]:
        """Return those of some keys that a pathspec of git means: by name, folder or pattern."""
        keys = {self._key(folder) for folder in folders}
        return list(paths) if self._key(".") in keys else meant_by(keys, paths)

    def is_root(self, folders: Iterable[str]) -> bool:
        """Whether one of some folders is the workspace."""
        return self._key(".") in map(self._key, folders)

    def standing_in(self, folders: Sequence[str]) -> list[str]:
        """Return the keys of the changed paths that stand in one of some folders."""
        keys = frozenset(map(self._key, folders))
        return [key for key in self if self._stands_in(key, keys)]

    def are_checked_in(
        self, places: Sequence[Sequence[str]], holds: Callable[[str], bool], *, far: bool
    ) -> bool:
        """Whether checks of some places are about the workspace, or where something changed.

        Each place is told by folders of which one has to be; `holds` tells of one whether it is of
        the workspace. Where nothing of that changed (asked where a change may be `far`), a check of
        it says nothing, and no more does a check of another worktree.
        """
        if far and self._stand_elsewhere():
            return bool(places) and all(map(self.standing_in, places))
        return all(
            (any(map(holds, one)) and not any(map(self.stand_apart_from, one)))
            or self.standing_in(one)
            for one in places
        )

    def is_far_from(self, places: Sequence[Sequence[str]], key: str, *, work: str) -> bool:
        """Whether a changed path stands in another folder than the workspace and these places.

        What stands in scratch nobody checks; each place is told by some folders.
        """
        root = self._key(".")
        beside = _is_whole(root) and _is_whole(key) and not stands_below(key, {root})
        if not beside or is_scratch(key, work):
            return False
        return not any(self._stands_in(key, frozenset(map(self._key, one))) for one in places)

    def stand_apart_from(self, folder: str) -> bool:
        """Whether a folder is of another worktree, and of the paths none stands there.

        Where there are none at all, nobody can say so.
        """
        worktree = _WORKTREE.match(f"{self._key(folder)}/") if self else None
        root = self._key(".")
        return (
            worktree is not None
            and _is_whole(root)
            and not f"{root}/".startswith(worktree[0])
            and not any(key.startswith(worktree[0]) for key in self)
        )

    def _stand_elsewhere(self) -> bool:
        """Whether the workspace is known and none of the changed paths is of it."""
        known = _is_whole(self._key("."))
        return known and all(
            _is_whole(change.place) or _WORKTREE.match(f"/{change.place}")
            for change in self.values()
        )

    def _stands_in(self, key: str, folders: Set[str]) -> bool:
        """Whether a path stands in one of some folders, all told by their keys.

        What is in a worktree stands in folders of that worktree alone.
        """
        worktree = _WORKTREE.match(key)
        if worktree is not None:
            folders = {one for one in folders if f"{one}/".startswith(worktree[0])}
        root = self._key(".")
        apart = _is_whole(root) and _is_whole(key)
        return stands_below(key, folders) or (root in folders and not apart)

    def reported(self, paths: Sequence[str], *, blocking: bool) -> list[str]:
        """Return the keys that a review report covers.

        One that forbids delivery is heard for what stands below a folder that it names as well.
        """
        covered = {key for path in paths for key in (self._key(path), *self._shown_by(norm(path)))}
        told, root = Endings(map(norm, paths)), self._key(".")
        folders = frozenset(map(self._key, paths)) if blocking else frozenset()
        return [
            key
            for key in self
            if key in covered
            or any(self._fits(key, path) for path in told.of(key))
            or (folders and (root in folders or self._stands_in(key, folders)))
        ]
