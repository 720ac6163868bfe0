"""Get the errors and warnings of a file."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.language import SOURCE_FILE

DECLARATION = Declaration(
    name="lsp_diagnostics",
    read_only=True,
    description=(
        "Get the errors and warnings that the language server reports for a file. The server is "
        "given two seconds: no diagnostics does not prove that the file compiles, and is no "
        "verification."
    ),
    description_zh=(
        "获取语言服务器对某文件报告的错误和警告。只等待服务器两秒：没有诊断不代表文件能编译，也"
        "不算验证。"
    ),
    arguments=s.record({"file": SOURCE_FILE}, required=["file"]),
)
