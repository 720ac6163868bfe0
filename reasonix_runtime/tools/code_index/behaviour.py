"""What `code_index` does when it is called."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from reasonix_runtime.tools.code_index.code_symbols import LANGUAGES, CodeSymbol, symbols_in
from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.errors import PathError, TextError, ToolError, os_reason
from reasonix_runtime.tools.support.text_files import decode
from reasonix_runtime.tools.support.walking import Walk, on_one_line
from reasonix_runtime.tools.support.workspace import Place, Workspace

DEFAULT_LIMIT, HIGHEST_LIMIT = 100, 200

MOST_FILES = 2000
"""How many source files a search reads."""

LARGEST_FILE = 1024 * 1024
"""Bytes of a file that is indexed in a directory; larger ones are generated."""

SKIPPED = frozenset(
    {".git", ".idea", ".next", ".vscode", "__pycache__", "build", "coverage", "dist"}
    | {"node_modules", "target", "vendor"}
)
"""Directories that are not indexed unless the index begins there."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A symbol and its file, as shown."""

    file: str
    symbol: CodeSymbol

    @property
    def order(self) -> tuple[bytes, int, bytes]:
        """The key to sort by: file, line, name."""
        return os.fsencode(self.file), self.symbol.line, self.symbol.name.encode()

    def __str__(self) -> str:
        symbol = self.symbol
        name = f"{symbol.parent}.{symbol.name}" if symbol.parent else symbol.name
        signature = f" — {symbol.signature}" if symbol.signature else ""
        return f"{on_one_line(self.file)}:{symbol.line}: {symbol.kind} {name}{signature}"


def run(arguments: Arguments, context: Context) -> Output:
    """Return the symbols below a path, all or those that match, one a line."""
    query: str = arguments.get("query", "")
    if arguments["action"] == "search" and not query.strip():
        raise ToolError("query is required for action=search")
    limit = min(arguments.get("limit", DEFAULT_LIMIT), HIGHEST_LIMIT)
    workspace = context.workspace
    place = workspace.locate(arguments.get("path") or ".")
    if workspace.is_hidden(place.real):
        return Output(text="(no symbols)")
    found: list[_Found] = []
    cut = False
    for number, (path, data) in enumerate(_files(workspace, place, MOST_FILES + 1), start=1):
        if context.cancellation.requested:
            raise ToolError("cancelled before the index was complete")
        if number > MOST_FILES:
            cut = True
            break
        symbols = _symbols(path, data, workspace.declared_for(os.path.basename(path)))
        found += [
            _Found(_shown(workspace, path), symbol)
            for symbol in symbols
            if _matches(symbol, query, arguments.get("kind", ""))
        ]
    found.sort(key=lambda one: one.order)
    lines = [str(one) for one in found[:limit]] or ["(no symbols)"]
    if len(found) > limit or cut:
        lines.append("... (truncated; narrow path/query/kind or raise limit)")
    return Output(text="\n".join(lines))


def _matches(symbol: CodeSymbol, query: str, kind: str) -> bool:
    if kind and symbol.kind.casefold() != kind.casefold():
        return False
    text = f"{symbol.name} {symbol.parent} {symbol.signature}"
    return query.casefold() in text.casefold()


def _files(workspace: Workspace, place: Place, most: int) -> Iterator[tuple[str, bytes]]:
    """Yield path and bytes of at most so many source files; those too large are passed over."""
    found = workspace.stat(place)
    if found is None:
        raise PathError("code_index", place.shown, "no such file or directory")
    if not stat.S_ISDIR(found.st_mode):
        yield place.shown, workspace.read(place).data
        return
    count = 0
    walk = Walk(workspace, place, enter=lambda entry: entry.name not in SKIPPED)
    try:
        for entry in walk:
            if not entry.is_file or os.path.splitext(entry.name)[1] not in LANGUAGES:
                continue
            data = entry.read(LARGEST_FILE)
            if data is not None:
                count += 1
                yield os.path.join(place.shown, entry.path), data
            if count == most:
                return
    except OSError as error:
        raise PathError("code_index", place.shown, os_reason(error)) from error


def _symbols(path: str, data: bytes, declared: str | None) -> list[CodeSymbol]:
    """Return the symbols of one file; what is no text, or no language we read, has none."""
    language = LANGUAGES.get(os.path.splitext(path)[1])
    if language is None:
        return []
    try:
        return symbols_in(decode(data, path=path, declared=declared).text, language)
    except TextError:
        return []


def _shown(workspace: Workspace, path: str) -> str:
    inside = os.path.relpath(path, workspace.directory)
    return path if inside == ".." or inside.startswith("../") else inside
