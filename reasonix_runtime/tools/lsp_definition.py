"""Find where a symbol is defined."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.language import source_position

DECLARATION = Declaration(
    name="lsp_definition",
    read_only=True,
    description=(
        "Find the definition of a symbol through the language server of the file's language. "
        "Point at the symbol by file, line and its exact text on that line. A server that is "
        "still indexing asks to be called again later."
    ),
    description_zh=(
        "通过文件所属语言的语言服务器查找符号的定义。用文件、行号和该行上的符号原文指明位置。服"
        "务器仍在建立索引时会提示稍后重试。"
    ),
    arguments=s.record(source_position(), required=["file", "line", "symbol"]),
)
