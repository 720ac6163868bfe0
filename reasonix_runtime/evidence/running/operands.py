"""Words that expand, and are one word and no option whatever they come to.

`$(git merge-base main HEAD)` is a revision and `"$PWD/src"` a path, so a program that is given one
does what it does with any other operand. Of other words nobody knows that: `$x` may hold
`--output=f`, or several words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from reasonix_runtime.evidence.running.settled_words import FOLDERS
from reasonix_runtime.evidence.shell.script import parse

if TYPE_CHECKING:
    from reasonix_runtime.evidence.shell.script import Word

EXPANDED: Final = "<@>"
"""What stands for what expands: no name, and no script that sed or awk is let run (`@` loads)."""

# Variables that hold the absolute path of a folder.
_PLACES: Final = FOLDERS.keys() | {"OLDPWD", "TMPDIR"}
_PIECE: Final = re.compile(r"\$(?:(\w+)|\{(\w+)\})|([^\"$`\\']+)|\"")
# What an operand may begin with, or an option that says itself what its value is.
_BEGINNING: Final = re.compile(r"[^-].*|--[a-z][a-z-]*=.*", re.DOTALL)
# A value that stays one word where nothing quotes it.
_ONE_WORD: Final = re.compile(r"[^\s-]\S*")
# Questions whose answers are names of commits and branches, or paths; no path of a work begins
# with a dash.
_NAMING: Final = re.compile(
    r"pwd|find (?!.*-printf)[^-].*|git (?:ls-files|diff --name-only)(?: .*)?"
    r"|git (?:merge-base|describe|symbolic-ref)(?: .*)?|git branch --show-current"
    r"|git rev-parse"
    r"(?: --(?:short(?:=\d+)?|abbrev-ref|verify|quiet|show-(?:toplevel|prefix)|git-dir))*"
    r"(?: [A-Za-z@][^ ]*)?"
)


class _Piece(NamedTuple):
    """A part of a word: text that stands there, a variable, or a command."""

    text: str = ""
    variable: str = ""
    command: str = ""
    quoted: bool = False


def stand_in(word: Word, known: Mapping[str, Word]) -> str | None:
    """Return a word with `EXPANDED` for each part that expands; None where it may be an option.

    `known` are the values of variables that the same command line has set before.
    """
    if word.value is not None:
        return word.value
    pieces = tuple(_pieces(word))
    if not pieces or not (_BEGINNING.fullmatch(pieces[0].text) or _is_one(pieces[0], known)):
        return None
    if not all(piece.quoted or piece.text or _is_one(piece, known) for piece in pieces):
        return None
    return "".join(piece.text or EXPANDED for piece in pieces)


def _pieces(word: Word) -> Iterator[_Piece]:
    """Yield the parts of a word; none where it has one of another kind."""
    commands = list(word.substitutions)
    found, at, quoted = [], 0, False
    while at < len(word.text):
        if commands and (length := _length(word.text[at:], commands[0].command)):
            found.append(_Piece(command=commands.pop(0).command, quoted=quoted))
            at += length
        elif piece := _PIECE.match(word.text, at):
            name, braced, text = piece.groups()
            quoted ^= piece[0] == '"'
            if piece[0] != '"':
                found.append(_Piece(text or "", name or braced or "", quoted=quoted))
            at = piece.end()
        else:
            return
    yield from found


def _length(text: str, command: str) -> int:
    """Return how long the substitution of a command is that a text begins with; 0 for none."""
    spelt = (f"$({command})", f"`{command}`")
    return next((len(one) for one in spelt if text.startswith(one)), 0)


def _is_one(piece: _Piece, known: Mapping[str, Word]) -> bool:
    """Whether what a part expands to is one word, or begins one, that is no option."""
    if piece.command:
        return _names(piece.command)
    value = known.get(piece.variable)
    if value is None:
        return piece.variable in _PLACES
    if value.value is not None:
        return _ONE_WORD.fullmatch(value.value) is not None
    return stand_in(value, {}) is not None  # of a variable that holds another one nobody knows


def _names(command: str) -> bool:
    """Whether a command prints the names of commits, branches or folders, and nothing else."""
    script = parse(command)
    return script.splittable and all(
        segment.values is not None and _prints_name(segment.values) for segment in script.segments
    )


def _prints_name(words: tuple[str, ...]) -> bool:
    if words[:1] == ("echo",):
        return len(words) == 2 and _ONE_WORD.fullmatch(words[1]) is not None
    return _NAMING.fullmatch(" ".join(words)) is not None
