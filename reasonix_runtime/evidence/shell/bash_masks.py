"""What the tolerant Bash parser misreads inside a word, put in a way that it reads like a shell.

A mask changes single bytes and no place, so that words are still cut from the text as it was.
"""

from __future__ import annotations

import re

_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)
_CLOSED = re.compile(rb"(?<=[<>]&)-(?=[\s;&|)]|$)")
# A program; the parser reads what stands after it as it would after `[[`, where `>` compares.
_TEST = re.compile(rb"(?<![^\s;&|(`])\[(?=\s)")
# After these words the parser reads on to the next ` ]`, as for a pattern; they compare in two
# places only.
_EQUALS = re.compile(rb"\[\[|\(\(|(?<!\S)=[=~](?!\S)")
_ENDS = {b"[[": b"]]", b"((": b"))"}
_LAST_CONTINUATIONS = re.compile(rb"(?<!\\)(?:\\\n[ \t\n]*)+$")
# A line of nothing but its own continuation; the parser hangs the next line on the one before.
_EMPTY_CONTINUATIONS = re.compile(rb"(?<=[^\\]\n)(?:[ \t]*\\\n)+")
# A line that begins with an escaped letter; the parser hangs it on the one before. What looks like
# an escaped quote may be the end of what is quoted.
_FIRST_ESCAPED = re.compile(rb"(?<=\n)\\(?!['\n])[\t -~]?")
# Before a group the parser does not know the keyword.
_TIMED_GROUP = re.compile(rb"(?:^|(?<=[;&|({\n]))[ \t]*time(?:[ \t]+-p)?(?=[ \t]+[({][ \t]*[^\s])")
# What is set in a row, and whether a redirect, a comment or the end of the line is behind it.
_SET = (
    rb"[A-Za-z_]\w*+\+?="
    rb"(?:[^\s;&|<>()'\"\\`$]|'[^']*+'|\"[^\"\\`]*+\"|`[^`]*+`|\$(?![('\"{])|\$\{[^}]*+\}|\$\([^()]*+\))*+"
)
_SETS = re.compile(
    rb"(?<![^\s;&|({])%b(?:[ \t]++%b)*+(?:(?=[ \t]*+(?:\d*+[<>]|&>|\n)|[ \t]++#)(?P<alone>))?"
    % (_SET, _SET)
)
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
    that is continued by nothing for an error. Behind what is set it looks for a program, past
    redirects and, where more than one thing is set, past the end of the line.
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
    source = _EMPTY_CONTINUATIONS.sub(_blank_signs, source)
    kept = len(source) - len(source.rstrip(b"\\"))
    source = _ESCAPED.sub(_visible, source) + b"\\" * (kept % 2)
    return _FIRST_ESCAPED.sub(_letters, source)


def _visible(match: re.Match[bytes]) -> bytes:
    return b"\\_" if match[1] in b" \t" else match[0]


def _as_words(match: re.Match[bytes]) -> bytes:
    return match[0] if match["alone"] is None else match[0].replace(b"=", b"_")


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


def _blank(match: re.Match[bytes]) -> bytes:
    return b" " * len(match[0])


def _letters(match: re.Match[bytes]) -> bytes:
    return b"_" * len(match[0])


def _blank_signs(match: re.Match[bytes]) -> bytes:
    return match[0].replace(b"\\", b" ")


def with_letters(source: bytes) -> bytes:
    """Return a text in which signs that a shell takes for letters of a word are letters."""
    return _LETTERS.sub(b"_", source)
