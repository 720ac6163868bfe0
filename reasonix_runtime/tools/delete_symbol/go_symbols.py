"""The top-level declarations of a Go file, with the lines that belong to each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reasonix_runtime.tools.errors import ToolError
from reasonix_runtime.tools.support.grammars import parser, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_SPECS = {
    "type_declaration": ("type_spec", "type_alias"),
    "const_declaration": ("const_spec",),
    "var_declaration": ("var_spec",),
}
_KINDS = {"const_declaration": "const", "var_declaration": "var"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """One declared name.

    `line` counts from 1 and is that of the name. `first` and `last` are the indices, from 0, of
    the lines that hold the declaration and the comment above it. `siblings` are names that one
    specification declares together with this one, `neighbours` other declarations that share its
    lines.
    """

    name: str
    kind: str
    parent: str
    line: int
    first: int
    last: int
    siblings: tuple[str, ...] = ()
    neighbours: tuple[str, ...] = ()

    @property
    def described(self) -> str:
        """The symbol in words, with its receiver."""
        return f"{self.kind} {self.name}" + (f" (receiver {self.parent})" if self.parent else "")


@dataclass(frozen=True, slots=True)
class _Declared:
    """A node that declares names, and the node whose lines go with it."""

    node: Node
    whole: Node
    kind: str
    parent: str
    names: tuple[Node, ...]


def symbols_of(text: str, *, path: str) -> list[Symbol]:
    """Return the top-level symbols of a Go file in order; raises ToolError if it does not parse."""
    root = parser("go").parse(text.encode()).root_node
    _require_parsed(root, path)
    declared = [found for node in root.named_children for found in _declared(node)]
    lines = text.split("\n")
    return [symbol for found in declared for symbol in _symbols(found, declared, lines)]


def _require_parsed(root: Node, path: str) -> None:
    if root.has_error:
        line = _first_error(root).start_point[0] + 1
        raise ToolError(f"parse {path}: syntax error at line {line}; nothing was deleted")
    if not any(node.type == "package_clause" for node in root.named_children):
        raise ToolError(f"parse {path}: expected a package clause; nothing was deleted")


def _first_error(node: Node) -> Node:
    for child in node.children:
        if child.has_error:
            return _first_error(child)
    return node


def _declared(node: Node) -> Iterator[_Declared]:
    if node.type in {"function_declaration", "method_declaration"}:
        method = node.type == "method_declaration"
        yield _Declared(
            node,
            node,
            "method" if method else "func",
            _receiver(node) if method else "",
            _names(node),
        )
    for spec in _specs(node):
        grouped = any(child.type == "(" for child in (spec.parent or node).children)
        yield _Declared(
            spec,
            spec if grouped else node,
            _KINDS.get(node.type) or _type_kind(spec),
            "",
            _names(spec),
        )


def _names(node: Node) -> tuple[Node, ...]:
    """Return the names that a node declares; the grammar puts their commas among them."""
    return tuple(name for name in node.children_by_field_name("name") if name.is_named)


def _specs(node: Node) -> Iterator[Node]:
    """Yield the specifications of a declaration, grouped or not."""
    wanted = _SPECS.get(node.type, ())
    for child in node.named_children:
        if child.type in wanted:
            yield child
        elif child.type == "var_spec_list":
            yield from (spec for spec in child.named_children if spec.type in wanted)


def _type_kind(spec: Node) -> str:
    defined = spec.child_by_field_name("type")
    return "interface" if defined is not None and defined.type == "interface_type" else "type"


def _receiver(method: Node) -> str:
    """Return the receiver's type name without `*`; a generic one has none."""
    receiver = method.child_by_field_name("receiver")
    parameter = receiver.named_children[0] if receiver and receiver.named_children else None
    kind = parameter.child_by_field_name("type") if parameter else None
    if kind is not None and kind.type == "pointer_type":
        kind = kind.named_children[0]
    return text_of(kind) if kind is not None and kind.type == "type_identifier" else ""


def _symbols(found: _Declared, declared: list[_Declared], lines: list[str]) -> Iterator[Symbol]:
    names = tuple(text_of(node) for node in found.names)
    first = _comment_start(found.whole, lines)
    last = found.whole.end_point[0]
    others = (
        text_of(node)
        for other in declared
        if other.node != found.node and _overlap(other.whole, first, last)
        for node in other.names
    )
    neighbours = tuple(others)
    for node, name in zip(found.names, names, strict=True):
        yield Symbol(
            name=name,
            kind=found.kind,
            parent=found.parent,
            line=node.start_point[0] + 1,
            first=first,
            last=last,
            siblings=tuple(other for other in names if other != name),
            neighbours=neighbours,
        )


def _overlap(node: Node, first: int, last: int) -> bool:
    return node.start_point[0] <= last and node.end_point[0] >= first


def _comment_start(node: Node, lines: list[str]) -> int:
    """Return the line where the comment directly above begins, else the node's own first line."""
    first = node.start_point[0]
    above = node.prev_sibling
    while above is not None and above.type in {"comment", "\n"}:
        row, column = above.start_point
        own_line = not lines[row].encode()[:column].strip()
        if above.type == "comment":
            if above.end_point[0] != first - 1 or not own_line:
                break
            first = row
        above = above.prev_sibling
    return first
