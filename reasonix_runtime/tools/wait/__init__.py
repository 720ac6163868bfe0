"""Block until background jobs end."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="wait",
    read_only=True,
    description=(
        "Wait until the given background jobs have ended, or all that are running now if none "
        "are given, and return the status and the complete output of each. When "
        "`timeout_seconds` pass first, the present state is returned and the jobs go on. Does "
        "not change what `bash_output` will show."
    ),
    description_zh=(
        "等待给定的后台任务结束；未给出时等待当前正在运行的全部任务，并返回每个任务的状态和完整"
        "输出。若先到 `timeout_seconds`，则返回当时的状态，任务继续运行。不影响 `bash_output` "
        "之后显示的内容。"
    ),
    arguments=s.record(
        {
            "job_ids": s.array(s.string(), "The jobs to wait for; every running job if left out."),
            "timeout_seconds": s.integer(
                "Longest time to block, for all jobs together; no limit if left out.", minimum=1
            ),
        }
    ),
)
