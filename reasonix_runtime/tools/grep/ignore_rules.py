"""Which files git would ignore, by git's own files and pathspec's reading of them."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

IGNORE_FILE = ".gitignore"


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The rules that hold in one directory of a repository, the weakest first.

    Each is a set of patterns and the directory, relative to the repository, that they are
    relative to (with a slash at its end, or empty).
    """

    specs: tuple[tuple[str, GitIgnoreSpec], ...] = ()

    def ignores(self, path: str, *, directory: bool) -> bool:
        """Whether a path relative to the repository is ignored; the last word counts."""
        for base, spec in reversed(self.specs):
            if not path.startswith(base):
                continue
            relative = path[len(base) :] + ("/" if directory else "")
            include = spec.check_file(relative).include
            if include is not None:
                return include
        return False

    def with_file(self, base: str, data: bytes | None) -> IgnoreRules:
        """Return the rules that hold below a directory with such an ignore file."""
        if data is None:
            return self
        # Fetched when the first rules are read: declaring tools must not load libraries.
        from pathspec import GitIgnoreSpec

        lines = data.decode("utf-8", "surrogateescape").split("\n")
        return replace(self, specs=(*self.specs, (base, GitIgnoreSpec.from_lines(lines))))


def repository_of(directory: str) -> str | None:
    """Return the root of the repository that a directory lies in, None when in none."""
    while True:
        if os.path.exists(os.path.join(directory, ".git")):
            return directory
        above = os.path.dirname(directory)
        if above == directory:
            return None
        directory = above


def rules_down_to(repository: str, directory: str) -> IgnoreRules:
    """Return the rules that hold in a directory: global, the repository's own, each above it."""
    rules = IgnoreRules()
    rules = rules.with_file("", _read(_global_file(repository)))
    rules = rules.with_file("", _read(_exclude_file(repository)))
    rules = rules.with_file("", read_ignore_file(repository))
    base = ""
    inside = os.path.relpath(directory, repository)
    for part in [] if inside == "." else inside.split("/"):
        base += f"{part}/"
        rules = rules.with_file(base, read_ignore_file(os.path.join(repository, base)))
    return rules


def read_ignore_file(directory: str) -> bytes | None:
    """Return the bytes of a directory's ignore file; like git, not through a link."""
    path = os.path.join(directory, IGNORE_FILE)
    return None if os.path.islink(path) else _read(path)


def _exclude_file(repository: str) -> str:
    """Return the path of the repository's own excludes file, which worktrees have elsewhere."""
    if os.path.isfile(os.path.join(repository, ".git")):
        found = _ask_git(repository, "rev-parse", "--git-path", "info/exclude")
        if found is not None:
            return os.path.join(repository, found)
    return os.path.join(repository, ".git", "info", "exclude")


def _global_file(repository: str) -> str:
    """Return the path of the user's own excludes file, which git's settings may name."""
    found = _ask_git(repository, "config", "--path", "--get", "core.excludesFile")
    if found is not None:
        return found
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return os.path.join(home, "git", "ignore")


def _ask_git(repository: str, *words: str) -> str | None:
    """Return what git answers in one line; None without git, or without an answer."""
    git = shutil.which("git")
    if git is None:
        return None
    done = subprocess.run(
        [git, "-C", repository, *words],
        capture_output=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    answer = os.fsdecode(done.stdout.rstrip(b"\n"))
    return answer if done.returncode == 0 and answer else None


def _read(path: str) -> bytes | None:
    """Return the bytes of an ignore file; one that is missing or no file has no rules."""
    try:
        if not os.path.isfile(path):
            return None
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None
