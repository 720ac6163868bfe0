"""How a call ended and how that is known (`docs/trace-formats.md`, Outcomes).

Only fixed fields and fixed envelopes count. Free text never makes an error and never an `ok`.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple, TypeAlias

import msgspec

from reasonix_runtime.trace.events import Basis, Outcome


class Grade(NamedTuple):
    """An outcome, its basis, and what is known of the failure."""

    outcome: Outcome
    basis: Basis
    exit_code: int | None = None
    error: str | None = None


class Execution(msgspec.Struct, gc=False, rename="camel"):
    """What a host tells of how a tool ran; the fields are Any as a recording may hold anything."""

    state: Any = None
    exit_code: Any = None


Told: TypeAlias = Execution | str | int | float | bool | list[Any] | None
"""A field that should hold an `Execution`: decoding refuses nothing."""


def by_exit(code: int, basis: Basis = "exit_code") -> Grade:
    """Grade by the exit code of a command; `basis` tells where the code stands."""
    return Grade("ok" if code == 0 else "error", basis, code)


def by_success(success: bool) -> Grade:
    """Grade by a flag that says whether a call was a success."""
    return Grade("ok" if success else "error", "flag")


_GOOD_BY_FLAG = by_success(True)
_DIGITS = re.compile(r"-?\d{1,10}")
GOOD_BY_HOST_RULE = Grade("ok", "host_rule")
# The grades of exit codes, made once; a code that no process has is graded where it is met.
_EXITS = {code: by_exit(code) for code in range(256)}
UNKNOWN = Grade("unknown", "none")
"""A result exists, and nothing tells how the call ended."""


def by_code(value: Any, basis: Basis = "exit_code") -> Grade | None:
    """Grade by a field for an exit code, a number or its digits; None where it holds nothing.

    A code that is there and cannot be read is not no code: how the command ended is not known.
    """
    if value is None:
        return None
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        value = int(value)
    return by_exit(value, basis) if is_int(value) else UNKNOWN


# What the host puts before a failure.
_ERROR = "error:"
_BLOCKED = "blocked:"
BAD_ARGUMENTS = ("invalid args", "argument_validation:", "argument validation failed for ")
"""First words of the host's own failure texts that refuse the arguments of a call."""
# First words of those that mean: it never ran.
_NOT_RUN = ("unknown tool ", "tool_retired", "tool was not executed because ", *BAD_ARGUMENTS)
# First words of results that the host fills in for calls that were cut off.
CUT_OFF = (
    "signal: killed",
    "signal: interrupt",
    "context canceled",
    "context deadline exceeded",
    "command timed out",
    "turn ended before recording a result",
    "previous runtime exited before recording a result",
)
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


_BY_STATE = {state: Grade(outcome, "state") for state, outcome in _STATES.items()}


def by_state(state: Any) -> Grade:
    """Grade by an enumerated state field; an unknown word is an unknown outcome."""
    return _BY_STATE.get(state, UNKNOWN) if isinstance(state, str) else UNKNOWN


def state_of(value: Any) -> str | None:
    """Return a state field; what is neither text nor absent is a state that nobody knows."""
    return value if isinstance(value, str | None) else UNREADABLE_STATE


UNREADABLE_STATE = "(no text)"


def of_wire(err: str | None, run_state: str | None, execution: Told, text: str = "") -> Grade:
    """Grade a result of the wire events or of a frame store.

    Precedence: a background start, the error text, the exit code, then the state fields. A state
    of `not_started` without an error is a success: the host answered without a tool run. A state
    of `completed` is none where the `text` says that a background job was started.
    """
    state = code = None
    if isinstance(execution, Execution):
        state, code = execution.state, execution.exit_code
        if state == "background_started":
            return _BY_STATE[state]
        if type(code) is int:
            if err:
                return Grade("error", "exit_code", code, err)
            return _EXITS.get(code) or Grade("error", "exit_code", code)
    if err:
        if run_state == "unknown":
            return Grade("unknown", "state", None, err)
        return Grade(of_failure(err, run_state, state), "flag", None, err)
    if text.startswith(BACKGROUND):
        return Grade("running", "host_rule")
    if code is not None or not (state is None or isinstance(state, str)):
        # A status that cannot be read is not no status.
        return UNKNOWN
    if run_state is None or run_state == "not_started":
        return _GOOD_BY_FLAG if state is None else by_state(state)
    grade = by_state(run_state)
    # That a tool ran to its end does not say that its command did.
    return _BY_STATE.get(state, grade) if grade.outcome == "ok" and state is not None else grade


def of_message(text: str, run_state: Any, execution: Told) -> Grade:
    """Grade a tool message of the message files: structured facts first, then the host's prefix."""
    if run_state is None and execution is None and text[:1] not in HOST_BEGINS:
        return GOOD_BY_HOST_RULE
    code = None
    structured = run_state is not None
    if isinstance(execution, Execution):
        code = execution.exit_code
        structured = structured or isinstance(code, int | str)
        structured = structured or isinstance(execution.state, int | str)
    if not structured:
        return _of_text(text)
    told = run_state == "completed" or is_int(code)
    return of_wire(None if told else _failure_text(text), state_of(run_state), execution)


def _of_text(text: str) -> Grade:
    """Grade a result by the host's own words at its start."""
    message = _failure_text(text)
    if message is not None:
        return Grade(of_failure(message), "host_rule", None, message)
    if text[:64].lower().startswith(_INTERRUPTED):
        return Grade("cancelled", "host_rule", None, first_line(text))
    if text.startswith(BACKGROUND):
        return Grade("running", "host_rule")
    return GOOD_BY_HOST_RULE


def _failure_text(text: str) -> str | None:
    """Return what follows the host's own failure prefix, or None for a text without one."""
    if text.startswith(_ERROR):
        return first_line(text[len(_ERROR) :].strip()) or "error"
    if text.startswith((_BLOCKED, *_REFUSALS)):
        return first_line(text)
    return None


def of_failure(message: str, run_state: Any = None, state: Any = None) -> Outcome:
    """Return the outcome of a call that failed with this text of the host."""
    if message.startswith((_BLOCKED, "blocked by ")):
        return "blocked"
    if message.startswith(CUT_OFF):
        return "cancelled"
    never_ran = message.startswith((*_NOT_RUN, *_REFUSALS))
    if run_state == "not_started" or state == "not_run" or never_ran:
        return "not_run"
    return "cancelled" if _STATES.get(str(state)) == "cancelled" else "error"


def of_provider(content: Any) -> Grade | None:
    """Grade by the result of a tool that runs at the provider, which tells a status of its own."""
    match content:
        case {"return_code": code} if code is not None:
            return by_code(code)
        case {"error_code": str(error)} if error:
            return Grade("error", "flag", None, error)
    return None


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
    "cancelled: context cancelled before execution",
)
# Refusals of the host that carry no prefix; what follows was never run.
_REFUSALS = (
    "tool_retired:",
    BAD_ARGUMENTS[-1],
    "goal tools require the current top-level host-attested goal context",
    "capability unavailable:",
)
BACKGROUND = ("Started background job ", "Started background task ", "Started background fleet ")
# What the host's own words begin with: most results are told by their first character.
HOST_BEGINS = frozenset(
    word[0]
    for words in ((_ERROR, _BLOCKED), BACKGROUND, _REFUSALS, _INTERRUPTED)
    for begin in words
    for word in (begin, begin.upper())
)
