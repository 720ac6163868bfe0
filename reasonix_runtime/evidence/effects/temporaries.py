"""Words that stand for scratch without naming it: variables, and what `mktemp` makes.

`d=$(mktemp -d)`, `"$TMPDIR/x"`, `/tmp/x-$$`: what such a word means is told by the text around it.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.options.common import IN_SCRATCH_FOLDERS
from reasonix_runtime.evidence.scratch_places import APART, UNTOLD, is_scratch
from reasonix_runtime.evidence.shell.state import assigned_by
from reasonix_runtime.evidence.word_lists import words as word_set

if TYPE_CHECKING:
    from collections.abc import Set

    from reasonix_runtime.evidence.shell.script import Script

_FOLDER: Final = rf"(?:{IN_SCRATCH_FOLDERS}|\$\{{?TMPDIR(?::-/tmp)?\}}?)/?"
_DEEPER: Final = rf"(?!\S*\.\.){IN_SCRATCH_FOLDERS}(?:/[\w./-]*)?"
# It takes one template and few options; a path is matched in two ways, and more of them by all
# combinations of these.
_MOST_WORDS: Final = 8
_MKTEMP: Final = re.compile(
    r"mktemp(?:\s+(?:-[dqut]+|--(?:directory|quiet|tmpdir)|--suffix=[\w.-]+"
    rf"|(?:-p\s*|--tmpdir=)(?:{_FOLDER}|{_DEEPER})|{_FOLDER}[\w.-]+|{_DEEPER}|[\w.][\w.-]*))"
    rf"{{0,{_MOST_WORDS}}}"
    r"(?:\s+2>\s*/dev/null)?\s*"
)
# A folder below one for scratch, in which the work may stand.
_BELOW: Final = re.compile(
    rf"(?:-p\s*|--tmpdir=)({IN_SCRATCH_FOLDERS}/[^\s]+)|\s({IN_SCRATCH_FOLDERS}/[^\s/]+/[^\s]+)"
)
_IN_FOLDER: Final = re.compile(r"\s(?:-[dqu]*t|-p|--tmpdir)")
_BARE_NAME: Final = re.compile(r"\s[\w.][\w.-]*(?=\s|$)")
# Without one of these nothing in a text speaks of scratch.
_SIGNS: Final = ("mktemp", "/tmp", "TMP", "TEMP", "/shm")  # noqa: S108 - looked for only
# The folder for scratch as the surroundings name it, the first one to `mktemp`.
TOLD_TO_MKTEMP: Final = "TMPDIR"
_SURROUNDINGS: Final = word_set("TMPDIR TEMP TMP")
_VARIABLE: Final = re.compile(
    r"(?:\$(?P<bare>\w+)|\$\{(?P<braced>\w+)(?::?\?[^{}]*|:?-/tmp/?)?\}|\$env:(?P<power>\w+)"
    r"|%(?P<cmd>\w+)%)(?P<rest>(?:[/\\].*)?)",
    re.DOTALL,
)
_MADE: Final = re.compile(
    r"(?:\$\((?P<new>mktemp\b[^()]*)\)|`(?P<old>mktemp\b[^`]*)`)(?P<rest>(?:/.*)?)"
)
# What tells one run from another and holds no folder.
_MARK: Final = re.compile(
    r"\$\$|\$\{?(?:RANDOM|USER|UID|EPOCHSECONDS)\}?|\$\(date \+[%\w-]+\)|\$\(id -u\)"
)
# A name that stands by itself, not as what a variable holds.
_BY_ITSELF: Final = re.compile(r"(?<![\w${%/.:-])([A-Za-z_]\w*+)(?![:%-])")
_EXPANDS: Final = re.compile(r"[$`%]")


def temporaries(script: Script, work: str = UNTOLD) -> frozenset[str]:
    """Return the variables of a text that hold nothing but paths of scratch.

    Where nobody told the work these are files that `mktemp` makes, and logs. Wherever else the name
    of one stands, something may give it another value. There are none where `mktemp` is told of a
    folder that is none for scratch.
    """
    text = script.text
    if not any(sign in text for sign in _SIGNS):
        return frozenset()
    given: dict[str, list[str]] = {}
    for segment in script.segments:
        for name, value in assigned_by(segment):
            given.setdefault(name, []).append(value)
        for one in segment.assignments if segment.words else ():
            if one.name == TOLD_TO_MKTEMP:  # for one command: `TMPDIR="$d" pytest`
                given.setdefault(one.name, []).append(one.word.text)
    mentions = Counter(_BY_ITSELF.findall(text))
    found: set[str] = set()
    if work == APART:
        found |= {
            name
            for name in _SURROUNDINGS - given.keys() - mentions.keys()
            if f"{name}:=" not in text and f"{name}=" not in text
        }
    for name, values in given.items():
        holds = all(stands_for_scratch(value, None, found, work) for value in values)
        if holds and mentions[name] == len(values):
            found.add(name)
    folders = given.get(TOLD_TO_MKTEMP, [])
    known = len(folders) == mentions[TOLD_TO_MKTEMP] and all(
        makes_room(folder, found, work) for folder in folders
    )
    return frozenset(found if known else ())


def makes_room(folder: str, known: Set[str], work: str) -> bool:
    """Whether what is new in a folder, as a text names it, is scratch."""
    plain = folder.replace('"', "")
    return re.fullmatch(_FOLDER, plain) is not None or stands_for_scratch(plain, None, known, work)


def stands_for_scratch(text: str, value: str | None, known: Set[str], work: str) -> bool:
    """Whether a word stands for scratch; `value` is None where something in it expands."""
    if value is not None:
        return is_scratch(value, work)
    plain = text.replace('"', "")
    if made := _MADE.fullmatch(plain):
        return makes_scratch(made["new"] or made["old"], work) and _is_below(made["rest"])
    if variable := _VARIABLE.fullmatch(plain):
        name = next(filter(None, variable.group("bare", "braced", "power", "cmd")))
        rest = variable["rest"]
        below = bool(rest.strip("/\\")) or name not in _SURROUNDINGS
        return name in known and below and _is_below(rest)
    settled = _MARK.sub("0", plain)
    return not (_EXPANDS.search(settled) or "'" in settled) and is_scratch(settled, work)


def _is_below(rest: str) -> bool:
    """Whether what follows a folder leads nowhere else."""
    return ".." not in rest and not _EXPANDS.search(_MARK.sub("0", rest))


def makes_scratch(command: str, work: str) -> bool:
    """Whether `mktemp` makes something new in a folder for scratch, where it does by itself."""
    plain = command.replace('"', "").replace("'", "")
    if not _MKTEMP.fullmatch(plain):
        return False
    deeper = (found[1] or found[2] for found in _BELOW.finditer(plain))
    own = _IN_FOLDER.search(plain) is not None or not _BARE_NAME.search(plain)
    return own and all(is_scratch(path, work) for path in deeper)
