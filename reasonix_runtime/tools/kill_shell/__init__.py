"""Stop a background job."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="kill_shell",
    read_only=False,
    description=(
        "Stop a background job of this session, a shell command or a delegated task, with all "
        "its processes. A job that has already ended, or an id that is unknown, is reported as "
        "not running; that is no error. The processes may take a few seconds to disappear."
    ),
    description_zh=(
        "停止本会话的一个后台任务（shell 命令或委派的任务）及其全部进程。任务已结束或 id 未知时"
        "报告为未在运行，这不是错误。进程可能要几秒钟才会消失。"
    ),
    arguments=s.record(
        {"job_id": s.string("The id that starting the job returned, such as bash-1.")},
        required=["job_id"],
    ),
)
