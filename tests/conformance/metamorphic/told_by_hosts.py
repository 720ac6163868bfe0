"""Writers of what hosts of the contract tell while they run, and of the editor protocol."""

from __future__ import annotations

import json
from typing import Any

from frame_store import numbered
from told import (
    FOLDER,
    PIXEL,
    SID,
    SUMMARY,
    Call,
    Files,
    Record,
    Response,
    Session,
    ended_jobs,
    lines,
    named_after,
)
from told_by_messages import own, shown, texts

OUTCOMES = {"ok": "ok", "error": "error", "killed": "cancelled"}
"""The outcomes of jobs."""

# -- neutral events


def neutral(
    session: Session,
    *,
    format_name: str = "neutral/1",
    host: str | None = None,
    stop: str = "cancelled",
    children: bool = True,
) -> Files:
    """Write events, as those of another format, and with what a host says of each end.

    `stop` is the outcome of a call that the user stopped; of sub-agents it is told what they did,
    unless there are to be no `children`.
    """
    told = _Neutral(stop, children=children)
    told.say("session", sid=SID, format=format_name, cwd=FOLDER)
    for number, turn in enumerate(session, 1):
        told.turn = number
        told.say("turn.start", turn=number)
        told.say("user", turn=number, text=turn.prompt)
        for at, one in enumerate(turn.responses):
            told.news(ended_jobs(turn.responses, at))
            told.respond(one, "main")
        if turn.stopped:
            told.say("turn.end", turn=number, status="interrupted")
            continue
        told.news(ended_jobs(turn.responses, len(turn.responses)))
        if host is not None:
            told.say("verdict", turn=number, gate="turn_end", result=host)
        told.say("turn.end", turn=number, status="completed")
    return {"events.jsonl": lines(*told.events)}


class _Neutral:
    """Events so far, and the calls of each conversation by their number."""

    def __init__(self, stop: str, *, children: bool) -> None:
        self.events: list[Record] = []
        self.turn = 0
        self._stop = stop
        self._children = children
        self._calls: dict[str, int] = {}
        self._steps = 0
        self._uids: dict[str, str] = {}

    def say(self, event: str, **more: Any) -> None:
        """Tell an event."""
        self.events.append({"ev": event, **more})

    def news(self, jobs: list[Call]) -> None:
        """Tell that jobs have ended, where no call of the model asks for them."""
        for job in jobs:
            data = {"uid": self._uids[job.ident], "outcome": OUTCOMES[job.job]}
            self.say("host", name="job_ended", turn=self.turn, data=data)

    def respond(self, one: Response, scope: str) -> None:
        """Tell a response, its calls, and what came of each."""
        self._steps += 1
        step = {"turn": self.turn, "step": f"r{self._steps}"}
        if one.compacted:
            self.say("compaction", turn=self.turn, kind="auto")
        self.say("assistant", text=one.text, scope=scope, **step)
        uids: dict[Call, str] = {}
        for call in one.made:
            self._calls[scope] = self._calls.get(scope, 0) + 1
            uids[call] = self._uids[call.ident] = f"{scope}#{self._calls[scope]}"
            name, args = own(call)
            made = {"uid": uids[call], "name": name, "args": args, "native_id": call.ident}
            registry = {"read_only": True} if call.kind == "note" else {}
            self.say("tool.call", **made, **registry, **step)
        for call in one.results:
            if call in uids and call.answered:
                self._inside(call, uids[call])
                self.events.append(self._ended(uids[call], call))
        for call, uid in uids.items():
            if not call.answered:
                self.say("tool.result", uid=uid, outcome="none")

    def _inside(self, call: Call, uid: str) -> None:
        if call.kind == "task" and not call.ended and self._children:
            scope = f"sub{call.number}"
            self.say("sub.start", scope=scope, parent_uid=uid, kind="task")
            for one in call.inside:
                self.respond(one, scope)
            self.say("sub.end", scope=scope, parent_uid=uid)

    def _ended(self, uid: str, call: Call) -> Record:
        known: Record = {"basis": "state", "outcome": "ok" if call.ok else "error"}
        if call.ended:
            outcomes = {"denied": "blocked", "stopped": self._stop, "job": "running"}
            known["outcome"] = outcomes[call.ended]
        elif call.kind == "run":
            known |= {"basis": "exit_code", "exit_code": call.code}
        if call.cut:
            known["truncated"] = {"kept": 100, "original": 1000}
        return {"ev": "tool.result", "uid": uid, "text": shown(call), **known}


# -- wire events and frames


def _tool(call: Call, path: str) -> Record:
    name, args = own(call)
    told = {"id": f"{path}{call.ident}", "name": name, "args": json.dumps(args)}
    return told | ({"parentId": path.rstrip("/")} if path else {})


def _result(call: Call, path: str, error: str) -> Record:
    """Return the `tool` object of a result; `error` is how the form calls its error text."""
    told = {**_tool(call, path), "output": shown(call)}
    if call.ended == "denied":
        told[error] = "blocked by permission policy"
    elif call.ended == "stopped":
        told |= {error: "context canceled", "output": ""}
    elif not call.ok:
        told[error] = "exit status 1" if call.kind == "run" else "failed"
    if call.ended == "job":
        told["execution"] = {"kind": "shell", "state": "background_started"}
    elif call.kind == "run" and not call.ended:
        state = "completed" if call.ok else "failed"
        told["execution"] = {"kind": "shell", "state": state, "exitCode": call.code}
    return told


class _Wire:
    """Events of the wire, or those of frames, which have the same under other names."""

    def __init__(self, *, framed: bool) -> None:
        self.events: list[tuple[str, Record]] = []
        self._framed = framed
        self._attempts = 0

    def say(self, kind: str, **payload: Any) -> None:
        """Tell an event."""
        self.events.append((kind, payload))

    def attempt(self, action: str) -> None:
        """Tell what becomes of an attempt of the model to answer."""
        self._attempts += action == "begin"
        told = {"id": f"A{self._attempts}", "action": action}
        if self._framed:
            self.say("assistant/attempt", **told)
        else:
            self.say("stream_attempt", streamAttempt=told)

    def respond(self, one: Response, path: str = "") -> None:
        """Tell a response, its calls, and what came of each."""
        if one.compacted:
            self.say("model/context-replace" if self._framed else "compaction_done")
        if one.retried:
            self.attempt("begin")
            for call in one.made:
                partial = {
                    "id": f"{path}{named_after(call, 8)}",
                    "name": own(call)[0],
                    "partial": True,
                }
                self._call(partial | ({"parentId": path[:-1]} if path else {}))
            self.attempt("discard")
            if not self._framed:
                self.say("retrying")
        self.attempt("begin")
        for call in one.made:
            self._call(_tool(call, path))
        for call in one.results:
            for inner in call.inside if call.made and not call.ended else ():
                self.respond(inner, f"{path}{call.ident}/")
            self._result(call, path)

    def _call(self, tool: Record) -> None:
        if self._framed:
            self.say("tool/call", **tool)
        else:
            self.say("tool_dispatch", tool=tool)

    def _result(self, call: Call, path: str) -> None:
        if not self._framed:
            self.say("tool_result", tool=_result(call, path, "err"))
            return
        state = {"runState": "completed" if call.ok else "failed"}
        if call.ended == "denied":
            state = {"runState": "not_started"}
        if path:
            # The parent's store has the message of the sub-agent, under the bare id of the call.
            message = {"role": "tool", "tool_call_id": call.ident, "content": shown(call)}
            self.say("message/complete", message=message)
        self.say("tool/result", **_result(call, path, "error"), **state)


def wire(session: Session) -> list[Record]:
    """Return the events of the wire."""
    told = _Wire(framed=False)
    for turn in session:
        told.say("turn_started")
        for one in turn.responses:
            told.respond(one)
        if turn.stopped:
            told.say("turn_done", err="context canceled", outcome="cancelled")
        else:
            told.say("message", text=turn.answer)
            told.say("turn_done")
    return [{"kind": kind, **payload} for kind, payload in told.events]


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
    told = _Wire(framed=True)
    for turn in session:
        told.say("turn/start")
        user = {"role": "user", "content": turn.prompt, "raw_content": turn.prompt}
        told.say("message/complete", message=user)
        for one in turn.responses:
            told.respond(one)
        if turn.stopped:
            told.say("turn/end", status="interrupted")
        else:
            last = {"role": "assistant", "id": f"F{len(told.events)}", "content": turn.answer}
            told.say("message/complete", message=last)
            told.say("turn/end", status="completed")
    data = b"".join(numbered(number, *event) for number, event in enumerate(told.events, 1))
    return {"store/events.frames": data}


# -- messages and logs


def host_messages(session: Session) -> list[Record]:
    """Return the messages that a host keeps."""
    told: list[Record] = [{"role": "system", "content": "rules"}]
    broken = ""
    for turn in session:
        seen = {"images": [f"data:image/png;base64,{PIXEL}"]} if turn.shows else {}
        content = f"{broken}{turn.prompt}"
        told.append({"role": "user", "content": content, "raw_content": turn.prompt, **seen})
        for one in turn.responses:
            told += _said(one)
        broken = ""
        if turn.stopped:
            name = "interrupted-turn-recovery"
            broken = f"<{name}>\ncompleted_tools: none\ninterrupted_tools: none\n</{name}>\n\n"
        else:
            told.append({"role": "assistant", "content": turn.answer})
    return told


def _said(one: Response) -> list[Record]:
    calls = [
        {"id": call.ident, "name": own(call)[0], "arguments": json.dumps(own(call)[1])}
        for call in one.made
    ]
    return [
        {"role": "assistant", "content": one.text, "tool_calls": calls},
        *map(_answer, one.results),
    ]


def _answer(call: Call) -> Record:
    text = shown(call)
    if call.ended == "stopped":
        text = "error: context canceled"
    elif not call.ok and not call.ended:
        text = f"error: failed\n{text}"
    told = {"role": "tool", "tool_call_id": call.ident, "name": own(call)[0], "content": text}
    if not text:
        del told["content"]
    if call.kind != "run" or call.ended:
        return told
    state = "completed" if call.ok else "failed"
    return told | {"tool_execution": {"kind": "shell", "state": state, "exitCode": call.code}}


def _sub_agents(session: Session) -> Files:
    """Write the message files of sub-agents, each with what it is of."""
    files: Files = {}

    def tell(responses: tuple[Response, ...]) -> None:
        for call in (call for one in responses for call in one.calls):
            if call.kind != "task" or call.ended:
                continue
            tell(call.inside)
            name = f"subagents/sa_20261130_153447_000000000_{len(files):012x}"
            own_messages: list[Record] = [{"role": "system", "content": "rules"}]
            context = (
                f'<subagent-context event="SubagentStart">\nx\n</subagent-context>\n\n{call.what}'
            )
            own_messages.append({"role": "user", "content": context, "raw_content": call.what})
            for one in call.inside:
                own_messages += _said(one)
            own_messages.append({"role": "assistant", "content": "Found."})
            meta = {"parentSession": "session", "parentToolCallId": call.ident, "kind": "task"}
            files[f"{name}.meta.json"] = json.dumps({**meta, "status": "completed"}).encode()
            files[f"{name}.jsonl"] = lines(*own_messages)

    for turn in session:
        tell(turn.responses)
    return files


def messages(session: Session) -> Files:
    """Write the message file of a session."""
    return {"session.jsonl": lines(*host_messages(session)), **_sub_agents(session)}


def log_1(session: Session) -> Files:
    """Write the log of format 1; where the view was shortened, a summary replaces the messages."""
    shortened = [one.compacted for turn in session for one in turn.responses]
    first, *rest = host_messages(session)
    records: list[Record] = [{"schema_version": 1, "type": "replace", "messages": [first]}]
    there = 1
    for message in rest:
        if "tool_calls" in message and shortened.pop(0):
            text = f"<compaction-summary>\n{SUMMARY}\n</compaction-summary>"
            summary = {"role": "user", "content": text, "origin": "host"}
            records.append({"schema_version": 1, "type": "replace", "messages": [first, summary]})
            there = 2
        told = {"schema_version": 1, "type": "append", "message_index": there}
        records.append({**told, "messages": [message]})
        there += 1
    return {"session.events.jsonl": lines(*records), **_sub_agents(session)}


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
    return {"session.events.jsonl": lines(*records, mark("turn_end")), **_sub_agents(session)}


# -- the editor protocol


def acp(session: Session) -> Files:
    """Write a capture of the editor protocol, which has no calls of sub-agents."""
    told: list[Record] = []

    def update(kind: str, **more: Any) -> None:
        params = {"sessionId": SID, "update": {"sessionUpdate": kind, **more}}
        told.append({"jsonrpc": "2.0", "method": "session/update", "params": params})

    def content(text: str, *, shows: bool) -> list[Record]:
        seen = [{"type": "image", "mimeType": "image/png", "data": PIXEL}] if shows else []
        return [*texts(text), *seen]

    for number, turn in enumerate(session, 1):
        params = {"sessionId": SID, "prompt": content(turn.prompt, shows=turn.shows)}
        head = {"jsonrpc": "2.0", "id": number}
        told.append({**head, "method": "session/prompt", "params": params})
        for one in turn.responses:
            if one.text:
                update("agent_message_chunk", content={"type": "text", "text": one.text})
            for call in one.made:
                name, args = own(call)
                update("tool_call", toolCallId=call.ident, title=name, rawInput=args)
            for call in one.results:
                text = "context canceled" if call.ended == "stopped" else shown(call)
                parts = [{"content": part} for part in content(text, shows=call.shows)]
                status = "completed" if call.ok else "failed"
                update("tool_call_update", toolCallId=call.ident, status=status, content=parts)
        if not turn.stopped:
            update("agent_message_chunk", content={"type": "text", "text": turn.answer})
        reason = "cancelled" if turn.stopped else "end_turn"
        told.append({**head, "result": {"stopReason": reason}})
    return {"capture.jsonl": lines(*told)}
