"""Here-documents of a Bash text: whether it has some, what they run, and the text without them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from typing import Final

from tree_sitter import Node

from reasonix_runtime.evidence.command_tables import SHELLS
from reasonix_runtime.evidence.word_lists import words as word_set

_QUOTES: Final = word_set("' \" \\")
_EXPANDED: Final = re.compile(r"[$`\\]")
_SETTING: Final = word_set("-e -u -x -l -eu -eux -ex -euo -eo -uo -o pipefail errexit nounset")
_JOINED: Final = re.compile(r"&&|\|\||;")
# Programs that read nothing from where their shell reads its commands.
_LEAVES_INPUT: Final = re.compile(
    r"\s*(?:[A-Za-z_]\w*=[\w./:-]*\s+)*(?:(?:uv|poetry|pdm|hatch|npx|bundle)\s+(?:(?:run|exec)\s+)?)?"
    r"(?:set|cd|export|unset|echo|printf|pwd|true|:|mkdir|rm|cp|mv|ls|touch|date|source|\.|test|\["
    r"|pytest|ruff|black|isort|mypy|flake8|pylint|pyright|tox|nox|pre-commit|make|just|cargo|go"
    r"|npm|pnpm|yarn|bun|eslint|prettier|tsc|jest|vitest|git|dotnet|(?:\./)?(?:mvnw|gradlew)|mvn"
    r"|gradle|rspec|rake|rubocop|mix|composer|flutter|dart|cmake|ctest|ninja|terraform|helm)"
    r"(?=\s|$)(?!.*\s(?:-|/dev/stdin|run)(?:\s|$))"
)


def has_any(root: Node) -> bool:
    """Whether a parsed text has a here-document."""
    return any(node.type == "heredoc_redirect" for node in walk(root))


def run_commands(root: Node) -> bool:
    """Whether a command is substituted into the body of a here-document."""
    bodies = (node for node in walk(root) if node.type == "heredoc_body")
    return any(node.type == "command_substitution" for body in bodies for node in walk(body))


def without_bodies(source: bytes, root: Node) -> bytes:
    """Take the bodies of here-documents out, and turn each `<<` into a plain input redirect.

    The parser nests whatever follows `<<EOF` on the line inside the redirect. Without the bodies
    the same line reads as the list or pipeline that it is. What a shell reads from one is put
    where `-c` would hand it the same text.
    """
    cuts: list[tuple[int, int, bytes]] = []
    for node in walk(root):
        if node.type in {"heredoc_body", "heredoc_end"}:
            cuts.append((node.start_byte, node.end_byte, b""))
        elif node.type in {"<<", "<<-"}:
            start, text = _handed_to_shell(node)
            end = start.end_byte if start else node.end_byte
            cuts.append((node.start_byte + (start is None), end, text))
    out, at = bytearray(), 0
    for start_byte, end_byte, text in sorted(cuts):
        out += source[at:start_byte] + text
        at = max(at, end_byte)
    return bytes(out + source[at:])


def _handed_to_shell(sign: Node) -> tuple[Node | None, bytes]:
    """Return the word behind a `<<` from which a shell reads its commands, and these as `-c`.

    None where nobody knows that it runs all of them as they stand.
    """
    redirect = sign.parent
    parts = {node.type: node for node in redirect.children} if redirect else {}
    start, body = parts.get("heredoc_start"), parts.get("heredoc_body")
    command = redirect.parent and redirect.parent.child_by_field_name("body") if redirect else None
    if command is not None and command.type == "list":
        command = command.children[-1]
    words = _text(command).split() if command is not None and command.type == "command" else []
    if not (start and body and words and words[0] in SHELLS and _SETTING.issuperset(words[1:])):
        return None, b""
    lines = _text(body)
    lines = re.sub(r"^\t+", "", lines, flags=re.MULTILINE) if sign.type == "<<-" else lines
    kept = _text(start)[:1] in _QUOTES or not _EXPANDED.search(lines)
    if not kept or not _run_to_the_last(lines):
        return None, b""
    return start, f"-c {shlex.quote(lines)}".encode("utf-8", "replace")


def _run_to_the_last(lines: str) -> bool:
    """Whether a shell comes to the last line: nothing before it reads what the shell reads."""
    told = [line for line in lines.splitlines() if line.strip() and line.lstrip()[0] != "#"]
    starts = (one for line in told[:-1] for one in _JOINED.split(line))
    return bool(told) and all(map(_LEAVES_INPUT.match, starts))


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def walk(root: Node) -> Iterable[Node]:
    """Yield a node and all below it."""
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(node.children)
