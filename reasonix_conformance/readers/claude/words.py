"""What the words of a Claude Code result tell, where what its program knows of it is not there.

A session file has facts beside each result (`toolUseResult`). In the output of a run older versions
leave them out, and newer ones those of sub-agents; the text of the result says some of them.
"""

from __future__ import annotations

import re
from typing import Any

from reasonix_conformance.readers.claude.results import given
from reasonix_conformance.readers.files.json_values import at, json_in, name_at, text_at
from reasonix_conformance.readers.hosts.roles import SHELL_TOOLS
from reasonix_runtime.evidence.shell.script import Segment, parse
from reasonix_runtime.trace.events import ToolCall

# Of a command that was moved there on its way, behind what it had said until then.
_STARTED = re.compile(
    r"(?:^Command (?:running in|was manually|[^\n]{1,100} moved to the)"
    r" background[^\n]{0,20} (?:with |\()ID: "
    r"|\AAsync agent launched successfully\.[^\n]*\nagentId: "
    r"|\AMonitor started \(task )(\w+)",
    re.MULTILINE,
)
# The same of a call of a server's tool, beside whose result stands no fact.
_MOVED = re.compile(
    r'MCP tool "[^\n]{1,200}" (?:is still running after \d+s\. It )?was moved to the background'
    r" as task ([\w-]+)"
)
_STARTERS = SHELL_TOOLS | {"Monitor", "Task", "Agent"}
_READ = re.compile(
    r"(?:<(retrieval_status|task_id|task_type)>[^<]*</\1>\s*)*<status>([a-z_]+)</status>"
    r"(?:\s*<exit_code>(-?\d{1,9})\d*</exit_code>)?"
)
_READERS = frozenset({"BashOutput", "TaskOutput", "AgentOutputTool"})
_STOPPERS = frozenset({"KillShell", "KillBash", "TaskStop"})
_JOB_KEYS = ("bash_id", "shell_id", "task_id", "agentId")

# Programs whose exit status 1 is no failure to Claude Code, and shows nowhere but in the facts.
_SAY_NO = frozenset({"grep", "rg", "egrep", "fgrep", "find", "diff", "test", "["})
_SEARCH = frozenset({"grep", "rg", "egrep", "fgrep"})
_DIFF_SAYS_NO = frozenset({"--exit-code", "--quiet", "--no-index"})
_NOT_BY_OUTPUT = re.compile(r"-[A-Za-z]*[cL]|--(?:count|files-without)")
"""Options with which a search that found nothing has an output, too."""


def told_by_words(text: str, call: ToolCall) -> Any:
    """Return what the program would have told of a result, None where its words do not tell it."""
    if call.name in _STARTERS:
        started = _STARTED.search(text)
        return {"backgroundTaskId": started[1]} if started else None
    if call.name in _READERS and (read := _READ.match(text)) is not None:
        code = int(read[3]) if read[3] else None
        return {"shellId": _job_of(call), "status": read[2], "exitCode": code}
    if call.name in _STOPPERS:
        return json_in(text)
    return None


def moved(text: str, call: ToolCall) -> str | None:
    """Return the job as which the call of a server's tool goes on, None for one that has ended."""
    found = _MOVED.match(text) if call.name.startswith("mcp__") else None
    return found[1] if found is not None else None


def may_hide_failure(text: str, call: ToolCall) -> bool:
    """Whether a command may have ended with a status that is not zero and told by no word."""
    if call.name not in SHELL_TOOLS:
        return False
    command = text_at(call.args, "command")
    segments = parse(command).segments
    if not segments:
        return any(word in _SAY_NO for word in command.split())
    last = segments[-1]
    words = [word.value or "" for word in last.words]
    if words and words[0] in _SEARCH and not any(map(_NOT_BY_OUTPUT.match, words[1:])):
        return not given(text, None)[0].strip()
    return _says_no(last, words)


def _says_no(segment: Segment, words: list[str]) -> bool:
    if words[:1] == ["git"]:
        return "grep" in words[1:] or ("diff" in words[1:] and not _DIFF_SAYS_NO.isdisjoint(words))
    return bool(words) and words[0] in _SAY_NO and not segment.background


def _job_of(call: ToolCall) -> str | None:
    return next((job for key in _JOB_KEYS if (job := name_at(at(call.args), key))), None)
