"""A writer of spans of OpenTelemetry."""

from __future__ import annotations

import json

from told import SID, Call, Files, Record, Response, Session
from told_by_messages import own, shown

SECOND = 10**9


def otel(session: Session) -> Files:
    """Write spans: one a turn, and one a call inside it; calls of one response overlap."""
    told = _Spans()
    for turn in session:
        begin, agent = told.now, told.named("invoke_agent x", "")
        for one in turn.responses:
            told.respond(one, agent)
        answer = told.named("chat m", agent["spanId"])
        asked = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
        told.ends(answer, told.now, told.now + 1, asked, 1)
        told.now += 2 * SECOND
        facts = {"gen_ai.operation.name": "invoke_agent", "gen_ai.conversation.id": SID}
        told.ends(agent, begin, told.now, facts, 1)
        told.now += SECOND
    scopes = [{"spans": told.spans}]
    return {"spans.json": json.dumps({"resourceSpans": [{"scopeSpans": scopes}]}).encode()}


class _Spans:
    """Spans so far, and the time."""

    def __init__(self) -> None:
        self.spans: list[Record] = []
        self.now = 1_790_000_000 * SECOND

    def named(self, name: str, outer: str) -> Record:
        """Return a span that begins."""
        place = {"parentSpanId": outer} if outer else {}
        span = {"name": name, "traceId": "01", "spanId": f"{len(self.spans) + 1:016x}", **place}
        self.spans.append(span)
        return span

    def ends(self, span: Record, begin: int, end: int, facts: dict[str, str], code: int) -> None:
        """Say of a span when it was, and what it tells."""
        span |= {"startTimeUnixNano": str(begin), "attributes": _attributes(facts)}
        if code:
            span |= {"endTimeUnixNano": str(end), "status": {"code": code}}

    def respond(self, one: Response, agent: Record) -> None:
        """Tell a response; a sub-agent acts inside the span of its call, which takes as long."""
        if one.retried:
            failed = self.named("chat m", agent["spanId"])
            facts = {"gen_ai.operation.name": "chat", "error.type": "429"}
            self.ends(failed, self.now, self.now + 1, facts, 2)
        self.now += SECOND
        begin = self.now
        made = [
            (call, self.named(f"execute_tool {own(call)[0]}", agent["spanId"])) for call in one.made
        ]
        for index, (call, span) in enumerate(made):
            if call.inside and not call.ended:
                self._helps(call, span)
            self.now += SECOND // 8
            self._call(call, span, begin + index)

    def _helps(self, call: Call, span: Record) -> None:
        begin, agent = self.now, self.named("invoke_agent helper", span["spanId"])
        for one in call.inside:
            self.respond(one, agent)
        facts = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper"}
        self.ends(agent, begin, self.now, facts, 1)

    def _call(self, call: Call, span: Record, begin: int) -> None:
        name, args = own(call)
        facts = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "gen_ai.tool.call.id": call.ident,
            "gen_ai.tool.call.arguments": json.dumps(args),
        }
        if call.answered:
            facts["gen_ai.tool.call.result"] = shown(call)
        code = (1 if call.ok else 2) if call.answered else 0
        self.ends(span, begin, self.now, facts, code)


def _attributes(facts: dict[str, str]) -> list[Record]:
    return [{"key": key, "value": {"stringValue": value}} for key, value in facts.items()]
