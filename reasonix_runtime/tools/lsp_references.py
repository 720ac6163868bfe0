"""Find all references to a symbol."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.language import source_position

DECLARATION = Declaration(
    name="lsp_references",
    read_only=True,
    description=(
        "Find every reference to a symbol in the workspace through the language server of the "
        "file's language, for example before renaming it. Point at the symbol by file, line and "
        "its exact text on that line."
    ),
    description_zh=(
        "通过文件所属语言的语言服务器查找工作区内对某符号的全部引用，例如在重命名之前。用文件、"
        "行号和该行上的符号原文指明位置。"
    ),
    arguments=s.record(source_position(), required=["file", "line", "symbol"]),
)
