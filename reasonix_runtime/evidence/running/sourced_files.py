"""Files that a command line takes into its shell before a check: `source env.sh && pytest`.

A file of the work that sets the surroundings is what honest agents source all day. One that the
session wrote itself may define any program anew, and then the check is whatever it says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.command_kinds import is_check
from reasonix_runtime.evidence.command_rules import CommandRules
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.running.preparation import takes_in
from reasonix_runtime.evidence.running.reading import read

if TYPE_CHECKING:
    from reasonix_runtime.evidence.running.reading import Plain

_NONE: frozenset[str] = frozenset()
_HERE: Final = re.compile(r"(?:\$\{?PWD\}?|\$\(pwd\)|`pwd`|\.)/")


@memoised(1024)
def taken_in(command: str, rules: CommandRules) -> frozenset[str]:
    """Return the files that a command with a check takes in, as it names them."""
    commands = read(command, rules).commands
    if not any(is_check(plain, rules) for plain in commands):
        return _NONE
    files = (takes_in(plain.segment) for plain in commands)
    found = {file.removeprefix("./") for file in files if file}
    return frozenset(found.union(*map(_found_in_front, commands)))


def _found_in_front(plain: Plain) -> Iterator[str]:
    """Yield the files that a command runs by the names of its words, if they are there."""
    for one in plain.assignments:
        if one.name == "PATH":
            for folder in one.word.text.strip("\"'").partition("$PATH")[0].split(":"):
                place = _HERE.sub("", folder, count=1).rstrip("/")
                yield from (f"{place}/{name}" for name in plain.segment.text.split() if place)


def own_text(command: str, rules: CommandRules, changed: Callable[[], Iterable[str]]) -> str:
    """Return a file that a check takes into its shell and that the session wrote, else nothing.

    `changed` gives the paths that the session changed.
    """
    # Asked of every check, and nearly none has the words for it.
    told = "source " in command or ". " in command or "PATH=" in command
    if not (told and rules.citation_by_grammar):
        return ""
    named = {file: f"/{file}" for file in taken_in(command, rules)}
    for path in changed() if named else ():
        for file, ending in named.items():
            if path == file or path.endswith(ending):
                return file
    return ""
