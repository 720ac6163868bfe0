"""Bash texts with what is known in the place of variables: the words that a function is handed.

The body of a function is read where it is called, with the words of the call, and the body of a
loop once for each of its words. Where it is not known what a variable comes to there, it stays.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from tree_sitter import Node

    from reasonix_runtime.evidence.shell.script import Word

Known: TypeAlias = "Callable[[str, int], tuple[Word, ...] | None]"
"""What a variable holds at a place of a text: words, or None where that is not known."""
Spend: TypeAlias = "Callable[[int], bool]"
"""Whether so many more bytes may be put in the place of variables."""

_VARIABLES: Final = frozenset({"simple_expansion", "expansion"})
_NAMED: Final = re.compile(
    r"\$(?P<bare>[1-9@*]|[A-Za-z_]\w*)"
    r"|\$\{(?P<braced>[1-9@*]|[A-Za-z_]\w*)(?P<other>:?-[^{}$`'\"]*)?\}"
)
_ALL: Final = re.compile(r"\"\$(?:@|\{(?:@|[A-Za-z_]\w*\[@\])\})\"")
# What no shell splits, expands or takes for something else, in quotes and outside of them.
_BARE: Final = re.compile(r"[\w./:=@%+,-]+")
_QUOTED: Final = re.compile(r"[^\"$`\\!]*")
_RESETTING: Final = frozenset({"set", "shift"})
_LEAVES_ROUNDS: Final = re.compile(rb"\b(?:break|continue)\b")
_PATTERN: Final = re.compile(r"[*?\[{~]")


def handed(text: bytes, root: Node, words: tuple[Word, ...], spend: Spend) -> bytes | None:
    """Return the body of a function with the words that it is handed.

    A `shift` counts where it stands by itself in the body. None where the body sets the words anew
    in another way, and where there is more to put into it than may be spent.
    """
    shifts = [node.start_byte for node in root.children if node.text == b"shift"]
    resetting = [node for node in _below(root) if _resets(node)]
    if len(resetting) != len(shifts):
        return None

    def known(name: str, at: int) -> tuple[Word, ...] | None:
        """Return the words that a parameter of the function holds at a place of its body."""
        shifted = bisect_left(shifts, at)
        if name in {"@", "*"}:
            return words[shifted:]
        first = shifted + int(name) - 1 if name.isdecimal() else None
        return None if first is None else words[first : first + 1]

    return spliced(text, root, known, spend)


def spliced(text: bytes, root: Node, known: Known, spend: Spend) -> bytes | None:
    """Return a text with the values of variables in their place, as far as they are known.

    Words that are handed on several times double at each call; None where they are more than may
    be spent.
    """
    parts: list[bytes] = []
    end = 0
    for node in _below(root):
        if node.start_byte < end or node.type not in _VARIABLES | {"string"}:
            continue
        written = (node.text or b"").decode("utf-8", "replace")
        words = _asked(node, written, known)
        if words is None:
            continue
        if not spend(sum(len(word.text) + 1 for word in words)):
            return None
        put = _put(node, written, words)
        if put is not None:
            parts += [text[end : node.start_byte], put.encode("utf-8", "replace")]
            end = node.end_byte
    return b"".join([*parts, text[end:]])


def follows(text: bytes, name: str) -> bool:
    """Whether the body of a loop asks for its variable and never sets it, nor leaves a round."""
    mentions = re.findall(rb"\b" + re.escape(name.encode()) + rb"\b", text)
    asked = re.findall(rb"\$\{?" + re.escape(name.encode()) + rb"\b", text)
    return bool(asked) and len(asked) == len(mentions) and not _LEAVES_ROUNDS.search(text)


def stands_for_itself(word: Word) -> bool:
    """Whether a word is the same in every place, and one alone."""
    return word.value is not None and not _PATTERN.search(word.text)


def _asked(node: Node, written: str, known: Known) -> tuple[Word, ...] | None:
    """Return the words that a node asks for, None where they are not known, or it asks for none."""
    if node.type == "string":
        return known(written.strip('"${}'), node.start_byte) if _ALL.fullmatch(written) else None
    named = _NAMED.fullmatch(written)
    return None if named is None else known(named["bare"] or named["braced"], node.start_byte)


def _put(node: Node, written: str, words: tuple[Word, ...]) -> str | None:
    """Return what stands in the place of a node that asks for words, None where it stays."""
    named = _NAMED.fullmatch(written)
    if named is None:
        return " ".join(word.text for word in words)
    told = " ".join(word.value or "$" for word in words)
    if named["other"] and not told:
        told = named["other"].removeprefix(":").removeprefix("-")
    quoted = node.parent is not None and node.parent.type == "string"
    if quoted:
        return told if _QUOTED.fullmatch(told) and written not in {"$@", "${@}"} else None
    return told if all(map(_BARE.fullmatch, told.split(" "))) or not told else None


def _below(node: Node) -> Iterator[Node]:
    """Yield a node and all below it, in the order of the text."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        waiting.extend(reversed(found.children))


def _resets(node: Node) -> bool:
    """Whether a command sets the words of a function anew: `shift`, `set -- a b`."""
    if node.type != "command":
        return False
    # Where a document stood nothing is left of a command.
    program, *given = (node.text or b"").decode("utf-8", "replace").split() or ("",)
    plain = all(word[:1] in {"-", "+"} and word != "--" for word in given[::2])
    return program in _RESETTING and not (program == "set" and given and plain)
