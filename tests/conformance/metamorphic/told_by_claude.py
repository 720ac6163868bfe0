"""Writers of what Claude Code keeps of a session, and of what it prints of a run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from told import (
    FOLDER,
    SID,
    SUMMARY,
    Call,
    Files,
    Record,
    Response,
    Session,
    Turn,
    ended_jobs,
    lines,
)
from told_by_agents import cut, stamp, within
from told_by_messages import blocks, own, texts

_NAMES = {"read": "Read", "edit": "Edit", "write": "Write", "run": "Bash", "task": "Agent"}
_REJECTED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected "
    "(eg. if it was a file edit, the new_string was NOT written to the file)."
)
_STATES = {"ok": "completed", "error": "failed", "killed": "killed"}


@dataclass(frozen=True)
class _Told:
    """A record, whichever of the two forms it is for."""

    kind: str
    message: Record
    facts: Any = None
    of: str | None = None
    """The call of the sub-agent that it belongs to."""
    told: tuple[tuple[str, Any], ...] = ()
    """What else stands in a record of a session."""
    printed: tuple[tuple[str, Any], ...] = ()
    """What else stands in one of an output."""


def claude_use(call: Call) -> Record:
    """Return the block of a call."""
    args: Record = {"file_path": within(call.what)}
    if call.kind == "run":
        args = {"command": call.what}
        args |= {"run_in_background": True} if call.ended == "job" else {}
    elif call.kind == "task":
        args = {"prompt": call.what, "subagent_type": "general-purpose"}
    elif call.kind == "note":
        args = own(call)[1]
    name = _NAMES.get(call.kind, "TodoWrite")
    return {"type": "tool_use", "id": call.ident, "name": name, "input": args}


def claude_result(call: Call) -> tuple[Record, Any]:
    """Return the block of a result, and the facts beside it."""
    text, facts = _result(call)
    content = blocks(text, shows=call.shows)
    block = {"type": "tool_result", "tool_use_id": call.ident, "content": content}
    return (block if call.ok else {**block, "is_error": True}), facts


def _result(call: Call) -> tuple[str, Any]:
    if call.ended == "denied":
        denied = f"Permission to use {_NAMES.get(call.kind, 'TodoWrite')} has been denied."
        hooked = f"PreToolUse:{_NAMES.get(call.kind, 'TodoWrite')} hook error: no"
        text = denied if int(call.number) % 2 else hooked
        return text, f"Error: {text}"
    if call.ended == "stopped":
        return _REJECTED, "User rejected tool use"
    if call.ended == "job":
        job = _job_of(call)
        text = f"Command running in background with ID: {job}"
        return text, {"stdout": "", "interrupted": False, "backgroundTaskId": job}
    text = cut(call, "[output cut]")
    if not call.ok:
        text = f"Exit code 1\n{text}" if call.kind == "run" else text or "no"
        return text, f"Error: {text}"
    facts: Record = {"type": "text"}
    if call.kind == "run":
        facts = {"stdout": text, "interrupted": False}
        text = text or "(Bash completed with no output)"
    elif call.kind == "task":
        facts = {"status": "completed", "agentId": _agent_of(call)}
    if call.cut:
        facts |= {"persistedOutputPath": "/tmp/o.txt", "persistedOutputSize": 1000}
    return text, facts


def _job_of(call: Call) -> str:
    return f"b{call.number}"


def _agent_of(call: Call) -> str:
    return f"a{call.number}"


def _messages(session: Session) -> Iterator[_Told]:
    """Yield the records of turns; a response is spread over several."""
    for number, turn in enumerate(session):
        prompt = {"content": blocks(turn.prompt, shows=turn.shows)}
        yield _Told("user", prompt)
        for at, one in enumerate(turn.responses):
            for job in ended_jobs(turn.responses, at):
                yield _ended(job)
            yield from _response(one, f"msg_{number}_{at}")
        if turn.stopped:
            using = turn.responses and turn.responses[-1].calls[-1].ended == "stopped"
            text = f"[Request interrupted by user{' for tool use' if using else ''}]"
            yield _Told("user", {"content": texts(text)})
            continue
        for job in ended_jobs(turn.responses, len(turn.responses)):
            yield _ended(job)
        last = {"id": f"msg_{number}_last", "content": texts(turn.answer)}
        yield _Told("assistant", {**last, "stop_reason": "end_turn"})


def _response(one: Response, name: str, of: str | None = None) -> Iterator[_Told]:
    if one.compacted:
        more = {"compactMetadata": {"trigger": "auto"}}, {"compact_metadata": {"trigger": "auto"}}
        yield _system("compact_boundary", *more)
        kept, printed = (("isCompactSummary", True),), (("isSynthetic", True),)
        yield _Told("user", {"content": SUMMARY}, told=kept, printed=printed)
    if one.retried:
        error = {"error": {"status": 429}, "retryAttempt": 1}
        yield _system("api_error", error, {"subtype": "api_retry", **error})
    ident = {"id": name, "model": "other" if one.retried else "usual"}
    if one.text:
        yield _Told("assistant", {**ident, "content": texts(one.text)}, of=of)
    for call in one.made:
        yield _Told("assistant", {**ident, "content": [claude_use(call)]}, of=of)
    for call in one.results:
        if call.kind == "task" and call.made and not call.ended:
            yield from _inside(call)
        block, facts = claude_result(call)
        yield _Told("user", {"content": [block]}, facts, of=of)


def _inside(call: Call) -> Iterator[_Told]:
    """Yield the records of a sub-agent."""
    yield _Told("user", {"content": call.what}, of=call.ident)
    for at, one in enumerate(call.inside):
        yield from _response(one, f"msg_{call.ident}_{at}", call.ident)
    last = {"id": f"msg_{call.ident}_last", "content": texts("Found."), "stop_reason": "end_turn"}
    yield _Told("assistant", last, of=call.ident)


def _system(kind: str, told: Record, printed: Record) -> _Told:
    return _Told(
        "system",
        {},
        None,
        None,
        (("subtype", kind), *told.items()),
        (("subtype", kind), *printed.items()),
    )


def _ended(job: Call) -> _Told:
    """Return the news that a job has ended, which the model is told as a message."""
    state = _STATES[job.job]
    text = (
        f"<task-notification>\n<task-id>{_job_of(job)}</task-id>\n"
        f"<status>{state}</status>\n</task-notification>"
    )
    printed = {"type": "system", "subtype": "task_notification"}
    printed |= {"task_id": _job_of(job), "tool_use_id": job.ident, "status": state}
    return _Told("user", {"content": text}, None, None, (), tuple(printed.items()))


def claude_session(session: Session) -> Files:
    """Write the file of a session, and those of its sub-agents."""
    records: dict[str | None, list[Record]] = {None: []}
    for number, told in enumerate(_messages(session)):
        chain = records.setdefault(told.of, [])
        record = {
            "type": told.kind,
            "uuid": f"u{number}",
            "parentUuid": chain[-1]["uuid"] if chain else None,
            "sessionId": SID,
            "timestamp": stamp(number),
            "cwd": FOLDER,
            **({} if told.facts is None else {"toolUseResult": told.facts}),
            **dict(told.told),
        }
        if told.kind != "system":
            record["message"] = {"role": told.kind, **told.message}
        if told.of is not None:
            record |= {"isSidechain": True, "agentId": f"a{told.of[-3:]}"}
        chain.append(record)
    files = {f"{SID}.jsonl": lines(*records.pop(None))}
    for of, chain in records.items():
        name = f"{SID}/subagents/agent-a{(of or '')[-3:]}"
        files[f"{name}.jsonl"] = lines(*chain)
        files[f"{name}.meta.json"] = json.dumps({"toolUseId": of}).encode()
    return files


def claude_output(session: Session) -> Files:
    """Write the outputs of runs, one a turn."""
    records: list[Record] = []
    for turn in session:
        records.append({"type": "system", "subtype": "init", "session_id": SID, "cwd": FOLDER})
        records += _printed(turn, len(records))
        end: Record = {"type": "result", "subtype": "success", "is_error": False}
        if turn.stopped:
            end |= {"subtype": "error_during_execution", "is_error": True}
        records.append({**end, "session_id": SID, "result": turn.answer})
    return {"output.jsonl": lines(*records)}


def _printed(turn: Turn, before: int) -> Iterator[Record]:
    for number, told in enumerate(_messages((turn,)), before):
        record: Record = {"type": told.kind, "session_id": SID, "uuid": f"u{number}"}
        if told.kind != "system":
            said = {"role": told.kind, **told.message}
            if "id" in said:
                said["id"] = f"{said['id']}-{before}"
            record |= {"message": said, "parent_tool_use_id": told.of}
            if told.facts is not None and told.of is None:
                record["tool_use_result"] = told.facts
        yield record | dict(told.printed)
