"""Have the pending change reviewed for security by a sub-agent."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.delegation import CONTINUE_FROM

DECLARATION = Declaration(
    name="security_review",
    read_only=False,
    description=(
        "Have the pending change of this branch reviewed for security by a sub-agent, which "
        "reads the diff itself and hands in a structured report of kind `security`. Changes of "
        "high risk need it beside the ordinary review. A review counts for what was changed "
        "before it."
    ),
    description_zh=(
        "让子代理对本分支的待定改动做安全评审；它会自行阅读 diff 并提交 `security` 类型的结构化"
        "报告。高风险改动除普通评审外还需要它。评审只对其之前的改动有效。"
    ),
    arguments=s.record(
        {
            "task": s.string("What to look at above all, or that the whole change is meant."),
            "continue_from": CONTINUE_FROM,
        },
        required=["task"],
    ),
)
