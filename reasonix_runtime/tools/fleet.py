"""Run several sub-agents, writers included."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.delegation import IN_BACKGROUND, child_fields

DECLARATION = Declaration(
    name="fleet",
    read_only=False,
    description=(
        "Run 2 to 64 sub-agents that may write, each with a profile, tools and write area of "
        "its own. Items that write must not overlap: give each its `write_paths`, because a "
        "writer without them claims the whole workspace; any overlap refuses the whole call "
        "before anything starts. Surplus items queue. A failing item does not stop the others. "
        "The answer shows a preview for each item and, where it was kept, the reference for "
        "`read_subagent_result`."
    ),
    description_zh=(
        "运行 2 到 64 个可写的子代理，每个都有自己的 `profile`、工具和写入范围。会写入的条目不"
        "得重叠：请为每个条目给出 `write_paths`，因为没有它的写入者会占用整个工作区；任何重叠都"
        "会在启动前拒绝整个调用。多余的条目排队等待。一个条目失败不影响其他条目。答复给出每个条"
        "目的预览，已保存的还会给出供 `read_subagent_result` 使用的引用。"
    ),
    arguments=s.record(
        {
            "tasks": s.array(
                s.record(
                    {
                        **child_fields(),
                        "profile": s.string("The sub-agent profile to run the item with."),
                        "write_paths": s.array(
                            s.string(),
                            "What the item may write; must not overlap another's. The whole "
                            "workspace if left out.",
                        ),
                        "read_only": s.boolean(
                            "Give the item read-only tools, even if its profile may write."
                        ),
                    },
                    required=["prompt"],
                ),
                "The items, 2 to 64.",
                minItems=2,
                maxItems=64,
            ),
            "run_in_background": IN_BACKGROUND,
        },
        required=["tasks"],
    ),
)
