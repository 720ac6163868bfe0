"""Records of Claude Code sessions as its files hold them, and what is read of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from trace_samples import lines

from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_runtime.trace.events import Diag, Event

Record = dict[str, Any]


def record(kind: str, uuid: str, content: Any, **more: Any) -> Record:
    message = {"role": kind, "id": f"m-{uuid}", "content": content}
    return {"type": kind, "uuid": uuid, "sessionId": "s", "message": message, **more}


def asks(uuid: str, name: str, **args: Any) -> Record:
    block = {"type": "tool_use", "id": f"t-{uuid}", "name": name, "input": args}
    return record("assistant", uuid, [block])


def answers(
    uuid: str, to: str, content: str | list[Any], *, error: bool = False, **more: Any
) -> Record:
    block = {"type": "tool_result", "tool_use_id": f"t-{to}", "content": content, "is_error": error}
    return record("user", uuid, [block], **more)


def read(path: Path, *records: Record) -> list[Event]:
    file = path / "s.jsonl"
    file.write_text(lines(*records))
    return list(events(Recording(path=file, shown="s.jsonl")))


def notes(stream: list[Event]) -> list[str]:
    return sorted({event.code for event in stream if isinstance(event, Diag)} - {"turn_inferred"})


def says(uuid: str, text: str, **message: Any) -> Record:
    told = record("assistant", uuid, [{"type": "text", "text": text}] if text else [])
    told["message"] |= message
    return told


def agents(folder: Path, **files: list[Record]) -> None:
    """Write the files of sub-agents beside the session `s`, by their names without the end."""
    place = folder / "s" / "subagents"
    for path, records in files.items():
        file = place / f"{path}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(lines(*[record | {"isSidechain": True} for record in records]))
