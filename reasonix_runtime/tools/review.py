"""Have the pending change reviewed by a sub-agent."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.delegation import CONTINUE_FROM

DECLARATION = Declaration(
    name="review",
    read_only=False,
    description=(
        "Have the pending change of this branch reviewed by a sub-agent, which reads the diff "
        "itself and hands in a structured report. A review counts for what was changed before "
        "it: ask for it after the last edit, and again after mending what it found."
    ),
    description_zh=(
        "让子代理评审本分支的待定改动；它会自行阅读 diff 并提交结构化报告。评审只对其之前的改动"
        "有效：请在最后一次编辑之后发起，修复其发现的问题后再次发起。"
    ),
    arguments=s.record(
        {
            "task": s.string("What to look at above all, or that everything is to be reviewed."),
            "continue_from": CONTINUE_FROM,
        },
        required=["task"],
    ),
)
