"""What loops, branches and renaming commands of Bash come to, on the tree of tree-sitter-bash."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tree_sitter import Node

    from reasonix_runtime.evidence.shell.script import Word

# Words that are there whatever happens, if nothing expands in them.
_LITERALS = frozenset(
    {"word", "string", "raw_string", "number", "concatenation", "brace_expression"}
)
_HOLDING = frozenset({b"true", b":"})
_PUT_FOR = re.compile(r"BASH_(?:CMDS|ALIASES)\[[\"']?([^\]\"']+)[\"']?\]")
_COUNTED = re.compile(rb"\$\(seq (?:1 )?[1-9]\d*\)|`seq (?:1 )?[1-9]\d*`")


def runs_once(node: Node) -> bool:
    """Whether a control structure is a `for` over words that stand there, so that it runs."""
    if node.type != "for_statement" or node.children[0].type != "for":
        return False
    _, *words = [child for child in node.children if child.is_named][:-1]
    return bool(words) and all(
        (child.type in _LITERALS and b"$" not in (child.text or b""))
        or _COUNTED.fullmatch(child.text or b"")
        for child in words
    )


class Repeated(NamedTuple):
    """The nodes of a loop that goes on until something holds; not `told`, until it is left."""

    awaited: Sequence[Node]
    body: Node
    told: bool = True


def repeats(node: Node) -> Repeated | None:
    """Take an `until`, a `while !` or a `while true` apart; None for another loop."""
    if node.type != "while_statement" or node.children[-1].type != "do_group":
        return None
    keyword, *condition, body = node.children
    told = [child for child in condition if child.is_named and child.type != "comment"]
    alone = told[0] if len(told) == 1 else None
    if keyword.type == "until":
        negated = any(child.type == "negated_command" for child in told)
        never = alone is not None and alone.text == b"false"
        return None if negated else Repeated(condition, body, told=not never)
    if alone is None:
        return None
    if alone.type == "negated_command":
        return Repeated(alone.children[1:], body)
    return Repeated(condition, body, told=False) if alone.text in _HOLDING else None


def renamed(program: str, words: tuple[Word, ...]) -> Iterable[str]:
    """Return the names that `alias x=y` and `hash -p file x` give another meaning."""
    if program == "alias":
        return (word.text.partition("=")[0] for word in words[1:])
    hashed = program == "hash" and any(word.text.startswith("-p") for word in words[1:])
    return (words[-1].text,) if hashed else ()


def hands_on(text: bytes, variable: str) -> bool:
    """Whether programs are given what a loop sets: where they are found, what is exported."""
    if variable == "PATH":
        return True
    exported = (
        rb"\b(?:export|declare|typeset)\b[^;&|\n=]*\b" + re.escape(variable.encode()) + rb"\b"
    )
    return (b"export" in text or b"-x" in text) and re.search(exported, text) is not None


def put_for(assigned: str) -> Iterable[str]:
    """Return the program that `BASH_CMDS[x]=y` or `BASH_ALIASES[x]=y` gives another meaning."""
    found = _PUT_FOR.fullmatch(assigned)
    return (found[1],) if found else ()


class Branches(NamedTuple):
    """The nodes of an `if`; `negated` tells that its whole condition has a `!` in front."""

    condition: Sequence[Node]
    negated: bool
    body: Sequence[Node]
    otherwise: Sequence[Node] | None


def branches_of(node: Node) -> Branches | None:
    """Take an `if` apart, None where it has an `elif` or is something else."""
    kinds = [child.type for child in node.children]
    if node.type != "if_statement" or "elif_clause" in kinds or "then" not in kinds:
        return None
    then = kinds.index("then")
    end = kinds.index("else_clause") if "else_clause" in kinds else len(kinds) - 1
    condition = node.children[1:then]
    told = [child for child in condition if child.is_named and child.type != "comment"]
    negated = len(told) == 1 and told[0].type == "negated_command"
    return Branches(
        condition=told[0].children[1:] if negated else condition,
        negated=negated,
        body=node.children[then + 1 : end],
        otherwise=node.children[end].children[1:] if "else_clause" in kinds else None,
    )
