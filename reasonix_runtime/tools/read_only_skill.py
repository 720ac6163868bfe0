"""Use a skill without writing anything."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.delegation import SKILL_ARGUMENTS, SKILL_NAME

DECLARATION = Declaration(
    name="read_only_skill",
    read_only=True,
    description=(
        "Use a skill by its name without writing anything: an inline skill gives its text to "
        "follow now, a sub-agent skill is run apart with read-only tools and returns its "
        "answer. Can be used while planning."
    ),
    description_zh=(
        "按名称使用技能且不写入任何内容：内联技能给出现在要遵循的文本，子代理技能用只读工具单独"
        "运行并返回答复。规划阶段可用。"
    ),
    arguments=s.record(
        {
            "name": SKILL_NAME,
            "arguments": SKILL_ARGUMENTS,
        },
        required=["name"],
    ),
)
