"""Background jobs: commands and delegated tasks that outlive the turn, never the host.

Every job has one id, one owner (the session that started it), one captured log and one read
cursor. A command's log is complete up to `capture.BACKGROUND_LIMIT`; what is beyond is said.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from reasonix_runtime.excerpts import clipped
from reasonix_runtime.tools.errors import ToolError
from reasonix_runtime.tools.support.cancellation import Cancellation
from reasonix_runtime.tools.support.capture import (
    BACKGROUND_LIMIT,
    Capture,
    decode_output,
    full_text,
    whole_characters,
)
from reasonix_runtime.tools.support.process import Ending, Process

Status: TypeAlias = Literal["running", "done", "failed", "killed"]

LABEL_LENGTH = 48
"""Characters of a command that a list of jobs shows."""


class Job:
    """One piece of work in the background; `Jobs` makes and changes it."""

    def __init__(self, job_id: str, *, label: str, owner: str, code_page: str | None) -> None:
        self.id = job_id
        self.label = label
        self.owner = owner
        self.status: Status = "running"
        self.ending: Ending | None = None
        self._capture = Capture(limit=BACKGROUND_LIMIT)
        self._code_page = code_page
        self._cursor = 0
        self._reading = threading.Lock()
        self._stop: Callable[[], None] = lambda: None

    @property
    def running(self) -> bool:
        """Whether the job has not come to its end yet."""
        return self.status == "running"

    def write(self, data: bytes) -> None:
        """Add to the log of a job that is no command."""
        self._capture.write(data)

    def unread(self, *, whole_lines: bool = False) -> str:
        """Return what came since the last call, and move the cursor behind it.

        While the job runs, a character that is not whole yet stays for the next call, and so does
        a line without its end if `whole_lines` is set.
        """
        with self._reading:
            running = self.running
            data = self._capture.read(self._cursor)
            if running:
                data = data[: whole_characters(data, self._code_page)]
                if whole_lines:
                    data = data[: data.rfind(b"\n") + 1]
            self._cursor += len(data)
            return decode_output(data, self._code_page) + ("" if running else self._loss())

    def text(self) -> str:
        """Return the whole log so far; the cursor stays."""
        return full_text(self._capture, self._code_page)

    def _loss(self) -> str:
        lost = self._capture.lost + len(self._capture.tail())
        if not lost:
            return ""
        return f"\njob artifact incomplete: {lost} bytes beyond the limit are not in this log\n"


class Jobs:
    """The jobs of one host process, under one counter for all kinds."""

    def __init__(self, *, code_page: str | None = None) -> None:
        self._code_page = code_page
        self._numbers = itertools.count(1)
        self._jobs: dict[str, Job] = {}
        self._changed = threading.Condition()

    def open(
        self, kind: str, label: str, *, owner: str, stop: Callable[[], None] | None = None
    ) -> Job:
        """Register a job that the caller runs; `stop` ends it, `finish` tells its end."""
        with self._changed:
            job = Job(
                f"{kind}-{next(self._numbers)}",
                label=short_label(label),
                owner=owner,
                code_page=self._code_page,
            )
            if stop is not None:
                job._stop = stop
            self._jobs[job.id] = job
            return job

    def start_command(
        self,
        kind: str,
        label: str,
        argv: Sequence[str],
        *,
        owner: str,
        directory: str,
        environment: Mapping[str, str],
    ) -> Job:
        """Start a command as a job; raises ToolError, without a job, when it cannot start."""
        job = self.open(kind, label, owner=owner)
        try:
            process = Process(
                argv,
                directory=directory,
                environment=environment,
                capture=job._capture,
                on_end=lambda ending: self._command_ended(job, ending),
            )
        except Exception:
            with self._changed:
                del self._jobs[job.id]
            raise
        with self._changed:
            job._stop = lambda: process.stop("cancelled")
            killed = job.status == "killed"
        if killed:
            # Somebody guessed its id and killed it before there was anything to stop.
            process.cancel()
        return job

    def finish(self, job: Job, status: Literal["done", "failed"], *, answer: str = "") -> None:
        """Tell that a job ended; a killed one stays killed. `answer` is added to its log."""
        with self._changed:
            if job.running:
                if answer:
                    job.write(answer.encode())
                job.status = status
            self._changed.notify_all()

    def find(self, job_id: str, *, owner: str) -> Job | None:
        """Return the job of that id if it belongs to `owner`."""
        job = self._jobs.get(job_id)
        return job if job is not None and job.owner == owner else None

    def of(self, owner: str, *, running: bool = False) -> list[Job]:
        """Return the jobs of `owner` in the order of their start; with `running` only those."""
        with self._changed:
            jobs = [job for job in self._jobs.values() if job.owner == owner]
        return [job for job in jobs if job.running] if running else jobs

    def take(self, job: Job, *, whole_lines: bool = False) -> tuple[Status, str]:
        """Return a job's status with what it wrote up to that status and was not read yet."""
        with self._changed:
            return job.status, job.unread(whole_lines=whole_lines)

    def kill(self, job: Job) -> bool:
        """Mark a running job killed and end it in the background; tell whether it was running."""
        with self._changed:
            if not job.running:
                return False
            job.status = "killed"
            self._changed.notify_all()
        threading.Thread(target=job._stop, daemon=True).start()
        return True

    def wait(
        self, jobs: Iterable[Job], *, seconds: float | None, cancellation: Cancellation
    ) -> None:
        """Wait until all jobs have ended, the time is over, or the cancellation comes."""
        waited = list(jobs)
        # More seconds than a lock can wait for are as good as no limit.
        endless = seconds is None or seconds >= threading.TIMEOUT_MAX
        deadline = None if endless or seconds is None else time.monotonic() + seconds
        with cancellation.calling(self._wake), self._changed:
            while any(job.running for job in waited) and not cancellation.requested:
                left = None if deadline is None else deadline - time.monotonic()
                if left is not None and left <= 0:
                    return
                self._changed.wait(left)

    def close(self) -> None:
        """End every job and return once they are gone; their logs go with them."""
        with self._changed:
            jobs = list(self._jobs.values())
            self._jobs.clear()
            for job in jobs:
                job.status = "killed" if job.running else job.status
            self._changed.notify_all()
        for job in jobs:
            job._stop()
            job._capture.close()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _command_ended(self, job: Job, ending: Ending) -> None:
        job.ending = ending
        if ending.state == "completed":
            self.finish(job, "done")
            return
        log = job._capture.read()
        start = "" if not log or log.endswith(b"\n") else "\n"
        self.finish(job, "failed", answer=f"{start}{ending.status}")


def jobs_of(jobs: Jobs | None) -> Jobs:
    """Return the jobs of a context; raises ToolError where it has none."""
    if jobs is None:
        raise ToolError("background jobs are not available in this context")
    return jobs


def short_label(text: str) -> str:
    """Return a job's label: on one line, cut at 48 characters."""
    line = text.replace("\r\n", " ").replace("\n", " ")
    return clipped(line, LABEL_LENGTH)
