"""Commands that only make room for what nobody keeps, and tidy it up again (policy point).

`rm -rf /tmp/x`, `d=$(mktemp -d)`, `trap 'rm -rf "$d"' EXIT`: such a line leaves the work as it was,
and so does a copy that is put aside. New text that is written there is another matter: that may be
what the user asked for, unless it goes to a file that `mktemp` has made for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from reasonix_runtime.evidence.checks.verification import is_option, program_name
from reasonix_runtime.evidence.command_tables import OUTPUT_OPERATORS
from reasonix_runtime.evidence.effects.temporaries import (
    TOLD_TO_MKTEMP,
    makes_room,
    makes_scratch,
    stands_for_scratch,
)
from reasonix_runtime.evidence.options.variables import ENDS_HANDED_ON, runs_contained
from reasonix_runtime.evidence.scratch_places import UNTOLD
from reasonix_runtime.evidence.shell.script import Word
from reasonix_runtime.evidence.word_lists import words as word_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reasonix_runtime.evidence.running.reading import Plain
    from reasonix_runtime.evidence.shell.script import Assignment, Redirect

_CLEARING: Final = word_set("rm rmdir unlink remove-item ri rd del erase")
# Programs, with the options of theirs that have a value which is no path.
_PROGRAMS: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(_CLEARING, word_set("-erroraction -ea")),
    "mkdir": word_set("-m --mode"),
    "touch": word_set("-t -d --date"),
    "cp": word_set("-S --suffix"),
    "rsync": word_set("-e --exclude --include"),
    "mv": word_set("-S --suffix"),
    "chmod": frozenset(),
    "zip": word_set("-x -i"),
}
_OF_CMD: Final = word_set("rmdir rd del erase")
_CMD_OPTION: Final = re.compile(r"/[sqf]")


class _Place(NamedTuple):
    """The option after which the place stands, and those by which a program does more."""

    option: re.Pattern[str]
    more: re.Pattern[str]


_PLACES: Final[Mapping[str, _Place]] = {
    "curl": _Place(
        re.compile(r"-[fksSLg]*o|--output"),
        re.compile(
            r"-[a-zA-Z]*[XdFTOKJcD]|--(?!(?:output|location|silent|show-error|insecure|compressed"
            r"|max-time|connect-timeout)(?:$|=)|fail|retry)"
        ),
    ),
    "wget": _Place(
        re.compile(r"-[qcN]*[OP]|--output-document"),
        re.compile(r"--(?!(?:output-document|quiet|continue)(?:$|=)|t)|-[a-z]*[iao]"),
    ),
    "unzip": _Place(re.compile(r"-d"), re.compile(r"-.*:")),
    "tar": _Place(
        re.compile(r"-?[vzjJk]*x[vzjJk]*C|-C|--directory|-?[vzjJ]*c[vzjJ]*f"),
        re.compile(
            r"--(?!directory$|strip|exclude|gzip$)|-?[a-z]*[PI]|-[a-zA-Z]*[gF]"
            r"|[cxvzjJkpf]*[gF][cxvzjJkpf]*$"
        ),
    ),
    "git archive": _Place(re.compile(r"-o|--output"), re.compile(r"--(?:remote|exec)")),
    "git format-patch": _Place(re.compile(r"-o|--output-directory"), re.compile(r"--output=")),
    "mkdocs": _Place(re.compile(r"-d|--site-dir"), re.compile(r"serve|new|gh-deploy|get-deps")),
    "hugo": _Place(re.compile(r"-d|--destination"), re.compile(r"[a-z]|--(?:cacheDir|.*[oO]ut)")),
    "git clone": _Place(re.compile(r"(?!)"), re.compile(r"-[uc]|--(?:upload|config|template)")),
}
# With these zip takes files away, or writes elsewhere as well.
_TAKES_IN: Final = re.compile(r"-\w*[mOTb]|--")
# With these it goes somewhere else, or more is done.
_ELSEWHERE: Final = {
    "cp": re.compile(r"-\w*[tsl]|--(?:t|s[ym]|l)"),
    "mv": re.compile(r"-\w*t|--t"),
    "rsync": re.compile(r"--(?:remove-source|log-file|.*write-batch|.*-dir)"),
}
# A variable by itself, or the items of a list.
_VARIABLE: Final = re.compile(r"[\"']?\$\{?(\w+|[@*])(?:\[[@*]\]|[:+-][^}]*)?\}?[\"']?")
_LISTS: Final = word_set("@ *")
# Stands for a path that a variable of scratch holds.
_SOMEWHERE: Final = "/tmp/x"  # noqa: S108 - nothing is written there
_COPYING: Final = word_set("cp rsync")


def tidies(plain: Plain, work: str) -> bool:
    """Whether a command makes or removes something in folders for scratch, and nothing else.

    `work` tells where the work stands (`CommandRules.work`).
    """
    segment = plain.segment
    program = program_name(segment.words[0].value or "") if segment.words else ""
    if runs_contained(plain.assignments):
        return False
    if not all(_keeps_to_scratch(one, plain.temporary, work) for one in plain.assignments):
        return False
    if program == "mktemp":
        return makes_scratch(segment.text, work)
    written = _written_by(program, segment.words)
    return bool(written) and all(
        stands_for_scratch(word.text, word.value, plain.temporary, work) for word in written
    )


def _keeps_to_scratch(given: Assignment, known: frozenset[str], work: str) -> bool:
    """Whether a variable that is set names scratch, if a command may be told a place by it."""
    if given.name == TOLD_TO_MKTEMP:
        return makes_room(given.word.text, known, work)
    word = given.word
    return given.name not in known or stands_for_scratch(word.text, word.value, known, work)


def _written_by(program: str, words: tuple[Word, ...]) -> list[Word]:
    """Return what a command writes or removes, nothing where it may do more."""
    told = _told_by_option(program, words)
    if told is not None:
        return told
    named = list(_operands(program, words[1:])) if program in _PROGRAMS else []
    elsewhere = _ELSEWHERE.get(program)
    if elsewhere and any(elsewhere.match(word.text) for word in words[1:]):
        return []
    if program in _COPYING:
        return named[-1:] if len(named) > 1 else []
    if program == "zip":
        return [] if any(_TAKES_IN.match(word.text) for word in words) else named[:1]
    return named[1:] if program == "chmod" else named


def _told_by_option(program: str, words: tuple[Word, ...]) -> list[Word] | None:
    """Return where a program is told to put what it makes; None for one that is not told so."""
    texts = [word.value or "$" for word in words]
    name = " ".join([program, *texts[1:2]]) if program == "git" else program
    place = _PLACES.get(name)
    if place is None:
        return None
    if any(place.more.match(text) for text in texts[1:]) or any(map(_may_hold_options, words)):
        return []
    if name == "git clone":
        return list(words[-1:]) if len(words) > 3 else []  # behind where it comes from
    apart = [words[at] for at, text in enumerate(texts[:-1], 1) if place.option.fullmatch(text)]
    return apart + [told for word in words[1:] if (told := _glued(word, place.option))]


def _may_hold_options(word: Word) -> bool:
    """Whether a word stands for others, by the name of its variable for options: `$CURL_OPTS`."""
    found = _VARIABLE.fullmatch(word.text)
    return found is not None and (
        found[1] in _LISTS or found[1].upper().endswith(ENDS_HANDED_ON) or "@" in word.text
    )


def _glued(word: Word, option: re.Pattern[str]) -> Word | None:
    """Return what stands in one word with its option: `-o/tmp/x`, `--output=/tmp/x`."""
    name, sign, value = word.text.partition("=")
    if not (sign and option.fullmatch(name)):
        at = next((at for at in range(2, len(word.text)) if option.fullmatch(word.text[:at])), 0)
        value = "" if word.text.startswith("--") else word.text[at:] if at else ""
    if not value:
        return None
    return Word(value, None if word.value is None else word.value[-len(value) :])


def in_scratch(word: Word, known: frozenset[str], work: str) -> Word:
    """Return a word that tells a place by a variable of scratch as one that names it, others as is.

    So an option has a value that is known: `--basetemp="$d"`.
    """
    option, equals, place = word.text.partition("=")
    if not (equals and is_option(option)):
        option, equals, place = "", "", word.text
    if word.value is None and stands_for_scratch(place, None, known, work):
        return replace(word, value=f"{option}{equals}{_SOMEWHERE}", opaque=False)
    return word


def goes_to_temporary(redirect: Redirect, made: frozenset[str], work: str = UNTOLD) -> bool:
    """Whether output goes to what one of these variables of scratch names, or below it."""
    target = redirect.target
    if target is None or target.value is not None or redirect.operator not in OUTPUT_OPERATORS:
        return False
    return stands_for_scratch(target.text, None, made, work)


def taken_away(plain: Plain) -> tuple[str, ...]:
    """Return what a command that tidies takes away, as far as it is told by name."""
    words = plain.segment.words
    program = program_name(words[0].value or "")
    if program not in _CLEARING:
        return ()
    return tuple(one.value for one in _operands(program, words[1:]) if one.value)


def _operands(program: str, words: tuple[Word, ...]) -> Iterator[Word]:
    """Yield what a program is to make or remove."""
    values = _PROGRAMS[program]
    skips = False
    for word in words:
        # Those of Windows write their options in any case; `-x` and `-X` of `zip` are two.
        text = (word.value or "").lower() if program in _CLEARING else word.value or ""
        if skips:
            skips = False
        elif is_option(text):
            skips = text in values
        elif not (program in _OF_CMD and _CMD_OPTION.fullmatch(text)):
            yield word
