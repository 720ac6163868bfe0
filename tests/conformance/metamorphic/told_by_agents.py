"""Writers of what Claude Code and Codex keep of a session, and of what they print of a run."""

from __future__ import annotations

import json
import shlex
from typing import Any

from told import FOLDER, SID, Call, Files, Record, Session, lines


def stamp(number: int) -> str:
    """Return a time that grows with a number."""
    return f"2026-02-01T10:{number // 60:02}:{number % 60:02}.000Z"


def within(path: str) -> str:
    """Return the whole path of a file."""
    return f"{FOLDER}/{path}"


# -- Claude Code


def claude_use(call: Call) -> Record:
    """Return the block of a call."""
    names = {"read": "Read", "edit": "Edit", "write": "Write", "run": "Bash"}
    args = {"command": call.what} if call.kind == "run" else {"file_path": within(call.what)}
    return {"type": "tool_use", "id": call.ident, "name": names[call.kind], "input": args}


def claude_result(call: Call) -> tuple[Record, Any]:
    """Return the block of a result, and the facts beside it."""
    failed = f"Exit code 1\n{call.output}" if call.kind == "run" else call.output
    text = call.output if call.ok else failed
    block = {"type": "tool_result", "tool_use_id": call.ident, "content": text}
    if not call.ok:
        return {**block, "is_error": True}, f"Error: {text}"
    facts = {"stdout": text, "interrupted": False} if call.kind == "run" else {"type": "text"}
    return block, facts


def _claude_messages(session: Session) -> list[tuple[str, Record, Any]]:
    """Return the messages as (role, message, facts); a response is spread over several."""
    told: list[tuple[str, Record, Any]] = []
    for turn in session:
        told.append(("user", {"content": turn.prompt}, None))
        for one in turn.responses:
            ident = {"id": f"msg_{len(told)}"}
            if one.text:
                told.append(("assistant", {**ident, "content": [_text(one.text)]}, None))
            told += [("assistant", {**ident, "content": [claude_use(c)]}, None) for c in one.made]
            for call in one.results:
                block, facts = claude_result(call)
                told.append(("user", {"content": [block]}, facts))
        last = {"id": f"msg_{len(told)}", "content": [_text(turn.answer)]}
        told.append(("assistant", {**last, "stop_reason": "end_turn"}, None))
    return told


def _text(text: str) -> Record:
    return {"type": "text", "text": text}


def claude_session(session: Session) -> Files:
    """Write the file of a session."""
    records = [
        {
            "type": role,
            "uuid": f"u{number}",
            "parentUuid": f"u{number - 1}" if number else None,
            "sessionId": SID,
            "timestamp": stamp(number),
            "cwd": FOLDER,
            "message": {"role": role, **message},
            **({} if facts is None else {"toolUseResult": facts}),
        }
        for number, (role, message, facts) in enumerate(_claude_messages(session))
    ]
    return {f"{SID}.jsonl": lines(*records)}


def claude_output(session: Session) -> Files:
    """Write the outputs of runs, one a turn."""
    records: list[Record] = []
    for turn in session:
        init = {"type": "system", "subtype": "init", "session_id": SID, "cwd": FOLDER}
        records.append(init)
        for role, message, facts in _claude_messages((turn,)):
            told = {"session_id": SID, "uuid": f"u{len(records)}", "parent_tool_use_id": None}
            kept = {} if facts is None else {"tool_use_result": facts}
            said = {"role": role, **message}
            if "id" in said:
                said["id"] = f"{said['id']}-{records.index(init)}"
            records.append({"type": role, "message": said, **told, **kept})
        end = {"type": "result", "subtype": "success", "is_error": False}
        records.append({**end, "session_id": SID, "result": turn.answer})
    return {"output.jsonl": lines(*records)}


# -- Codex


def codex_pair(call: Call) -> tuple[Record, Record]:
    """Return a call and its output; files are read by commands."""
    if call.kind == "run":
        frame = f"Wall time: 0.1 seconds\nProcess exited with code {call.code}\nOutput:\n"
        args = json.dumps({"cmd": call.what})
        made = {"type": "function_call", "name": "exec_command", "arguments": args}
        ended = {"type": "function_call_output", "output": frame + call.output}
    else:
        verb = "Update" if call.kind == "edit" else "Add"
        patch = f"*** Begin Patch\n*** {verb} File: {call.what}\n@@\n-a\n+b\n*** End Patch"
        good = f"Success. Updated the following files:\nM {call.what}"
        said = good if call.ok else "apply_patch verification failed: no match"
        made = {"type": "custom_tool_call", "name": "apply_patch", "input": patch}
        ended = {"type": "custom_tool_call_output", "output": said}
    return {**made, "call_id": call.ident}, {**ended, "call_id": call.ident}


def codex_rollout(session: Session) -> Files:
    """Write the file of a thread."""
    payloads: list[tuple[str, Record]] = [
        ("session_meta", {"id": SID, "cwd": FOLDER, "source": "cli"})
    ]

    def said(role: str, kind: str, text: str) -> tuple[str, Record]:
        content = [{"type": kind, "text": text}]
        return "response_item", {"type": "message", "role": role, "content": content}

    for number, turn in enumerate(session):
        payloads += [
            ("event_msg", {"type": "task_started", "turn_id": f"t{number}"}),
            said("user", "input_text", turn.prompt),
            ("event_msg", {"type": "user_message", "message": turn.prompt}),
        ]
        for one in turn.responses:
            payloads += [said("assistant", "output_text", one.text)] if one.text else []
            payloads += [("response_item", codex_pair(call)[0]) for call in one.made]
            payloads += [("response_item", codex_pair(call)[1]) for call in one.results]
        end = {"type": "task_complete", "last_agent_message": turn.answer}
        payloads += [said("assistant", "output_text", turn.answer), ("event_msg", end)]
    records = [
        {"timestamp": stamp(number), "type": kind, "payload": payload}
        for number, (kind, payload) in enumerate(payloads)
    ]
    return {f"rollout-2026-02-01T10-00-00-{SID}.jsonl": lines(*records)}


def codex_output(session: Session) -> Files:
    """Write the outputs of runs, one a turn."""
    records: list[Record] = []
    for turn in session:
        records += [{"type": "thread.started", "thread_id": SID}, {"type": "turn.started"}]
        items = 0
        for one in turn.responses:
            begun = []
            for call in one.made:
                item = {"id": f"item_{items}", **_item(call)}
                items += 1
                begun.append((item, call))
                records.append({"type": "item.started", "item": item | {"status": "in_progress"}})
            for item, call in begun:
                if call.answered:
                    end = {"status": "completed" if call.ok else "failed"}
                    if call.kind == "run":
                        end |= {"exit_code": call.code, "aggregated_output": call.output}
                    records.append({"type": "item.completed", "item": item | end})
        last = {"id": f"item_{items}", "type": "agent_message", "text": turn.answer}
        records += [{"type": "item.completed", "item": last}, {"type": "turn.completed"}]
    return {"output.jsonl": lines(*records)}


def _item(call: Call) -> Record:
    if call.kind == "run":
        shell = f"/bin/bash -lc {shlex.quote(call.what)}"
        return {"type": "command_execution", "command": shell}
    changes = [{"path": within(call.what), "kind": "update"}]
    return {"type": "file_change", "changes": changes}
