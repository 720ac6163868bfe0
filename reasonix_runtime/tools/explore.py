"""Survey the code base in a sub-agent."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.delegation import CONTINUE_FROM

DECLARATION = Declaration(
    name="explore",
    read_only=False,
    description=(
        "Let a sub-agent survey the code base and return one answer with file and line "
        "references. For questions that need many searches and reads, whose raw output would "
        "fill this conversation. The sub-agent sees nothing of the conversation: put everything "
        "it needs into `task`."
    ),
    description_zh=(
        "让子代理勘察代码库并返回一份带文件和行号引用的答复。适合需要大量搜索和阅读、原始输出会"
        "占满本对话的问题。子代理看不到本对话：请把所需信息都写进 `task`。"
    ),
    arguments=s.record(
        {
            "task": s.string("The complete question, understandable by itself."),
            "continue_from": CONTINUE_FROM,
        },
        required=["task"],
    ),
)
