"""Search, read and list saved memories."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="memory",
    read_only=True,
    description=(
        "Search, read or list the facts saved for this project and for all projects. The answer "
        "gives the id and the revision of a memory; pass both to `remember` when you update it. "
        "A memory tells what was true when it was saved: check before relying on it."
    ),
    description_zh=(
        "搜索、读取或列出为本项目和所有项目保存的事实。答复会给出记忆的 `id` 与 `revision`，更"
        "新时请一并传给 `remember`。记忆说明的是保存时的情况：依赖之前请核实。"
    ),
    arguments=s.record(
        {
            "operation": s.choice(["search", "read", "list"], "Search, read one, or list them."),
            "query": s.string("What to search for."),
            "name": s.string(
                "For read: the id, project/<name>.md or global/<name>.md, or an old slug."
            ),
            "type": s.choice(
                ["user", "feedback", "project", "reference"], "Only memories of this type."
            ),
            "scope": s.choice(["project", "global"], "Only memories of this scope."),
            "limit": s.integer("How many to return: 8 if left out, at most 20."),
        },
        required=["operation"],
    ),
)
