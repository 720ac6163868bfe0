"""The background jobs of a Claude Code session: which call started each, and how it ended.

The end of a job stands in a notification, in the answer to a call that asks for its output, or in
that of a call that stops it. It is told once, as the host event `job_ended`.
"""

from __future__ import annotations

import re
from typing import Any

from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.building.lately import Lately
from reasonix_conformance.readers.files.json_values import at, name_at, text_at
from reasonix_conformance.readers.hosts.outcomes import by_code
from reasonix_runtime.trace.events import Outcome
from reasonix_runtime.trace.host_events import JOB_ENDED

MOST_REMEMBERED = 1 << 12
"""How many running jobs are surely remembered."""

_ENDS: dict[str, Outcome] = {
    "completed": "ok",
    "failed": "error",
    "killed": "cancelled",
    "stopped": "cancelled",
}
# Only what the program writes stands before the status: no word of a command, no output.
_NEWS = re.compile(
    r"<(?:agent|shell|task)-id>([^<\s]+)</(?:agent|shell|task)-id>\s*"
    r"(?:<(tool-use-id|task-type|output-file)>[^<]*</\2>\s*)*"
    r"<status>([a-z_]+)</status>"
)
_INTERIM = re.compile(r"[^<]{0,400}<summary>[^\n<]{0,400} is waiting on its own background work")
"""What is said behind the status of a sub-agent that goes on when what it started has ended."""
_NOTICE_ENDS = re.compile(r"</[a-z]+-notification>")
_USAGE = re.compile(
    r"<usage>(?:<(\w+)>\d+</\1>\s*)*<tool_uses>(\d{1,9})\d*</tool_uses>[^\n]{0,500}</usage>\s*\Z"
)
"""How many calls a sub-agent made, behind what it answered; of a longer number its first digits."""


class Jobs:
    """The jobs that a session started and whose end was not told."""

    def __init__(self, build: Builder) -> None:
        self._build = build
        self._running: Lately[str, str | None] = Lately(MOST_REMEMBERED)
        """The uid of the call that started a job, None when it has ended."""
        self._told: Lately[str, int] = Lately(MOST_REMEMBERED)
        """How many calls of a sub-agent were told since it began, or ended last."""

    def started(self, uid: str, extra: Any) -> None:
        """Take in what the program adds to the result of a call that goes on."""
        for key in ("backgroundTaskId", "resumedAgentId", "agentId", "taskId"):
            job = name_at(extra, key)
            if job is not None:
                self._running.put(job, uid)
                return

    def asked(self, extra: Any) -> None:
        """Take in what the program adds to the result of a call that asks for a job or stops it."""
        task = at(extra, "task")
        for told, key in ((extra, "shellId"), (task, "task_id")):
            job = name_at(told, key)
            if job is not None:
                self.stands(job, text_at(told, "status"), at(told, "exitCode"))
        for key in ("shell_id", "task_id"):
            job = name_at(extra, key)
            if job is not None and name_at(extra, "message") is not None:
                self._end(job, "cancelled")

    def news(self, text: str) -> None:
        """Take in a notification."""
        for block in _NOTICE_ENDS.split(text):
            found = _NEWS.search(block)
            if found is not None and not _INTERIM.match(block, found.end()):
                if self.ends(found[1], found[3]) and (usage := _USAGE.search(block)) is not None:
                    self._counted(found[1], int(usage[2]))
                self.stands(found[1], found[3], None)

    def tells(self, job: str, calls: int) -> None:
        """Take in that so many calls more of a sub-agent were told."""
        self._told.put(job, (self._told.get(job) or 0) + calls)

    def _counted(self, job: str, made: int) -> None:
        """Take in how many calls a sub-agent made that has ended, of which some were told."""
        told = self._told.get(job)
        if told is not None:
            self._told.put(job, 0)
            miss_calls(self._build, job, told, made)

    def runs(self, job: str) -> bool:
        """Whether a job was started and its end was not told."""
        return self._running.get(job) is not None

    def ends(self, job: str, status: str) -> bool:
        """Whether a status is the end of a job that runs."""
        return status in _ENDS and self.runs(job)

    def stands(self, job: str, status: str, code: Any = None) -> None:
        """Take in a status of a job, and the exit code of its command."""
        outcome = _ENDS.get(status)
        if outcome is None:
            return
        ended = by_code(code) if outcome == "ok" else None
        self._end(job, outcome if ended is None else ended.outcome)

    def _end(self, job: str, outcome: Outcome) -> None:
        uid = self._running.get(job)
        if uid is not None:
            self._running.put(job, None)
            self._build.host(JOB_ENDED, {"uid": uid, "outcome": outcome})


def miss_calls(build: Builder, agent: str, told: int, made: int) -> None:
    """Say that calls of a sub-agent are not told: so many were, of so many that it made."""
    if told < made:
        text = f"of the {made} calls that the sub-agent {agent} made, {told} are here"
        build.note("missing_child", text)
