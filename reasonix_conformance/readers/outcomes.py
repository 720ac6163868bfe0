"""How a call ended and how that is known (section 3 of the trace formats).

Only fixed fields and fixed envelopes count. Free text never makes an error and never an `ok`.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from reasonix_runtime.trace.events import Basis, Outcome


class Grade(NamedTuple):
    """An outcome, its basis, and what is known of the failure."""

    outcome: Outcome
    basis: Basis
    exit_code: int | None = None
    error: str | None = None


_GOOD_BY_HOST_RULE = Grade("ok", "host_rule")
UNKNOWN = Grade("unknown", "none")
"""A result exists, and nothing tells how the call ended."""

# First words of the host's own failure texts that mean: it never ran.
_NOT_RUN = ("unknown tool ", "invalid args", "argument_validation:", "tool_retired")
# First words of results that the host fills in for calls that were cut off.
_CUT_OFF = ("signal: killed", "signal: interrupt", "context canceled", "context deadline exceeded")
_STATES: dict[str, Outcome] = {
    "completed": "ok",
    "success": "ok",
    "failed": "error",
    "error": "error",
    "cancelled": "cancelled",
    "canceled": "cancelled",
    "interrupted": "cancelled",
    "timeout": "cancelled",
    "timed_out": "cancelled",
    "not_run": "not_run",
    "blocked": "blocked",
    "background_started": "running",
    "pending": "running",
    "started": "running",
    "running": "running",
    "in_progress": "running",
    "unknown": "unknown",
}


def by_state(state: Any) -> Grade:
    """Grade by an enumerated state field; an unknown word is an unknown outcome."""
    outcome = _STATES.get(state) if isinstance(state, str) else None
    return Grade(outcome, "state") if outcome else UNKNOWN


def of_wire(*, err: Any, run_state: Any, execution: Any) -> Grade:
    """Grade a result of the wire events or of a frame store.

    Precedence: a background start, the error text, the exit code, then the state fields. A state
    of `not_started` without an error is a success: the host answered without a tool run.
    """
    facts: dict[str, Any] = execution if isinstance(execution, dict) else {}
    state = facts.get("state")
    exit_code = facts.get("exitCode")
    message = err if isinstance(err, str) and err else None
    if state == "background_started":
        return Grade("running", "state")
    if is_int(exit_code):
        outcome: Outcome = "error" if exit_code or message else "ok"
        return Grade(outcome, "exit_code", exit_code, message)
    if message is not None:
        if run_state == "unknown":
            return Grade("unknown", "state", None, message)
        return Grade(of_failure(message, run_state, state), "flag", None, message)
    if isinstance(run_state, str) and run_state != "not_started":
        return by_state(run_state)
    if isinstance(state, str):
        return by_state(state)
    return Grade("ok", "flag")


def of_message(text: str, *, execution: Any, run_state: Any) -> Grade:
    """Grade a tool message of the message files: structured facts first, then the host's prefix."""
    if execution is None and run_state is None:
        return _of_text(text)
    facts: dict[str, Any] = execution if isinstance(execution, dict) else {}
    if facts or isinstance(run_state, str):
        structured = any(isinstance(facts.get(key), int | str) for key in ("exitCode", "state"))
        err = None if is_int(facts.get("exitCode")) else failure_text(text)
        if structured or isinstance(run_state, str):
            return of_wire(err=err, run_state=run_state, execution=facts)
    return _of_text(text)


def _of_text(text: str) -> Grade:
    """Grade a result by the host's own words at its start."""
    message = failure_text(text)
    if message is not None:
        return Grade(of_failure(message), "host_rule", None, message)
    if text[:64].lower().startswith(_INTERRUPTED):
        return Grade("cancelled", "host_rule", None, first_line(text))
    if text.startswith(_BACKGROUND):
        return Grade("running", "host_rule")
    return _GOOD_BY_HOST_RULE


def failure_text(text: str) -> str | None:
    """Return what follows the host's own failure prefix, or None for a text without one."""
    if text.startswith("error:"):
        return first_line(text[len("error:") :].strip()) or "error"
    if text.startswith("blocked:"):
        return first_line(text)
    if text.startswith(_REFUSALS):
        return first_line(text)
    return None


def of_failure(message: str, run_state: Any = None, state: Any = None) -> Outcome:
    """Return the outcome of a call that failed with this text of the host."""
    if message.startswith(("blocked:", "blocked by ")):
        return "blocked"
    never_ran = message.startswith((*_NOT_RUN, *_REFUSALS))
    if run_state == "not_started" or state == "not_run" or never_ran:
        return "not_run"
    if message.startswith(_CUT_OFF) or _STATES.get(str(state)) == "cancelled":
        return "cancelled"
    return "error"


_LAST_EXIT = re.compile(
    r"(?:^|\n)[^\n]{0,80}(?:exit code|returncode|exited with code)[: >=]{1,3}(-?\d+)"
    r"[^\n]{0,20}\s*\Z",
    re.IGNORECASE,
)
_FIRST_EXIT = re.compile(
    r"\A(?:Wall time:[^\n]*\n|Chunk ID:[^\n]*\n|Original token count:[^\n]*\n)*"
    r"(?:Exit code:?|Process exited with code|<returncode>)\s*(-?\d+)"
)
_STILL_RUNNING = re.compile(r"\A(?:[^\n]*\n){0,3}Process running with session ID")


def by_envelope(text: str) -> Grade | None:
    """Grade by a fixed envelope at the start of a text; None if it has none."""
    head = text[:400]
    match = _FIRST_EXIT.match(head)
    if match:
        code = int(match[1])
        return Grade("ok" if code == 0 else "error", "envelope", code)
    if _STILL_RUNNING.match(head):
        return Grade("running", "envelope")
    return None


def by_last_line(text: str) -> Grade | None:
    """Grade by an envelope that is the last line of a text; None if it has none."""
    match = _LAST_EXIT.search(text[-200:])
    if match is None:
        return None
    code = int(match[1])
    return Grade("ok" if code == 0 else "error", "envelope", code)


def first_line(text: str) -> str:
    """Return the first line of a text."""
    return text.partition("\n")[0]


def is_int(value: Any) -> bool:
    """Whether a JSON value is a whole number; a boolean is none."""
    return isinstance(value, int) and not isinstance(value, bool)


# Results that the host fills in for calls that a stopped turn left open.
_INTERRUPTED = (
    "[no result: the previous turn was interrupted",
    "[interrupted",
    "interrupted",
    "turn interrupted",
    "the turn was interrupted",
)
# Refusals of the host that carry no prefix; what follows was never run.
_REFUSALS = (
    "tool_retired:",
    "argument validation failed for ",
    "goal tools require the current top-level host-attested goal context",
    "capability unavailable:",
)
_BACKGROUND = "Started background job "
