"""The wire form of Chat Completions: a request to bytes, bytes to an answer or an error.

Only what an agent needs is sent and read. What a provider adds is passed over, what it gets wrong
is an error that names the place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from reasonix_runtime.agents.errors import MalformedError
from reasonix_runtime.agents.model import Answer, Call, Finish, Message, Request
from reasonix_runtime.contract.entry import ContractEntry
from reasonix_runtime.excerpts import clipped

_FINISH: Final = {
    "stop": Finish.STOP,
    "tool_calls": Finish.CALLS,
    "function_call": Finish.CALLS,
    "length": Finish.CUT,
    "content_filter": Finish.WITHHELD,
}


_SHOWN: Final = 60
"""Characters of a body that is no answer, for a message."""


class _Function(msgspec.Struct):
    name: str
    arguments: str | dict[str, Any] | None = None

    @property
    def text(self) -> str:
        """The arguments as text; some servers send them as an object, or none at all."""
        if isinstance(self.arguments, str):
            return self.arguments
        return "" if self.arguments is None else msgspec.json.encode(self.arguments).decode()


class _Call(msgspec.Struct):
    function: _Function
    id: str | None = None
    type: str | None = None


class _Part(msgspec.Struct):
    type: str = "text"
    text: str | None = None


class _Message(msgspec.Struct):
    content: str | list[_Part] | None = None
    refusal: str | None = None
    tool_calls: list[_Call] | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    usage: Any = None


class _Failure(msgspec.Struct):
    error: Any = None


def request_bytes(request: Request, *, model: str, effort: str = "") -> bytes:
    """Return the body of a request; schemas go out as the canonical bytes that they are kept in."""
    body: dict[str, Any] = {
        "model": model,
        "messages": [_sent(message) for message in request.messages],
    }
    if effort:
        body["reasoning_effort"] = effort
    if request.bounds is not None:
        body["temperature"] = request.bounds.temperature
        body["max_completion_tokens"] = request.bounds.tokens
    if request.tools:
        body["tools"] = _tools(request.tools)
    return msgspec.json.encode(body)


def _tools(entries: Iterable[ContractEntry]) -> list[dict[str, Any]]:
    return [
        {
            "type": "function",
            "function": {
                "name": entry.name,
                "description": entry.description,
                "parameters": msgspec.Raw(entry.schema),
            },
        }
        for entry in entries
    ]


def _sent(message: Message) -> dict[str, Any]:
    sent: dict[str, Any] = {"role": message.role, "content": _encodable(message.text)}
    if message.answers is not None:
        sent["tool_call_id"] = message.answers
    if message.calls:
        sent["content"] = sent["content"] or None
        sent["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in message.calls
        ]
    return sent


def _encodable(text: str) -> str:
    """Return a text as UTF-8 can hold it: a file name may have brought half a surrogate pair."""
    return text.encode("utf-8", "backslashreplace").decode()


def answer_of(data: bytes) -> Answer:
    """Return the answer that a response body holds; raises MalformedError."""
    told = error_text(data)
    if told is not None:
        raise MalformedError(f"the provider answered with an error: {told}")
    try:
        completion = msgspec.json.decode(data, type=_Completion)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        told = f"the answer is no chat completion: {error}; it begins with {_beginning(data)}"
        raise MalformedError(told) from None
    if not completion.choices:
        raise MalformedError("the answer is no chat completion: it has no choices")
    choice = completion.choices[0]
    calls = tuple(_calls(choice.message.tool_calls or ()))
    finish = _FINISH.get(choice.finish_reason or "", Finish.OTHER)
    return Answer(
        text=_text(choice.message), calls=calls, finish=finish, tokens=_tokens(completion.usage)
    )


def _beginning(data: bytes) -> str:
    return repr(clipped(data[: 4 * _SHOWN].decode("utf-8", "replace"), _SHOWN))


def _tokens(usage: Any) -> int:
    """Return what an answer cost; a total wins over its parts, and what is no count is none."""
    told = usage if isinstance(usage, dict) else {}
    total, *parts = (
        count if type(count := told.get(name)) is int and count > 0 else 0
        for name in ("total_tokens", "prompt_tokens", "completion_tokens")
    )
    return total or sum(parts)


def error_text(data: bytes) -> str | None:
    """Return what the error object of a body says; None for a body without one."""
    try:
        error = msgspec.json.decode(data, type=_Failure).error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if isinstance(error, dict):
        error = error.get("message") or error.get("type") or "it does not say which"
    return None if error is None else str(error)


def _text(message: _Message) -> str:
    content = message.content
    if isinstance(content, list):
        content = "".join(part.text or "" for part in content if part.type == "text")
    return content or message.refusal or ""


def _calls(calls: Sequence[_Call]) -> Iterable[Call]:
    """Yield the calls; their results are told apart by ids, so one without its own gets one."""
    given = [call.id for call in calls]
    for number, call in enumerate(calls):
        if call.type not in ("function", None):
            where = f"$.choices[0].message.tool_calls[{number}]"
            raise MalformedError(f"the answer has a call of unknown type {call.type!r}: {where}")
        own = call.id if call.id and given.index(call.id) == number else _unused(number, given)
        yield Call(id=own, name=call.function.name, arguments=call.function.text)


def _unused(number: int, given: Sequence[str | None]) -> str:
    """Return an id that no call of the answer has."""
    name = f"call_{number + 1}"
    while name in given:
        name += "_"
    return name
