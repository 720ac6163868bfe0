"""A session is the same whichever of its files are packed."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from places import TRACES
from replayed import found

CLASSIC, RECENT = TRACES / "classic-2026-08", TRACES / "reasonix-1.38.11"
CHOSEN = {"all": slice(None), "first": slice(0, None, 2), "others": slice(1, None, 2)}


def lines(*records: Any) -> str:
    return "".join(msgspec.json.encode(record).decode() + "\n" for record in records)


def claude(folder: Path, place: str) -> None:
    """Write a session of Claude Code whose sub-agent changed a file."""

    def record(kind: str, uuid: str, content: Any, **more: Any) -> dict[str, Any]:
        message = {"role": kind, "id": f"m{uuid}", "content": content}
        return {"type": kind, "uuid": uuid, "sessionId": "s", "message": message, **more}

    def asks(uuid: str, name: str, **args: Any) -> dict[str, Any]:
        use = {"type": "tool_use", "id": f"t{uuid}", "name": name, "input": args}
        return record("assistant", uuid, [use])

    def answers(uuid: str, to: str, **more: Any) -> dict[str, Any]:
        result = {"type": "tool_result", "tool_use_id": f"t{to}", "content": "ok"}
        return record("user", uuid, [result], **more)

    inside = {"isSidechain": True, "agentId": "x"}
    child = [
        record("user", "c1", "mend", **inside),
        asks("c2", "Edit", file_path="/w/a.py", old_string="a", new_string="b") | inside,
        answers("c3", "c2", **inside),
    ]
    (folder / place).mkdir(parents=True, exist_ok=True)
    (folder / place / "agent-x.jsonl").write_text(lines(*child))
    (folder / place / "agent-x.meta.json").write_text('{"toolUseId": "t2"}')
    session = [record("user", "1", "go"), asks("2", "Agent", prompt="mend"), answers("3", "2")]
    (folder / "s.jsonl").write_text(lines(*session))


def codex(folder: Path) -> None:
    """Write two rollouts of Codex, one of them of a sub-agent."""
    threads = [f"0000000{n}-0000-7000-8000-000000000000" for n in (1, 2)]

    def record(kind: str, **payload: Any) -> dict[str, Any]:
        return {"timestamp": "2026-03-01T10:00:00Z", "type": kind, "payload": payload}

    def rollout(day: str, thread: str, source: Any, *records: Any) -> None:
        (folder / day).mkdir(parents=True, exist_ok=True)
        file = folder / day / f"rollout-2026-03-01T10-00-00-{thread}.jsonl"
        meta = record("session_meta", id=thread, cwd="/w", source=source)
        begin = record("event_msg", type="task_started", turn_id="t")
        file.write_text(lines(meta, begin, *records))

    def call(ident: str, name: str, output: str, **args: Any) -> list[Any]:
        text = msgspec.json.encode(args).decode()
        item = {"call_id": ident, "name": name, "arguments": text}
        return [
            record("response_item", type="function_call", **item),
            record("response_item", type="function_call_output", call_id=ident, output=output),
        ]

    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": threads[0], "depth": 1}}}
    answer = msgspec.json.encode({"agent_id": threads[1]}).decode()
    rollout("01", threads[0], "cli", *call("1", "spawn_agent", answer))
    ended = "Process exited with code 0\nOutput:\nx"
    rollout("02", threads[1], spawn, *call("1", "exec_command", ended, cmd="rm a.py"))


def atif(folder: Path) -> None:
    """Write a trajectory and that of a sub-agent which it names."""

    def trajectory(name: str, *refs: Any) -> dict[str, Any]:
        answer = {"source_call_id": "1", "content": "", "subagent_trajectory_ref": list(refs)}
        call = {"tool_call_id": "1", "function_name": "task", "arguments": {}}
        step = {"step_id": 2, "source": "agent", "message": "", "tool_calls": [call]}
        steps = [{"step_id": 1, "source": "user", "message": "go"}]
        steps.append(step | {"observation": {"results": [answer]}})
        agent = {"name": "x", "version": "1"}
        return {"schema_version": "ATIF-v1.6", "session_id": name, "agent": agent, "steps": steps}

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "s.json").write_text(lines(trajectory("a", {"trajectory_path": "b.json"})))
    (folder / "b.json").write_text(lines(trajectory("b")))


def recorded(place: Path) -> Callable[[Path], None]:
    return lambda folder: (shutil.copytree(place, folder), None)[1]


FOLDERS: dict[str, Callable[[Path], None]] = {
    "claude-code": lambda folder: claude(folder, "s/subagents"),
    "claude-code-beside": lambda folder: claude(folder, "."),
    "claude-code-workflow": lambda folder: claude(folder, "s/subagents/workflows/w"),
    "codex": codex,
    "atif": atif,
    "reasonix-sub-agents": recorded(CLASSIC / "subagent-task" / "session"),
    "reasonix-reviews": recorded(CLASSIC / "delivery-high-risk" / "session"),
    "reasonix-runs": recorded(CLASSIC / "todo-open-at-end"),
    "reasonix-frames": recorded(RECENT / "output-large" / "sessions-v4"),
}


def told(folder: Path) -> list[Any]:
    """Return what a replay says of the traces of a folder, in no order and without file names."""
    return sorted(
        (
            trace.id,
            trace.format,
            trace.events,
            trace.calls,
            [(one.name, one.verdict.decision, one.verdict.reason) for one in trace.verdicts],
            [diag.code for diag in trace.diagnostics],
        )
        for trace in found(folder)
    )


@pytest.mark.parametrize("chosen", list(CHOSEN))
@pytest.mark.parametrize("kind", list(FOLDERS))
def test_a_session_is_the_same_whichever_of_its_files_are_packed(
    kind: str, chosen: str, tmp_path: Path
) -> None:
    """Old sessions are packed file by file; what a sub-agent changed was lost without a word."""
    FOLDERS[kind](tmp_path / "plain")
    FOLDERS[kind](tmp_path / "packed")
    files = sorted(path for path in (tmp_path / "packed").rglob("*") if path.is_file())
    for file in files[CHOSEN[chosen]]:
        file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes()))
        file.unlink()

    assert told(tmp_path / "plain") == told(tmp_path / "packed")


@pytest.mark.parametrize("array", [False, True], ids=["one after the other", "in an array"])
@pytest.mark.parametrize("chosen", list(CHOSEN))
@pytest.mark.parametrize("kind", [kind for kind in FOLDERS if kind != "reasonix-frames"])
def test_a_session_is_the_same_whichever_of_its_files_are_laid_out(
    kind: str, chosen: str, array: bool, tmp_path: Path
) -> None:
    """Whoever looks at one by `jq .` and keeps that had each line of a sub-agent's lost."""
    FOLDERS[kind](tmp_path / "plain")
    FOLDERS[kind](tmp_path / "laid")
    files = [path for path in (tmp_path / "laid").rglob("*.jsonl") if "redacted" not in path.name]
    for file in sorted(files)[CHOSEN[chosen]]:
        records = [json.loads(line) for line in file.read_text().splitlines()]
        parts = [json.dumps(records, indent=1)] if array else map(indented, records)
        file.write_text("\n".join(parts) + "\n")

    assert told(tmp_path / "plain") == told(tmp_path / "laid")


def indented(record: Any) -> str:
    return json.dumps(record, indent=2)


def test_a_file_that_is_there_packed_and_plain_is_read_once(tmp_path: Path) -> None:
    """Whoever packs a copy has one sub-agent, not two."""
    claude(tmp_path / "plain", "s/subagents")
    claude(tmp_path / "packed", "s/subagents")
    child = tmp_path / "packed" / "s" / "subagents" / "agent-x.jsonl"
    child.with_name(f"{child.name}.gz").write_bytes(gzip.compress(child.read_bytes()))

    assert told(tmp_path / "plain") == told(tmp_path / "packed")
