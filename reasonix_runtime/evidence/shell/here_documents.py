"""Here-documents of a Bash text: whether it has some, what they run, and the text without them."""

from __future__ import annotations

from collections.abc import Iterable

from tree_sitter import Node


def has_any(root: Node) -> bool:
    """Whether a parsed text has a here-document."""
    return any(node.type == "heredoc_redirect" for node in _walk(root))


def run_commands(root: Node) -> bool:
    """Whether a command is substituted into the body of a here-document."""
    bodies = (node for node in _walk(root) if node.type == "heredoc_body")
    return any(node.type == "command_substitution" for body in bodies for node in _walk(body))


def without_bodies(source: bytes, root: Node) -> bytes:
    """Take the bodies of here-documents out, and turn each `<<` into a plain input redirect.

    The parser nests whatever follows `<<EOF` on the line inside the redirect. Without the bodies
    the same line reads as the list or pipeline that it is.
    """
    cuts = []
    for node in _walk(root):
        if node.type in {"heredoc_body", "heredoc_end"}:
            cuts.append((node.start_byte, node.end_byte))
        elif node.type in {"<<", "<<-"}:
            cuts.append((node.start_byte + 1, node.end_byte))
    out, at = bytearray(), 0
    for start, end in sorted(cuts):
        out += source[at:start]
        at = max(at, end)
    return bytes(out + source[at:])


def _walk(root: Node) -> Iterable[Node]:
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(node.children)
