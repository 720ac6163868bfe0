"""Background jobs as result texts tell of them: their start and their end (EL-16)."""

from __future__ import annotations

import re
from collections.abc import Iterator

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


def ended(text: str, only: str = "") -> Iterator[tuple[str, str]]:
    """Yield id and outcome of each job that a result says has ended.

    The first status of a job is the host's own; what looks like one after it may stand in the
    job's log. `only` names the job that was asked about, where one was.
    """
    told: set[str] = set()
    for found in _STATUS.finditer(text):
        job, status = found[1], found[2]
        if job in told or (only and job != only):
            continue
        told.add(job)
        if status in ENDS:
            yield job, ENDS[status]


def ended_last(text: str, job: str) -> Iterator[tuple[str, str]]:
    """Yield id and outcome of the job that was asked about, if the last line says it has ended.

    Newer hosts write the status of the job after its log, so no log can stand for it.
    """
    found = _LAST_STATUS.search(text)
    if found is not None and job and found[1] in ENDS:
        yield job, ENDS[found[1]]
