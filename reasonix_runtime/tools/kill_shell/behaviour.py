"""What `kill_shell` does when it is called."""

from __future__ import annotations

from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.support.arguments import require
from reasonix_runtime.tools.support.jobs import jobs_of


def run(arguments: Arguments, context: Context) -> Output:
    """Stop a running job; one that is not running, or not known, is no error."""
    require(arguments, "job_id")
    job_id: str = arguments["job_id"]
    jobs = jobs_of(context.jobs)
    job = jobs.find(job_id, owner=context.owner)
    if job is not None and jobs.kill(job):
        return Output(text=f'Killed background job "{job_id}".')
    return Output(text=f'Background job "{job_id}" was not running; nothing was changed.')
