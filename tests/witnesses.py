"""Whether a test that a list names is there; such lists are held against the tests by name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent


@cache
def module(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text("utf-8"))


@cache
def transcripts() -> dict[str, str]:
    """Return the file of each transcript by its id."""
    return {
        found: path.stem
        for path in (ROOT / "fixtures" / "transcripts").glob("*.yaml")
        for found in re.findall(r"^- id: (\S+)$", path.read_text("utf-8"), re.MULTILINE)
    }


def words_of(tree: ast.AST) -> Iterator[str]:
    """Yield the texts that stand in a piece of code."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value.strip()


def tables(tree: ast.Module, function: ast.FunctionDef) -> list[ast.AST]:
    """Return what the parameters of a test are written in: its decorators and what they name."""
    named = {
        target.id: node
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    found: list[ast.AST] = list(function.decorator_list)
    for piece in found:
        for node in ast.walk(piece):
            if isinstance(node, ast.Name) and node.id in named:
                found.append(named.pop(node.id))
    return found


def witnesses(reference: str) -> bool:
    """Whether a test is there, and the row of its table or the transcript that is meant."""
    path, _, rest = reference.partition("::")
    name, _, row = rest.removesuffix("]").partition("[")
    tree = module(path)
    function = next(
        (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name),
        None,
    )
    if function is None or not row:
        return function is not None
    if row in transcripts():
        stem = transcripts()[row]
        return stem in words_of(tree) or ("goal" in stem and "*goal*.yaml" in words_of(tree))
    return any(row in words_of(table) for table in tables(tree, function))
