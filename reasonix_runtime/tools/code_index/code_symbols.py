"""The named things that a source file defines, as its grammar sees them.

Each language has one query; the name of a capture is the kind of the symbol. `parent` captures the
type that a method belongs to, `of` what a Go type is made of.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from reasonix_runtime.tools.support.grammars import language, parser, text_of

if TYPE_CHECKING:
    from tree_sitter import Node, Query

LANGUAGES = {
    ".c": "c",
    ".cc": "cpp",
    ".cpp": "cpp",
    ".cs": "c-sharp",
    ".go": "go",
    ".h": "c",
    ".hpp": "cpp",
    ".java": "java",
    ".js": "javascript",
    ".jsx": "javascript",
    ".kt": "kotlin",
    ".kts": "kotlin",
    ".py": "python",
    ".rs": "rust",
    ".ts": "typescript",
    ".tsx": "tsx",
}
"""The grammar for each file extension; extensions are compared as they are written."""

_C = """
(function_definition declarator: (function_declarator declarator: (_) @func))
(function_definition declarator: (_ declarator: (function_declarator declarator: (_) @func)))
(struct_specifier name: (type_identifier) @struct body: (_))
(enum_specifier name: (type_identifier) @enum body: (_))
"""

_JAVASCRIPT = """
(class_declaration name: (_) @class)
(function_declaration name: (_) @func)
(generator_function_declaration name: (_) @func)
(variable_declarator name: (identifier) @func
  value: [(arrow_function) (function_expression) (generator_function)])
(class_declaration name: (_) @parent body: (class_body (method_definition name: (_) @method)))
"""

_TYPESCRIPT = (
    _JAVASCRIPT
    + """
(abstract_class_declaration name: (_) @class)
(abstract_class_declaration name: (_) @parent
  body: (class_body [
    (method_definition name: (_) @method)
    (abstract_method_signature name: (_) @method)]))
(interface_declaration name: (_) @interface)
(type_alias_declaration name: (_) @type)
(enum_declaration name: (_) @enum)
(function_signature name: (_) @func)
"""
)

_QUERIES = {
    "c": _C,
    "cpp": _C + "(class_specifier name: (type_identifier) @class body: (_))",
    "c-sharp": """
(class_declaration name: (_) @class)
(interface_declaration name: (_) @interface)
(enum_declaration name: (_) @enum)
(record_declaration name: (_) @record)
(struct_declaration name: (_) @struct)
(method_declaration name: (_) @method)
""",
    "go": """
(source_file (function_declaration name: (_) @func))
(source_file (method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @parent)) name: (_) @method))
(source_file (type_declaration (type_spec name: (_) @type type: (_) @of)))
(source_file (type_declaration (type_alias name: (_) @type)))
(source_file (const_declaration (const_spec (identifier) @const)))
(source_file (var_declaration (var_spec (identifier) @var)))
(source_file (var_declaration (var_spec_list (var_spec (identifier) @var))))
""",
    "java": """
(class_declaration name: (_) @class)
(interface_declaration name: (_) @interface)
(enum_declaration name: (_) @enum)
(record_declaration name: (_) @record)
(method_declaration name: (_) @method)
""",
    "javascript": _JAVASCRIPT,
    "kotlin": """
(class_declaration "class" name: (_) @class) @whole
(class_declaration "interface" name: (_) @interface)
(object_declaration name: (_) @object)
(function_declaration name: (_) @method)
""",
    "python": """
(class_definition name: (_) @class)
(function_definition name: (_) @func)
""",
    "rust": """
(function_item name: (_) @fn)
(function_signature_item name: (_) @fn)
(struct_item name: (_) @struct)
(enum_item name: (_) @enum)
(trait_item name: (_) @trait)
""",
    "tsx": _TYPESCRIPT,
    "typescript": _TYPESCRIPT,
}

_NOTES = frozenset({"of", "parent", "whole"})
"""Captures that tell about a symbol and are none."""

_GO_TYPES = {"interface_type": "interface", "struct_type": "struct"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeSymbol:
    """A named thing that a file defines; `line` counts from 1 and is that of the name."""

    name: str
    kind: str
    line: int
    parent: str = ""
    signature: str = ""


def symbols_in(text: str, grammar: str) -> list[CodeSymbol]:
    """Return the symbols of a source text in the order of their lines.

    A text with errors is read as far as the grammar understands it.
    """
    from tree_sitter import QueryCursor

    root = parser(grammar).parse(text.encode()).root_node
    lines = text.split("\n")
    found = [
        _symbol(kind, node, captures, lines, grammar)
        for _, captures in QueryCursor(_query(grammar)).matches(root)
        for kind, nodes in captures.items()
        if kind not in _NOTES
        for node in nodes
    ]
    return sorted(found, key=lambda symbol: (symbol.line, symbol.name, symbol.kind))


@lru_cache(maxsize=len(_QUERIES))
def _query(grammar: str) -> Query:
    from tree_sitter import Query

    return Query(language(grammar), _QUERIES[grammar])


def _symbol(
    kind: str, node: Node, captures: dict[str, list[Node]], lines: list[str], grammar: str
) -> CodeSymbol:
    name = text_of(node)
    parent = _type_name(captures["parent"][0]) if "parent" in captures else ""
    if "of" in captures:
        kind = _GO_TYPES.get(captures["of"][0].type, kind)
    if "whole" in captures and _is_kotlin_enum(captures["whole"][0]):
        kind = "enum"
    line = node.start_point[0]
    signature = lines[line].strip()
    if grammar == "go":
        receiver = f"({parent}) " if parent else ""
        signature = f"{'func' if kind == 'method' else kind} {receiver}{name}"
    return CodeSymbol(name=name, kind=kind, line=line + 1, parent=parent, signature=signature)


def _type_name(node: Node) -> str:
    """Return the name of a receiver's type, without pointer and type parameters."""
    while node.type in {"generic_type", "parenthesized_type", "pointer_type"}:
        node = node.named_children[0]
    return text_of(node)


def _is_kotlin_enum(declaration: Node) -> bool:
    return any(child.type == "enum_class_body" for child in declaration.named_children)
