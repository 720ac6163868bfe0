"""Writers of what hosts of the contract keep, of the editor protocol, spans and neutral events."""

from __future__ import annotations

import json
from typing import Any

from frame_store import numbered
from told import FOLDER, SID, Call, Files, Record, Session, lines
from told_by_messages import own

# -- neutral events


def neutral(session: Session, *, format_name: str = "neutral/1", host: str | None = None) -> Files:
    """Write events, as those of another format, and with what a host says of each end."""
    told: list[Record] = [{"ev": "session", "sid": SID, "format": format_name, "cwd": FOLDER}]
    calls = steps = 0
    for number, turn in enumerate(session, 1):
        told.append({"ev": "turn.start", "turn": number})
        told.append({"ev": "user", "turn": number, "text": turn.prompt})
        for one in turn.responses:
            steps += 1
            step: Record = {"turn": number, "step": f"r{steps}"}
            told.append({"ev": "assistant", "text": one.text, **step})
            uids = []
            for call in one.made:
                calls += 1
                uids.append((f"main#{calls}", call))
                name, args = own(call)
                made = {"uid": uids[-1][0], "name": name, "args": args, "native_id": call.ident}
                told.append({"ev": "tool.call", **made, **step})
            told += [_ended(uid, call) for uid, call in uids if call.answered]
            told += [
                {"ev": "tool.result", "uid": uid, "outcome": "none"}
                for uid, call in uids
                if not call.answered
            ]
        if host is not None:
            told.append({"ev": "verdict", "turn": number, "gate": "turn_end", "result": host})
        told.append({"ev": "turn.end", "turn": number, "status": "completed"})
    return {"events.jsonl": lines(*told)}


def _ended(uid: str, call: Call) -> Record:
    known: Record = {"basis": "state"}
    if call.kind == "run":
        known = {"basis": "exit_code", "exit_code": call.code}
    outcome = "ok" if call.ok else "error"
    return {"ev": "tool.result", "uid": uid, "outcome": outcome, "text": call.output, **known}


# -- wire events and frames


def _tool(call: Call) -> Record:
    name, args = own(call)
    return {"id": call.ident, "name": name, "args": json.dumps(args)}


def _result(call: Call, error: str) -> Record:
    """Return the `tool` object of a result; `error` is how the form calls its error text."""
    told = {**_tool(call), "output": call.output}
    if not call.ok:
        told[error] = "exit status 1" if call.kind == "run" else "failed"
    if call.kind == "run":
        state = "completed" if call.ok else "failed"
        told["execution"] = {"kind": "shell", "state": state, "exitCode": call.code}
    return told


def wire(session: Session) -> list[Record]:
    """Return the events of the wire."""
    told: list[Record] = []
    attempts = 0
    for turn in session:
        told.append({"kind": "turn_started"})
        for one in turn.responses:
            attempts += 1
            begin = {"id": f"A{attempts}", "action": "begin"}
            told.append({"kind": "stream_attempt", "streamAttempt": begin})
            told += [{"kind": "tool_dispatch", "tool": _tool(call)} for call in one.made]
            told += [{"kind": "tool_result", "tool": _result(c, "err")} for c in one.results]
        told += [{"kind": "message", "text": turn.answer}, {"kind": "turn_done"}]
    return told


def stream(session: Session) -> Files:
    """Write what a host prints."""
    return {"run.jsonl": lines(*wire(session))}


def trajectory(session: Session) -> Files:
    """Write what a host records: the same, numbered."""
    records = [
        {"schema_version": 1, "seq": number, "ts": 1_790_000_000_000 + number, "event": event}
        for number, event in enumerate(wire(session), 1)
    ]
    return {"run.jsonl": lines(*records)}


def frames(session: Session) -> Files:
    """Write the frame store of a newer host."""
    told: list[tuple[str, Record]] = []
    for turn in session:
        user = {"role": "user", "content": turn.prompt, "raw_content": turn.prompt}
        told += [("turn/start", {}), ("message/complete", {"message": user})]
        for one in turn.responses:
            begin = {"id": f"A{len(told)}", "action": "begin"}
            told.append(("assistant/attempt", begin))
            told += [("tool/call", _tool(call)) for call in one.made]
            for call in one.results:
                state = {"runState": "completed" if call.ok else "failed"}
                told.append(("tool/result", _result(call, "error") | state))
        last = {"role": "assistant", "id": f"F{len(told)}", "content": turn.answer}
        told += [("message/complete", {"message": last}), ("turn/end", {"status": "completed"})]
    data = b"".join(numbered(number, *event) for number, event in enumerate(told, 1))
    return {"store/events.frames": data}


# -- messages and logs


def host_messages(session: Session) -> list[Record]:
    """Return the messages that a host keeps."""
    told: list[Record] = [{"role": "system", "content": "rules"}]
    for turn in session:
        told.append({"role": "user", "content": turn.prompt, "raw_content": turn.prompt})
        for one in turn.responses:
            calls = [
                {"id": call.ident, "name": own(call)[0], "arguments": json.dumps(own(call)[1])}
                for call in one.made
            ]
            told.append({"role": "assistant", "content": one.text, "tool_calls": calls})
            told += map(_answer, one.results)
        told.append({"role": "assistant", "content": turn.answer})
    return told


def _answer(call: Call) -> Record:
    text = call.output if call.ok else f"error: failed\n{call.output}"
    told = {"role": "tool", "tool_call_id": call.ident, "name": own(call)[0], "content": text}
    if call.kind != "run":
        return told
    state = "completed" if call.ok else "failed"
    return told | {"tool_execution": {"kind": "shell", "state": state, "exitCode": call.code}}


def messages(session: Session) -> Files:
    """Write the message file of a session."""
    return {"session.jsonl": lines(*host_messages(session))}


def log_1(session: Session) -> Files:
    """Write the log of format 1."""
    first, *rest = host_messages(session)
    records: list[Record] = [{"schema_version": 1, "type": "replace", "messages": [first]}]
    records += [
        {"schema_version": 1, "type": "append", "message_index": at, "messages": [message]}
        for at, message in enumerate(rest, 1)
    ]
    return {"session.events.jsonl": lines(*records)}


def log_2(session: Session) -> Files:
    """Write the branching log, with marks around its turns."""
    records: list[Record] = [{"schema_version": 2, "type": "log", "generation": 1}]
    turns, parent = 0, ""

    def mark(kind: str, **more: Any) -> Record:
        return {"schema_version": 2, "type": kind, "head": "main", "turn": f"T{turns}", **more}

    for at, message in enumerate(host_messages(session)):
        if message["role"] == "user":
            records += [mark("turn_end")] if turns else []
            turns += 1
            records.append(mark("turn_begin", leaf=parent))
        place = {"id": f"M{at}", "head": "main", **({"parent": parent} if parent else {})}
        told = {"schema_version": 2, "type": "message", **place, "msgs": [message]}
        records.append(told)
        parent = f"M{at}"
    return {"session.events.jsonl": lines(*records, mark("turn_end"))}


# -- the editor protocol and spans


def acp(session: Session) -> Files:
    """Write a capture of the editor protocol."""
    told: list[Record] = []

    def update(kind: str, **more: Any) -> None:
        params = {"sessionId": SID, "update": {"sessionUpdate": kind, **more}}
        told.append({"jsonrpc": "2.0", "method": "session/update", "params": params})

    for number, turn in enumerate(session, 1):
        params = {"sessionId": SID, "prompt": [{"type": "text", "text": turn.prompt}]}
        head = {"jsonrpc": "2.0", "id": number}
        told.append({**head, "method": "session/prompt", "params": params})
        for one in turn.responses:
            if one.text:
                update("agent_message_chunk", content={"type": "text", "text": one.text})
            for call in one.made:
                name, args = own(call)
                update("tool_call", toolCallId=call.ident, title=name, rawInput=args)
            for call in one.results:
                content = [{"content": {"type": "text", "text": call.output}}]
                status = "completed" if call.ok else "failed"
                update("tool_call_update", toolCallId=call.ident, status=status, content=content)
        update("agent_message_chunk", content={"type": "text", "text": turn.answer})
        told.append({**head, "result": {"stopReason": "end_turn"}})
    return {"capture.jsonl": lines(*told)}


def otel(session: Session) -> Files:
    """Write spans: one a turn, and one a call inside it; calls of one response overlap."""
    spans: list[Record] = []
    second, now = 10**9, 1_790_000_000 * 10**9
    for turn in session:
        agent, begin = f"{len(spans) + 1:016x}", now
        own_spans = []
        for one in turn.responses:
            now += second
            for index, call in enumerate(one.made):
                ident = f"{len(spans) + len(own_spans) + 2:016x}"
                start = now + index
                own_spans.append(_span(call, ident, agent, start, start + second // 2))
        now += 2 * second
        facts = {"gen_ai.operation.name": "invoke_agent", "gen_ai.conversation.id": SID}
        told = {"name": "invoke_agent x", "startTimeUnixNano": str(begin), "status": {"code": 1}}
        outer = {"traceId": "01", "spanId": agent, "endTimeUnixNano": str(now)}
        spans += [{**told, **outer, "attributes": _attributes(facts)}, *own_spans]
        now += second
    scopes = [{"spans": spans}]
    return {"spans.json": json.dumps({"resourceSpans": [{"scopeSpans": scopes}]}).encode()}


def _span(call: Call, ident: str, agent: str, start: int, end: int) -> Record:
    name, args = own(call)
    facts = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.call.id": call.ident,
        "gen_ai.tool.call.arguments": json.dumps(args),
    }
    place = {"traceId": "01", "spanId": ident, "parentSpanId": agent}
    told = {"name": f"execute_tool {name}", "startTimeUnixNano": str(start), **place}
    if call.answered:
        facts["gen_ai.tool.call.result"] = call.output
        told |= {"endTimeUnixNano": str(end), "status": {"code": 1 if call.ok else 2}}
    return {**told, "attributes": _attributes(facts)}


def _attributes(facts: dict[str, str]) -> list[Record]:
    return [{"key": key, "value": {"stringValue": value}} for key, value in facts.items()]
