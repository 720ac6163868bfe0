"""List a directory."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="ls",
    read_only=True,
    description=(
        "List the entries of a directory, hidden ones included: a directory as `name/`, "
        "anything else as its name, a tab and its size in bytes. With `recursive` the whole "
        "tree below is listed by paths relative to it, without .git, `node_modules`, caches and "
        "editor folders, and without following links. For finding files by name use `glob`."
    ),
    description_zh=(
        "列出目录内容，包括隐藏条目：目录写作 `name/`，其他条目为名称、制表符和字节数。"
        "`recursive` 会以相对路径列出整棵树，但不含 .git、`node_modules`、缓存和编辑器目录，也"
        "不跟随链接。按名称找文件请用 `glob`。"
    ),
    arguments=s.record(
        {
            "path": s.string('The directory; "." if left out.'),
            "recursive": s.boolean("List everything below as well; false if left out."),
        }
    ),
)
