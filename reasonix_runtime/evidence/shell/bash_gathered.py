"""The words, assignments and redirects of one simple command, over the tree of tree-sitter-bash."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from reasonix_runtime.evidence.shell.script import Assignment, Redirect, Substitution, Word
from reasonix_runtime.evidence.shell.words import read_word

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tree_sitter import Node

_SUBSTITUTIONS = frozenset({"command_substitution", "process_substitution"})
# Nodes that are a word, or a part of one, whatever stands inside them.
_WORD_PARTS = frozenset(
    {"word", "string", "raw_string", "ansi_c_string", "translated_string", "concatenation"}
    | {"simple_expansion", "expansion", "arithmetic_expansion", "brace_expression", "number"}
    | {"variable_assignment", "array", "extglob_pattern", "regex", "subscript"}
    | _SUBSTITUTIONS
)
REDIRECTS = frozenset({"file_redirect", "herestring_redirect", "heredoc_redirect"})
_NAMED = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]]*\])?\+?=")


class Gathered:
    """The words, assignments and redirects of one simple command, in source order.

    `here` tells that the text has a here-document, whose `<<` was cut to `<`.
    """

    def __init__(self, source: bytes, *, here: bool) -> None:
        self.source = source
        self.here = here
        self.assignments: list[Assignment] = []
        self.redirects: list[Redirect] = []
        self._spans: list[tuple[int, int, list[Node]]] = []
        self._value: tuple[int, int, list[Node]] = (0, -1, [])

    def collect(self, node: Node) -> None:
        """Take in a command node: whatever touches is one word, like for the shell itself."""
        if node.type == "variable_assignment":
            (self._assignment if self._assigns(node) else self.piece)(node)
            return
        for child in node.children:
            if child.type == "variable_assignment" and not self._spans and self._assigns(child):
                self._assignment(child)
            elif child.type in REDIRECTS:
                self.redirect(child)
            elif child.type in _WORD_PARTS or not child.children:
                self.piece(child)
            elif child.type != "comment":
                self.collect(child)

    def piece(self, node: Node) -> None:
        """Take in a word, or a part of one."""
        if self._spans and self._touches(self._spans[-1][1], node.start_byte):
            start, _, nodes = self._spans[-1]
            self._spans[-1] = (start, node.end_byte, [*nodes, node])
        elif not self._spans and self._touches(self._value[1], node.start_byte):
            start, _, nodes = self._value  # the parser ends a value after `$A:$`
            self._assign(self.assignments.pop().name, start, node.end_byte, [*nodes, node])
        elif not self._spans and self._assigns(node):
            self._assignment(node)  # one by itself was masked for the parser
        else:
            self._spans.append((node.start_byte, node.end_byte, [node]))

    def _touches(self, end: int, start: int) -> bool:
        """Whether nothing but line continuations, which vanish, stands between two pieces."""
        return 0 <= end <= start and not self.source[end:start].replace(b"\\\n", b"")

    def _assigns(self, node: Node) -> bool:
        """Whether what the parser takes for an assignment has a name; `--a=b` has none."""
        return _NAMED.match(self.source, node.start_byte) is not None

    def _assignment(self, node: Node) -> None:
        text = self.source[node.start_byte : node.end_byte]
        name, _, _ = text.partition(b"=")
        start = node.start_byte + len(name) + 1
        self._assign(name.decode("utf-8", "replace").rstrip("+"), start, node.end_byte, [node])

    def _assign(self, name: str, start: int, end: int, nodes: list[Node]) -> None:
        self._value = (start, end, nodes)
        self.assignments.append(Assignment(name, self._word(start, end, nodes)))

    def redirect(self, node: Node) -> None:
        """Take in a redirect; words that the parser put after its target go to the command."""
        descriptor, operator, targets = "", "", []
        for child in node.children:
            if child.type == "file_descriptor":
                descriptor = self.source[child.start_byte : child.end_byte].decode()
            elif not operator:
                operator = child.type
            else:
                targets.append(child)
        if operator == "<" and self.here:
            operator = "<<"
        target = None
        if targets:
            first = targets[0]
            target = self._word(first.start_byte, first.end_byte, [first])
            if target.text == "-":  # the parser knows `>&-`, but not what may stand after it
                operator, target = f"{operator}-", None
        self.redirects.append(Redirect(descriptor, operator, target))
        for extra in targets[1:]:
            self.piece(extra)

    def set_in_front(self) -> Iterable[bytes]:
        """Yield the assignments as they are written."""
        for one in self.assignments:
            yield f"{one.name}={one.word.text}".encode("utf-8", "replace")

    def words(self) -> Iterable[Word]:
        """Return the words read so far."""
        return [self._word(start, end, nodes) for start, end, nodes in self._spans]

    def _word(self, start: int, end: int, nodes: list[Node]) -> Word:
        text = self.source[start:end].decode("utf-8", "replace")
        found: list[tuple[Node, bool]] = []
        for node in nodes:
            find_substitutions(node, quoted=False, found=found)
        inner = tuple(self._substitution(node, quoted) for node, quoted in found)
        spans = [
            (self._offset(start, n.start_byte), self._offset(start, n.end_byte)) for n, _ in found
        ]
        reading = read_word(text, spans)
        return Word(text, reading.value, inner, reading.opaque)

    def _offset(self, start: int, end: int) -> int:
        return len(self.source[start:end].decode("utf-8", "replace"))

    def _substitution(self, node: Node, quoted: bool) -> Substitution:
        text = self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")
        if text.startswith("`"):
            return Substitution(text.strip("`").replace("\\`", "`"), quoted, process=False)
        process = node.type == "process_substitution"
        return Substitution(text[2:].removesuffix(")"), quoted, process)


def whole_substitution(assignments: Sequence[Assignment]) -> str | None:
    """Return the command of `out=$(command)`, where nothing else is assigned, else None."""
    if len(assignments) != 1 or len(assignments[0].word.substitutions) != 1:
        return None
    text = assignments[0].word.text.strip('"')
    (inner,) = assignments[0].word.substitutions
    whole = inner.command and text in (f"$({inner.command})", f"`{inner.command}`")
    return inner.command if whole else None


def find_substitutions(node: Node, *, quoted: bool, found: list[tuple[Node, bool]]) -> None:
    """Collect the outermost substitutions below a node, and whether each is in double quotes."""
    if node.type in _SUBSTITUTIONS:
        found.append((node, quoted))
        return
    if node.child_count:
        for child in node.children:
            find_substitutions(child, quoted=quoted or node.type == "string", found=found)
