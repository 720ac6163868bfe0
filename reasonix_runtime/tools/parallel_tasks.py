"""Run several read-only sub-agents at once."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.delegation import child_fields

DECLARATION = Declaration(
    name="parallel_tasks",
    read_only=True,
    description=(
        "Run 2 to 64 read-only sub-agents at the same time and wait for all of them. For "
        "independent questions that can be looked into side by side; none of them can write or "
        "see the others. Each prompt must be understandable by itself. A failing item does not "
        "stop the others. The answer shows a preview for each item and, where it was kept, the "
        "reference for `read_subagent_result`."
    ),
    description_zh=(
        "同时运行 2 到 64 个只读子代理并等待全部结束。适合可并行查看的独立问题；它们都不能写"
        "入，也看不到彼此。每个 prompt 都要能独立理解。一个条目失败不影响其他条目。答复给出每个"
        "条目的预览，已保存的还会给出供 `read_subagent_result` 使用的引用。"
    ),
    arguments=s.record(
        {"tasks": s.array(s.record(child_fields(), required=["prompt"]), "The items, 2 to 64.")},
        required=["tasks"],
    ),
)
