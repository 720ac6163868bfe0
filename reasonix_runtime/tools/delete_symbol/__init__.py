"""Delete one top-level declaration of a Go file."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

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
