"""What logs of messages keep of a result beside its text: an error, a flag, an exit code.

No interface has such fields; who writes a log puts in what the program knew of a call.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from reasonix_conformance.readers.files.json_values import as_text, name_at, text_at
from reasonix_conformance.readers.hosts.outcomes import Grade, by_code, by_state, first_line
from reasonix_runtime.trace.events import Outcome

_KINDS: Final[dict[str, Outcome]] = {
    "parsing": "not_run",
    "timeout": "cancelled",
    "cancelled": "cancelled",
    "permission": "blocked",
    "approval": "blocked",
    "limit": "cancelled",
}
"""The types of the errors of Inspect that say more than that a call failed."""


class ResultFacts(NamedTuple):
    """What is kept of a result; the fields are Any because a recording may hold anything."""

    error: Any
    failed: Any
    """The flag by which a result is one of a failure."""
    success: Any
    """The flag by which it is one of a success."""
    status: Any
    exit_code: Any


def by_error(error: Any) -> Grade:
    """Grade by an error: words, or an object with a type and a message."""
    return Grade(_KINDS.get(text_at(error, "type"), "error"), "flag", None, words_of(error))


def words_of(error: Any) -> str:
    """Return what an error says: its message, its type, or whatever it is; empty for none."""
    return name_at(error, "message") or text_at(error, "type") or as_text(error)


def by_facts(facts: ResultFacts, text: str) -> Grade | None:
    """Grade a result by what is kept beside its `text`; a failure outweighs a success."""
    if facts.error:
        return by_error(facts.error)
    code, state = by_code(facts.exit_code), by_state(facts.status)
    if code is not None and code.outcome != "ok":
        return code._replace(error=first_line(text))
    if facts.failed is True or facts.success is False:
        return Grade("error", "flag", code and code.exit_code, first_line(text))
    if state.outcome not in ("ok", "unknown"):
        return state
    if code is None and (facts.failed is False or facts.success is True):
        return Grade("ok", "flag")
    return code
