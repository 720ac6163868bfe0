"""Files that a command line takes into the shell before a check.

A file of the work that sets the surroundings is what honest agents take in all day; one that the
session wrote itself may define any program anew, and then the check is what it says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from reasonix_runtime.evidence.command_rules import CommandRules
from reasonix_runtime.evidence.judged import is_check
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.running.preparation import takes_in
from reasonix_runtime.evidence.running.reading import read

_NONE: frozenset[str] = frozenset()


@memoised(1024)
def taken_in(command: str, rules: CommandRules) -> frozenset[str]:
    """Return the files that a command with a check takes in, as it names them."""
    commands = read(command, rules).commands
    if not any(is_check(plain, rules) for plain in commands):
        return _NONE
    files = (takes_in(plain.segment) for plain in commands)
    return frozenset(file.removeprefix("./") for file in files if file)


def own_text(command: str, rules: CommandRules, changed: Callable[[], Iterable[str]]) -> str:
    """Return a file that a check takes into its shell and that the session wrote, else nothing.

    `changed` gives the paths that the session changed.
    """
    # Asked of every check, and nearly none has the words for it.
    if not ("source " in command or ". " in command) or not rules.citation_by_grammar:
        return ""
    named = {file: f"/{file}" for file in taken_in(command, rules)}
    for path in changed() if named else ():
        for file, ending in named.items():
            if path == file or path.endswith(ending):
                return file
    return ""
