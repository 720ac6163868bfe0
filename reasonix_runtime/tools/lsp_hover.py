"""Get the type and documentation of a symbol."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.language import source_position

DECLARATION = Declaration(
    name="lsp_hover",
    read_only=True,
    description=(
        "Get the type and the documentation of a symbol through the language server of the "
        "file's language. Point at the symbol by file, line and its exact text on that line."
    ),
    description_zh=(
        "通过文件所属语言的语言服务器获取符号的类型和文档。用文件、行号和该行上的符号原文指明位置。"
    ),
    arguments=s.record(source_position(), required=["file", "line", "symbol"]),
)
