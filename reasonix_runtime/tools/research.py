"""Combine web pages and local code in a sub-agent."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.delegation import CONTINUE_FROM

DECLARATION = Declaration(
    name="research",
    read_only=False,
    description=(
        "Let a sub-agent read web pages and local code and return one synthesis that names its "
        "sources. The sub-agent sees nothing of the conversation: say in `task` what outside "
        "subject is meant and which local code to compare with it."
    ),
    description_zh=(
        "让子代理阅读网页和本地代码，返回一份注明来源的综合结论。子代理看不到本对话：请在 "
        "`task` 中说明外部主题以及要对照的本地代码。"
    ),
    arguments=s.record(
        {
            "task": s.string(
                "The complete question: the outside subject and the local code concerned."
            ),
            "continue_from": CONTINUE_FROM,
        },
        required=["task"],
    ),
)
