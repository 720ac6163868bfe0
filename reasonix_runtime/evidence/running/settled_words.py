"""Words that ask for something whose answer is known.

How many processors there are is a number, so that `make -j$(nproc)` is `make -j1` on one of them;
the top of the work is where the work stands, all packages of Go are `./...`, and where two branches
part is some earlier commit. A variable that takes its old value along
(`NODE_OPTIONS="$NODE_OPTIONS --trace-warnings"`) says what it adds.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace
from typing import Final

from reasonix_runtime.evidence.shell.script import Assignment, Segment, Word

_COUNT: Final = re.compile(
    r"\s*(?:nproc(?:\s+--(?:all|ignore=\d+))?|getconf\s+_NPROCESSORS_ONLN"
    r"|sysctl\s+-n\s+hw\.(?:(?:logical|physical)?ncpu|(?:logical|physical)cpu))"
    r"(?:\s+2>\s*/dev/null)?(?:\s*\|\|\s*echo\s+\d+)?\s*"
)
_HERE: Final = re.compile(r"\s*(?:pwd|git\s+rev-parse\s+--show-toplevel)\s*")
_EARLIER: Final = re.compile(
    r"\s*git\s+(?:merge-base(?:\s+[\w@][\w./@~^-]*){2}|describe\s+--tags\s+--abbrev=0)\s*"
)
# What others wrote is kept in a folder of that name, and none of the work.
_PACKAGES: Final = re.compile(
    r"\s*go\s+list\s+\./\.\.\.\s*(?:\|\s*grep\s+-v\s+['\"]?/?vendor/?['\"]?\s*)?"
)
FOLDERS: Final = {"PWD": ".", "HOME": "~"}
"""Variables that are folders with a name of their own."""
_IN_FOLDER: Final = re.compile(r"(\"?)\$(?:(PWD|HOME)|\{(PWD|HOME)\})((?:/[\w./@-]*)?)\1")
_ANSWERS: Final = ((_COUNT, "1"), (_HERE, "."), (_PACKAGES, "./..."), (_EARLIER, "0000000"))
_SUBSTITUTION: Final = re.compile(r"\$\([^()]*\)|`[^`]*`")


def settled(segment: Segment, changed: Container[str]) -> Segment:
    """Return a command with what its words ask for in their place, where that is known.

    `changed` are the variables that were given other values.
    """
    return replace(segment, words=tuple(_settled(word, changed) for word in segment.words))


def _settled(word: Word, changed: Container[str]) -> Word:
    """Return a word with what it asks for in its place, where that is known, others as is."""
    if word.opaque:
        place = _IN_FOLDER.fullmatch(word.text)
        name = place[2] or place[3] if place else ""
        if place is None or name in changed:
            return word
        text = FOLDERS[name] + place[4]
        return Word(text, text)
    if not word.substitutions:
        return word
    for question, answer in _ANSWERS:
        if all(question.fullmatch(inner.command) for inner in word.substitutions):
            text = _SUBSTITUTION.sub(answer, word.text)
            return Word(text, text.replace('"', ""))
    return word


_OLD: Final = r"\$(?:env:)?{name}(?!\w)|\$\{{{name}(?::?-)?\}}"
_EXPANDING: Final = re.compile(r"[$`\\'\"]")


def addition(assignment: Assignment) -> Assignment:
    """Return an assignment with what it adds to the old value of its variable, others as is."""
    word = assignment.word
    if word.value is not None or word.substitutions or "$" not in word.text:
        return assignment
    text = word.text
    if text[:1] == text[-1:] == '"':
        text = text[1:-1]
    added = re.sub(_OLD.format(name=re.escape(assignment.name)), "", text)
    if added == text or _EXPANDING.search(added):
        return assignment
    return replace(assignment, word=replace(word, value=added.strip(), opaque=False))
