"""Files that a command names among those it changes, where nobody knows whether they are all.

`mv a b` may go into a folder, `rm -r src` takes away what stands in one, and with a test a check
would pass: such changes are judged as if they might be any (`shell_edits.py`), but a message that
called their files unknown would be untrue.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from reasonix_runtime.evidence.checks.verification import program_name
from reasonix_runtime.evidence.effects.shell_edits import is_test, writes
from reasonix_runtime.evidence.running.reading import Plain, read
from reasonix_runtime.evidence.word_lists import words as word_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reasonix_runtime.evidence.command_rules import CommandRules

MOST_NAMED: Final = 8
"""How many files of one command a message names."""

_TAKES_AWAY: Final = word_set("rm unlink rmdir")
_COPIES: Final = word_set("cp ln install")
_BY_NAME: Final = word_set("mv touch tee truncate") | _COPIES | _TAKES_AWAY
_OF_GIT: Final = word_set("mv rm")


class NamedFiles(NamedTuple):
    """The files that a command names to change them, and which of them are tests it removes."""

    files: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


def named_by(command: str, rules: CommandRules) -> NamedFiles:
    """Return the files that a command names to change them, as far as each stands there."""
    if not command:
        return NamedFiles()
    found: dict[str, bool] = {}
    for plain in read(command, rules).commands:
        for path, removed in _named(plain):
            found[path] = found.get(path, False) or removed
    files = tuple(islice(found, MOST_NAMED))
    return NamedFiles(files, tuple(path for path in files if found[path] and is_test(path)))


def _named(plain: Plain) -> Iterator[tuple[str, bool]]:
    """Yield the files that one command names, and whether it takes each of them away."""
    segment = plain.segment
    for redirect in filter(writes, segment.redirects):
        if redirect.target is not None and redirect.target.value:
            yield redirect.target.value, False
    program, *rest = segment.known_values or ("",)
    name = program_name(program)
    if name == "git" and rest and rest[0] in _OF_GIT:
        name, rest = rest[0], rest[1:]
    if name not in _BY_NAME:
        return
    names = [word for word in rest if word and not word.startswith("-")]
    if name in _COPIES:
        names = names[-1:]
    for at, path in enumerate(names):
        yield path, name in _TAKES_AWAY or (name == "mv" and at < len(names) - 1)
