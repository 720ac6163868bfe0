"""Read a saved session."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="read_session",
    read_only=True,
    description=(
        "Read a saved session: user and assistant text, tool calls, and the results if asked "
        "for, each shortened. System messages and reasoning are never shown. Use `history` to "
        "find a passage first."
    ),
    description_zh=(
        "读取一个已保存的会话：用户与助手文本、工具调用，以及按需显示的结果，均经缩短。系统消息"
        "和推理从不显示。请先用 `history` 找到相关片段。"
    ),
    arguments=s.record(
        {
            "session": s.string("File name as list_sessions shows it, or a path in that folder."),
            "max_turns": s.integer("How many user turns to show: 50 if left out, 0 for all."),
            "show_tool_results": s.boolean("Show what the tools returned; false if left out."),
        },
        required=["session"],
    ),
)
