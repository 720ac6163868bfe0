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
from reasonix_runtime.evidence.shell.script import Dialect, Script, Word, parse
from reasonix_runtime.evidence.shell.text_length import is_too_long
from reasonix_runtime.evidence.shell.windows import dialect_of
from reasonix_runtime.evidence.shell.words import read_word
from reasonix_runtime.evidence.word_lists import words as word_set

if TYPE_CHECKING:
    from tree_sitter import Node

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
_NOT_PLAIN: Final = re.compile(r"['\\`]|\$[^A-Za-z_{]")


class _Set(NamedTuple):
    """A value that a variable is given, None where nobody knows it, and where it surely holds."""

    start: int
    until: int
    value: str | None


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
    from reasonix_runtime.evidence.shell.bash_spliced import spliced

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
        assigned = sorted(
            (node for node in nodes if node.type == "variable_assignment"),
            key=lambda node: node.start_byte,
        )
        names = _told_by_assignments(here_documents.without_bodies(source, root), assigned)
        self._once = any(node.type in _REPEATING for node in nodes)
        self._from = max((node.end_byte for node in nodes if _takes_in(node)), default=0)
        for node in assigned:
            name = _name(node)
            if name in names and (until := _holds_until(node)) is not None:
                self.known[name].append(_Set(node.end_byte, until, self._value(node)))

    def spend(self, length: int) -> bool:
        """Whether so many more bytes may be put in the place of variables."""
        self._left -= length
        return self._left >= 0

    def words_at(self, name: str, at: int) -> tuple[Word, ...] | None:
        """Return the word that a variable holds at a place, None where that is not known."""
        value = self._value_at(name, at)
        return None if value is None else (Word(value, value),)

    def _value_at(self, name: str, at: int) -> str | None:
        found = self.known.get(name, ())
        before = bisect_left(found, (at,)) - 1
        if before < 0 or (self._once and len(found) > 1):
            return None
        start, until, value = found[before]
        return value if start >= self._from and at < until else None

    def _value(self, node: Node) -> str | None:
        """Return the value that is assigned, with the variables in it that are known."""
        text = (node.text or b"").decode("utf-8", "replace").partition("=")
        if text[0].endswith("+") or node.children[-1].type == "array":
            return None
        told = text[2]
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
    if "IFS" in names:
        return frozenset()
    return frozenset(name for name in names - _OF_THE_SHELL if not mentioned[name.encode()])


def _name(node: Node) -> str:
    return (node.children[0].text or b"").decode("utf-8", "replace")


def _takes_in(node: Node) -> bool:
    return node.type == "command_name" and node.text in _TAKING_IN


def _holds_until(node: Node) -> int | None:
    """Return the end of the text in which an assignment surely ran; None where it sets nothing.

    Where it does so for nobody knows whom, that is where it stands itself.
    """
    parent = node.parent
    if parent is not None and parent.type == "command":
        return None  # for one command alone
    if parent is not None and (parent.type == "variable_assignments" or _declares(parent)):
        node, parent = parent, parent.parent
    sure = True
    while parent is not None and _is_chain(parent, node):
        if parent.type == "list":
            left, operator = parent.children[:2]
            # Behind `||` nobody knows what ran.
            if operator.type == "||" and not (sure and left == node):
                return node.end_byte
            sure = sure and (left == node or left.type in _ASSIGNING)
        node, parent = parent, parent.parent
    following = node.next_sibling
    apart = following is not None and following.type == "&"
    holds = sure and not apart and parent is not None and parent.type in _HOLDING
    return parent.end_byte if holds and parent is not None else node.end_byte


def _is_chain(parent: Node, node: Node) -> bool:
    """Whether a node is a link of a chain, or one whose last link alone is redirected or piped."""
    if parent.type == "list":
        return True
    return parent.type in _BEHIND_CHAINS and node.type == "list" and parent.children[0] == node


def _declares(node: Node) -> bool:
    """Whether a node is an `export` without options."""
    return node.type == "declaration_command" and node.children[0].type in _DECLARING
