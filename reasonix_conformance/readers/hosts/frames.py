"""What the frame of a text tells of the call whose result it is, where nothing else tells it.

A frame is put around what a command printed by whoever ran it: a first line, a last line, fields
behind it, or a JSON value that holds the output and the exit code. What an agent says in place of a
result, of a call that its user refused, is one as well. Free text is none, and what a command may
have printed itself is not believed (:func:`believed`).
"""

from __future__ import annotations

import re
from typing import Any, Final

from reasonix_conformance.readers.files.json_values import json_in
from reasonix_conformance.readers.hosts.outcomes import Grade, by_code, by_exit
from reasonix_runtime.evidence.tool_kinds import WRITERS

_RUNS = re.compile(r"bash|shell|exec|terminal|command|console|run|cmd|python|code", re.IGNORECASE)
# A line that tells how a command ended, and nothing else: others speak of exit codes, too.
_LAST_EXIT = re.compile(
    r"(?:^|\n)[ \t\[(<*]{0,4}"
    r"(?:[\w :.'-]{0,60}\b(?:finished|completed|ended|exited|terminated|failed|done) with )?"
    r"(?:exit code|returncode|(?:[\w :.'-]{0,60}\b)?exited with code)[: >=]{1,3}(-?\d+)"
    r"(?:</\w+>)?(?: ?\([^()\n]{0,20}\)| in [\d.]+ ?\w{1,8})?[ \t\])>*.]{0,4}\s*\Z",
    re.IGNORECASE,
)
_FIRST_EXIT = re.compile(
    r"\A(?:Wall time:[^\n]*\n|Chunk ID:[^\n]*\n|Original token count:[^\n]*\n)*"
    r"(?:Exit code:?|Process exited with code|<returncode>"
    r"|Exited with code(?= -?\d{1,10}\.(?:Signal [^\n]{1,40})?Final output:)"
    # What other tools write: the whole line, for sentences begin with the same words.
    r"|(?i:(?:exit|return)[ _]?code[ \t]{0,4}[:=](?=[ \t]{0,4}-?\d{1,10}[ \t]{0,4}(?:\r?\n|\Z)))"
    r")\s*(-?\d+)"
)
_STILL_RUNNING = re.compile(r"\A(?:[^\n]*\n){0,3}Process running with session ID")
# Sentences in place of an output, or in front of it; the exit code may stand on the next line.
_COMMAND_EXIT = re.compile(
    r"Command (?:\"[^\n]{0,300}\" )?(?:executed|failed|exited|completed|finished)\b[^\n]{0,300}?"
    r"(?:\n[^\n]{0,40})?\bexit code:? {1,3}(-?\d{1,10})",
    re.IGNORECASE,
)
# What Claude Code and Codex say, by which their own records are read as well.
REJECTED: Final = "The user doesn't want to proceed with this tool use"
NOT_WANTED: Final = "The user doesn't want to take this action"
ASKED_IN_VAIN: Final = "Claude requested permissions to "
STOPPED_BY_HOOK: Final = "Execution stopped by PreToolUse hook"
BLOCKED_BY_HOOK: Final = (
    "Command blocked by PreToolUse hook: ",
    "Tool call blocked by PreToolUse hook: ",
)
_REFUSED = re.compile(
    r"The user (?:denied this operation|rejected permission to use this|rejected this tool call"
    r"|chose to skip the tool call|has declined to run this tool"
    r"|has specified a rule which prevents you from using this)"
    r"|\[Operation Cancelled\] Reason: User did not allow"
    r"|(?:Action rejected: )?User rejected the action\b"
    r"|Permission to run this tool was denied |Permission denied and could not request permission "
    r"|Denied by (?:user via )?preToolUse hook"
    r"|Permission to use [^\n]{1,300} has been denied"
    r'|\{"status": ?"denied"'
    rf"|{'|'.join(map(re.escape, (STOPPED_BY_HOOK, ASKED_IN_VAIN, *BLOCKED_BY_HOOK)))}"
)
_FAILED = ("The tool execution failed with the following error:", "<tool_use_error>")
_GOES_ON = re.compile(
    r"Command (?:is (?:still )?running|moved to background|running in background with ID:"
    r"|started in background with id:"
    r"|(?:was|did not complete within its \d+s timeout and was) moved to the background"
    r"|was manually backgrounded by user) |Background shell started\."
)
_STOPPED = re.compile(
    r"Command was (?:automatically )?cancelled\b|Command timed out after \d+ ?ms\b"
    r"|Tool cancelled by user|(?:Killed|Timed out|Interrupted by the user)\. [^\n]{0,80}output:\n"
    r"|\[Request interrupted by user for tool use\]|\[Operation Cancelled\] User cancelled"
    rf"|{re.escape(REJECTED)}|{re.escape(NOT_WANTED)}"
)
# The same, behind what the command had said until then.
_GOES_ON_LAST = re.compile(
    r"(?:^|\n)(?:<command (?:with \w+: \S{1,90} is still running after |started in )"
    r"|\[The command (?:timed out|has no new output) after \d)[^\n]{0,500}[>\]]\s*\Z"
)
_FAILED_LAST = re.compile(r"(?:^|\n)<exited with error: [^\n]{0,500}>\s*\Z")
_CUT_SHORT = re.compile(
    r"<((?:bash_|shell_)?metadata)>\n[^<]{0,400}\b(?:terminated command after|aborted the command)"
    r"\b[^<]{0,400}</\1>\s*\Z"
)
# Fields behind the output, each on a line; those that hold nothing are told as such, or left out.
_FIELDS = re.compile(
    r"(?:^|\n)(?:Exit Code: (?P<code>[^\n]*)\n)?(?:Signal: (?P<signal>[^\n]*)\n)?"
    r"(?:Background PIDs: [^\n]*\n)?Process Group PGID: [^\n]*\s*\Z"
)
_NOTHING: Final = (None, "(none)")
_TAGS: Final = ("<untrusted_context>\n", "\n</untrusted_context>")
_TAIL: Final = 600
# Of an object with what a command printed and how it ended.
_CODES: Final = ("exit_code", "exitCode", "exit_status", "returncode", "return_code")
_PRINTED: Final = ("output", "stdout", "stderr")
_LONGEST_VALUE: Final = 1 << 20


def by_frame(text: str) -> Grade | None:
    """Grade by any frame that is known; None for a text without one."""
    text = _inside(text)
    return (
        by_envelope(text)
        or _by_first_line(text[:700])
        or _by_last_line(text)
        or _by_fields(text)
        or _by_value(text)
    )


def _inside(text: str) -> str:
    """Return a text without the tags that Gemini CLI puts around what others wrote."""
    begin, end = _TAGS
    return text[len(begin) : -len(end)] if text.startswith(begin) and text.endswith(end) else text


def by_envelope(text: str) -> Grade | None:
    """Grade by a fixed envelope at the start of a text; None if it has none."""
    head = text[:400]
    match = _FIRST_EXIT.match(head)
    if match:
        return by_exit(int(match[1]), "envelope")
    if _STILL_RUNNING.match(head):
        return Grade("running", "envelope")
    return None


def _by_first_line(head: str) -> Grade | None:
    """Grade by a sentence about the command in front of its output."""
    if _REFUSED.match(head):
        return Grade("blocked", "envelope")
    if head.startswith(_FAILED):
        return Grade("error", "envelope")
    if _STOPPED.match(head):
        return Grade("cancelled", "envelope")
    if _GOES_ON.match(head):
        return Grade("running", "envelope")
    match = _COMMAND_EXIT.match(head)
    return None if match is None else by_exit(int(match[1]), "envelope")


def _by_last_line(text: str) -> Grade | None:
    """Grade by an envelope that is the last line of a text; None if it has none."""
    tail = text[-_TAIL:]
    if _GOES_ON_LAST.search(tail):
        return Grade("running", "envelope")
    if _FAILED_LAST.search(tail):
        return Grade("error", "envelope")
    match = _LAST_EXIT.search(text[-200:])
    return None if match is None else by_exit(int(match[1]), "envelope")


def _by_fields(text: str) -> Grade | None:
    """Grade by the fields behind an output, or by what is said there of a command."""
    tail = text[-_TAIL:]
    if _CUT_SHORT.search(tail):
        return Grade("cancelled", "envelope")
    match = _FIELDS.search(tail)
    if match is None:
        return None
    if match["code"] not in _NOTHING:
        return by_code(match["code"], "envelope")
    if match["signal"] not in (*_NOTHING, "0"):
        return Grade("error", "envelope")
    # Only what is not nothing is told: no exit code is the one of a success.
    untold = match["code"] is None and text.startswith("Output: ") and "\nError: " not in tail
    return by_exit(0, "envelope") if untold else None


def _by_value(text: str) -> Grade | None:
    """Grade by a JSON value that is the text: what a command printed and how it ended.

    Of several commands each has an object.
    """
    if text[:1] not in ("{", "[") or len(text) > _LONGEST_VALUE:
        return None
    told = json_in(text)
    grades = [_by_object(one) for one in (told if isinstance(told, list) else [told])]
    bad = (grade for grade in grades if grade is None or grade.outcome != "ok")
    return next(bad, grades[0] if grades else None)


def _by_object(told: Any) -> Grade | None:
    """Grade by an object with an output and an exit code, or with a result and a flag."""
    if not isinstance(told, dict):
        return None
    if isinstance(told.get("success"), bool) and "result" in told:
        return Grade("ok" if told["success"] else "error", "envelope")
    if not any(key in told for key in _PRINTED):
        return None
    grades = (by_code(told.get(key), "envelope") for key in _CODES)
    return next((grade for grade in grades if grade is not None), None)


def believed(envelope: Grade, tool: str, given: Any, text: str) -> bool:
    """Whether the envelope of a text is one: a success only of a tool that runs commands.

    A file that is read may look like one, an edit may show what it wrote, and a command may print
    what it was `given` itself.
    """
    if envelope.outcome != "ok":
        return envelope.outcome == "blocked" or runs_commands(tool) or tool not in WRITERS
    return runs_commands(tool) and not _may_be_printed(text, given)


def _may_be_printed(text: str, given: Any) -> bool:
    """Whether the arguments of a call hold the words of the envelope that its result has."""
    said = str(given).lower()
    match = (
        _FIRST_EXIT.match(text[:400]) or _COMMAND_EXIT.match(text) or _LAST_EXIT.search(text[-200:])
    )
    if match is None:
        return any(key.lower() in said for key in (*_CODES, "Process Group PGID", '"success'))
    words = match.string[: match.start(1)].rpartition("\n")[2].strip()
    return words.lower() in said


def runs_commands(tool: str) -> bool:
    """Whether a tool, by its name, runs commands: that it ran says nothing of how they ended."""
    return _RUNS.search(tool) is not None


def unless_text_fails(grade: Grade, text: str) -> Grade:
    """Return a grade, or that of the envelope of a text that tells another end than a success."""
    if grade.outcome != "ok" or grade.basis not in ("flag", "state"):
        return grade
    envelope = by_envelope(text)
    return grade if envelope is None or envelope.outcome == "ok" else envelope
