"""Delete one top-level declaration of a Go file."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.diffs import unified_diff
from reasonix_runtime.tools.errors import NotFoundError, NotUniqueError, ToolError
from reasonix_runtime.tools.go_symbols import Symbol, symbols_of
from reasonix_runtime.tools.lines import lines_of, without

DECLARATION = Declaration(
    name="delete_symbol",
    read_only=False,
    description=(
        "Delete one top-level declaration (function, method, type, interface, constant or "
        "variable) of a Go file, with its doc comment, and return the unified diff. The file is "
        "parsed; one with a syntax error is refused. Names are compared exactly. If several "
        "declarations fit, they are listed and nothing is deleted: narrow with `kind` and "
        "`parent`. A struct is of kind `type`. Imports that are no longer used stay."
    ),
    description_zh=(
        "删除 Go 文件中的一个顶层声明（函数、方法、类型、接口、常量或变量）连同其文档注释，返回"
        "统一 diff。文件会被解析，有语法错误则拒绝。名称精确比较。若有多个声明符合，只列出它们"
        "而不删除：请用 `kind` 和 `parent` 缩小范围。结构体的 `kind` 是 `type`。不再使用的 "
        "import 会保留。"
    ),
    arguments=s.record(
        {
            "path": s.string("The Go source file."),
            "name": s.string("The declared name."),
            "kind": s.string("Only this kind: func, method, type, interface, const or var."),
            "parent": s.string("For a method: its receiver type, without the star."),
        },
        required=["path", "name"],
    ),
)


def run(arguments: Arguments, context: Context) -> Output:
    """Delete one top-level declaration of a Go file, with its comment, and answer with the diff."""
    for key in ("path", "name"):
        if not arguments[key]:
            raise ToolError(f"{key} is required")
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
