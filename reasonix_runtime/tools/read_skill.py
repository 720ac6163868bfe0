"""Load the text of a skill."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.delegation import SKILL_NAME

DECLARATION = Declaration(
    name="read_skill",
    read_only=True,
    description=(
        "Load the text of an inline skill without running anything. Skills that run as "
        "sub-agents are refused: `run_skill` or `read_only_skill` execute them."
    ),
    description_zh=(
        "加载内联技能的文本而不运行任何内容。以子代理方式运行的技能会被拒绝：请用 `run_skill` "
        "或 `read_only_skill` 执行。"
    ),
    arguments=s.record(
        {
            "name": SKILL_NAME,
            "arguments": s.string("Text to append to the skill as its arguments."),
        },
        required=["name"],
    ),
)
