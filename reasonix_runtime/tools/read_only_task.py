"""Run one read-only sub-agent."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.delegation import child_fields

DECLARATION = Declaration(
    name="read_only_task",
    read_only=True,
    description=(
        "Run one sub-agent that can only read, and return its answer. For an investigation "
        "whose raw output would fill this conversation. It sees nothing of the conversation and "
        "is not kept, so it cannot be continued. Can be used while planning."
    ),
    description_zh=(
        "运行一个只能读取的子代理并返回其答复。适合原始输出会占满本对话的调查。它看不到本对话，"
        "也不会保存，因此不能继续。规划阶段可用。"
    ),
    arguments=s.record(child_fields(), required=["prompt"]),
)
