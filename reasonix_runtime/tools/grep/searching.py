"""Which files of a tree a search reads: not hidden, not ignored by git, not of others' code."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from reasonix_runtime.tools.grep.ignore_rules import (
    IgnoreRules,
    read_ignore_file,
    repository_of,
    rules_down_to,
)
from reasonix_runtime.tools.support.walking import Entry, Walk
from reasonix_runtime.tools.support.workspace import Place, Workspace

SKIPPED = frozenset({".venv", "__pycache__", "node_modules", "vendor"})
"""Directories that are never searched unless the search begins there."""


@dataclass(frozen=True, slots=True)
class SearchedFile:
    """A file that is searched: its path for messages, its bytes, its declared encoding."""

    path: str
    data: bytes
    declared: str | None = None


class _Filter:
    """What a walk goes into and reads, with the ignore rules of the directories it is in."""

    def __init__(self, workspace: Workspace, place: Place) -> None:
        self._repository = repository_of(place.real)
        self._prefix = ""
        self._rules: dict[str, IgnoreRules] = {}
        self._all = _is_hidden_path(place.shown, workspace)
        if self._repository is None:
            return
        inside = os.path.relpath(place.real, self._repository)
        self._prefix = "" if inside == "." else f"{inside}/"
        self._rules[""] = rules_down_to(self._repository, place.real)
        self._all = self._all or _is_ignored_path(self._repository, inside)

    def wants(self, entry: Entry) -> bool:
        """Whether to go into a directory, or to read a file."""
        if entry.is_directory and entry.name in SKIPPED:
            return False
        if self._all:
            return entry.name != ".git"
        if entry.name.startswith("."):
            return False
        rules = self._rules_in(os.path.dirname(entry.path))
        return not rules.ignores(self._prefix + entry.path, directory=entry.is_directory)

    def enter(self, entry: Entry) -> bool:
        """Whether to go into a directory, and read its ignore file if so."""
        if not self.wants(entry):
            return False
        if self._repository is not None and not self._all:
            path = os.path.join(self._repository, self._prefix + entry.path)
            rules = self._rules_in(os.path.dirname(entry.path))
            self._rules[entry.path] = rules.with_file(
                f"{self._prefix}{entry.path}/", read_ignore_file(path)
            )
        return True

    def _rules_in(self, directory: str) -> IgnoreRules:
        return self._rules.get(directory, IgnoreRules())


def files_below(workspace: Workspace, place: Place) -> Iterator[SearchedFile]:
    """Yield the files below a directory that a search reads, in the order of a walk."""
    chosen = _Filter(workspace, place)
    for entry in Walk(workspace, place, enter=chosen.enter):
        if not entry.is_file or not chosen.wants(entry):
            continue
        data = entry.read()
        if data is not None:
            path = os.path.join(place.shown, entry.path)
            yield SearchedFile(path, data, workspace.declared_for(entry.name))


def _is_hidden_path(shown: str, workspace: Workspace) -> bool:
    """Whether a search begins inside something hidden, below the workspace."""
    inside = os.path.relpath(shown, workspace.directory)
    return any(part.startswith(".") and part not in {".", ".."} for part in inside.split("/"))


def _is_ignored_path(repository: str, inside: str) -> bool:
    """Whether a directory of a repository is ignored, by itself or by one above it."""
    if inside == ".":
        return False
    parts = inside.split("/")
    for depth in range(1, len(parts) + 1):
        path = "/".join(parts[:depth])
        above = os.path.join(repository, *parts[: depth - 1])
        if rules_down_to(repository, above).ignores(path, directory=True):
            return True
    return False
