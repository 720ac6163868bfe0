"""List the saved sessions."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="list_sessions",
    read_only=True,
    description=(
        "List the saved sessions of this project, newest first: when each was last active, its "
        "model, number of turns, the beginning of its first message and its file name, which "
        "`read_session` takes."
    ),
    description_zh=(
        "列出本项目已保存的会话，最新的在前：最后活动时间、模型、轮数、首条消息的开头以及供 "
        "`read_session` 使用的文件名。"
    ),
    arguments=s.record({}, required=[]),
)
