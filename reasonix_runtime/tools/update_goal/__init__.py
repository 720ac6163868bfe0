"""Report where the current goal stands."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="update_goal",
    read_only=True,
    description=(
        "Report what this goal turn has led to: `continue` if work remains, `complete` if the "
        "goal is reached, `blocked` if only the user can help. Works only during a goal turn "
        "and fails otherwise, changing nothing. The report is a proposal; after the turn the "
        "host compares it with what really ran and decides. `complete` and `blocked` are final "
        "for the turn. With `complete`, give a completion account: the commands that back the "
        "claim, what was left unverified, and the risks that remain. A claimed command that was "
        "not run, failed, or is older than the last change becomes a gap and does not count."
    ),
    description_zh=(
        "报告本轮目标的进展：仍有工作为 `continue`，目标达成为 `complete`，只有用户能解决为 "
        "`blocked`。仅在目标轮中有效，否则失败且不改变任何状态。报告只是提议，本轮结束后主机会"
        "与真实执行记录核对再作决定。`complete` 与 `blocked` 在本轮内不可再改。`complete` 时请"
        "附上完成说明：支撑结论的命令、尚未验证的部分、仍存在的风险。所声称的命令若未运行、失败"
        "或早于最后一次改动，就会成为缺口，不予计入。"
    ),
    arguments=s.record(
        {
            "status": s.choice(
                ["continue", "complete", "blocked"],
                "continue: work remains; complete: the goal is reached; blocked: the user must "
                "act.",
            ),
            "reason": s.string("Why, in a sentence; required for continue and blocked."),
            "next_action": s.string("What comes next; for continue."),
            "completion": s.record(
                {
                    "verified": s.array(s.string(), "Commands that were run and passed."),
                    "unverified": s.array(s.string(), "What nobody has checked."),
                    "risks": s.array(s.string(), "What may still go wrong."),
                },
                description="The account that goes with complete.",
            ),
        },
        required=["status"],
    ),
)
