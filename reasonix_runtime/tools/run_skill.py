"""Run a skill."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.delegation import CONTINUE_FROM, SKILL_ARGUMENTS, SKILL_NAME

DECLARATION = Declaration(
    name="run_skill",
    read_only=False,
    description=(
        "Run a skill by its name: an inline skill gives its text to follow now, a sub-agent "
        "skill is run apart, may write, and returns its answer. Names are case-sensitive. "
        "`read_only_skill` does the same without writing."
    ),
    description_zh=(
        "按名称运行技能：内联技能给出现在要遵循的文本，子代理技能单独运行、可以写入并返回答复。"
        "名称区分大小写。`read_only_skill` 的作用相同但不写入。"
    ),
    arguments=s.record(
        {
            "name": SKILL_NAME,
            "arguments": SKILL_ARGUMENTS,
            "continue_from": CONTINUE_FROM,
        },
        required=["name"],
    ),
)
