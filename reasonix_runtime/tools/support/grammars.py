"""The grammars that the tools read code with; each is a package of its own.

They are loaded when the first file is read: declaring tools must not load libraries.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from reasonix_runtime.tools.errors import ToolError

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Parser

_GRAMMARS = {
    "c": ("tree_sitter_c", "language"),
    "c-sharp": ("tree_sitter_c_sharp", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "go": ("tree_sitter_go", "language"),
    "java": ("tree_sitter_java", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "kotlin": ("tree_sitter_kotlin", "language"),
    "python": ("tree_sitter_python", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
}


@lru_cache(maxsize=len(_GRAMMARS))
def language(name: str) -> Language:
    """Return a grammar; raises ToolError when its package is not installed."""
    package, function = _GRAMMARS[name]
    try:
        make: Callable[[], Any] = getattr(import_module(package), function)
    except ModuleNotFoundError as error:
        raise ToolError(
            f"reading {name} needs the package {package.replace('_', '-')}; install "
            "reasonix-conformance[code]"
        ) from error
    from tree_sitter import Language

    return Language(make())


def parser(name: str) -> Parser:
    """Return a parser of its own for each caller: one must not be shared between threads."""
    from tree_sitter import Parser

    return Parser(language(name))


def text_of(node: Node) -> str:
    """Return the source text of a node."""
    return (node.text or b"").decode()
