"""Save a new skill."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="install_skill",
    read_only=False,
    description=(
        "Save a new skill, a Markdown playbook that later turns can run by its name. Never "
        "replaces an existing one. It can be used at once and is listed in the skill index from "
        "the next session on. The skill is text that will be followed later: write down only "
        "what the user wants done."
    ),
    description_zh=(
        "保存一个新技能，即之后可按名称运行的 Markdown 操作手册。绝不覆盖已有技能。可立即使用，"
        "从下一个会话起列入技能索引。技能是之后会被照做的文本：只写用户希望做的事。"
    ),
    arguments=s.record(
        {
            "name": s.string(
                "Its name: 1 to 64 letters, digits, `_`, `-` and `.`, the first a letter or digit."
            ),
            "description": s.string("What it is for, in one line for the index."),
            "body": s.string("The playbook, in Markdown."),
            "scope": s.choice(
                ["project", "global"],
                "Where it is kept; project if left out and there is a workspace.",
            ),
            "runAs": s.choice(
                ["inline", "subagent"],
                "inline puts its text before the model, subagent runs it apart; inline if left "
                "out.",
            ),
            "model": s.string("For a sub-agent: the model to run it with."),
            "effort": s.string("For a sub-agent: how hard the model is to think."),
            "allowedTools": s.array(s.string(), "For a sub-agent: the tools it may use."),
        },
        required=["body", "description", "name"],
    ),
)
