"""Source code as agents read and edit it: functions of drawn names and expressions, no two alike.

Text that repeats itself is decoded faster than any recording: a processor learns where its escapes
are. Everything here comes from a seed, by `Random.random` alone: that is the one method of which
every version of Python promises the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


VERBS = _words("""
    add apply build check clear close collect copy count drop encode fetch fill filter find
    flush format group handle index init join keep list load lookup make map mark match merge
    move next open pack parse peek pop push read reset resolve rotate save scan send sort split
    start store sync take trim unpack update validate visit walk write
""")
NOUNS = _words("""
    account address amount argument batch block buffer cache call channel child chunk client
    clock column config cursor date deadline entry error event field file frame group handler
    header host id index item job key kind label length level limit line link lock message
    method mode module name node offset option order owner page parent part path payload peer
    pool port price query queue range rate reason record region report request response result
    root row rule schema scope section segment session shard size slot source stage state status
    step stock stream suffix table tag target task text timeout title token total tree type unit
    user value version view weight window word worker
""")
TYPES = ("int", "str", "float", "bytes", "bool", "list[str]", "dict[str, int]", "str | None")
SMALL_WORDS = ("the", "a", "each", "no", "its", "of", "with", "for", "from", "in", "and", "that")
OPERATORS = (" + ", " - ", " * ", " // ", " == ", " != ", " < ", " >= ", " and ", " or ")


class Draw:
    """What is drawn from a seed."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random

    def part(self) -> float:
        """Return a number from 0 up to, but not including, 1."""
        return self._random()

    def below(self, end: int) -> int:
        """Return a whole number from 0 up to, but not including, `end`."""
        return int(self._random() * end)

    def between(self, low: int, high: int) -> int:
        """Return a whole number from `low` to `high`, both included."""
        return low + int(self._random() * (high - low + 1))

    def of(self, choices: Sequence[T]) -> T:
        """Return one of the choices."""
        return choices[int(self._random() * len(choices))]

    def holds(self, chance: float) -> bool:
        """Return whether something of this chance happens."""
        return self._random() < chance


def sentence(draw: Draw, words: int) -> str:
    """Return a sentence of about this many words, as comments and messages have it."""
    pools = (NOUNS, SMALL_WORDS, VERBS)
    said = [draw.of(pools[at % 3]) for at in range(max(2, words + draw.between(-2, 2)))]
    return " ".join(said).capitalize() + "."


def name(draw: Draw) -> str:
    """Return the name of a function: `verb_noun`, at times with a third word."""
    end = f"_{draw.of(NOUNS)}" if draw.holds(0.3) else ""
    return f"{draw.of(VERBS)}_{draw.of(NOUNS)}{end}"


def expression(draw: Draw) -> str:
    """Return an expression of one or two terms."""
    first = _term(draw)
    return first + draw.of(OPERATORS) + _term(draw) if draw.holds(0.3) else first


def _term(draw: Draw) -> str:
    noun = draw.of(NOUNS)
    kind = draw.below(9)
    if kind == 0:
        return str(draw.below(10 ** draw.between(1, 4)))
    if kind == 1:
        return f'"{noun}.{draw.of(NOUNS)}"'
    if kind == 2:
        return f"self._{noun}"
    if kind == 3:
        return f'{noun}["{draw.of(NOUNS)}"]'
    if kind == 4:
        return f"{name(draw)}({noun}, {draw.of(NOUNS)}={draw.of(NOUNS)})"
    if kind == 5:
        return f'f"{{{noun}}}: {draw.of(SMALL_WORDS)} {draw.of(NOUNS)}\\n"'
    if kind == 6:
        return f"[{noun[0]}.{draw.of(NOUNS)} for {noun[0]} in {noun}s]"
    return noun


def statements(draw: Draw, count: int) -> list[str]:
    """Return the lines of a body, eight columns in, with blocks of their own."""
    lines = []
    for _ in range(count):
        kind = draw.below(10)
        if kind < 4:
            lines.append(f"        {draw.of(NOUNS)} = {expression(draw)}")
        elif kind == 4:
            lines.append(f"        # {sentence(draw, 8)}")
        elif kind == 5:
            lines.append(f"        if {expression(draw)}:")
            lines.append(f"            raise ValueError({_term(draw)})")
        elif kind == 6:
            lines.append(f"        for {draw.of(NOUNS)} in self.{name(draw)}():")
            lines.append(f"            {draw.of(NOUNS)}.append({expression(draw)})")
        elif kind == 7:
            lines.append("")
        else:
            lines.append(f"        self.{draw.of(NOUNS)}.{name(draw)}({expression(draw)})")
    return lines


def function(draw: Draw) -> list[str]:
    """Return the lines of a method: 100 to 900 characters."""
    taken = f"{draw.of(NOUNS)}: {draw.of(TYPES)}"
    if draw.holds(0.4):
        taken += f", {draw.of(VERBS)}_{draw.of(NOUNS)}: {draw.of(TYPES)} = {draw.below(100)}"
    lines = [f"    def {name(draw)}(self, {taken}) -> {draw.of(TYPES)}:"]
    if draw.holds(0.6):
        lines.append(f'        """{sentence(draw, 8)}"""')
    return [
        *lines,
        *statements(draw, draw.between(2, 12)),
        f"        return {expression(draw)}",
        "",
    ]


def source_file(draw: Draw, size: int) -> list[list[str]]:
    """Return a module of about `size` characters: what is above its functions, and each of them."""
    head = [f'"""{sentence(draw, 10)}"""', "", "from __future__ import annotations", ""]
    head += [f"from {draw.of(NOUNS)} import {name(draw)}" for _ in range(draw.between(2, 6))]
    head += ["", "", f"class {draw.of(NOUNS).capitalize()}{draw.of(NOUNS).capitalize()}:"]
    parts = [[*head, f'    """{sentence(draw, 9)}"""', ""]]
    length = 0
    while length < size:
        parts.append(function(draw))
        length += sum(map(len, parts[-1])) + len(parts[-1])
    return parts
