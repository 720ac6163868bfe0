"""Records in the outputs of runs, as tests write them: of Claude Code and of Codex."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from trace_samples import lines

from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.trace.events import Event, Host

Record = dict[str, Any]


# -- Claude Code


def init(sid: str = "s", **more: Any) -> Record:
    return {"type": "system", "subtype": "init", "session_id": sid, "cwd": "/w", **more}


def system(kind: str, **more: Any) -> Record:
    return {"type": "system", "subtype": kind, "session_id": "s", **more}


def spoken(kind: str, ident: str, content: Any, **more: Any) -> Record:
    told = {"parent_tool_use_id": None, "session_id": "s", "uuid": ident, **more}
    return {"type": kind, "message": {"role": kind, "id": f"m-{ident}", "content": content}, **told}


def says(ident: str, text: str, **more: Any) -> Record:
    return spoken("assistant", ident, [{"type": "text", "text": text}], **more)


def prompt(ident: str, text: str, **more: Any) -> Record:
    return spoken("user", ident, [{"type": "text", "text": text}], **more)


def asks(ident: str, name: str, more: Record | None = None, **args: Any) -> Record:
    block = {"type": "tool_use", "id": f"t-{ident}", "name": name, "input": args}
    return spoken("assistant", ident, [block], **(more or {}))


def answers(to: str, text: str, *, error: bool = False, **more: Any) -> Record:
    block = {"type": "tool_result", "tool_use_id": f"t-{to}", "content": text, "is_error": error}
    return spoken("user", f"r-{to}", [block], **more)


def ran(ident: str, command: str, text: str = "x", **more: Any) -> tuple[Record, Record]:
    extra = {"stdout": text, "interrupted": False}
    return asks(ident, "Bash", command=command), answers(ident, text, tool_use_result=extra, **more)


def edited(ident: str, path: str = "/w/a.py", **more: Any) -> tuple[Record, Record]:
    return asks(ident, "Edit", more, file_path=path), answers(ident, "updated", **more)


def result(kind: str = "success", **more: Any) -> Record:
    told = {"is_error": kind != "success", "session_id": "s", **more}
    return {"type": "result", "subtype": kind, **told}


# -- Codex

THREAD: Record = {"type": "thread.started", "thread_id": "th"}
TURN: Record = {"type": "turn.started"}
DONE: Record = {"type": "turn.completed", "usage": {}}
BANNER: Record = {"workdir": "/w", "model": "m", "provider": "p"}


def begun(ident: str, kind: str, **more: Any) -> Record:
    item = {"id": ident, "type": kind, **more, "status": "in_progress"}
    return {"type": "item.started", "item": item}


def completed(ident: str, kind: str, **more: Any) -> Record:
    return {"type": "item.completed", "item": {"id": ident, "type": kind, **more}}


def command(
    ident: str, text: str, code: int | None = 0, output: str = "x"
) -> tuple[Record, Record]:
    kind, shell = "command_execution", f"/bin/bash -lc '{text}'"
    state = "failed" if code else "completed"
    more = {"exit_code": code, "aggregated_output": output, "status": state}
    return begun(ident, kind, command=shell), completed(ident, kind, command=shell, **more)


def changed(ident: str, path: str = "/w/a.py", **more: Any) -> Record:
    told = {"changes": [{"path": path, "kind": "update"}], "status": "completed", **more}
    return completed(ident, "file_change", **told)


def message(ident: str, text: str = "done") -> Record:
    return completed(ident, "agent_message", text=text)


def event(kind: str, task: str = "0", **more: Any) -> Record:
    return {"id": task, "msg": {"type": kind, **more}}


# -- what is read and judged


def read(folder: Path, *records: Record) -> list[Event]:
    file = folder / "out.jsonl"
    file.write_text(lines(*records))
    return list(events(Recording(path=file, shown="out.jsonl")))


def judged(folder: Path, *records: Record) -> list[tuple[str, str]]:
    """Return the decision, and the reason or what is missing, of each verdict on an output."""
    file = folder / "out.jsonl"
    file.write_text(lines(*records))
    found = [one for told in file_results(file, Options()) for one in told.verdicts]
    return [(one.verdict.decision.value, one.verdict.reason or "") for one in found]


def jobs(stream: list[Event]) -> list[tuple[str, str]]:
    return [
        (event.data["uid"], event.data["outcome"])
        for event in stream
        if isinstance(event, Host) and event.name == "job_ended"
    ]
