"""What `bash_output` does when it is called."""

from __future__ import annotations

from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.errors import ToolError
from reasonix_runtime.tools.support.arguments import require
from reasonix_runtime.tools.support.jobs import jobs_of
from reasonix_runtime.tools.support.patterns import compile_pattern


def run(arguments: Arguments, context: Context) -> Output:
    """Return a job's status and what it wrote since the last read; the read part is consumed."""
    require(arguments, "job_id")
    job_id: str = arguments["job_id"]
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
