"""Find paths by a pattern."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="glob",
    read_only=True,
    description=(
        "Find files by a shell pattern: `*`, `?` and `[...]` within a name, `**` across "
        "directories, `{a,b}` for alternatives together with `**`. A bare name that is not "
        "found here is looked for in every directory below. Recursive searches return files "
        "only, skip version control, dependency and cache directories, and do not read "
        ".gitignore. At most 1000 paths are returned; a result that was cut or ran out of time "
        "says so."
    ),
    description_zh=(
        "按 shell 模式查找文件：名称内用 `*`、`?`、`[...]`，跨目录用 `**`，与 `**` 一起可用 "
        "`{a,b}` 表示多选。当前目录找不到的单个名称会在所有子目录中继续查找。递归查找只返回文"
        "件，跳过版本控制、依赖和缓存目录，不读取 .gitignore。最多返回 1000 个路径；被截断或超"
        "时会注明。"
    ),
    arguments=s.record(
        {
            "pattern": s.string("The pattern, relative to the workspace unless absolute."),
            "timeout_seconds": s.integer(
                "Stop the search after this many seconds and keep what was found: 30 if left out, "
                "at most 300."
            ),
        },
        required=["pattern"],
    ),
)
