"""Reach everything that is not directly visible."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="use_capability",
    read_only=True,
    description=(
        "Reach what is not among the directly visible tools: other host tools (`tool:grep`), "
        "skills (`skill:<name>`), sub-agents (`task:read_only_task`), MCP servers and their "
        "tools (`mcp-server:<server>`, `mcp-tool:<server>/<tool>`) and results that were cut "
        "(`session:tool_result`). `list` shows what there is, `inspect` shows one capability "
        "with its schema; neither starts anything. `call` runs it with `arguments`; permission, "
        "plan mode, hooks and evidence are those of the real target. `decline` states with a "
        "reason that a proposed capability is not used; one that is required cannot be declined."
    ),
    description_zh=(
        "使用不直接可见的能力：其他主机工具（`tool:grep`）、技能（`skill:<name>`）、子代理（"
        "`task:read_only_task`）、MCP 服务器及其工具（`mcp-server:<server>`、"
        "`mcp-tool:<server>/<tool>`），以及被截断的结果（`session:tool_result`）。`list` 列出现"
        "有能力，`inspect` 显示某项能力及其 schema，两者都不启动任何东西。`call` 用 `arguments`"
        " 运行它；权限、规划模式、钩子和证据都按真实目标处理。`decline` 说明不使用某项建议能力"
        "的理由；必需的能力不能拒绝。"
    ),
    arguments=s.record(
        {
            "action": s.string("list, inspect, call or decline."),
            "capability_id": s.string("Which capability; every action but list needs it."),
            "arguments": s.mapping("For call: the arguments of the real target, as an object."),
            "reason": s.string("For decline: why it is not used."),
        },
        required=["action"],
    ),
)
