"""Read what a background job has written since the last look."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.errors import ToolError
from reasonix_runtime.tools.jobs import jobs_of
from reasonix_runtime.tools.patterns import compile_pattern

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


def run(arguments: Arguments, context: Context) -> Output:
    """Return a job's status and what it wrote since the last read; the read part is consumed."""
    job_id: str = arguments["job_id"]
    if not job_id:
        raise ToolError("job_id is required")
    jobs = jobs_of(context.jobs)
    job = jobs.find(job_id, owner=context.owner)
    if job is None:
        raise ToolError(f'no background job "{job_id}"')
    # Compiled first: a pattern that is refused must not consume what it was to be held against.
    pattern = None
    if expression := arguments.get("filter"):
        pattern = compile_pattern(expression, "invalid filter regexp")
    status, text = jobs.take(job, whole_lines=pattern is not None)
    if pattern is not None:
        text = "\n".join(line for line in text.split("\n") if pattern.search(line))
    return Output(text=f"[{job.id}] {status}\n{text if text.strip() else '(no new output)'}")
