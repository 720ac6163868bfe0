"""Bash texts with the values that they give their own variables: `F=a.py; sed -i s/x/y/ $F`.

A variable is known where the assignment that stands last before it surely ran, in the same shell,
and where nothing else in the text names it: `read F`, `unset F` and `${F:=x}` may set it as well.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.shell import here_documents
from reasonix_runtime.evidence.shell.bash_spliced import spliced, stands_for_itself
from reasonix_runtime.evidence.shell.script import Dialect, Script, Word, parse
from reasonix_runtime.evidence.shell.text_length import is_too_long
from reasonix_runtime.evidence.shell.windows import dialect_of
from reasonix_runtime.evidence.shell.words import read_word
from reasonix_runtime.evidence.word_lists import words as word_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

_ALL_ITEMS: Final = "[@]"
# Of most texts this alone is asked.
_ASSIGNS: Final = re.compile(r"(?:^|[\s;&|({])[A-Za-z_]\w*=[^\s;&|][\s\S]*\$\{?[A-Za-z_]")
_MOST_BYTES: Final = 32_768
_LONGEST_VALUE: Final = 1024
# What begins a shell, a branch or a round of its own; what is set in it holds to its end.
_HOLDING: Final = word_set("program subshell compound_statement command_substitution do_group")
_REPEATING: Final = word_set(
    "for_statement c_style_for_statement while_statement function_definition"
)
_ASSIGNING: Final = word_set("variable_assignment variable_assignments")
_BEHIND_CHAINS: Final = word_set("pipeline redirected_statement")
_DECLARING: Final = word_set("export readonly")
# Programs of the shell that run a text which may set anything.
_TAKING_IN: Final = frozenset({b"eval", b"source", b".", b"let"})
# Variables that the shell sets itself, or that say where it is and how it splits words.
_OF_THE_SHELL: Final = word_set(
    "IFS HOME PWD OLDPWD REPLY OPTARG OPTIND RANDOM SECONDS LINENO UID EUID PPID PIPESTATUS"
)
_NAME: Final = re.compile(rb"[A-Za-z_]\w*")
_ASKED: Final = re.compile(rb"\$(?:\{(?!\w+:?=))?([A-Za-z_]\w*)")
_VARIABLE: Final = re.compile(r"\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})")
# Where the shell stands, as long as it goes nowhere else.
_HERE: Final = re.compile(r"\$\((?:pwd|git rev-parse --show-toplevel)\)|\$PWD\b|\$\{PWD\}|`pwd`")
_GOING: Final = frozenset({b"cd", b"chdir", b"pushd", b"popd"})
_NOT_PLAIN: Final = re.compile(r"['\\`]|\$[^A-Za-z_{]")


class _Set(NamedTuple):
    """A value that a variable is given, None where nobody knows it, and where it surely holds.

    An array has `items`.
    """

    start: int
    until: int
    value: str | None
    items: tuple[Word, ...] = ()


def parse_told(command: str) -> Script:
    """Read a command line with the grammar of its shell, and its own variables where known."""
    dialect = dialect_of(command)
    return parse(with_told_values(command) if dialect is Dialect.BASH else command, dialect)


@memoised(1024)
def with_told_values(command: str) -> str:
    """Return a text of Bash with the values of its own variables in their place, where known."""
    if is_too_long(command) or "\0" in command or not _ASSIGNS.search(command):
        return command
    # The grammar is fetched when the first text comes that needs it.
    from reasonix_runtime.evidence.shell.bash import root_of

    source = command.replace("\r\n", "\n").encode("utf-8", "replace")
    root = root_of(source)
    if root.has_error:
        return command
    values = _Values(source, root)
    if not values.known:
        return command
    told = spliced(source, root, values.words_at, values.spend)
    return command if told is None or told == source else told.decode("utf-8", "replace")


class _Values:
    """What the variables of a text hold, by the places in it."""

    def __init__(self, source: bytes, root: Node) -> None:
        self.known: dict[str, list[_Set]] = defaultdict(list)
        self._left = _MOST_BYTES
        nodes = [*here_documents.walk(root)]
        assigned = [node for node in nodes if node.type == "variable_assignment"]
        names = _told_by_assignments(here_documents.without_bodies(source, root), assigned)
        self._once = any(node.type in _REPEATING for node in nodes)
        self._from = _last(nodes, _TAKING_IN)
        self._went = _last(nodes, _GOING)
        lasting = sorted(_assignments(root), key=lambda found: found[0].start_byte)
        for node, until in lasting:
            name = _name(node)
            if name in names:
                value, items = self._value(node), _items(node)
                self.known[name].append(_Set(node.end_byte, until, value, items))

    def spend(self, length: int) -> bool:
        """Whether so many more bytes may be put in the place of variables."""
        self._left -= length
        return self._left >= 0

    def words_at(self, name: str, at: int) -> tuple[Word, ...] | None:
        """Return what a variable holds at a place, `F[@]` all of one; None where nobody knows."""
        array = name.removesuffix(_ALL_ITEMS)
        if array != name:
            found = self._at(array, at)
            return (found and found.items) or None
        value = self._value_at(name, at)
        return None if value is None else (Word(value, value),)

    def _value_at(self, name: str, at: int) -> str | None:
        found = self._at(name, at)
        return found and found.value

    def _at(self, name: str, at: int) -> _Set | None:
        found = self.known.get(name, ())
        before = bisect_left(found, (at,)) - 1
        if before < 0 or (self._once and len(found) > 1):
            return None
        told = found[before]
        return told if told.start >= self._from and at < told.until else None

    def _value(self, node: Node) -> str | None:
        """Return the value that is assigned, with the variables in it that are known."""
        text = (node.text or b"").decode("utf-8", "replace").partition("=")
        if text[0].endswith("+") or node.children[-1].type == "array":
            return None
        told = text[2]
        if node.start_byte >= self._went:
            told = _HERE.sub(".", told)
        if "$" in told:
            if _NOT_PLAIN.search(told):
                return None
            told = _VARIABLE.sub(
                lambda asked: self._value_at(asked[1] or asked[2], node.start_byte) or "$_", told
            )
        return read_word(told).value if len(told) <= _LONGEST_VALUE else None


def _told_by_assignments(text: bytes, assigned: list[Node]) -> frozenset[str]:
    """Return the variables that are set by assignments, and otherwise are only asked for."""
    mentioned = Counter(_NAME.findall(text))
    mentioned.subtract(_ASKED.findall(text))
    mentioned.subtract(_name(node).encode() for node in assigned)
    names = frozenset(map(_name, assigned))
    if not names.isdisjoint({"IFS", "PWD"}):
        return frozenset()
    return frozenset(name for name in names - _OF_THE_SHELL if not mentioned[name.encode()])


def _name(node: Node) -> str:
    return (node.children[0].text or b"").decode("utf-8", "replace")


def _last(nodes: list[Node], programs: frozenset[bytes]) -> int:
    """Return where the last of some programs of the shell is called, 0 where none is."""
    called = (one.end_byte for one in nodes if one.type == "command_name" and one.text in programs)
    return max(called, default=0)


def _items(node: Node) -> tuple[Word, ...]:
    """Return the words of an array that all stand there, nothing for any other value."""
    array = node.children[-1]
    found = [one for one in array.children[1:-1] if one.type != "comment"]
    texts = [(one.text or b"").decode("utf-8", "replace") for one in found]
    words = tuple(Word(text, read_word(text).value) for text in texts)
    told = array.type == "array" and node.children[1].type == "="
    return words if told and all(map(stands_for_itself, words)) else ()


class _Place(NamedTuple):
    """A node, and where what is set by it alone, or by it as the end of a chain, holds to."""

    node: Node
    until: int
    chain_until: int


def _assignments(root: Node) -> Iterator[tuple[Node, int]]:
    """Yield each assignment that lasts, and the end of the text in which it surely ran.

    Where nobody knows for whom it ran that is its own end.
    """
    waiting = [_Place(root, root.end_byte, root.end_byte)]
    while waiting:
        place = waiting.pop()
        node, children = place.node, place.node.children
        if node.type == "variable_assignment":
            yield node, place.until
        if node.type == "list":
            waiting.extend(_links(place))
        elif node.type in _ASSIGNING or _declares(node):
            waiting.extend(place._replace(node=child) for child in children)
        elif node.type in _BEHIND_CHAINS and children[0].type == "list":
            waiting.extend(_alone(child) for child in children[1:])
            waiting.append(_Place(children[0], place.until, node.end_byte))
        elif node.type in _HOLDING:
            behind = [*children[1:], None]
            for child, following in zip(children, behind, strict=True):
                apart = following is not None and following.type == "&"
                end = child.end_byte if apart else node.end_byte
                waiting.append(_Place(child, end, child.end_byte))
        else:
            lasting = (child for child in children if child.type != "variable_assignment")
            waiting.extend(map(_alone, children if node.type != "command" else lasting))


def _alone(node: Node) -> _Place:
    return _Place(node, node.end_byte, node.end_byte)


def _links(place: _Place) -> Iterator[_Place]:
    """Yield the links of `a && b || c`, which the tree nests to the left."""
    links, operators, first = [place.node], [], place.node
    while first.type == "list":
        first, operator, link = (first.children[at] for at in (0, 1, -1))
        links[-1:] = [link, first]
        operators.append(operator.type)
    links.reverse()
    operators = ["", *reversed(operators)]
    sure = [True]
    for link, joins in zip(links, operators[1:], strict=False):
        sure.append(sure[-1] and joins == "&&" and link.type in _ASSIGNING)
    end = place.chain_until
    for at in range(len(links) - 1, -1, -1):
        # Behind `||` nobody knows what ran.
        until = links[at].end_byte if operators[at] == "||" else end
        yield _Place(links[at], place.until if sure[at] else until, until)
        if operators[at] != "&&" and at:
            end = links[at - 1].end_byte


def _declares(node: Node) -> bool:
    """Whether a node is an `export` without options."""
    return node.type == "declaration_command" and node.children[0].type in _DECLARING
