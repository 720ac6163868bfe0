"""Hand in the structured result of a review."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="review_report",
    read_only=True,
    description=(
        "Hand in the result of this review. Every path in `reviewed_paths` must have been read "
        "or shown as a diff in this run; a path without such a receipt refuses the whole "
        "report, and all of them are named. Listing names or statistics, or writing a file, is "
        "no inspection. `verdict` `block`, or a finding of `severity` `block`, `blocking`, "
        "`critical` or `error`, holds the delivery up. If the code changes afterwards, report "
        "again."
    ),
    description_zh=(
        "提交本次评审的结果。`reviewed_paths` 中的每个路径都必须在本次运行中读取过或以 diff 显"
        "示过；缺少此类记录的路径会使整份报告被拒绝，并列出所有此类路径。只列文件名、只看统计或"
        "写入文件都不算查看。`verdict` 为 `block`，或存在 `severity` 为 `block`、`blocking`、"
        "`critical`、`error` 的发现时，会阻止交付。之后代码若有改动，请重新提交。"
    ),
    arguments=s.record(
        {
            "kind": s.string("review or security."),
            "verdict": s.string("pass, warn or block."),
            "reviewed_paths": s.array(
                s.string(), "Every file inspected in this run, spelled as it was read."
            ),
            "findings": s.array(
                s.record(
                    {
                        "severity": s.string(
                            "How grave it is: info, warning, block, critical and so on."
                        ),
                        "summary": s.string("What is wrong, in one sentence."),
                        "path": s.string("The file concerned."),
                        "line": s.integer("The line concerned."),
                    },
                    required=["severity", "summary"],
                ),
                "What was found; may be left out.",
            ),
        },
        required=["kind", "verdict", "reviewed_paths"],
    ),
)
