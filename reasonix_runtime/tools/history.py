"""Search earlier sessions."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="history",
    read_only=True,
    description=(
        "Search saved sessions for passages, then read around a hit. `search` ranks passages "
        "of user text, answers, tool calls and tool errors; `around` shows the messages next to "
        "a hit by the `session_path` and `message_index` that `search` gave. Saved text is what "
        "was said at the time, not a proof of the present state."
    ),
    description_zh=(
        "在已保存的会话中搜索片段，再查看命中处的上下文。`search` 对用户文本、回答、工具调用和"
        "工具错误的片段排序；`around` 按 `search` 给出的 `session_path` 和 `message_index` 显示"
        "相邻消息。存档文本是当时所说，不能证明现在的状态。"
    ),
    arguments=s.record(
        {
            "operation": s.choice(["search", "around"], "Search, or read around a hit."),
            "query": s.string("What to search for."),
            "scope": s.choice(
                ["project", "global"],
                "project: the sessions of this project; global: all of them, with archives.",
            ),
            "kind": s.array(
                s.choice(
                    ["user_text", "assistant_text", "tool_input", "tool_error", "tool_output"]
                ),
                "Which parts to search; all but tool_output if left out.",
            ),
            "tool_name": s.string("Of the tool parts only those of this tool."),
            "limit": s.integer("How many hits: 8 if left out, at most 20."),
            "session_path": s.string("For around: the session of the hit."),
            "message_index": s.integer("For around: the message of the hit."),
            "before": s.integer("Messages to show before it: 3 if left out, at most 10."),
            "after": s.integer("Messages to show after it: 3 if left out, at most 10."),
        },
        required=["operation"],
    ),
)
