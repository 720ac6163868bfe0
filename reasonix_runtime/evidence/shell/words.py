"""What a shell word means once its quotes are gone, as far as that can be known from its text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

# Characters after an unquoted or double-quoted `$` that begin an expansion; any other `$` is text.
_EXPANDS = re.compile(r"[A-Za-z0-9_{(\[?#$!@*-]")
# Characters that stand for themselves, whatever follows: they begin no substitution either.
_PLAIN = re.compile(r"""[^\\'"$`?*+@!<>]+""")
_PLAIN_IN_QUOTES = re.compile(r"""[^\\"$`]+""")
_ANSI_ESCAPE = re.compile(
    r"\\(?:([abeEfnrtv\\'\"?])|([0-7]{1,3})|x([0-9A-Fa-f]{1,2})"
    r"|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c(.))",
    re.DOTALL,
)
_ANSI_NAMES = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}


class WordReading:
    """The reading of one word: its static value, and whether something else than `$(...)` expands.

    `value` is None as soon as any part of the word is only known when the command runs; `opaque`
    is true when such a part is no command substitution (a variable, arithmetic, extended glob).
    """

    __slots__ = ("opaque", "value")

    def __init__(self, value: str | None, *, opaque: bool) -> None:
        self.value = value
        self.opaque = opaque


def read_word(text: str, substitutions: Sequence[tuple[int, int]] = ()) -> WordReading:
    """Remove the quotes of a Bash word.

    `substitutions` are the (start, end) places, in characters of `text`, of the command and
    process substitutions that the grammar found; they make the word dynamic, but not opaque.
    """
    reader = _WordReader(text, dict(substitutions))
    reader.unquoted()
    dynamic = reader.opaque or bool(substitutions)
    return WordReading(None if dynamic else "".join(reader.out), opaque=reader.opaque)


class _WordReader:
    """One pass over the characters of a word; a position, what was read, and what was seen."""

    __slots__ = ("at", "opaque", "out", "spans", "text")

    def __init__(self, text: str, spans: dict[int, int]) -> None:
        self.text = text
        self.spans = spans
        self.at = 0
        self.out: list[str] = []
        self.opaque = False

    def unquoted(self) -> None:
        """Read to the end of the word, outside of quotes."""
        text = self.text
        while self.at < len(text):
            if self._over_plain(_PLAIN) or self._over_substitution():
                continue
            char = text[self.at]
            if char == "\\":
                self._escaped(always=True)
            elif char == "'":
                self._single_quoted()
            elif char == '"':
                self._double_quoted()
            elif char == "$" and text.startswith("$'", self.at):
                self._ansi_quoted()
            elif char == "$" and text.startswith('$"', self.at):
                self.at += 1
            else:
                self.opaque |= self._expands() or self._extended_glob()
                self._take()

    def _over_plain(self, plain: re.Pattern[str]) -> bool:
        """Take the characters here that mean themselves; tell whether there are any."""
        found = plain.match(self.text, self.at)
        if found is not None:
            self.out.append(found[0])
            self.at = found.end()
        return found is not None

    def _over_substitution(self) -> bool:
        end = self.spans.get(self.at)
        if end is not None:
            self.at = end
        return end is not None

    def _take(self) -> None:
        self.out.append(self.text[self.at])
        self.at += 1

    def _expands(self) -> bool:
        char = self.text[self.at]
        following = self.text[self.at + 1 : self.at + 2]
        return char == "`" or (char == "$" and bool(_EXPANDS.match(following)))

    def _extended_glob(self) -> bool:
        return self.text[self.at] in "?*+@!" and self.text.startswith("(", self.at + 1)

    def _escaped(self, *, always: bool) -> None:
        """Read a backslash; inside double quotes (not `always`) it escapes few characters only."""
        following = self.text[self.at + 1 : self.at + 2]
        if following == "\n":
            self.at += 2
        elif following and (always or following in '$`"\\'):
            self.out.append(following)
            self.at += 2
        else:
            self._take()

    def _single_quoted(self) -> None:
        end = self.text.find("'", self.at + 1)
        end = len(self.text) if end < 0 else end
        self.out.append(self.text[self.at + 1 : end])
        self.at = end + 1

    def _double_quoted(self) -> None:
        self.at += 1
        while self.at < len(self.text) and self.text[self.at] != '"':
            if self._over_plain(_PLAIN_IN_QUOTES) or self._over_substitution():
                continue
            if self.text[self.at] == "\\":
                self._escaped(always=False)
            else:
                self.opaque |= self._expands()
                self._take()
        self.at += 1

    def _ansi_quoted(self) -> None:
        """Read `$'...'`, where backslash escapes stand for control characters and code points."""
        end = self.at + 2
        while end < len(self.text) and self.text[end] != "'":
            end += 2 if self.text[end] == "\\" else 1
        self.out.append(_ANSI_ESCAPE.sub(_ansi_character, self.text[self.at + 2 : end]))
        self.at = end + 1


def _ansi_character(match: re.Match[str]) -> str:
    name, octal, two, four, eight, control = match.groups()
    if name is not None:
        return _ANSI_NAMES.get(name, name)
    if control is not None:
        return chr(ord(control) & 0x1F)
    code = int(octal, 8) & 0xFF if octal is not None else int(two or four or eight, 16)
    return (
        chr(code)
        if code < 0x110000 and not 0xD800 <= code < 0xE000
        else "\N{REPLACEMENT CHARACTER}"
    )
