"""Requests of the interfaces of models and answers to them, as tests write them."""

from __future__ import annotations

import json
from typing import Any

from reasonix_runtime.trace.events import Event, Session, ToolCall

Record = dict[str, Any]


def calls(stream: list[Event]) -> list[tuple[str, str]]:
    """Return (session, tool) of each call."""
    sid, found = "", []
    for event in stream:
        if isinstance(event, Session):
            sid = event.sid
        elif isinstance(event, ToolCall):
            found.append((sid, event.name))
    return found


def user(text: Any) -> Record:
    return {"role": "user", "content": text}


def asks(ident: str, name: str, **args: Any) -> Record:
    function = {"name": name, "arguments": json.dumps(args)}
    call = {"id": ident, "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def answers(ident: str, text: str = "x") -> Record:
    return {"role": "tool", "tool_call_id": ident, "content": text}


def said(message: Record) -> Record:
    return {"choices": [{"message": message}]}


ONE = [user("one"), asks("1", "f"), answers("1")]
TWO = [user("two"), asks("1", "g"), answers("1")]

PIECES = [
    {"role": "assistant", "content": ""},
    {"tool_calls": [{"index": 0, "id": "1", "function": {"name": "f", "arguments": ""}}]},
    {"tool_calls": [{"index": 1, "id": "2", "function": {"name": "g", "arguments": "{}"}}]},
    {"tool_calls": [{"index": 0, "function": {"arguments": '{"a":'}}]},
    {"tool_calls": [{"index": 0, "function": {"arguments": "1}"}}]},
]
CHUNKS = [{"object": "chat.completion.chunk", "choices": [{"delta": piece}]} for piece in PIECES]
CHUNKS.append({"object": "chat.completion.chunk", "choices": [], "usage": {"total_tokens": 1}})


def sent(events: list[Record], indent: int | None = None) -> str:
    """Write records as the text of a stream of events, each in one line or in several."""
    texts = [json.dumps(event, indent=indent).replace("\n", "\ndata: ") for event in events]
    return "".join(f"data: {text}\n\n" for text in [*texts, "[DONE]"])


def uses(ident: str, name: str) -> Record:
    block = {"type": "tool_use", "id": ident, "name": name, "input": {}}
    return {"role": "assistant", "content": [block]}


def gave(ident: str) -> Record:
    return user([{"type": "tool_result", "tool_use_id": ident, "content": "x"}])


def event(kind: str, **more: Any) -> Record:
    return {"type": kind, **more}


def grown(kind: str, **piece: Any) -> Record:
    return event("content_block_delta", index=0, delta={"type": kind, **piece})


ASKED = {"messages": [user("one")]}
ANSWER = uses("1", "f") | {"id": "msg", "type": "message", "stop_reason": "tool_use"}
ANSWER["content"][0]["input"] = {"a": 1}
EVENTS = [
    event("message_start", message={"role": "assistant", "content": []}),
    event("content_block_start", index=0, content_block=uses("1", "f")["content"][0]),
    grown("input_json_delta", partial_json='{"a":'),
    grown("input_json_delta", partial_json=" 1}"),
    event("content_block_stop", index=0),
    event("message_delta", delta={"stop_reason": "tool_use"}),
    event("message_stop"),
]

SAYS = {"role": "assistant", "content": [{"type": "text", "text": "I"}]}
