"""What the tolerant Bash parser misreads inside a word, put in a way that it reads like a shell.

A mask changes single bytes and no place, so that words are still cut from the text as it was.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)
_CLOSED = re.compile(rb"(?<=[<>]&)-(?=[\s;&|)]|$)")
# A program; the parser reads what stands after it as it would after `[[`, where `>` compares.
_TEST = re.compile(rb"(?<![^\s;&|(`])\[(?=\s)")
# After these words the parser reads on to the next ` ]`, as for a pattern; they compare in two
# places only.
_EQUALS = re.compile(rb"\[\[|\(\(|(?<!\S)=[=~](?!\S)")
_ENDS = {b"[[": b"]]", b"((": b"))"}
_LAST_CONTINUATIONS = re.compile(rb"(?<!\\)(?:\\\n[ \t\n]*)+$")
# A line that begins with an escaped letter; the parser hangs it on the one before. What looks like
# an escaped quote may be the end of what is quoted.
_FIRST_ESCAPED = re.compile(rb"(?<=\n)\\(?!['\n])[\t -~]?")
# Before a group the parser does not know the keyword.
_TIMED_GROUP = re.compile(rb"(?:^|(?<=[;&|({\n]))[ \t]*time(?:[ \t]+-p)?(?=[ \t]+[({][ \t]*[^\s])")
# What is set in a row, and whether a redirect is behind it.
_SET = (
    rb"[A-Za-z_]\w*+\+?="
    rb"(?:[^\s;&|<>()'\"\\`$]|'[^']*+'|\"[^\"\\`]*+\"|`[^`]*+`|\$(?![('\"{])|\$\{[^}]*+\}|\$\([^()]*+\))*+"
)
_SETS = re.compile(
    rb"(?<![^\s;&|({])%b(?:[ \t]++%b)*+(?:(?=[ \t]*+(?:\d*+[<>]|&>))(?P<redirected>))?"
    % (_SET, _SET)
)
# What a line break ends, and the sign behind it that can stand for the break.
_ON_ONE_LINE = frozenset(
    {"command", "declaration_command", "unset_command", "variable_assignments"}
    | {"redirected_statement", "file_redirect", "herestring_redirect"}
)
_BLANK = re.compile(rb"(?<!\\)[ \t\n]")
# A comment begins with its own word; the other signs mean something in few places only.
_LETTERS = re.compile(
    rb"(?<=[A-Za-z0-9_./:=@%+,~^-])#"
    rb"|(?<![$\[{!])@(?!\()"
    rb"|(?<![%{])%"
    rb"|\$(?=[\s/.,:;&|\\]|$)"
    rb"|(?<![\[\S])\[(?!\[)"
    rb"|(?<!\S)\{(?=[^\s{}]+[,.][^\s{}]*\})"
)


def masked(source: bytes) -> bytes:
    r"""Return a text for the parser in which an escaped blank is a letter of its word.

    The parser loses the backslash of ``ls \ x`` and with it the word, and rejects one at the very
    end, which a shell takes for itself. It knows no `time` before a group, in `[` no program
    and in `==` and `=~` no word. It takes the word after ``>&-`` for a target, and a last line
    that is continued by nothing for an error. Behind what is set and redirected it looks for a
    program.
    """
    if b"[" in source:
        source = _TEST.sub(b"_", source)
    if b"==" in source or b"=~" in source:
        source = _equals_as_letters(source)
    if b"=" in source:
        source = _SETS.sub(_as_words, source)
    if b"&-" in source:
        source = _CLOSED.sub(b"1", source)
    if b"time" in source:
        source = _TIMED_GROUP.sub(_blank, source)
    if b"\\" not in source:
        return source
    source = _LAST_CONTINUATIONS.sub(_blank, source)
    kept = len(source) - len(source.rstrip(b"\\"))
    source = _ESCAPED.sub(_visible, source) + b"\\" * (kept % 2)
    return _FIRST_ESCAPED.sub(_letters, source)


def _visible(match: re.Match[bytes]) -> bytes:
    return b"\\_" if match[1] in b" \t" else match[0]


def _as_words(match: re.Match[bytes]) -> bytes:
    return match[0] if match["redirected"] is None else match[0].replace(b"=", b"_")


def _equals_as_letters(source: bytes) -> bytes:
    """Return a text in which `==` and `=~` are letters where they compare nothing.

    What opens and is never closed is looked for once: after its first place, nothing closes it.
    """
    letters = bytearray(source)
    never: set[bytes] = set()
    at = 0
    while found := _EQUALS.search(source, at):
        ending = _ENDS.get(found[0])
        if ending is None:
            letters[found.start() : found.end()] = b"__"
            at = found.end()
            continue
        end = -1 if ending in never else source.find(ending, found.end())
        if end < 0:
            never.add(ending)
            at = found.start() + 1
        else:
            at = end + len(ending)
    return bytes(letters)


def with_ends(source: bytes, root: Node) -> bytes:
    """Return a text in which a line break inside a command, which ends it, is a `;`.

    The parser reads over one behind two pipes, where a redirect or an operator follows, behind
    what is set twice, and in front of a lone continuation.
    """
    ended = bytearray(source)
    waiting = [root]
    while waiting:
        node = waiting.pop()
        waiting.extend(node.children)
        if node.type not in _ON_ONE_LINE:
            continue
        words = [child for child in node.children if child.type != "comment"]
        for word, following in pairwise(words):
            between = source[word.end_byte : following.start_byte]
            if b"\n" in between.replace(b"\\\n", b"") and (blank := _BLANK.search(between)):
                ended[word.end_byte + blank.start()] = ord(";")
    return bytes(ended)


def _blank(match: re.Match[bytes]) -> bytes:
    return b" " * len(match[0])


def _letters(match: re.Match[bytes]) -> bytes:
    return b"_" * len(match[0])


def with_letters(source: bytes) -> bytes:
    """Return a text in which signs that a shell takes for letters of a word are letters."""
    return _LETTERS.sub(b"_", source)
