"""Read what a background job has written since the last look."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="bash_output",
    read_only=True,
    description=(
        "Return the output that a background job has produced since the previous `bash_output` "
        "call for it, and its status: running, done, failed, killed or interrupted. Does not "
        "block; use `wait` to block until jobs end. Each line is shown once: lines that "
        "`filter` leaves out are consumed too and will not come again."
    ),
    description_zh=(
        "返回后台任务自上次 `bash_output` 以来的新输出及其状态：running、done、failed、killed "
        "或 interrupted。不会阻塞；要等任务结束请用 `wait`。每行只显示一次：被 `filter` 滤掉的"
        "行同样算已读，不会再出现。"
    ),
    arguments=s.record(
        {
            "job_id": s.string("The id that starting the job returned, such as bash-1."),
            "filter": s.string(
                "Regular expression (RE2); only unread lines that match it are shown, the others "
                "are dropped for good."
            ),
        },
        required=["job_id"],
    ),
)
