"""Records of Codex rollout files, as tests write them."""

from __future__ import annotations

from typing import Any

Record = dict[str, Any]


def record(kind: str, **payload: Any) -> Record:
    return {"timestamp": "2026-03-01T10:00:00Z", "type": kind, "payload": payload}


def event(kind: str, **more: Any) -> Record:
    return record("event_msg", type=kind, **more)


def item(kind: str, **more: Any) -> Record:
    return record("response_item", type=kind, **more)


def done(kind: str, ident: str, **more: Any) -> Record:
    return event("item_completed", item={"type": kind, "id": ident, **more})


def call(name: str, ident: str, **more: Any) -> Record:
    return item("function_call", name=name, call_id=ident, **{"arguments": "{}", **more})


def output(ident: str, value: Any) -> Record:
    return item("function_call_output", call_id=ident, output=value)


def typed(text: str) -> Record:
    return item("message", role="user", content=[{"type": "input_text", "text": text}])


def said(text: str) -> Record:
    return item("message", role="assistant", content=[{"type": "output_text", "text": text}])


META = record("session_meta", id="one", cwd="/w")
BEGIN = event("task_started", turn_id="t")
