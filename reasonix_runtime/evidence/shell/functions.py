"""The functions that a Bash text defines, and which of their calls are followed.

The body of a function is read where it is called. A call that nobody sees (by `eval`, in a
substitution, by a child that it is exported to) may be one of a function that stands for a program,
so a text with such a call is not followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.shell.script import Word
from reasonix_runtime.evidence.shell.state import program_of
from reasonix_runtime.evidence.word_lists import words as word_set

if TYPE_CHECKING:
    from reasonix_runtime.evidence.shell.script import Segment

# What is read in the place of calls and rounds: nobody writes more, and a text may double at each.
_MOST_BYTES: Final = 32_768
_MOST_READINGS: Final = 64
_DEEPEST: Final = 8
# Builtins that not every shell lets a function replace.
_KEPT: Final = word_set(
    "break : continue . eval exec exit export readonly return set shift source times trap unset"
)
# Programs of the shell that run a text, or give a function away.
_RUNNING: Final = word_set("eval trap time coproc command builtin unset hash enable mapfile")
_EXPORTING: Final = word_set("export declare typeset set")
_EXPORTED: Final = re.compile(r"-\w*[af]\w*|allexport")


@dataclass(frozen=True, slots=True)
class Function:
    """The body of a function as text, and whether it stands in a shell of its own."""

    body: bytes
    own_shell: bool


@dataclass(slots=True)
class Functions:
    """The functions of a text while it is read, none of them where none is to be followed."""

    follows: bool = True
    _known: dict[str, Function] = field(default_factory=dict)
    _within: list[str] = field(default_factory=list)
    _bound: set[str] = field(default_factory=set)
    _lost: set[str] = field(default_factory=set)
    _bytes: int = _MOST_BYTES
    _readings: int = _MOST_READINGS

    def may_define(self, name: str) -> bool:
        """Whether a function of that name is the same in every shell, and surely defined here."""
        return self.follows and name not in _KEPT and not self._within

    def define(self, name: str, function: Function) -> None:
        """Take in a function; calls after this mean it, and what the shell does at its end."""
        if name in self._bound:
            self._lost.add(name)
        self._known[name] = function

    def bound(self, words: tuple[Word, ...]) -> tuple[Word, ...]:
        """Return the words of `trap cleanup EXIT` with the text of the function in its place."""
        name = words[1].value if len(words) > 2 and words[0].value == "trap" else None
        function = self._known.get(name or "")
        if name is None or function is None or not self.read_again(len(function.body)):
            return words
        self._bound.add(name)
        text = function.body.decode("utf-8", "replace").strip().removesuffix(";")
        if function.own_shell:
            text = f"({text})"
        return (words[0], Word(text, text), *words[2:])

    def may_be_called_by(self, text: str) -> bool:
        """Whether a text has the name of a function that was taken in."""
        return bool(self._known) and not self._known.keys().isdisjoint(_names([text]))

    @property
    def names(self) -> frozenset[str]:
        """The functions that were taken in."""
        return frozenset(self._known)

    def spend(self, length: int) -> bool:
        """Whether so much more may still be read in another place."""
        self._bytes -= length
        return self._bytes >= 0

    def read_again(self, length: int) -> bool:
        """Whether a text of that length may be read in one more place."""
        self._readings -= 1
        return self.spend(length) and self._readings >= 0

    def enter(self, name: str) -> Function | None:
        """Return the function that a call means; None where it is none, or is not followed."""
        function = self._known.get(name)
        if function is None or name in self._within or len(self._within) >= _DEEPEST:
            return None
        if not self.read_again(len(function.body)):
            return None
        self._within.append(name)
        return function

    def leave(self) -> None:
        """Take in that the call is read that was entered last."""
        self._within.pop()

    def unfollowed(self, segments: Iterable[Segment]) -> frozenset[str]:
        """Return the functions that these commands may call where nobody sees it."""
        if not self._known:
            return frozenset()
        called: set[str] = set()
        for segment in segments:
            program = program_of(segment)
            given = [word.value or word.text for word in segment.words[1:]]
            if program in _EXPORTING and any(map(_EXPORTED.match, given)):
                return frozenset(self._known)
            called.add(program)
            called.update(_names(_texts(segment, given if program in _RUNNING else [])))
        return frozenset(self._known.keys() & called | self._lost)


def _texts(segment: Segment, given: list[str]) -> Iterator[str]:
    """Yield the texts that a command runs in the same shell."""
    yield from given
    assigned = (one.word for one in segment.assignments)
    targets = (one.target for one in segment.redirects if one.target is not None)
    for word in (*segment.words, *assigned, *targets):
        yield from (substitution.command for substitution in word.substitutions)


def _names(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from re.findall(r"[^\s;&|()<>`\"'$]+", text)
