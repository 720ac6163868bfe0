"""How a call of Claude Code ended: told by its result and by the fields beside it.

`docs/trace-formats.md`, Outcomes. The flag of a result says that a call failed; what the program
adds to the record (`toolUseResult`, `toolDenialKind`) says how, else the first words do.
"""

from __future__ import annotations

import re
from typing import Any

from reasonix_conformance.readers.files.json_values import at, name_at, text_at
from reasonix_conformance.readers.hosts.frames import (
    ASKED_IN_VAIN,
    NOT_WANTED,
    REJECTED,
    STOPPED_BY_HOOK,
    by_envelope,
)
from reasonix_conformance.readers.hosts.outcomes import UNKNOWN, Grade, first_line, is_int
from reasonix_runtime.trace.events import Outcome, Truncated

INTERRUPTED = "[Request interrupted by user"
"""What a record begins with that tells that the user stopped the model."""

# First words of error results that tell more than that the call failed.
_FAILURES: tuple[tuple[tuple[str, ...], Outcome], ...] = (
    (
        (
            "<tool_use_error>Cancelled: ",
            "<tool_use_error>Sibling tool call ",
            "Interrupted by user",
        ),
        "cancelled",
    ),
    # The call began, and the program failed on the way.
    (("<tool_use_error>Error calling tool",), "error"),
    # The call was given up, or the program was gone, before it ended; what it did is not known.
    (
        (
            "<tool_use_error>Error: Streaming fallback",
            "[Tool call did not complete: ",
            "[Tool call interrupted: the session ended",
            "[Tool result missing due to internal error]",
            "Model fallback triggered",
        ),
        "unknown",
    ),
    (
        (
            "<tool_use_error>",
            "[Tool call skipped: ",
            "Agent type '",
            "No transcript found for agent ",
        ),
        "not_run",
    ),
    (
        (
            f"{NOT_WANTED} ",
            "[Tool call not completed: ",
            "Permission to use ",
            "Permission for this ",
            STOPPED_BY_HOOK,
            "Tool permission request failed: ",
            "The agent proposed a plan that was rejected by the user.",
            ASKED_IN_VAIN,
            "PreToolUse:",
            "Hook PreToolUse:",
            "This command requires approval",
            "This Bash command contains multiple operations",
        ),
        "blocked",
    ),
    ((INTERRUPTED, "Command timed out after "), "cancelled"),
)
# The same, where the first words are a name.
_KEPT = re.compile(
    r"\w+ operation blocked by hook:"
    r"|Cannot write to [^\n]{1,4096} while in plan mode\."
    r"|(?:Error: )?[^\s']+ (?:in|to) '[^'\n]*' was blocked\. "
    r"|[^\s]+ is temporarily unavailable, so auto mode cannot determine the safety of "
)
# What is said of a call that the user refused, and in the same words of one that ran until the user
# stopped it: then nobody knows what it did. Only a refusal may have a reason.
_REJECTED = f"{REJECTED}."
_REASON = "the user said:"
_DOUBTED = re.compile(
    r"[^\n]{1,200}, so this tool call was cancelled\. If it had already started, "
)
"""What is said of a call that was given up with its turn."""
# What the program knows of a call that it answered with a failure, where it knows it.
_WHEN: tuple[tuple[str, bool | str, Outcome], ...] = (
    ("toolDenialAfterRun", True, "unknown"),
    ("toolDenialBeforeRun", True, "blocked"),
    ("toolCallEnded", "not_started", "not_run"),
)
# What the program calls a call that it kept from running; every other word means the same.
_DENIALS: dict[str, Outcome] = {"cancelled": "cancelled", "interrupted": "cancelled"}
_TIMED_OUT = "\nCommand timed out after "
_STOPPED_BY_USER = re.compile(rf"Exit code \d+\n{re.escape(INTERRUPTED)}")
_ABORTED = "<error>Command was aborted before completion</error>"
"""What the result of a command ends with that was stopped on its way."""
_STOPPED = 143
"""The exit code of a command that the program ended because its time was over."""
# What stands in the place of an output that is empty.
_NOTHING = (
    "(Bash completed with no output)",
    "(no content)",
    "<system>Tool ran without output</system>",
)
_FAILED = "Error: "
"""What stands beside the result of a call that failed, before its text."""
_REMINDER = ("<system-reminder>", "</system-reminder>")


def grade(block: Any, text: str, record: Any) -> Grade:
    """Grade a result block, whose text is `text`, of a record."""
    extra, flag = at(record, "toolUseResult"), at(block, "is_error")
    failed = isinstance(extra, str) and extra.startswith(_FAILED)
    if not isinstance(flag, bool | None) or (failed and not flag):
        return UNKNOWN
    if flag:
        return _failure(text, record)
    if at(extra, "interrupted") is True:
        return Grade("cancelled", "flag")
    if goes_on(extra):
        return Grade("running", "state")
    meaning = name_at(extra, "returnCodeInterpretation")
    if meaning is not None:
        # The command ended with a status that is not zero and, to the program, no failure.
        return Grade("error", "flag", None, meaning)
    return Grade("ok", "absence")


def goes_on(extra: Any) -> bool:
    """Whether the program tells that what was called goes on in the background."""
    return (
        name_at(extra, "backgroundTaskId") is not None
        or at(extra, "isAsync") is True
        or text_at(extra, "status") == "async_launched"
        or name_at(extra, "resumedAgentId") is not None
        or (name_at(extra, "taskId") is not None and is_int(at(extra, "timeoutMs")))
    )


def calls_made(extra: Any) -> int:
    """Return how many calls a sub-agent made, as the result of the call that started it tells."""
    count = at(extra, "totalToolUseCount")
    return count if is_int(count) else 0


def _failure(text: str, record: Any) -> Grade:
    for key, told, outcome in _WHEN:
        if at(record, key) == told:
            return Grade(outcome, "flag", None, first_line(text))
    for words, outcome in _FAILURES:
        if text.startswith(words):
            return Grade(outcome, "flag", None, first_line(text))
    if text.startswith(_REJECTED) or _DOUBTED.match(text):
        known: Outcome = "blocked" if _REASON in text else "unknown"
        return Grade(known, "flag", None, first_line(text))
    denial = name_at(record, "toolDenialKind")
    rejected = at(record, "permissionDecision", "decision") == "reject"
    if denial is not None or rejected or _KEPT.match(text):
        return Grade(_DENIALS.get(denial or "", "blocked"), "flag", None, first_line(text))
    envelope = by_envelope(text)
    code = envelope.exit_code if envelope is not None else None
    stopped = (
        at(record, "toolUseResult", "interrupted") is True
        or text.endswith(_ABORTED)
        or _STOPPED_BY_USER.match(text)
        or (code == _STOPPED and _TIMED_OUT in text)
    )
    return Grade("cancelled" if stopped else "error", "flag", code, first_line(text))


def _own_length(text: str) -> int:
    """Return how long a text is without the reminders that the program puts behind it."""
    begin, end = _REMINDER
    length = bare = len(text)
    while True:
        while bare and text[bare - 1].isspace():
            bare -= 1
        if not text.endswith(end, 0, bare) or (at_begin := text.rfind(begin, 0, bare)) < 0:
            return length
        length = bare = at_begin


def given(text: str, extra: Any) -> tuple[str, Truncated | None]:
    """Return what a call gave back, without the program's own words, and how it was cut."""
    text = text[: _own_length(text)]
    if text.strip() in _NOTHING:
        return "", None
    path, size = name_at(extra, "persistedOutputPath"), at(extra, "persistedOutputSize")
    if path is None:
        return text, None
    whole = size if is_int(size) else None
    return text, Truncated(kept=len(text.encode(errors="replace")), original=whole, ref=path)
