"""Replace the task list."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="todo_write",
    read_only=True,
    description=(
        "Write the whole task list, replacing the previous one; send every item each time, in "
        "order. Use it for work of several steps, before the first change. The list is worked "
        "through serially: `completed` items first, then exactly one item `in_progress`, then "
        "`pending` ones. Items with `level` `1` are sub-steps of the `level` `0` item before "
        "them; that phase becomes `in_progress` after its last sub-step. An item becomes "
        "`completed` through `complete_step` in the same turn, not by writing it here: do not "
        "set a status to `completed` yourself unless it was signed off. Keep `completed` items "
        "where they are, and do not drop the item in progress. A list that breaks these rules "
        "is refused and the old one stays."
    ),
    description_zh=(
        "写入整个任务清单，替换之前的清单；每次都按顺序给出所有条目。用于多步骤的工作，并在第一"
        "次改动之前写好。清单按顺序推进：先是 `completed` 条目，然后恰好一个 `in_progress`，再"
        "是 `pending`。`level` 为 1 的条目是其前一个 `level` `0` 条目的子步骤；该阶段在最后一个"
        "子步骤完成后才变为 `in_progress`。条目通过同一轮中的 `complete_step` 变为 "
        "`completed`，而不是在这里写成 `completed`：未签收的条目不要自行改状态。已完成的条目保"
        "持原位，正在进行的条目不能丢弃。违反规则的清单会被拒绝，旧清单保留。"
    ),
    arguments=s.record(
        {
            "todos": s.array(
                s.record(
                    {
                        "content": s.string("What is to be done, as an instruction."),
                        "status": s.choice(
                            ["pending", "in_progress", "completed"],
                            "Where the item stands; one item at most is in_progress.",
                        ),
                        "activeForm": s.string(
                            "The same in the form shown while it is being done."
                        ),
                        "level": s.whole_choice(
                            [0, 1],
                            "0 for a phase or a plain item, 1 for a sub-step of the phase before "
                            "it; 0 if left out.",
                        ),
                    },
                    required=["content", "status"],
                ),
                "The complete list, in the order of work.",
            )
        },
        required=["todos"],
    ),
)
