"""Logs of requests to models: where their records keep messages, and answers, whole or streamed.

An interface says how its answers look (`CHAT`, `ANTHROPIC`); where a log keeps them is the same for
all of them. An answer in a record of its own, or in pieces, ends the request before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias

from reasonix_conformance.readers.files.event_streams import values_in
from reasonix_conformance.readers.files.json_values import (
    NOT_JSON,
    as_text,
    at,
    decoded,
    list_at,
    name_at,
    text_at,
)
from reasonix_conformance.readers.files.lines import Broken
from reasonix_conformance.readers.messages import CUT_OFF, UNENDED
from reasonix_conformance.readers.model_apis.conversations import Request
from reasonix_conformance.readers.model_apis.requests import ALONE, Requests

Message: TypeAlias = dict[str, Any]


class Answer(NamedTuple):
    """An answer that a log holds."""

    message: Message
    more: bool
    """Whether there are choices beside the first, which alone is read."""


class Interface(NamedTuple):
    """How an interface to models writes its answers."""

    whole: Callable[[Any], Message | None]
    """Returns the message of an answer; None for what is no answer."""
    is_piece: Callable[[Any], bool]
    """Whether a value is a piece of an answer that was streamed."""
    joined: Callable[[Iterable[Any]], Message]
    """Returns the message that pieces make."""
    begins: Callable[[Any, list[Any]], bool]
    """Whether a piece is of another answer than the pieces before it."""
    is_part: Callable[[Any], bool] = lambda _record: False
    """Whether a record can be a message of a file that holds no requests."""


# Where the records of a log keep the messages of a request.
_LOGGED = (
    ("messages",),
    ("request", "messages"),
    ("request", "body", "messages"),
    ("body", "messages"),
    ("params", "messages"),
)
# And an answer.
_KEPT = (("response",), ("response", "body"), ("response", "body_raw"), ("body",), ())
_LAST = "the request before"
"""What an answer goes on from whose request does not stand beside it.

The request is not said again: then time would grow with the square of such answers.
"""


def messages_at(record: Any) -> list[Any]:
    """Return the messages of a logged request, wherever its log keeps them."""
    return next((found for path in _LOGGED if (found := list_at(record, *path))), [])


def logged(records: Iterable[tuple[int, Any]], interface: Interface) -> Requests:
    """Yield (line, request) of a log; what a record answers is the request before it."""
    pieces: list[Any] = []
    asked = False
    before: str | None = None
    number = 0
    for number, record in records:
        if isinstance(record, Broken):
            yield number, record
            continue
        streamed = interface.is_piece(record)
        if streamed and not (pieces and interface.begins(record, pieces)):
            pieces.append(record)
            continue
        if pieces and not (streamed or messages_at(record) or answer_in(record, interface)):
            yield number, None  # news of the client between the pieces
            continue
        if pieces:
            yield number, _answered([], _joined(pieces, interface))
            asked, pieces = True, []
        if streamed:
            pieces.append(record)
            continue
        if not asked and interface.is_part(record):
            yield number, Request([record], after=before, ident=ALONE)
            before = ALONE
            continue
        found = _request(record, interface)
        asked = asked or found is not None
        yield number, found
    if pieces:
        yield number, _answered([], _joined(pieces, interface))


def _request(record: Any, interface: Interface) -> Request | None:
    """Return what a record holds: a request, perhaps with its answer, or an answer to the last."""
    history = messages_at(record)
    answer = answer_in(record, interface)
    if answer is None:
        unread = at(record, "response") is not None and at(record, "response", "error") is None
        return Request(history, ident=_LAST, unread=unread) if history else None
    return _answered(history, answer)


def _answered(history: list[Any], answer: Answer) -> Request:
    after = None if history else _LAST
    return Request([*history, answer.message], after=after, ident=_LAST, unread=answer.more)


def answer_in(record: Any, interface: Interface) -> Answer | None:
    """Return the answer that a record of a log holds, or is."""
    for path in _KEPT:
        value = at(record, *path)
        message = interface.whole(value)
        if message is not None:
            return Answer(message, _has_more(value))
        pieces = list(values_in(value)) if isinstance(value, str) else value
        if isinstance(pieces, list) and any(map(interface.is_piece, pieces)):
            return _joined(pieces, interface)
    return None


def _joined(pieces: list[Any], interface: Interface) -> Answer:
    return Answer(interface.joined(pieces), any(map(_has_more, pieces)))


# -- Chat Completions


def _has_more(value: Any) -> bool:
    return any(choice is not _first_choice(value) for choice in list_at(value, "choices"))


def _first_choice(value: Any) -> Any:
    choices = list_at(value, "choices")
    return next((one for one in choices if at(one, "index") in (None, 0)), None)


def _chat_whole(value: Any) -> Message | None:
    choice = _first_choice(value)
    message = at(choice, "message")
    if isinstance(message, dict):
        return _stopped(message, choice)
    is_one = text_at(value, "role") == "assistant" and not messages_at(value)
    return value if is_one else None


def _stopped(message: Message, choice: Any) -> Message:
    """Return a message with the reason why it was cut off, if it was."""
    reason = at(choice, "finish_reason")
    return {**message, "finish_reason": reason} if reason in CUT_OFF else message


def _is_chunk(value: Any) -> bool:
    is_one = text_at(value, "object") == "chat.completion.chunk"
    return is_one or isinstance(at(value, "choices", 0, "delta"), dict)


def _chat_joined(chunks: Iterable[Any]) -> Message:
    """Return the message that chunks make: pieces of text, and of calls by their index.

    An older kind of call has no index, as there is only one.
    """
    texts: list[str] = []
    refusals: list[str] = []
    calls: list[dict[str, str]] = []
    open_calls: dict[int, dict[str, str]] = {}
    legacy: dict[str, str] = {}
    reason: Any = None
    for chunk in chunks:
        choice = _first_choice(chunk)
        reason = at(choice, "finish_reason") or reason
        delta = at(choice, "delta")
        texts.append(text_at(delta, "content"))
        refusals.append(text_at(delta, "refusal"))
        for key in ("name", "arguments") if at(delta, "function_call") is not None else ():
            legacy[key] = legacy.get(key, "") + _piece_of(at(delta, "function_call", key))
        for place, piece in enumerate(list_at(delta, "tool_calls")):
            call = _call_of(piece, place, open_calls, calls)
            call["id"] = text_at(piece, "id") or call["id"]
            call["name"] = text_at(piece, "function", "name") or call["name"]
            call["arguments"] += _piece_of(at(piece, "function", "arguments"))
    message: Message = {"role": "assistant", "content": "".join(texts)}
    if any(refusals):
        message["refusal"] = "".join(refusals)
    if legacy:
        message["function_call"] = legacy
    if calls:
        message["tool_calls"] = [
            {
                "id": call["id"],
                "type": "function",
                "function": {"name": call["name"], "arguments": call["arguments"]},
            }
            for call in calls
        ]
    return _stopped(message, {"finish_reason": reason or UNENDED})


def _piece_of(value: Any) -> str:
    """Return a piece of arguments as text; some servers send them whole, and as the object.

    An empty object may be what text is still to come for.
    """
    return as_text(value) if value else ""


def _call_of(
    piece: Any, place: int, open_calls: dict[int, dict[str, str]], calls: list[dict[str, str]]
) -> dict[str, str]:
    """Return the call that a piece belongs to, by its index, else by its place in the chunk.

    Some servers give all calls one index or none: a piece with an id and a name that are not those
    of the call there begins another one, and what follows without an id goes on with that.
    """
    index = at(piece, "index")
    key = index if isinstance(index, int) else place
    call = open_calls.get(key)
    ident = text_at(piece, "id")
    named = ident and text_at(piece, "function", "name")
    if call is None or (named and call["id"] not in ("", ident)):
        call = open_calls[key] = {"id": "", "name": "", "arguments": ""}
        calls.append(call)
    return call


def _chat_begins(chunk: Any, before: list[Any]) -> bool:
    """Whether a chunk names another answer; the first chunk of some servers names none."""
    name, last = name_at(chunk, "id"), name_at(before[-1], "id")
    return name is not None and last is not None and name != last


CHAT = Interface(_chat_whole, _is_chunk, _chat_joined, _chat_begins)


# -- Anthropic Messages

_EVENTS = frozenset(
    {
        "message_start", "content_block_start", "content_block_delta", "content_block_stop",
        "message_delta", "message_stop", "ping",
    }
)  # fmt: skip
# What a delta adds to the block of its index, under the same name.
_GROWS = ("text", "thinking", "signature")


def _anthropic_whole(value: Any) -> Message | None:
    is_one = text_at(value, "role") == "assistant" and isinstance(at(value, "content"), list)
    return value if is_one and not messages_at(value) else None


def _anthropic_joined(events: Iterable[Any]) -> Message:
    """Return the message that events make: blocks by their index, the input of calls as text."""
    message: Message = {"role": "assistant", "stop_reason": UNENDED}
    blocks: dict[int | None, dict[str, Any]] = {}
    inputs: dict[int | None, str] = {}
    for event in events:
        index = number if isinstance(number := at(event, "index"), int) else None
        delta = at(event, "delta")
        begun = at(event, "content_block")
        if text_at(event, "type") == "content_block_start" and isinstance(begun, dict):
            blocks[index] = dict(begun)
        elif index in blocks and text_at(event, "type") == "content_block_delta":
            for key in _GROWS:
                if text_at(delta, key):
                    blocks[index][key] = text_at(blocks[index], key) + text_at(delta, key)
            inputs[index] = inputs.get(index, "") + text_at(delta, "partial_json")
        elif at(delta, "stop_reason") is not None:
            message["stop_reason"] = delta["stop_reason"]
    for index, text in inputs.items():
        if text:
            blocks[index]["input"] = _input(text)
    return {**message, "content": list(blocks.values())}


def _input(text: str) -> Any:
    """Return the input of a call, or its text where the stream broke off inside it."""
    try:
        return decoded(text)
    except NOT_JSON:
        return text


def _anthropic_begins(event: Any, before: list[Any]) -> bool:
    started = text_at(event, "type") == "message_start"
    return started and any(text_at(one, "type") != "ping" for one in before)


def _is_message(record: Any) -> bool:
    return not messages_at(record) and at(record, "role") is not None


ANTHROPIC = Interface(
    _anthropic_whole,
    lambda value: text_at(value, "type") in _EVENTS,
    _anthropic_joined,
    _anthropic_begins,
    _is_message,
)
