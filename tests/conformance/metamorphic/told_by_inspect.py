"""A writer of Inspect logs."""

from __future__ import annotations

import json
from typing import Any

from told import PIXEL, Call, Files, Record, Response, Session
from told_by_messages import enveloped, own, texts


def inspect_events(session: Session) -> Files:
    """Write a log of one sample, which is one turn, told by its events."""
    (turn,) = session
    log = _Log()
    prompt = _content(turn.prompt, shows=turn.shows)
    log.messages.append({"role": "user", "content": prompt, "source": "input"})
    for one in turn.responses:
        log.respond(one, None)
    log.says({"role": "assistant", "id": "last", "content": turn.answer}, None)
    sample: Any = {"id": 1, "epoch": 1, "attachments": {}}
    sample |= {"messages": log.messages, "events": log.events}
    told = {"version": 2, "status": "success", "eval": {"task": "t"}, "samples": [sample]}
    return {"log.json": json.dumps(told).encode()}


class _Log:
    """What was said, by the main agent alone, and what happened."""

    def __init__(self) -> None:
        self.messages: list[Record] = []
        self.events: list[Record] = []

    def says(self, message: Record, span: str | None) -> None:
        """Tell a response of an agent, which acts in its span."""
        if span is None:
            self.messages.append(message)
        output = {"choices": [{"message": message}]}
        self._happens("model", span, output=output)

    def respond(self, one: Response, span: str | None) -> None:
        """Tell a response, its calls, and what came of each."""
        if one.compacted:
            self._happens("compaction", span, type="summary")
        if one.retried:
            self._happens("model", span, error="rate limit", output={"choices": []})
        calls = [
            {"id": call.ident, "function": own(call)[0], "arguments": own(call)[1]}
            for call in one.made
        ]
        said = {"role": "assistant", "id": f"m{len(self.events)}", "content": one.text}
        self.says({**said, "tool_calls": calls}, span)
        for call in one.results:
            self._call(call, span)

    def _call(self, call: Call, span: str | None) -> None:
        """Tell a call in a span of its own, and what a sub-agent did in that."""
        name, args = own(call)
        around = f"T{call.number}"
        told = {"function": name, "error": _error(call)}
        output = _content(enveloped(call), shows=call.shows)
        self._span("begin", around, "tool", name, span)
        if call.ended == "denied":
            made = {"id": call.ident, "function": name, "arguments": args}
            self._happens("approval", around, call=made, decision="reject")
        self._happens("tool", around, id=call.ident, arguments=args, result=output, **told)
        if call.inside:
            agent = f"A{call.number}"
            self._span("begin", agent, "agent", "helper", around)
            for one in call.inside:
                self.respond(one, agent)
            self.says({"role": "assistant", "id": agent, "content": "Found."}, agent)
            self._span("end", agent, "agent", "helper", around)
        self._span("end", around, "tool", name, span)
        if span is None:
            answer = {"role": "tool", "tool_call_id": call.ident, "content": output, **told}
            self.messages.append(answer)

    def _span(self, edge: str, ident: str, kind: str, name: str, outer: str | None) -> None:
        more = {"type": kind, "name": name, "parent_id": outer} if edge == "begin" else {}
        self._happens(f"span_{edge}", ident, id=ident, **more)

    def _happens(self, event: str, span: str | None, **more: Any) -> None:
        self.events.append({"event": event, "span_id": span, **more})


def _error(call: Call) -> Record | None:
    if call.ended == "denied":
        return {"type": "approval", "message": "rejected"}
    return None if call.ok else {"type": "unknown", "message": "no"}


def _content(text: str, *, shows: bool) -> Any:
    image = {"type": "image", "image": f"data:image/png;base64,{PIXEL}"}
    return [*texts(text), image] if shows else text
