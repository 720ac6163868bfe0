"""Expand a slash command to its text."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="slash_command",
    read_only=True,
    description=(
        "Expand a slash command, or a skill of that name, to its prompt text, which is to be "
        "followed now; nothing is executed by the call. Without a command, or with `list`, the "
        "available commands are listed."
    ),
    description_zh=(
        "把斜杠命令（或同名技能）展开为提示文本，现在照其执行；调用本身不执行任何内容。没有 "
        "`command` 或为 `list` 时列出可用命令。"
    ),
    arguments=s.record(
        {
            "command": s.string(
                "Its name, with or without the slash; list, or nothing, lists them."
            ),
            "arguments": s.string("The text after the name, split at white space."),
        }
    ),
)
