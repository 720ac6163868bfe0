"""Packages whose tests stand beside their code: a check that names others leaves them out.

`go test ./internal/ship` runs nothing of `internal/cart`, as far as is known; tests in folders that
are called so (`./e2e/...`) may be of anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.places import folder_of
from reasonix_runtime.evidence.checks.projects import holds_tests
from reasonix_runtime.evidence.checks.recognised import behind_subcommand
from reasonix_runtime.evidence.options.variables import runs_contained
from reasonix_runtime.evidence.paths import below, stands_below
from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from reasonix_runtime.evidence.options.command_line import CommandLine
    from reasonix_runtime.evidence.running.reading import Plain

_GO: Final = words("go golangci-lint staticcheck gotestsum")
_IN_GO: Final = re.compile(r"\.\.?(?:/[\w.-]+)*(?:/\.\.\.)?/?")
_LABEL: Final = re.compile(r"//([\w./+-]*?)(?:/?\.\.\.)?(?::[\w.+*-]+)?")
_ONLY_HERE: Final = "/."
"""What stands behind a folder without those below it."""


def packages_of(plain: Plain, line: CommandLine) -> tuple[str, ...]:
    """Return the folders of the packages that alone a check is of, nothing where it may be any.

    A package of Go is a folder without those below it; that of a label has them with it.
    """
    if runs_contained(plain.assignments):
        return ()
    if line.program in _GO:
        found = tuple(_packages_of_go(plain, line))
    elif line.program == "bazel":
        labels = [*map(_LABEL.fullmatch, (*line.operands[1:], *line.foreign))]
        found = tuple(label[1] if label else "" for label in labels)
    else:
        return ()
    return () if any(not one or holds_tests(one) for one in found) else found


class Packages:
    """Some packages, by their folders: with those below them, or alone."""

    __slots__ = ("_alone", "_whole")

    def __init__(self, packages: Sequence[str], key: Callable[[str], str]) -> None:
        self._whole = {key(one) for one in packages if not one.endswith(_ONLY_HERE)}
        self._alone = {key(one) for one in packages if one.endswith(_ONLY_HERE)}

    def take_in(self, path: str) -> bool:
        """Whether one of them holds a path, which is told by its key."""
        return stands_below(path, self._whole) or path.rpartition("/")[0] in self._alone


def _packages_of_go(plain: Plain, line: CommandLine) -> Iterator[str]:
    named, folder = behind_subcommand(line), folder_of(plain)
    if line.program == "go" and not named:
        yield (folder or ".") + _ONLY_HERE
    for name in named:
        if not _IN_GO.fullmatch(name):
            yield ""
        elif name.endswith("..."):
            yield below(folder, name.removesuffix("...").rstrip("/"))
        else:
            yield below(folder, name.rstrip("/")) + _ONLY_HERE
