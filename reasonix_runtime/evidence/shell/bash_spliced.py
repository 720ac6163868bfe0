"""Bash texts with what is known in the place of variables: the words that a function is handed.

The body of a function is read where it is called, with the words of the call, and the body of a
loop once for each of its words. Where it is not known what a variable comes to there, it stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from tree_sitter import Node

    from reasonix_runtime.evidence.shell.script import Word

Known: TypeAlias = "Callable[[str, int], tuple[Word, ...] | None]"
"""What a variable holds at a place of a text: words, or None where that is not known."""

_VARIABLES: Final = frozenset({"simple_expansion", "expansion"})
_NAMED: Final = re.compile(
    r"\$(?P<bare>[1-9@*]|[A-Za-z_]\w*)"
    r"|\$\{(?P<braced>[1-9@*]|[A-Za-z_]\w*)(?P<other>:?-[^{}$`'\"]*)?\}"
)
_ALL: Final = frozenset({'"$@"', '"${@}"'})
# What no shell splits, expands or takes for something else, in quotes and outside of them.
_BARE: Final = re.compile(r"[\w./:=@%+,-]+")
_QUOTED: Final = re.compile(r"[^\"$`\\!]*")
_RESETTING: Final = frozenset({"set", "shift"})
_LEAVES_ROUNDS: Final = re.compile(rb"\b(?:break|continue)\b")
_PATTERN: Final = re.compile(r"[*?\[{~]")


def handed(text: bytes, root: Node, words: tuple[Word, ...]) -> bytes | None:
    """Return the body of a function with the words that it is handed; None where it resets them.

    A `shift` counts where it stands by itself in the body.
    """
    shifts = [node.start_byte for node in root.children if node.text == b"shift"]
    resetting = [node for node in _below(root) if _resets(node)]
    if len(resetting) != len(shifts):
        return None

    def known(name: str, at: int) -> tuple[Word, ...] | None:
        left = words[sum(shift < at for shift in shifts) :]
        if name in {"@", "*"}:
            return left
        return left[int(name) - 1 :][:1] if name.isdecimal() else None

    return spliced(text, root, known)


def spliced(text: bytes, root: Node, known: Known) -> bytes:
    """Return a text with the values of variables in their place, as far as they are known."""
    parts: list[bytes] = []
    end = 0
    for node in _below(root):
        if node.start_byte < end or node.type not in _VARIABLES | {"string"}:
            continue
        put = _put(node, known)
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


def _put(node: Node, known: Known) -> str | None:
    """Return what stands in the place of a node, None where it stays."""
    written = (node.text or b"").decode("utf-8", "replace")
    if node.type == "string":
        words = known("@", node.start_byte) if written in _ALL else None
        return None if words is None else " ".join(word.text for word in words)
    named = _NAMED.fullmatch(written)
    if named is None:
        return None
    words = known(named["bare"] or named["braced"], node.start_byte)
    if words is None:
        return None
    values = [word.value for word in words]
    told = " ".join(value or "$" for value in values)
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
    program, *given = (node.text or b"").decode("utf-8", "replace").split()
    plain = all(word[:1] in {"-", "+"} and word != "--" for word in given[::2])
    return program in _RESETTING and not (program == "set" and given and plain)
