"""Run one sub-agent."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.delegation import CONTINUE_FROM, IN_BACKGROUND, child_fields

DECLARATION = Declaration(
    name="task",
    read_only=False,
    description=(
        "Run one sub-agent on a task of its own and return its final answer, in the foreground "
        "or as a background job. It sees nothing of this conversation: put everything it needs "
        "into `prompt`. It may write unless its profile forbids it; what it changed and checked "
        "counts as done here. A writer without `write_paths` claims the whole workspace and "
        "waits for other writers. For questions that only need reading use `read_only_task`."
    ),
    description_zh=(
        "运行一个执行独立任务的子代理并返回其最终答复，可在前台或作为后台任务。它看不到本对话："
        "请把所需信息都写进 `prompt`。除非 `profile` 禁止，它可以写入；它的改动和检查算作在此完"
        "成。没有 `write_paths` 的写入者会占用整个工作区并等待其他写入者。只需阅读的问题请用 "
        "`read_only_task`。"
    ),
    arguments=s.record(
        {
            **child_fields(),
            "profile": s.string(
                "The sub-agent profile to run it with; its text is the system prompt."
            ),
            "write_paths": s.array(
                s.string(), "What it may write; the whole workspace if left out."
            ),
            "run_in_background": IN_BACKGROUND,
            "continue_from": CONTINUE_FROM,
        },
        required=["prompt"],
    ),
)
