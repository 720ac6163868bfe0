"""The records of wire events: what a line holds, decoded and made safe to read.

Nearly every line is a call or its result, so these have a record of their own with their fields
typed, and one class for each kind of event: what a line is, is then told by its class alone. Any
other line is decoded once more, as the record of all fields. Nothing is said here of what a record
means.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Union

import msgspec

from reasonix_conformance.readers.files.json_values import as_text
from reasonix_conformance.readers.files.lines import Broken, Decoder
from reasonix_conformance.readers.hosts.outcomes import Execution, Told, state_of

# Only these are spelled so in recordings; the other fields of `Wire` have underscores there, too.
_CAMEL = {
    "session_id": "sessionId",
    "turn_id": "turnId",
    "message_id": "messageId",
    "stream_attempt": "streamAttempt",
}


class Tool(msgspec.Struct, gc=False, rename="camel"):
    """The `tool` object of a dispatch or a result."""

    id: str | None = ""
    name: str = ""
    read_only: bool | None = None
    args: Any = None
    output: str = ""
    err: str | None = None
    execution: Told = None
    run_state: str | None = None
    partial: bool | None = None
    refreshed: bool | None = None
    attempt_id: str | None = None
    parent_id: str | None = None
    resolved_name: str | None = None
    truncated: bool | None = None


class Attempt(msgspec.Struct, gc=False):
    """The `streamAttempt` object: a response of the model begins, or what it showed is dropped."""

    id: Any = None
    action: Any = None


class Step(msgspec.Struct, gc=False, rename="camel", tag_field="kind"):
    """An event as nearly all are: a call, a result, or something that is not read.

    It has the fields of these only. A record that does not fit is decoded once more, as a `Wire`.
    """

    tool: Tool | None = None
    stream_attempt: Attempt | None = None
    message_id: str | None = None
    event: None = None
    seq: Any = None
    ts: None = None


SKIPPED: Final = (
    "reasoning", "usage", "text", "tool_started", "tool_progress", "turn_status", "turn_phase",
    "phase", "retrying", "runtime_state", "context_maintenance", "compaction_started",
    "ask_request", "approval_request", "prompt_answered", "session_changed", "subagent_lifecycle",
)  # fmt: skip
"""Kinds that carry nothing a gate asks for."""
OTHERS: Final = (
    "turn_started", "turn_done", "user_message", "steer", "message", "notice", "compaction_done",
)  # fmt: skip
"""Kinds of which more is read than a `Step` has."""
STEPS: Final[Mapping[str, type[Any]]] = {
    kind: msgspec.defstruct(kind, [], bases=(Step,), tag=kind, gc=False)
    for kind in ("stream_attempt", "tool_dispatch", "tool_result", *SKIPPED, *OTHERS)
}
"""The class of each kind of event."""


class Numbered(msgspec.Struct, gc=False):
    """The wrapper of a trajectory around a `Step`; as in a `Wire`, a `tool` is an object."""

    # The classes are made from the list of kinds, so no checker can know them.
    event: Union[*STEPS.values()] | None = None  # type: ignore[valid-type]
    tool: dict[str, Any] | None = None
    seq: Any = None
    ts: Any = None


class Wire(msgspec.Struct, gc=False, rename=_CAMEL):
    """Any event object, or the wrapper of a trajectory around it; a recording may hold anything."""

    kind: Any = None
    type: Any = None
    tool: dict[str, Any] | None = None
    text: Any = None
    err: Any = None
    status: Any = None
    outcome: Any = None
    code: Any = None
    level: Any = None
    detail: Any = None
    readiness: Any = None
    session_id: Any = None
    turn_id: Any = None
    message_id: Any = None
    stream_attempt: Any = None
    is_error: Any = None
    result: Any = None
    event: Wire | None = None
    seq: Any = None
    ts: Any = None
    readiness_audit: Any = None
    contract_shadow: Any = None
    turn_completion: Any = None


class Narrow(msgspec.Struct, gc=False, rename="camel"):
    """A line of either form with the fields of a `Step` alone, for one that a `Wire` cannot hold.

    What nobody reads may be what no field can hold: a number beyond range, say.
    """

    kind: str = ""
    tool: Tool | None = None
    stream_attempt: Attempt | None = None
    message_id: str | None = None
    event: Narrow | None = None
    seq: Any = None
    ts: Any = None


decode_step = Decoder[Any](Union[*STEPS.values()])
decode_numbered = Decoder[Numbered](Numbered)
decode_wire = Decoder[Wire](Wire)
decode_narrow = Decoder[Narrow](Narrow)

_decode_keys = Decoder[Any](dict[str, msgspec.Raw])
_WRAPPER = frozenset({"event", "schema_version", "seq", "ts"})


def is_empty(line: bytes) -> bool:
    """Whether the wrapper of a trajectory holds nothing; later hosts may put more things in it."""
    keys = _decode_keys(line)
    return isinstance(keys, Broken) or _WRAPPER.issuperset(keys or ())


def step_of(event: Wire) -> Step:
    """Return an event of a call with what is not as it should be left out."""
    attempt = event.stream_attempt
    return Step(
        tool=None if event.tool is None else _tool_of(event.tool),
        stream_attempt=Attempt(attempt.get("id"), attempt.get("action"))
        if isinstance(attempt, dict)
        else None,
        message_id=_text(event.message_id),
    )


def _tool_of(told: Mapping[str, Any]) -> Tool:
    """Return a `tool` object with what is not as it should be left out."""
    execution = told.get("execution")
    return Tool(
        id=_text(told.get("id", "")),
        name=text_of(told.get("name")),
        read_only=_flag(told.get("readOnly")),
        args=told.get("args"),
        output=as_text(told.get("output")),
        err=_failure(told.get("err")),
        execution=Execution(execution.get("state"), execution.get("exitCode"))
        if isinstance(execution, dict)
        else None,
        run_state=state_of(told.get("runState")),
        partial=_flag(told.get("partial")),
        refreshed=_flag(told.get("refreshed")),
        attempt_id=_text(told.get("attemptId")),
        parent_id=_text(told.get("parentId")),
        resolved_name=_text(told.get("resolvedName")),
        truncated=_flag(told.get("truncated")),
    )


def text_of(value: Any) -> str:
    """Return a text field; absent, null and anything that is no text mean empty."""
    return value if isinstance(value, str) else ""


def _failure(value: Any) -> str | None:
    """Return what an error field says; what is no text is an error all the same."""
    return as_text(value) if value not in (None, False) else None


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
