"""What ATIF converters keep word for word of the logs of Claude Code, Codex and mini-swe-agent.

Results, folders, jobs in the background and commands that are polled mean there what they mean in
the logs themselves. What every agent has alike stands here too: the call that hands in its work.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.claude.host_text import is_host_text
from reasonix_conformance.readers.claude.jobs import Jobs
from reasonix_conformance.readers.claude.results import goes_on
from reasonix_conformance.readers.claude.results import grade as claude_grade
from reasonix_conformance.readers.codex.outputs import read_output
from reasonix_conformance.readers.codex.polls import POLL, Polls
from reasonix_conformance.readers.files.json_values import at, json_in, list_at, name_at, text_at
from reasonix_conformance.readers.files.message_content import flat_text
from reasonix_conformance.readers.hosts.outcomes import UNKNOWN, Grade, by_code
from reasonix_conformance.readers.hosts.roles import CLAUDE, CODEX, Role
from reasonix_conformance.readers.hosts.widely_given import ANYONES
from reasonix_runtime.trace.events import ToolCall
from reasonix_runtime.trace.host_events import JOB_ENDED

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
    """What the log of an agent means of which nothing is known; others say where theirs differs."""

    roles: ClassVar[Mapping[str, Any]] = ANYONES
    """What its tools are."""
    flags_errors: ClassVar[bool] = False
    """Whether it marks a command that failed as an error: without a mark it did not fail."""

    def __init__(self, build: Builder) -> None:
        self._build = build

    def heard(self, text: str) -> bool:
        """Take in a text that the program itself put in the place of a prompt, if it is one."""
        return False

    def role_of(self, call: Any) -> Role | None:
        """Return what a call is that polls a command, where that is known."""
        return None

    def grade(self, details: Iterable[Any], text: str) -> Grade | None:
        """Return how a call ended by the result that the log has, None where that is not kept."""
        return None

    def said(self, text: str) -> str:
        """Return what a tool gave back without the frame that the agent puts around it."""
        return text

    def ended(self, call: ToolCall, grade: Grade, details: Iterable[Any], text: str) -> None:
        """Take in that a call was answered: by that a job may have begun, or ended."""


class _ClaudeCode(AgentLog):
    roles = CLAUDE
    flags_errors = True

    def __init__(self, build: Builder) -> None:
        super().__init__(build)
        self._jobs = Jobs(build)

    def heard(self, text: str) -> bool:
        """Take in the end of a job from a notice of the host."""
        if not is_host_text(text):
            return False
        self._jobs.news(text)
        return True

    def grade(self, details: Iterable[Any], text: str) -> Grade | None:
        """Read the facts that the session had beside the result."""
        raw = _kept(details, "raw_tool_result")
        if not isinstance(raw, dict):
            return None
        told = {"toolUseResult": _kept(details, "tool_use_result")}
        return claude_grade(raw, flat_text(at(raw, "content")), told)

    def ended(self, call: ToolCall, grade: Grade, details: Iterable[Any], text: str) -> None:
        """Take in a job that began, or the end of one that was asked for."""
        extra = _kept(details, "tool_use_result")
        if grade.outcome == "running" or goes_on(extra):
            self._jobs.started(call.uid, extra)
        else:
            self._jobs.asked(extra)


class _Codex(AgentLog):
    roles = CODEX

    def __init__(self, build: Builder) -> None:
        super().__init__(build)
        self._polls = Polls()

    def role_of(self, call: Any) -> Role | None:
        """Return what the polled command does."""
        if text_at(call, "function_name") != POLL:
            return None
        return self._polls.role_of(at(call, "arguments"), self._build.calls)

    def grade(self, details: Iterable[Any], text: str) -> Grade | None:
        """Read the frame that Codex puts around what a command printed."""
        found = read_output(text).grade
        return None if found is UNKNOWN else found

    def ended(self, call: ToolCall, grade: Grade, details: Iterable[Any], text: str) -> None:
        """Take in a command that goes on, or the end of one that was polled."""
        if grade.outcome == "running":
            self._polls.goes_on(call, text)
        elif call.name == POLL and grade.exit_code is not None:
            for uid in self._polls.polled(call.args):
                self._build.host(JOB_ENDED, {"uid": uid, "outcome": grade.outcome})


class _MiniSweAgent(AgentLog):
    def grade(self, details: Iterable[Any], text: str) -> Grade | None:
        """Read the status that stands in the result."""
        return by_code(at(json_in(text), "returncode"), "envelope")

    def said(self, text: str) -> str:
        """Return what the command printed, a member of the result."""
        inner = json_in(text) if text.startswith("{") else None
        return text_at(inner, "output") if isinstance(inner, dict) else text


def _kept(details: Iterable[Any], key: str) -> Any:
    """Return what a converter kept of a result under a key."""
    return next((at(one, key) for one in details if key in one), None)


LOGS: Final[Mapping[str, type[AgentLog]]] = {
    "claude-code": _ClaudeCode,
    "codex": _Codex,
    "mini-swe-agent": _MiniSweAgent,
}
"""The logs that converters read, by the names of their agents."""
