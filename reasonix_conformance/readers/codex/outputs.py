"""What an output of Codex says: how the call ended, and the text inside its envelope."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from reasonix_conformance.readers.files.json_values import as_text, at, json_in, text_at
from reasonix_conformance.readers.files.message_content import flat_text
from reasonix_conformance.readers.hosts.frames import (
    BLOCKED_BY_HOOK,
    by_envelope,
    unless_text_fails,
)
from reasonix_conformance.readers.hosts.outcomes import (
    UNKNOWN,
    Grade,
    by_code,
    by_success,
    first_line,
)
from reasonix_runtime.trace.events import Outcome, Truncated

STOPPED = 124
"""The exit code that Codex gives a command which it stopped at its time limit."""

_MISFIT = "apply_patch verification failed"
# The program's own words in place of an output. A tool's text never stands alone at the start: a
# command's has an envelope, a tool server's is a list or stands behind a header.
_WORDS: tuple[tuple[str, Outcome], ...] = (
    ("unsupported call: ", "not_run"),
    ("unsupported custom tool call: ", "not_run"),
    ("failed to parse function arguments: ", "not_run"),
    ("aborted before ", "not_run"),
    ("patch rejected: ", "blocked"),
    ("approval policy is ", "blocked"),
    ("exec command rejected by user", "blocked"),
    ("write_stdin rejected: ", "blocked"),
    *((words, "blocked") for words in BLOCKED_BY_HOOK),
    ("This action was rejected due to unacceptable risk.", "blocked"),
    ("user rejected MCP tool call", "blocked"),
    ("user cancelled MCP tool call", "blocked"),
    ("MCP tool call cancelled", "blocked"),
    (_MISFIT, "error"),
    ("exec_command failed", "error"),
    ("write_stdin failed: ", "error"),
    ("execution error:", "error"),
    ("failed in sandbox ", "error"),
    ("tool call error: ", "error"),
    ('err: "', "error"),
    ("error: ", "error"),
    ("unable to locate image at ", "error"),
)
_REJECTED = re.compile(r'\Aexec_command failed[^\n]*: CreateProcess \{ message: "Rejected\(')
_OUT_OF_TIME = re.compile(r"\Afailed in sandbox \w+ with execution error: command timed out")
_TIMED_OUT = re.compile(r"\Acommand timed out after \d+ milliseconds")
# Said alike of a call that the user was asked about, of one that has ended and of one that goes on:
# what came of it nobody knows.
_ABORTED = re.compile(r"\A(?:Wall time: [^\n]*\n)?aborted")
_SCRIPT = re.compile(r"\AScript (completed|failed|terminated|running with cell ID)\b")
_SCRIPTS: dict[str, Outcome] = {
    "completed": "ok",
    "failed": "error",
    "terminated": "cancelled",
    "running with cell ID": "running",
}
_HEADER = re.compile(
    r"\A(?:(?:Chunk ID|Wall time|Exit code|Process exited with code|Original token count"
    r"|Process running with session ID|Total output lines|Script [a-z]+)[^\n]*\n)+Output:\n?"
)
# Before the output of a patch that a command made; any other header tells how the call stands.
_WRAPPED = re.compile(r"\AWall time: [^\n]*\nOutput:\n(?=Exit code: -?\d+\nWall time: )")
_SESSION = re.compile(r"\A(?:[^\n]*\n){0,3}Process running with session ID (\d+)")
_CUT_FIRST = re.compile(r"\A(?:Total output lines: \d+\n|Warning: truncated output )")
_CUT_INSIDE = re.compile(r"…\d+ (?:tokens|chars|bytes) truncated…|\n\[\.\.\. omitted \d+ of \d+ ")


class Output(NamedTuple):
    """What came back from a call: how it ended, the tool's own text, and whether that was cut."""

    grade: Grade
    text: str
    truncated: Truncated | None


def read_output(output: Any) -> Output:
    """Take an output of Codex apart: text, a list of parts, or an object with `content`."""
    text = text_of(output)
    inner = _inside(output, text)
    grade = _enveloped(output, inner, text)
    if grade is UNKNOWN:
        grade = by_words(text)
    wrapped = at(inner, "metadata") is not None and isinstance(at(inner, "output"), str)
    body = text_at(inner, "output") if wrapped else _HEADER.sub("", text, count=1)
    cut = _CUT_FIRST.match(body) or _CUT_INSIDE.search(body)
    return Output(grade, body, Truncated() if cut else None)


def text_of(output: Any) -> str:
    """Return an output as text."""
    if isinstance(output, str):
        return output
    if isinstance(output, dict):
        return text_at(output, "content") or as_text(output)
    return flat_text(output) or as_text(output)


def enveloped(output: Any, text: str) -> Grade:
    """Grade an output by what no free text is: metadata in JSON, a flag, or fixed first lines."""
    return _enveloped(output, _inside(output, text), text)


def session_of(text: str) -> str | None:
    """Return the number of the session in which an output says that a command still runs."""
    found = _SESSION.match(text[:400])
    return found[1] if found else None


def _inside(output: Any, text: str) -> Any:
    """Return the object that an output is, or that its text holds; None where it is none."""
    inner = json_in(text) if text.startswith("{") else None
    return inner if isinstance(output, str) or inner is not None else output


def _enveloped(output: Any, inner: Any, text: str) -> Grade:
    grade = by_code(at(inner, "metadata", "exit_code"), "envelope")
    if grade is not None:
        return _unless_stopped(grade, text_at(inner, "output"))
    success = at(output, "success")
    if isinstance(success, bool):
        return unless_text_fails(by_success(success), text)
    grade = by_envelope(_WRAPPED.sub("", text, count=1))
    if grade is not None:
        return _unless_stopped(grade, _HEADER.sub("", text, count=1))
    if text.startswith(_MISFIT):
        return Grade("error", "envelope", None, first_line(text))
    if text.startswith("Success. Updated the following files:"):
        return Grade("ok", "envelope")
    return UNKNOWN


def _unless_stopped(grade: Grade, output: str) -> Grade:
    """Return the grade of a command, or that of one that the program stopped at its time limit."""
    if grade.exit_code == STOPPED and _TIMED_OUT.match(output):
        return grade._replace(outcome="cancelled")
    return grade


def was_aborted(text: str) -> bool:
    """Whether a text stands in the place of an output as the user stopped the turn."""
    return _ABORTED.match(text) is not None


def by_words(text: str) -> Grade:
    """Grade by the program's own words at the start of a text."""
    script = _SCRIPT.match(text)
    if script:
        return Grade(_SCRIPTS[script[1]], "envelope")
    if _OUT_OF_TIME.match(text):
        return Grade("cancelled", "envelope", None, text.splitlines()[-1])
    if _REJECTED.match(text):
        return Grade("blocked", "envelope", None, first_line(text))
    for words, outcome in _WORDS:
        if text.startswith(words):
            return Grade(outcome, "envelope", None, first_line(text))
    if was_aborted(text):
        return Grade("unknown", "envelope", None, text.splitlines()[-1])
    return UNKNOWN
