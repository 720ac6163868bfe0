"""Writers of conversations: Chat Completions, Anthropic Messages, Responses, Inspect, ATIF."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from told import Call, Files, Record, Response, Session, Turn, each_call, lines


def own(call: Call) -> tuple[str, Record]:
    """Return a call as one of a tool of the contract."""
    if call.kind == "read":
        return "read_file", {"path": call.what}
    if call.kind == "edit":
        return "edit_file", {"path": call.what, "old_string": "a", "new_string": "b"}
    if call.kind == "write":
        return "write_file", {"path": call.what, "content": "x"}
    if call.kind == "run":
        return "bash", {"command": call.what}
    proof = {"kind": "verification", "summary": "green", "command": call.what}
    return "complete_step", {"step": "Fix add", "result": "done", "evidence": [proof]}


def enveloped(call: Call) -> str:
    """Return an output with the frame that tells the end of a command."""
    return f"Exit code: {call.code}\n{call.output}" if call.kind == "run" else call.output


def marked(call: Call) -> str:
    """Return an output as a host of the contract marks it."""
    return call.output if call.ok else f"error: exit status 1\n{call.output}"


def _told(
    session: Session,
    prompt: Callable[[Turn], Record],
    response: Callable[[Response], list[Record]],
    answer: Callable[[Turn], Record],
) -> list[Record]:
    """Return the messages of a session, turn by turn."""
    told = []
    for turn in session:
        told.append(prompt(turn))
        for one in turn.responses:
            told += response(one)
        told.append(answer(turn))
    return told


# -- Chat Completions


def _nested(call: Call) -> Record:
    name, args = own(call)
    function = {"name": name, "arguments": json.dumps(args)}
    return {"id": call.ident, "type": "function", "function": function}


def chat_messages(session: Session) -> list[Record]:
    """Return messages of Chat Completions; a host of the contract marks failures its own way."""
    host = any(call.kind == "sign" for call in each_call(session))
    text = marked if host else enveloped

    def response(one: Response) -> list[Record]:
        calls = [_nested(call) for call in one.made]
        said = {"role": "assistant", "content": one.text or None, "tool_calls": calls}
        answers = [
            {"role": "tool", "tool_call_id": call.ident, "content": text(call)}
            for call in one.results
        ]
        return [said, *answers]

    return _told(
        session,
        lambda turn: {"role": "user", "content": turn.prompt},
        response,
        lambda turn: {"role": "assistant", "content": turn.answer},
    )


def chat(session: Session) -> Files:
    """Write a message a line."""
    return {"chat.jsonl": lines(*chat_messages(session))}


def chat_document(session: Session) -> Files:
    """Write all messages as one value."""
    return {"chat.json": json.dumps(chat_messages(session), indent=1).encode()}


def chat_requests(session: Session) -> Files:
    """Write a request with its answer a line; each repeats what was said before."""
    told = chat_messages(session)
    records = []
    for at, message in enumerate(told):
        if message["role"] == "assistant":
            reason = "tool_calls" if message.get("tool_calls") else "stop"
            choice = {"index": 0, "finish_reason": reason, "message": message}
            records.append({"messages": told[:at], "response": {"choices": [choice]}})
    return {"requests.jsonl": lines(*records)}


# -- Anthropic Messages


def anthropic_messages(session: Session) -> list[Record]:
    """Return messages of blocks; the results of a response stand in one message."""

    def response(one: Response) -> list[Record]:
        said: list[Record] = [{"type": "text", "text": one.text}] if one.text else []
        for call in one.made:
            name, args = own(call)
            said.append({"type": "tool_use", "id": call.ident, "name": name, "input": args})
        results = [
            {
                "type": "tool_result",
                "tool_use_id": call.ident,
                "content": call.output,
                "is_error": not call.ok,
            }
            for call in one.results
        ]
        answers = [{"role": "user", "content": results}] if results else []
        return [{"role": "assistant", "content": said}, *answers]

    return _told(
        session,
        lambda turn: {"role": "user", "content": turn.prompt},
        response,
        lambda turn: {"role": "assistant", "content": [{"type": "text", "text": turn.answer}]},
    )


def anthropic(session: Session) -> Files:
    """Write all messages as one value."""
    return {"messages.json": json.dumps(anthropic_messages(session)).encode()}


def anthropic_requests(session: Session) -> Files:
    """Write a request with its answer a line."""
    told = anthropic_messages(session)
    records = [
        {"request": {"max_tokens": 9, "messages": told[:at]}, "response": message}
        for at, message in enumerate(told)
        if message["role"] == "assistant"
    ]
    return {"requests.jsonl": lines(*records)}


# -- Responses


def responses(session: Session) -> Files:
    """Write an item a line."""

    def said(text: str) -> Record:
        part = {"type": "output_text", "text": text}
        return {"type": "message", "role": "assistant", "status": "completed", "content": [part]}

    def response(one: Response) -> list[Record]:
        items = [said(one.text)] if one.text else []
        for call in one.made:
            name, args = own(call)
            told = {"call_id": call.ident, "name": name, "arguments": json.dumps(args)}
            items.append({"type": "function_call", "id": f"fc_{call.ident}", **told})
        for call in one.results:
            output = {"call_id": call.ident, "output": enveloped(call)}
            items.append({"type": "function_call_output", **output})
        return items

    def prompt(turn: Turn) -> Record:
        part = {"type": "input_text", "text": turn.prompt}
        return {"type": "message", "role": "user", "content": [part]}

    return {"items.jsonl": lines(*_told(session, prompt, response, lambda t: said(t.answer)))}


# -- Inspect


def inspect_events(session: Session) -> Files:
    """Write a log of one sample, which is one turn, told by its events."""
    (turn,) = session
    messages: list[Record] = [{"role": "user", "content": turn.prompt, "source": "input"}]
    events: list[Record] = []

    def says(message: Record) -> None:
        messages.append(message)
        events.append({"event": "model", "output": {"choices": [{"message": message}]}})

    for number, one in enumerate(turn.responses):
        calls = [
            {"id": call.ident, "function": own(call)[0], "arguments": own(call)[1]}
            for call in one.made
        ]
        said = {"role": "assistant", "id": f"m{number}", "content": one.text}
        says({**said, "tool_calls": calls})
        for call in one.results:
            error = None if call.ok else {"type": "unknown", "message": "no"}
            told = {"function": own(call)[0], "error": error}
            output = enveloped(call)
            events.append(
                {"event": "tool", "id": call.ident, "arguments": own(call)[1], "result": output}
                | told
            )
            messages.append({"role": "tool", "tool_call_id": call.ident, "content": output} | told)
    says({"role": "assistant", "id": "last", "content": turn.answer})
    sample: Any = {"id": 1, "epoch": 1, "attachments": {}, "messages": messages, "events": events}
    log = {"version": 2, "status": "success", "eval": {"task": "t"}, "samples": [sample]}
    return {"log.json": json.dumps(log).encode()}


# -- ATIF


def atif(session: Session) -> Files:
    """Write a trajectory, with what converters keep of how a call ended."""

    def response(one: Response) -> list[Record]:
        calls = [
            {"tool_call_id": call.ident, "function_name": own(call)[0], "arguments": own(call)[1]}
            for call in one.made
        ]
        results = [
            {"source_call_id": call.ident, "content": call.output, "extra": _kept(call)}
            for call in one.results
        ]
        step = {"source": "agent", "message": one.text, "tool_calls": calls}
        return [{**step, "observation": {"results": results}}]

    steps = _told(
        session,
        lambda turn: {"source": "user", "message": turn.prompt},
        response,
        lambda turn: {"source": "agent", "message": turn.answer},
    )
    agent = {"name": "x", "version": "1"}
    told = {"schema_version": "ATIF-v1.6", "session_id": "s", "agent": agent, "steps": steps}
    return {"trajectory.json": json.dumps(told).encode()}


def _kept(call: Call) -> Record:
    return {"exit_code": call.code} if call.kind == "run" else {"is_error": not call.ok}
