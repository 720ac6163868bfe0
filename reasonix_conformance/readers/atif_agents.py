"""What ATIF converters keep word for word of the logs of Claude Code, Codex and mini-swe-agent.

Results, folders, jobs in the background and commands that are polled mean there what they mean in
the logs themselves. What every agent has alike stands here too: the call that hands in its work.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.claude.jobs import Jobs
from reasonix_conformance.readers.claude.results import goes_on
from reasonix_conformance.readers.claude.results import grade as claude_grade
from reasonix_conformance.readers.claude.turns import is_host_text
from reasonix_conformance.readers.codex.outputs import read_output
from reasonix_conformance.readers.codex.polls import POLL, Polls
from reasonix_conformance.readers.files.json_values import at, json_in, list_at, name_at, text_at
from reasonix_conformance.readers.files.message_content import flat_text
from reasonix_conformance.readers.hosts.outcomes import UNKNOWN, Grade, by_exit, is_int
from reasonix_conformance.readers.hosts.roles import Role
from reasonix_runtime.trace.events import ToolCall
from reasonix_runtime.trace.host_events import JOB_ENDED

CLAUDE_CODE, CODEX_CLI, MINI = "claude-code", "codex", "mini-swe-agent"

_HANDS_IN = frozenset({"attempt_completion", "finish", "mark_task_complete", "submit"})
_SUBMITS = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
"""What the first line of an output is by which an agent that has a shell alone is done."""


def hands_in(calls: list[Any]) -> bool:
    """Whether the calls of a step, of which there are some, hand in what was asked for."""
    return bool(calls) and all(
        text_at(call, "function_name") in _HANDS_IN
        or text_at(call, "arguments", "command").strip() == f"echo {_SUBMITS}"
        for call in calls
    )


def folder_of(trajectory: Any) -> str | None:
    """Return the folder that a trajectory was in when it began, None where that is not kept."""
    steps = (name_at(step, "extra", "cwd") for step in list_at(trajectory, "steps"))
    return name_at(trajectory, "agent", "extra", "cwd") or next(filter(None, steps), None)


class AgentLog:
    """What the log of one agent means, whose name a trajectory tells."""

    def __init__(self, agent: str, build: Builder) -> None:
        self._agent, self._build = agent, build
        self._jobs, self._polls = Jobs(build), Polls()

    def heard(self, text: str) -> bool:
        """Take in a text that the program itself put in the place of a prompt, if it is one."""
        if self._agent != CLAUDE_CODE or not is_host_text(text):
            return False
        self._jobs.news(text)
        return True

    def role_of(self, call: Any) -> Role | None:
        """Return what a call is that polls a command, where that is known."""
        if self._agent != CODEX_CLI or text_at(call, "function_name") != POLL:
            return None
        return self._polls.role_of(at(call, "arguments"), self._build.calls)

    def grade(self, details: Iterable[Any], text: str) -> Grade | None:
        """Return how a call ended by the result that the log has, None where that is not kept."""
        if self._agent == CODEX_CLI:
            found = read_output(text).grade
            return None if found is UNKNOWN else found
        if self._agent == MINI:
            code = at(json_in(text), "returncode")
            return by_exit(code, "envelope") if is_int(code) else None
        if self._agent != CLAUDE_CODE:
            return None
        raw = next(
            (at(one, "raw_tool_result") for one in details if "raw_tool_result" in one), None
        )
        if not isinstance(raw, dict):
            return None
        told = {"toolUseResult": _extra(details)}
        return claude_grade(raw, flat_text(at(raw, "content")), told)

    def said(self, text: str) -> str:
        """Return what a tool gave back without the frame that the agent puts around it."""
        inner = json_in(text) if self._agent == MINI and text.startswith("{") else None
        return text_at(inner, "output") if isinstance(inner, dict) else text

    def ended(self, call: ToolCall, grade: Grade, details: Iterable[Any], text: str) -> None:
        """Take in that a call was answered: by that a job may have begun, or ended."""
        if self._agent == CLAUDE_CODE:
            extra = _extra(details)
            if grade.outcome == "running" or goes_on(extra):
                self._jobs.started(call.uid, extra)
            else:
                self._jobs.asked(extra)
        elif self._agent == CODEX_CLI and grade.outcome == "running":
            self._polls.goes_on(call, text)
        elif self._agent == CODEX_CLI and call.name == POLL and grade.exit_code is not None:
            for uid in self._polls.polled(call.args):
                self._build.host(JOB_ENDED, {"uid": uid, "outcome": grade.outcome})


def _extra(details: Iterable[Any]) -> Any:
    return next((at(one, "tool_use_result") for one in details if "tool_use_result" in one), None)
