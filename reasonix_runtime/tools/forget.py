"""Take a saved memory out of use."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="forget",
    read_only=False,
    description=(
        "Take a saved memory out of use. It is archived, not destroyed, and no longer loaded; "
        "for the rest of this session disregard the copy that was loaded already. Use the id or "
        "the reference that `memory` shows: a bare slug removes the memory of that name from "
        "every scope."
    ),
    description_zh=(
        "停用一条已保存的记忆。记忆会归档而不是销毁，今后不再加载；本会话余下部分请忽略已加载的"
        "副本。请使用 `memory` 显示的 id 或引用：单独的短名会从所有范围移除同名记忆。"
    ),
    arguments=s.record(
        {
            "name": s.string(
                "The memory: its id, project/<name>.md or global/<name>.md, or an old slug."
            )
        },
        required=["name"],
    ),
)
