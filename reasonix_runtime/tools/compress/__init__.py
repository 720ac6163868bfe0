"""Fold a part of the conversation into a summary."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="compress",
    read_only=True,
    description=(
        "Replace a part of the conversation that the model sees by one summary; the stored "
        "history keeps every message. Use it only when the user asks for it. `anchor` is an "
        "excerpt that occurs in exactly one message written by the user: `before` folds "
        "everything earlier than that turn, `after` folds from that turn up to the current one. "
        "The current turn and the system message always stay. Answers with a JSON object; "
        "status `noop` means that nothing was changed because nothing would have become shorter."
    ),
    description_zh=(
        "把模型可见对话的一部分替换为一段摘要；存档的历史保留全部消息。仅在用户要求时使用。"
        "`anchor` 是只出现在一条用户消息中的原文片段：`before` 折叠该轮之前的全部内容，`after` "
        "从该轮折叠到当前轮之前。当前轮和系统消息始终保留。返回一个 JSON 对象；status 为 `noop`"
        " 表示不会变短，因而未作任何改动。"
    ),
    arguments=s.record(
        {
            "direction": s.choice(
                ["before", "after"],
                "before folds what precedes the anchor's turn; after folds from that turn onwards.",
            ),
            "anchor": s.string(
                "Words copied exactly from one message of the user, unique among them; at most 512 "
                "bytes.",
                minLength=1,
                maxLength=512,
            ),
            "focus": s.string(
                "What the summary must keep above all; at most 2000 bytes.", maxLength=2000
            ),
        },
        required=["direction", "anchor"],
        closed=True,
    ),
)
