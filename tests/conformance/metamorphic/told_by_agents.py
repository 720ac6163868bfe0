"""Writers of what Codex keeps of a session, and of what it prints of a run."""

from __future__ import annotations

import json
import shlex
from typing import Any

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

_CUT = "…12 tokens truncated…"
_JOB_CODES = {"ok": 0, "error": 1, "killed": 137}


def stamp(number: int) -> str:
    """Return a time that grows with a number."""
    return f"2026-02-01T{10 + number // 3600}:{number // 60 % 60:02}:{number % 60:02}.000Z"


def within(path: str) -> str:
    """Return the whole path of a file."""
    return f"{FOLDER}/{path}"


def cut(call: Call, mark: str) -> str:
    """Return an output, with a mark where something was taken out."""
    return f"{call.output}\n{mark}\nend" if call.cut else call.output


def _thread_of(call: Call) -> str:
    return f"00000000-0000-7000-8000-{call.number:0>12}"


def _made(call: Call) -> Record:
    """Return a call; files are read by commands."""
    told = {"type": "function_call", "call_id": call.ident}
    if call.kind == "run":
        return {**told, "name": "exec_command", "arguments": json.dumps({"cmd": call.what})}
    if call.kind == "task":
        return {**told, "name": "spawn_agent", "arguments": json.dumps({"message": call.what})}
    if call.kind == "note":
        plan = [{"step": "Fix add", "status": "in_progress"}]
        return {**told, "name": "update_plan", "arguments": json.dumps({"plan": plan})}
    verb = "Update" if call.kind == "edit" else "Add"
    patch = f"*** Begin Patch\n*** {verb} File: {call.what}\n@@\n-a\n+b\n*** End Patch"
    return {**told, "type": "custom_tool_call", "name": "apply_patch", "input": patch}


def _said_of(call: Call) -> str:
    """Return what the program gives back for a call."""
    if call.ended == "stopped":
        return "aborted by user after 1.0s"
    if call.ended == "denied":
        by_user = "exec command rejected by user"
        return by_user if call.kind == "run" else "patch rejected: by user"
    if call.ended == "job":
        return f"Wall time: 9 seconds\nProcess running with session ID {call.number}\nOutput:\n"
    if call.kind == "task":
        return json.dumps({"agent_id": _thread_of(call)})
    if call.kind == "note":
        return "Plan updated"
    if call.kind == "run":
        frame = f"Wall time: 0.1 seconds\nProcess exited with code {call.code}\nOutput:\n"
        return f"{frame}{cut(call, _CUT)}"
    good = f"Success. Updated the following files:\nM {call.what}"
    return good if call.ok else "apply_patch verification failed: no match"


def codex_pair(call: Call) -> tuple[Record, Record]:
    """Return a call and its output."""
    made, text = _made(call), _said_of(call)
    image = {"type": "input_image", "image_url": f"data:image/png;base64,{PIXEL}"}
    output = [{"type": "input_text", "text": text}, image] if call.shows else text
    kind = f"{made['type']}_output"
    return made, {"type": kind, "call_id": call.ident, "output": output}


class _Thread:
    """The records of a thread, and the files of those that it started."""

    def __init__(self, thread: str = SID, parent: str | None = None) -> None:
        spawn = {"subagent": {"thread_spawn": {"parent_thread_id": parent, "depth": 1}}}
        self.records: list[Record] = []
        self.others: Files = {}
        self._thread = thread
        meta = {"id": thread, "cwd": FOLDER, "source": spawn if parent else "cli"}
        self._say("session_meta", meta)

    @property
    def files(self) -> Files:
        """The file of the thread, and those of its sub-agents."""
        name = f"rollout-2026-02-01T10-00-00-{self._thread}.jsonl"
        return {name: lines(*self.records), **self.others}

    def _say(self, kind: str, payload: Record) -> None:
        at = stamp(len(self.records))
        self.records.append({"timestamp": at, "type": kind, "payload": payload})

    def event(self, kind: str, **more: Any) -> None:
        """Tell an event."""
        self._say("event_msg", {"type": kind, **more})

    def item(self, item: Record) -> None:
        """Tell an item of the conversation."""
        self._say("response_item", item)

    def said(self, role: str, *content: Record) -> None:
        """Tell a message."""
        self.item({"type": "message", "role": role, "content": list(content)})

    def begins(self, number: int, prompt: str, *, shows: bool = False) -> None:
        """Begin a turn; an image stands between two marks."""
        self.event("task_started", turn_id=f"t{number}")
        text = {"type": "input_text", "text": prompt}
        url = f"data:image/png;base64,{PIXEL}"
        image = [
            {"type": "input_text", "text": "<image>"},
            {"type": "input_image", "image_url": url},
            {"type": "input_text", "text": "</image>"},
        ]
        self.said("user", *(image if shows else ()), text)
        self.event("user_message", message=prompt)

    def news(self, jobs: list[Call]) -> None:
        """Tell that commands have ended that went on."""
        for job in jobs:
            code = _JOB_CODES[job.job]
            told = {"call_id": job.ident, "exit_code": code, "status": "completed"}
            self.event("exec_command_end", command=["bash", "-lc", job.what], **told)

    def responds(self, one: Response) -> None:
        """Tell a response, its calls, and what came of each."""
        if one.compacted:
            history = [{"type": "message", "role": "user", "content": [_text(SUMMARY)]}]
            self._say("compacted", {"message": SUMMARY, "replacement_history": history})
            self.event("context_compacted")
        if one.retried:
            self.event("stream_error", message="Reconnecting... 1/5")
        if one.text:
            self.said("assistant", _text(one.text))
        for call in one.made:
            self.item(codex_pair(call)[0])
        for call in one.results:
            self.item(codex_pair(call)[1])
        for call in one.made:
            if call.kind == "task" and call.answered and not call.ended:
                self._waits(call)

    def ends(self, answer: str) -> None:
        """End a turn well."""
        self.said("assistant", _text(answer))
        self.event("task_complete", last_agent_message=answer)

    def _waits(self, call: Call) -> None:
        """Tell a sub-agent in a file of its own, and how its thread waits for it."""
        child = _Thread(_thread_of(call), self._thread)
        child.begins(0, call.what)
        for one in call.inside:
            child.responds(one)
        child.ends("Found.")
        self.others |= child.files
        ident, thread = named_after(call, 9), _thread_of(call)
        asked = json.dumps({"ids": [thread]})
        self.item({"type": "function_call", "call_id": ident, "name": "wait", "arguments": asked})
        stands = {"completed": "Found."} if call.ok else {"errored": "no"}
        output = json.dumps({"status": {thread: stands}})
        self.item({"type": "function_call_output", "call_id": ident, "output": output})


def _text(text: str) -> Record:
    return {"type": "output_text", "text": text}


def codex_rollout(session: Session) -> Files:
    """Write the file of a thread, and those of its sub-agents."""
    told = _Thread()
    for number, turn in enumerate(session):
        told.begins(number, turn.prompt, shows=turn.shows)
        for at, one in enumerate(turn.responses):
            told.news(ended_jobs(turn.responses, at))
            told.responds(one)
        if turn.stopped:
            told.said("user", {"type": "input_text", "text": "<turn_aborted>\nx\n</turn_aborted>"})
            told.event("turn_aborted", reason="interrupted")
        else:
            told.news(ended_jobs(turn.responses, len(turn.responses)))
            told.ends(turn.answer)
    return told.files


# -- the output of its runs


def codex_output(session: Session) -> Files:
    """Write the outputs of runs, one a turn."""
    records: list[Record] = []
    for turn in session:
        records += [{"type": "thread.started", "thread_id": SID}, {"type": "turn.started"}]
        run = _Run(records)
        for one in turn.responses:
            run.responds(one)
        if turn.stopped:
            continue
        run.tells({"type": "agent_message", "text": turn.answer})
        records.append({"type": "turn.completed"})
    return {"output.jsonl": lines(*records)}


class _Run:
    """The items of a run; calls that never began are not told."""

    def __init__(self, records: list[Record]) -> None:
        self._records = records
        self._items = 0
        self._jobs: list[tuple[Record, Call]] = []

    def tells(self, item: Record) -> None:
        """Tell an item that is done at once."""
        self._records.append({"type": "item.completed", "item": self._named(item)})

    def responds(self, one: Response) -> None:
        """Tell a response by its calls; commands that went on end behind it."""
        if one.compacted:
            self.tells({"type": "context_compaction"})
        if one.retried:
            self._records.append({"type": "error", "message": "Reconnecting... 1/5"})
        begun = []
        for call in one.made:
            if call.ended == "denied":
                continue
            begun.append((self._named(_item(call)), call))
            self._begins(begun[-1][0])
        for item, call in begun[:: -1 if one.turned else 1]:
            if call.answered and call.ended not in ("job", "stopped"):
                self._ends(item, call)

    def _named(self, item: Record) -> Record:
        self._items += 1
        return {"id": f"item_{self._items - 1}", **item}

    def _begins(self, item: Record) -> None:
        self._records.append({"type": "item.started", "item": item | {"status": "in_progress"}})

    def _ends(self, item: Record, call: Call) -> None:
        end: Record = {"status": "completed" if call.ok else "failed"}
        if call.kind == "run":
            end |= {"exit_code": call.code, "aggregated_output": cut(call, _CUT)}
        self._records.append({"type": "item.completed", "item": item | end})


def _item(call: Call) -> Record:
    if call.kind == "run":
        shell = f"/bin/bash -lc {shlex.quote(call.what)}"
        return {"type": "command_execution", "command": shell}
    if call.kind == "task":
        return {"type": "collab_tool_call", "tool": "spawn_agent", "prompt": call.what}
    if call.kind == "note":
        return {"type": "todo_list", "items": [{"text": "Fix add", "completed": False}]}
    changes = [{"path": within(call.what), "kind": "add" if call.kind == "write" else "update"}]
    return {"type": "file_change", "changes": changes}
