"""Plan, install or remove a skill, tool server or plugin."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="install_source",
    read_only=False,
    description=(
        "Install a skill, an MCP server or a plugin from an address, a path or a package name, "
        "or remove one. Without `apply` nothing is changed: the answer is a plan with the risk "
        "of each action and a `planId`. Show the plan to the user; then repeat the call with "
        "`apply` and that `planId`, which fails if the plan has become another one. `uninstall` "
        "takes effect at once. Skills that exist are never overwritten."
    ),
    description_zh=(
        "从地址、路径或包名安装技能、MCP 服务器或插件，或将其移除。没有 `apply` 时不作改动：答"
        "复是一个计划，含每个动作的风险和 `planId`。请先把计划给用户看，再带上 `apply` 和该 "
        "`planId` 重复调用；计划若已改变则失败。`uninstall` 立即生效。已有技能绝不覆盖。"
    ),
    arguments=s.record(
        {
            "op": s.choice(["install", "uninstall"], "What to do; install if left out."),
            "source": s.string("What to install: an address, a path or a package name."),
            "kind": s.choice(
                ["auto", "skill", "mcp", "plugin"], "What it is; found out if left out."
            ),
            "apply": s.boolean("Carry the plan out; false, or left out, only plans."),
            "scope": s.choice(
                ["project", "global"],
                "Where it is recorded: servers globally if left out, skills in the project.",
            ),
            "mode": s.choice(["auto", "copy", "link", "register"], "How a skill is put in place."),
            "name": s.string("Another name for it; required for uninstall."),
            "transport": s.choice(["auto", "stdio", "http", "sse"], "How the server is spoken to."),
            "command": s.string("Another command to start the server with."),
            "args": s.array(s.string(), "Other arguments to start the server with."),
            "env": s.string_map("Environment variables of the server."),
            "headers": s.string_map("HTTP headers for the server; use placeholders for secrets."),
            "tier": s.choice(
                ["background", "eager"], "When the server starts; background if left out."
            ),
            "replace": s.boolean("Allow replacing a server entry of the same name."),
            "strict": s.boolean(
                "Demand that a skill states its name and description; true if left out."
            ),
            "planId": s.string("The plan that is being confirmed."),
        },
        required=[],
    ),
)
