"""What `delete_symbol` does when it is called."""

from __future__ import annotations

from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.delete_symbol.go_symbols import Symbol, symbols_of
from reasonix_runtime.tools.errors import NotFoundError, NotUniqueError, ToolError
from reasonix_runtime.tools.support.arguments import require
from reasonix_runtime.tools.support.diffs import unified_diff
from reasonix_runtime.tools.support.lines import lines_of, without


def run(arguments: Arguments, context: Context) -> Output:
    """Delete one top-level declaration of a Go file, with its comment, and answer with the diff."""
    require(arguments, "path", "name")
    workspace = context.workspace
    place = workspace.writable(arguments["path"])
    if not place.shown.lower().endswith(".go"):
        raise ToolError(f"{place.shown} is no Go file; delete_range works on any text file")
    before = workspace.read_text(place)
    symbol = _choose(symbols_of(before.text, path=place.shown), arguments, place.shown)
    if symbol.siblings:
        raise ToolError(
            f"{symbol.name} is declared together with {', '.join(symbol.siblings)}, which would "
            f"go too (line {symbol.line}); edit that line instead"
        )
    if symbol.neighbours:
        raise ToolError(
            f"the lines of {symbol.name} also hold {', '.join(symbol.neighbours)}, which would go "
            f"too (line {symbol.line}); put them on lines of their own first"
        )
    after = without(lines_of(before.text), symbol.first, symbol.last + 1)
    workspace.change_text(before, after)
    return Output(text=unified_diff(before.text, after, place.shown))


def _choose(symbols: list[Symbol], arguments: Arguments, path: str) -> Symbol:
    """Return the one symbol that is meant; an empty filter filters nothing."""
    name, kind, parent = (arguments.get(key, "") for key in ("name", "kind", "parent"))
    named = [symbol for symbol in symbols if symbol.name == name]
    if not named:
        raise NotFoundError(f'symbol "{name}" not found in {path}')
    of_kind = [symbol for symbol in named if not kind or symbol.kind == kind]
    if not of_kind:
        raise NotFoundError(
            f'symbol "{name}" with kind "{kind}" not found in {path}; it is '
            f"{', '.join(sorted({symbol.kind for symbol in named}))}"
        )
    found = [symbol for symbol in of_kind if not parent or symbol.parent == parent]
    if not found:
        raise NotFoundError(
            f'symbol "{name}" with kind "{kind or "any"}" and parent "{parent}" not found in {path}'
        )
    if len(found) > 1:
        candidates = "\n".join(f"line {symbol.line}: {symbol.described}" for symbol in found)
        raise NotUniqueError(
            f'Multiple matches for "{name}" in {path}; say which by kind and parent:\n{candidates}'
        )
    return found[0]
