"""Background jobs as result texts tell of them: their start and their end (EL-16)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

_STARTED = re.compile(r'\s*Started background (?:job|task|fleet) "([^"\n]+)"')
_STATUS = re.compile(
    r"^\[([^\s\]]+)(?: \([^\n]*\))?\] (running|done|failed|killed|interrupted)\b", re.M
)

_LAST_STATUS = re.compile(r"(?:^|\n)\[status: (running|done|failed|killed|interrupted)\]\s*\Z")

ENDS = {"done": "ok", "failed": "error", "killed": "cancelled", "interrupted": "cancelled"}
"""Outcome of a job by the status that its end is told with."""

JOB_READERS = frozenset({"bash_output", "job_output", "wait"})
"""Tools whose result tells how jobs stand; `job_output` is what newer hosts call the first."""
JOB_KILLERS = frozenset({"job_kill", "kill_shell"})
"""Tools that stop a job, under the name of newer hosts and under the older one."""


def started(text: str) -> str | None:
    """Return the id of the job that a result says was started."""
    found = _STARTED.match(text)
    return found[1] if found else None


def ended(text: str, asked: Collection[object] = ()) -> Iterator[tuple[str, str]]:
    """Yield id and outcome of each job that a result says has ended.

    `asked` are the ids of the jobs that were asked about, none for all: no log of theirs tells how
    another one ended. The first status is the host's own; what looks like one after it may stand in
    the log of its job. So another job of which two statuses are told has not been seen to end.
    """
    told: dict[str, set[str]] = {}
    first = ""
    for job, status in _STATUS.findall(text):
        if (not asked or job in asked) and job != first:
            first = first or job
            told.setdefault(job, set()).add(status)
    for job, statuses in told.items():
        status = statuses.pop()
        if not statuses and status in ENDS:
            yield job, ENDS[status]


def ended_last(text: str, job: str) -> Iterator[tuple[str, str]]:
    """Yield id and outcome of the job that was asked about, if the last line says it has ended.

    Newer hosts write the status of the job after its log, so no log can stand for it.
    """
    found = _LAST_STATUS.search(text)
    if found is not None and job and found[1] in ENDS:
        yield job, ENDS[found[1]]
