"""What `wait` does when it is called."""

from __future__ import annotations

from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.support.jobs import Job, jobs_of


def run(arguments: Arguments, context: Context) -> Output:
    """Wait for jobs and return the status and whole output of each; the read cursors stay."""
    jobs = jobs_of(context.jobs)
    # An empty list is how some models leave it out; "nothing to wait for" would mislead them.
    if job_ids := arguments.get("job_ids"):
        asked = (jobs.find(job_id, owner=context.owner) for job_id in job_ids)
        targets = [job for job in asked if job is not None]
    else:
        targets = jobs.of(context.owner, running=True)
    if not targets:
        return Output(text="No background jobs to wait for.")
    limit = arguments.get("timeout_seconds")
    jobs.wait(targets, seconds=limit, cancellation=context.cancellation)
    return Output(text="\n\n".join(_report(job) for job in targets))


def _report(job: Job) -> str:
    label = f" ({job.label})" if job.label else ""
    status, text = job.status, job.text()
    return f"[{job.id}{label}] {status}" + (f"\n{text}" if text.strip() else "")
