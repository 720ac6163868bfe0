"""Save one fact for later sessions."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="remember",
    read_only=False,
    description=(
        "Save one durable fact for later sessions, or update a saved one. Worth saving is what "
        "the user told about themselves and their wishes, and what cannot be read from the "
        "project; not secrets, and not what the code says already. To update, give the `id` and "
        "the `expected_revision` that `memory` showed: a newer revision makes the call fail, so "
        "that nobody's change is lost. This session learns of it by a note in the next turn."
    ),
    description_zh=(
        "为之后的会话保存一条长期事实，或更新已有的一条。值得保存的是用户关于自己及其意愿的说"
        "明，以及项目中读不到的内容；不要保存机密，也不要保存代码已说明的内容。更新时请给出 "
        "`memory` 显示的 `id` 与 `expected_revision`：若已有更新的版本则调用失败，避免覆盖他人"
        "的改动。本会话会在下一轮的提示中得知。"
    ),
    arguments=s.record(
        {
            "id": s.string("The memory to update, by its id."),
            "expected_revision": s.integer(
                "The revision that you have read; the call fails if there is a newer one.",
                minimum=1,
            ),
            "name": s.string("Reference of an existing memory, or a new slug in kebab-case."),
            "title": s.string("Its label in the index."),
            "description": s.string("What it is about, in one line for the index."),
            "type": s.choice(
                ["user", "feedback", "project", "reference"], "What sort of fact it is."
            ),
            "scope": s.choice(
                ["project", "global"],
                "Where it holds; project for a new one, unchanged for an update if left out.",
            ),
            "body": s.string("The fact itself, in Markdown."),
        },
        required=["body", "description"],
    ),
)
