"""Create a file or replace its whole content."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="write_file",
    read_only=False,
    description=(
        "Create a file, or replace the whole content of an existing one; missing directories "
        "are made. `content` is written as it is: no final newline is added and line ends are "
        "not adapted. An existing file keeps its encoding. If it already has exactly this "
        "content, nothing is written. For changing a part of a file use `edit_file` or "
        "`multi_edit`."
    ),
    description_zh=(
        "创建文件，或替换已有文件的全部内容；缺少的目录会被创建。`content` 原样写入：不补末尾换"
        "行，也不调整换行符。已有文件保持其编码。内容已完全相同时不写入。只改一部分请用 "
        "`edit_file` 或 `multi_edit`。"
    ),
    arguments=s.record(
        {
            "path": s.string("The file to write, inside the workspace."),
            "content": s.string("Everything the file is to contain."),
        },
        required=["path", "content"],
    ),
)
