"""Messages of models as older conventions have them: as events, or in numbered attributes.

Some instrumentations put the events into the span of the call of the model, others into log records
that name it. All are told as the attributes that came after them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from reasonix_conformance.readers.files.json_values import at, json_in, list_at, text_at
from reasonix_conformance.readers.files.message_content import flat_text, unread_in

_CHOICE: Final = "gen_ai.choice"
_ROLES: Final = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
    _CHOICE: "assistant",
}
_CONTENT: Final = "gen_ai.event.content"
"""The attribute in which an event of a span has its message as JSON; else each member is one."""
_GIVEN, _MADE = MESSAGES = ("gen_ai.input.messages", "gen_ai.output.messages")
"""The attributes that hold what a model was given and what it answered."""


_NUMBERED: Final = re.compile(
    r"gen_ai\.(prompt|completion)\.(\d{1,6})\.(?:tool_calls\.(\d{1,6})\.)?(\w+)"
)
"""Attributes that each hold a member of a message, with the numbers of the message and its call."""


class Told(NamedTuple):
    """An event that is a message of a model: its name, and its message or what is left of it."""

    name: str
    body: Any


def told_by(name: str, body: Any) -> Told | None:
    """Return what an event of this name tells, None for one that is no message of a model."""
    if name not in _ROLES:
        return None
    kept = body if isinstance(body, str) else at(body, _CONTENT)
    if not isinstance(kept, str):
        return Told(name, body)
    message = json_in(kept)
    return Told(name, kept if message is None else message)


def numbered_in(attributes: Mapping[str, Any]) -> Iterator[Told]:
    """Yield the messages of a span that are told member by member, each under its number."""
    messages: dict[tuple[str, int], dict[str, Any]] = {}
    calls: dict[tuple[str, int], dict[int, dict[str, Any]]] = {}
    for key, value in attributes.items():
        if (found := _NUMBERED.fullmatch(key)) is None:
            continue
        place = found[1], int(found[2])
        message = messages.setdefault(place, {})
        if found[3] is None:
            message[found[4]] = value
        else:
            calls.setdefault(place, {}).setdefault(int(found[3]), {})[found[4]] = value
    for place, message in sorted(messages.items()):
        made = sorted(calls.get(place, {}).items())
        name = _CHOICE if place[0] == "completion" else f"gen_ai.{message.get('role')}.message"
        body = message | {"tool_calls": [call for _, call in made]}
        yield Told(name, body if name in _ROLES else "")


def as_attributes(events: Iterable[Told]) -> dict[str, Any]:
    """Return the messages of events as attributes; where one cannot be read, no list of them."""
    told: dict[str, Any] = {}
    for name, body in events:
        key = _MADE if name == _CHOICE else _GIVEN
        if not isinstance(body, dict | None) or _is_unread(body):
            told[key] = ""
        elif isinstance(before := told.setdefault(key, []), list):
            before.append(_message(name, body))
    return told


def _inner(body: Any) -> Any:
    """Return what a message holds: an answer stands in a member of its event."""
    inner = _plain(at(body, "message"))
    return {"content": inner} if isinstance(inner, str | list) else inner or body


def _is_unread(body: Any) -> bool:
    """Whether a part of a message is, or may be, a call or a result."""
    content = _plain(at(_inner(body), "content"))
    if not isinstance(content, list):
        return False
    acts = any("tool" in text_at(part, "type") for part in content)
    return acts or unread_in(content, may_be_empty=True) is not None


def _message(name: str, body: Any) -> dict[str, Any]:
    inner = _inner(body)
    role, content = _ROLES[name], _plain(at(inner, "content"))
    if role == "tool":
        parts = [_response(text_at(body, "id") or text_at(body, "tool_call_id"), content)]
    else:
        parts = [{"type": "text", "content": flat_text(content)}, *_calls(inner, body)]
    return {"role": role, "parts": parts, "finish_reason": at(body, "finish_reason")}


def _response(native: str, content: Any) -> dict[str, Any]:
    return {"type": "tool_call_response", "id": native, "response": content}


def _calls(*bodies: Any) -> Iterator[dict[str, Any]]:
    """Yield the calls of an answer, which stand in its message or beside that."""
    found = (_plain(at(body, "tool_calls")) for body in bodies)
    for call in next((calls for calls in found if isinstance(calls, list)), []):
        made = at(call, "function") or call
        yield {
            "type": "tool_call",
            "id": text_at(call, "id"),
            "name": text_at(made, "name"),
            "arguments": at(made, "arguments"),
        }


def _plain(value: Any) -> Any:
    """Return a member of a message; attributes hold lists and objects as JSON."""
    if isinstance(value, str) and value[:1] in ("[", "{") and (found := json_in(value)) is not None:
        return found
    return value


def has_messages(logs: Any) -> bool:
    """Whether log records of an export are messages of models, or hold some in attributes."""
    return any(
        named(log) in _ROLES
        or any(text_at(pair, "key") in MESSAGES for pair in list_at(log, "attributes"))
        for resource in list_at(logs, "resourceLogs")
        for scope in list_at(resource, "scopeLogs")
        for log in list_at(scope, "logRecords")
    )


def named(log: Any) -> str:
    """Return the name of the event that a log record is."""
    own = (p for p in list_at(log, "attributes") if text_at(p, "key") == "event.name")
    return text_at(log, "eventName") or text_at(next(own, None), "value", "stringValue")
