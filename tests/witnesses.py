"""Whether a test that a list names is there; such lists are held against the tests by name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from places import ROOT
from transcript_cases import CASES

REPLAYED = "tests/test_transcripts.py::test_a_transcript_holds"


@cache
def module(path: str) -> ast.Module:
    return ast.parse((ROOT / path).read_text("utf-8"))


@cache
def transcripts() -> frozenset[str]:
    """Return the ids of the transcripts that hold: one test replays them all."""
    return frozenset(transcript.id for transcript, _ in CASES)


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
    if f"{path}::{name}" == REPLAYED:
        return row in transcripts()
    return any(row in words_of(table) for table in tables(tree, function))
