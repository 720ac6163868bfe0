"""Whether a deletion would cut a pair of curly braces apart."""

from __future__ import annotations

import os
from collections.abc import Iterator

from reasonix_runtime.tools.errors import ToolError

EXTENSIONS = frozenset(
    [
        ".c",
        ".cc",
        ".cjs",
        ".cpp",
        ".cs",
        ".css",
        ".cxx",
        ".go",
        ".h",
        ".hh",
        ".hpp",
        ".htm",
        ".html",
        ".java",
        ".js",
        ".json",
        ".jsonc",
        ".jsx",
        ".kt",
        ".kts",
        ".less",
        ".mjs",
        ".php",
        ".rs",
        ".sass",
        ".scss",
        ".svelte",
        ".swift",
        ".ts",
        ".tsx",
        ".vue",
    ]
)
"""Languages whose blocks stand in curly braces."""

_QUOTES = "\"'`"


def require_whole_pairs(text: str, path: str, start: int, end: int) -> None:
    """Refuse to delete the lines from `start` up to `end` when one brace of a pair would stay."""
    if os.path.splitext(path)[1].lower() not in EXTENSIONS:
        return
    for opened, closed in brace_pairs(text):
        if (start <= opened < end) != (start <= closed < end):
            raise ToolError(
                f"the range would cut a pair of braces apart (lines {opened + 1} and "
                f"{closed + 1}); choose anchors around both or between them"
            )


def brace_pairs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the line indices of each pair of braces outside comments and quoted text."""
    open_lines: list[int] = []
    line = 0
    for symbol, lines in _symbols(text):
        if symbol == "{":
            open_lines.append(line)
        elif symbol == "}" and open_lines:
            yield open_lines.pop(), line
        line += lines


def _symbols(text: str) -> Iterator[tuple[str, int]]:
    """Yield each piece of a text that matters, with the number of line feeds in it."""
    at = 0
    while at < len(text):
        end = at + 1
        if text.startswith("//", at):
            end = _after(text, "\n", at)
            end -= text.endswith("\n", at, end)
        elif text.startswith("/*", at):
            end = _after(text, "*/", at + 2)
        elif text[at] in _QUOTES:
            end = _quote_end(text, at)
        yield text[at], text.count("\n", at, end)
        at = end


def _after(text: str, what: str, at: int) -> int:
    found = text.find(what, at)
    return len(text) if found < 0 else found + len(what)


def _quote_end(text: str, at: int) -> int:
    quote = text[at]
    at += 1
    while at < len(text) and text[at] != quote:
        at += 2 if text[at] == "\\" else 1
    return min(at + 1, len(text))
