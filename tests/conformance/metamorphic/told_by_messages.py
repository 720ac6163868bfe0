"""Writers of conversations: Chat Completions, Anthropic Messages, Responses, Inspect, ATIF."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from told import (
    PIXEL,
    SUMMARY,
    Call,
    Files,
    Record,
    Response,
    Session,
    Turn,
    each_call,
    lines,
    named_after,
)
from told_drawn import LISTS

DENIED = "blocked: the user declined this tool call"
"""What a host of the contract puts in the place of a result that there is none of."""
CUT = "…[truncated 900 of 1000 bytes; run with less]…"
"""Its mark where it took something out."""
_ENDS = {"ok": "done", "error": "failed", "killed": "killed"}


def own(call: Call) -> tuple[str, Record]:
    """Return a call as one of a tool of the contract."""
    if call.kind == "read":
        return "read_file", {"path": call.what}
    if call.kind == "edit":
        return "edit_file", {"path": call.what, "old_string": "a", "new_string": "b"}
    if call.kind == "write":
        return "write_file", {"path": call.what, "content": "x"}
    if call.kind == "run":
        behind = {"run_in_background": True} if call.ended == "job" else {}
        return "bash", {"command": call.what, **behind}
    if call.kind == "task":
        return "task", {"prompt": call.what, "description": "helps"}
    if call.kind == "wait":
        return "wait", {"job_ids": [call.what]}
    if call.kind in ("list", "note"):
        todos = [{"content": item, "status": state} for item, state in LISTS[int(call.what)]]
        return "todo_write" if call.kind == "list" else "TodoWrite", {"todos": todos}
    proof = {"kind": "verification", "summary": "green", "command": call.what}
    return "complete_step", {"step": "Fix add", "result": "done", "evidence": [proof]}


def job_of(call: Call) -> str:
    """Return the name of a job."""
    return f"bash-{call.number}"


def waits_for(jobs: list[Call]) -> tuple[Call, ...]:
    """Return the calls by which the model is told that jobs have ended."""
    return tuple(
        Call(
            *("wait", job_of(job)),
            output=f"[{job_of(job)} ({job.what})] {_ENDS[job.job]}\nlog",
            ident=named_after(job, 9),
        )
        for job in jobs
    )


def shown(call: Call, mark: str = CUT) -> str:
    """Return what a call gave back, as the model is shown it."""
    if call.ended == "denied":
        return DENIED
    if call.ended == "job":
        return f'Started background job "{job_of(call)}". It keeps running across turns.'
    return f"{call.output}\n{mark}\nend" if call.cut else call.output


def enveloped(call: Call) -> str:
    """Return an output with the frame that tells the end of a command."""
    runs = call.kind == "run" and not call.ended
    return f"Exit code: {call.code}\n{shown(call)}" if runs else shown(call)


def marked(call: Call) -> str:
    """Return an output as a host of the contract marks it."""
    return shown(call) if call.ok or call.ended else f"error: exit status 1\n{shown(call)}"


def texts(text: str, kind: str = "text") -> list[Record]:
    """Return the parts of a content that is text alone."""
    return [{"type": kind, "text": text}] if text else []


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
        if not turn.stopped:
            told.append(answer(turn))
    return told


# -- Chat Completions


def _nested(call: Call) -> Record:
    name, args = own(call)
    function = {"name": name, "arguments": json.dumps(args)}
    return {"id": call.ident, "type": "function", "function": function}


def _pictured(text: str, *, shows: bool) -> Any:
    """Return a content of Chat Completions, with an image where one is shown."""
    url = {"url": f"data:image/png;base64,{PIXEL}"}
    return [*texts(text), {"type": "image_url", "image_url": url}] if shows else text


def chat_messages(session: Session) -> list[Record]:
    """Return messages of Chat Completions; a host of the contract marks failures its own way."""
    host = any(call.kind == "sign" for call in each_call(session))
    text = marked if host else enveloped

    def response(one: Response) -> list[Record]:
        calls = [_nested(call) for call in one.made]
        said = {"role": "assistant", "content": one.text or None, "tool_calls": calls}
        answers = [
            {
                "role": "tool",
                "tool_call_id": call.ident,
                "content": _pictured(text(call), shows=call.shows),
            }
            for call in one.results
        ]
        return [said, *answers]

    return _told(
        session,
        lambda turn: {"role": "user", "content": _pictured(turn.prompt, shows=turn.shows)},
        response,
        lambda turn: {"role": "assistant", "content": turn.answer},
    )


def chat(session: Session) -> Files:
    """Write a message a line."""
    return {"chat.jsonl": lines(*chat_messages(session))}


def chat_document(session: Session) -> Files:
    """Write all messages as one value."""
    return {"chat.json": json.dumps(chat_messages(session), indent=1).encode()}


def _requests(session: Session, told: list[Record]) -> Iterator[tuple[list[Record], Record, bool]]:
    """Yield what each request holds, its answer, and whether it was sent twice.

    Where the view was shortened a summary stands for what came behind the first message and before
    the latest response.
    """
    marks = [
        one for turn in session for one in (*turn.responses, *([] if turn.stopped else [None]))
    ]
    answers = [at for at, message in enumerate(told) if message["role"] == "assistant"]
    begin, latest = 0, 0
    for at, one in zip(answers, marks, strict=True):
        if one is not None and one.compacted and latest > 1:
            begin = latest
        history = told[begin:at]
        if begin:
            history = [told[0], {"role": "user", "content": SUMMARY}, *history]
        yield history, told[at], one is not None and one.retried
        latest = at


def chat_requests(session: Session) -> Files:
    """Write a request with its answer a line; each repeats what was said before."""
    records: list[Record] = []
    for history, message, retried in _requests(session, chat_messages(session)):
        if retried:
            error = {"message": "Rate limit reached", "code": "rate_limit_exceeded"}
            records.append({"messages": history, "response": {"error": error}})
        reason = "tool_calls" if message.get("tool_calls") else "stop"
        choice = {"index": 0, "finish_reason": reason, "message": message}
        records.append({"messages": history, "response": {"choices": [choice]}})
    return {"requests.jsonl": lines(*records)}


# -- Anthropic Messages


def image() -> Record:
    """Return a block with an image."""
    source = {"type": "base64", "media_type": "image/png", "data": PIXEL}
    return {"type": "image", "source": source}


def blocks(text: str, *, shows: bool) -> Any:
    """Return a content of Anthropic Messages, with an image where one is shown."""
    return [*texts(text), image()] if shows else text


def anthropic_messages(session: Session) -> list[Record]:
    """Return messages of blocks; the results of a response stand in one message."""

    def response(one: Response) -> list[Record]:
        said = texts(one.text)
        for call in one.made:
            name, args = own(call)
            said.append({"type": "tool_use", "id": call.ident, "name": name, "input": args})
        results = [
            {
                "type": "tool_result",
                "tool_use_id": call.ident,
                "content": blocks(shown(call), shows=call.shows),
                "is_error": not call.ok,
            }
            for call in one.results
        ]
        answers = [{"role": "user", "content": results}] if results else []
        return [{"role": "assistant", "content": said}, *answers]

    return _told(
        session,
        lambda turn: {"role": "user", "content": blocks(turn.prompt, shows=turn.shows)},
        response,
        lambda turn: {"role": "assistant", "content": texts(turn.answer)},
    )


def anthropic(session: Session) -> Files:
    """Write all messages as one value."""
    return {"messages.json": json.dumps(anthropic_messages(session)).encode()}


def anthropic_requests(session: Session) -> Files:
    """Write a request with its answer a line."""
    records: list[Record] = []
    for history, message, retried in _requests(session, anthropic_messages(session)):
        sent = {"max_tokens": 9, "messages": history}
        if retried:
            error = {"type": "rate_limit_error", "message": "slow down"}
            records.append({"request": sent, "response": {"type": "error", "error": error}})
        records.append({"request": sent, "response": message})
    return {"requests.jsonl": lines(*records)}


# -- Responses


def responses(session: Session) -> Files:
    """Write an item a line."""
    url = f"data:image/png;base64,{PIXEL}"

    def parts(text: str, *, shows: bool) -> list[Record]:
        seen = [{"type": "input_image", "image_url": url}] if shows else []
        return [*texts(text, "input_text"), *seen]

    def said(text: str) -> Record:
        content = texts(text, "output_text")
        told = {"type": "message", "role": "assistant", "status": "completed"}
        return {**told, "content": content}

    def response(one: Response) -> list[Record]:
        items = [said(one.text)] if one.text else []
        for call in one.made:
            name, args = own(call)
            told = {"call_id": call.ident, "name": name, "arguments": json.dumps(args)}
            items.append({"type": "function_call", "id": f"fc_{call.ident}", **told})
        for call in one.results:
            text = enveloped(call)
            value = parts(text, shows=True) if call.shows else text
            output = {"call_id": call.ident, "output": value}
            items.append({"type": "function_call_output", **output})
        return items

    def prompt(turn: Turn) -> Record:
        content = parts(turn.prompt, shows=turn.shows)
        return {"type": "message", "role": "user", "content": content}

    return {"items.jsonl": lines(*_told(session, prompt, response, lambda t: said(t.answer)))}


# -- ATIF


def atif(session: Session) -> Files:
    """Write a trajectory, with what converters keep of how a call ended."""
    agent = {"name": "x", "version": "1"}
    told: Record = {"schema_version": "ATIF-v1.6", "session_id": "s", "agent": agent}
    steps = _told(
        session,
        lambda turn: {"source": "user", "message": _atif_content(turn.prompt, shows=turn.shows)},
        lambda one: [_atif_step(one, told)],
        lambda turn: {"source": "agent", "message": turn.answer},
    )
    return {"trajectory.json": json.dumps({**told, "steps": steps}).encode()}


def _atif_step(one: Response, outer: Record) -> Record:
    """Return a step; the trajectories of its sub-agents are put into the outer one."""
    calls = [
        {"tool_call_id": call.ident, "function_name": own(call)[0], "arguments": own(call)[1]}
        for call in one.made
    ]
    results = [
        {
            "source_call_id": call.ident,
            "content": _atif_content(shown(call), shows=call.shows),
            "extra": _kept(call),
            **_atif_agent(call, outer),
        }
        for call in one.results
    ]
    step = {"source": "agent", "message": one.text, "tool_calls": calls}
    return {**step, "observation": {"results": results}}


def _atif_content(text: str, *, shows: bool) -> Any:
    source = {"media_type": "image/png", "path": "images/1.png"}
    return [*texts(text), {"type": "image", "source": source}] if shows else text


def _atif_agent(call: Call, outer: Record) -> Record:
    if call.kind != "task" or call.ended:
        return {}
    told: Record = {"schema_version": "ATIF-v1.6", "trajectory_id": f"agent-{call.number}"}
    told |= {"session_id": "s", "agent": {"name": "helper", "version": "1"}}
    told["steps"] = [{"source": "user", "message": call.what}]
    told["steps"] += [_atif_step(one, told) for one in call.inside]
    told["steps"].append({"source": "agent", "message": "Found."})
    outer.setdefault("subagent_trajectories", []).append(told)
    return {"subagent_trajectory_ref": [{"trajectory_id": told["trajectory_id"]}]}


def _kept(call: Call) -> Record:
    ran = call.kind == "run" and not call.ended
    return {"exit_code": call.code} if ran else {"is_error": not call.ok}
